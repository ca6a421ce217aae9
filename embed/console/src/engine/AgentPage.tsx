import { Alert, Button, Checkbox, Grid, Group, Paper, Skeleton, Stack, Switch, Tabs, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Above, Confirm, Failed, Link, NotFound, Page, Tag, Unsaved, useAction, useCan, useGet } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChainEditor } from './ChainEditor';
import { bodyOf, type Config, entriesOf } from './chain';
import { GateFields, gateBody, gateValues } from './GateFields';

const tools = [
  'knowledge_search',
  'web_research',
  'calendar_find',
  'calendar_check',
  'calendar_create',
  'calendar_update',
  'calendar_cancel',
] as const;
const languages = ['uz', 'ru', 'en'] as const;

/** One agent: whether it works, which models it asks in which order, and what it may do. */
export default function AgentPage() {
  const { t } = useTranslation('engine');
  const { id: agent = '' } = useParams({ strict: false });
  const { data: a, error, refetch } = useGet('/ai/agents/{agent}/config', { path: { agent } });
  const above: Above[] = [{ label: t('sections.agents'), to: '/ai/agents' }];
  if (error?.status === 404) return <NotFound />;
  if (!a)
    return (
      <Page title={t('column.agent')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page title={t(`agent.${a.agent}`)} lead={t(`agentJob.${a.agent}`)} above={above} badge={<Tag>{t(`agents.from.${a.source}`)}</Tag>}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Settings key={`${a.agent} ${a.updated_at}`} agent={a} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Prompts agent={a} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Settings({ agent: a }: { agent: Config }) {
  const { t } = useTranslation('engine');
  const can = useCan();
  const may = can('ai:manage');
  const [resetting, setResetting] = useState(false);
  const form = useForm({
    initialValues: { enabled: a.enabled, chain: entriesOf(a.chain), tools: { ...a.tool_permissions }, gate: gateValues(a.quality_gate) },
    validate: { chain: (v, all) => (v.length === 0 && all.enabled ? t('chain.empty') : null) },
  });
  const stale = ['/ai/agents'];
  const o = { stale, then: () => form.resetDirty() };
  const change = useAction('patch', '/ai/agents/{agent}/config', { ...o, done: t('form.saved'), form });
  const reset = useAction('delete', '/ai/agents/{agent}/config', { ...o, done: t('agents.resetDone') });
  const save = form.onSubmit((v) => {
    const chain = form.isDirty('chain') ? { chain: bodyOf(v.chain) } : {};
    const gate = form.isDirty('gate') ? { quality_gate: gateBody(v.gate) } : {};
    void change.run({ path: { agent: a.agent }, body: { enabled: v.enabled, tool_permissions: v.tools, ...chain, ...gate } as never });
  });
  const wrong = Object.entries(form.errors).filter(([field]) => field.startsWith('chain'));
  return (
    <Paper component="form" onSubmit={save} noValidate>
      <Unsaved form={form} />
      <Stack>
        <Switch
          label={t('agents.enabled')}
          description={t('agents.enabledHint')}
          disabled={!may}
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        <div>
          <Title order={2}>{t('agents.chain')}</Title>
          <Text size="sm" c="dimmed" mb="xs">
            {t('chain.lead')}
          </Text>
          <ChainEditor entries={form.values.chain} onChange={(v) => form.setFieldValue('chain', v)} disabled={!may} />
          {wrong.length > 0 && (
            <Alert color="red" mt="xs" role="alert">
              {wrong.map(([field, what]) => (
                <Text key={field} size="sm">
                  {what}
                </Text>
              ))}
            </Alert>
          )}
        </div>
        <Stack component="fieldset" gap={6} p={0} m={0} style={{ border: 0 }}>
          <Title order={2} component="legend">
            {t('agents.tools')}
          </Title>
          {tools.map((name) => (
            <Checkbox key={name} label={t(`tool.${name}`)} disabled={!may} {...form.getInputProps(`tools.${name}`, { type: 'checkbox' })} />
          ))}
        </Stack>
        {a.agent === 'SELLER' && <GateFields value={form.values.gate} onChange={(g) => form.setFieldValue('gate', g)} disabled={!may} />}
        {may && (
          <Group justify="space-between">
            <Button variant="default" disabled={a.source === 'DEFAULT'} onClick={() => setResetting(true)}>
              {t('agents.reset')}
            </Button>
            <Button type="submit" loading={change.pending}>
              {t('form.save')}
            </Button>
          </Group>
        )}
      </Stack>
      {resetting && (
        <Confirm
          title={t('agents.resetTitle', { name: t(`agent.${a.agent}`) })}
          consequence={t('agents.resetConsequence')}
          act={t('agents.reset')}
          pending={reset.pending}
          onConfirm={() => void reset.run({ path: { agent: a.agent } })}
          onClose={() => setResetting(false)}
        />
      )}
    </Paper>
  );
}

/** The prompts that hold until a version of the organization's own is active. */
function Prompts({ agent: a }: { agent: Config }) {
  const { t } = useTranslation('engine');
  return (
    <Paper component="section">
      <Title order={2}>{t('agents.defaultPrompt')}</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('agents.defaultPromptLead')}
      </Text>
      <Tabs defaultValue="uz">
        <Tabs.List>
          {languages.map((l) => (
            <Tabs.Tab key={l} value={l}>
              {t(`language.${l}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map((l) => (
          <Tabs.Panel key={l} value={l} pt="sm" lang={l}>
            <Text size="sm">{a.default_prompts?.[l]}</Text>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Button component={Link} to="/ai/prompts" search={{ agent: a.agent } as never} variant="default" mt="md">
        {t('agents.toPrompts')}
      </Button>
    </Paper>
  );
}
