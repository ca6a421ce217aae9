import { Alert, Button, Grid, Group, Paper, Select, Skeleton, Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  type Above,
  Confirm,
  Dialog,
  Failed,
  Link,
  NamedThing,
  NotFound,
  Page,
  type Schema,
  Status,
  useAction,
  useCan,
  useGet,
  When,
} from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Diff } from './Diff';
import { BodyField } from './Prompts';

type Version = Schema<'EngineShownVersion'>;
const looks = { DRAFT: 'DRAFT', TESTING: 'RUNNING', ACTIVE: 'ACTIVE', ARCHIVED: 'DISABLED' } as const;
const whole = { query: { limit: 500 } };

/** One prompt: its versions, what changed between two, and which of them the agent uses. */
export default function PromptPage() {
  const { t } = useTranslation('engine');
  const can = useCan();
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useGet('/ai/prompts/{id}/versions', { path: { id }, ...whole });
  const named = useGet('/ai/prompts', whole).data?.data?.find((p) => p.id === id);
  const [chosen, setChosen] = useState<number>();
  const [writing, setWriting] = useState(false);
  const above: Above[] = [{ label: t('sections.prompts'), to: '/ai/prompts' }];
  if (error?.status === 404) return <NotFound />;
  const versions = data?.data ?? [];
  const shown = versions.find((v) => v.version === chosen) ?? versions[0];
  if (!shown)
    return (
      <Page title={named?.name ?? t('prompts.one')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  const write = can('ai:manage') && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setWriting(true)}>
      {t('prompts.write')}
    </Button>
  );
  return (
    <Page title={named?.name ?? t('prompts.one')} lead={named && t(`agent.${named.agent}`)} above={above} actions={write}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Paper component="section">
            <Title order={2} mb="xs">
              {t('prompts.versions')}
            </Title>
            <Stack component="ol" gap={4} p={0} m={0} style={{ listStyle: 'none' }}>
              {versions.map((v) => (
                <li key={v.version} data-version={v.version}>
                  <Line version={v} chosen={v === shown} onChoose={() => setChosen(v.version)} />
                </li>
              ))}
            </Stack>
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Shown key={shown.version} prompt={id} version={shown} all={versions} />
        </Grid.Col>
      </Grid>
      {writing && (
        <Write
          prompt={id}
          from={shown}
          onClose={() => setWriting(false)}
          onMade={(n) => {
            setWriting(false);
            setChosen(n);
          }}
        />
      )}
    </Page>
  );
}

function Line({ version: v, chosen, onChoose }: { version: Version; chosen: boolean; onChoose: () => void }) {
  const { t } = useTranslation('engine');
  return (
    <UnstyledButton
      onClick={onChoose}
      aria-current={chosen ? 'true' : undefined}
      w="100%"
      p={8}
      style={{ borderRadius: 6, background: chosen ? 'var(--mantine-color-default-hover)' : undefined }}
    >
      <Group justify="space-between" gap={6}>
        <Text size="sm" fw={600}>
          {t('prompts.version', { n: v.version })}
        </Text>
        <Status state={looks[v.status]} label={t(`versionState.${v.status}`)} />
      </Group>
      <Text size="xs" c="dimmed" component="div">
        <When at={v.created_at} /> · {v.creator?.name ?? '–'}
      </Text>
      {v.notes && (
        <Text size="xs" mt={2}>
          {v.notes}
        </Text>
      )}
    </UnstyledButton>
  );
}

/** A version beside another: what the agent uses now, else the one before. */
function Shown({ prompt, version: v, all }: { prompt: string; version: Version; all: readonly Version[] }) {
  const { t } = useTranslation('engine');
  const can = useCan();
  const active = all.find((x) => x.status === 'ACTIVE' && x !== v);
  const before = all.find((x) => x.version === v.version - 1);
  const [against, setAgainst] = useState<string | null>(String((active ?? before)?.version ?? '') || null);
  const [asked, setAsked] = useState(false);
  const [stopped, setStopped] = useState(false);
  const activate = useAction('post', '/ai/prompts/{id}/versions/{v}/activate', {
    stale: ['/ai/prompts', '/ai/agents'],
    done: t('prompts.activated', { n: v.version }),
    then: () => setAsked(false),
    failed: (e) => {
      if (e.code !== 'quality_gate_failed') return false;
      setAsked(false);
      setStopped(true);
      return true;
    },
  });
  const other = all.find((x) => String(x.version) === against);
  return (
    <Paper component="section" aria-label={t('prompts.version', { n: v.version })}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('prompts.version', { n: v.version })}</Title>
        {can('ai:manage') && v.status !== 'ACTIVE' && <Button onClick={() => setAsked(true)}>{t('prompts.activate')}</Button>}
      </Group>
      {stopped && (
        <Alert color="red" mb="sm" title={t('gate.failedTitle')} role="alert">
          <Text size="sm" mb="xs">
            {t('gate.failed')}
          </Text>
          <Button
            component={Link}
            to="/ai/quality/evaluations"
            search={{ prompt_version: `${prompt}/${v.version}` } as never}
            variant="default"
            size="compact-sm"
          >
            {t('gate.toEvaluations')}
          </Button>
        </Alert>
      )}
      <Select
        label={t('prompts.against')}
        placeholder={t('prompts.alone')}
        clearable
        clearButtonProps={{ 'aria-label': t('prompts.alone') }}
        data={all
          .filter((x) => x !== v)
          .map((x) => ({
            value: String(x.version),
            label: `${t('prompts.version', { n: x.version })} · ${t(`versionState.${x.status}`)}`,
          }))}
        value={against}
        onChange={setAgainst}
        mb="sm"
        maw={320}
      />
      <Diff before={other?.body ?? v.body} after={v.body} />
      <Text size="sm" c="dimmed" mt="sm" component="div">
        {v.creator && (
          <>
            {t('prompts.by')} <NamedThing of={v.creator} /> ·{' '}
          </>
        )}
        <When at={v.created_at} exact />
      </Text>
      {asked && (
        <Confirm
          title={t('prompts.activateTitle', { n: v.version })}
          consequence={t(v.status === 'ARCHIVED' ? 'prompts.rollbackConsequence' : 'prompts.activateConsequence')}
          act={t('prompts.activate')}
          pending={activate.pending}
          onConfirm={() => void activate.run({ path: { id: prompt, v: String(v.version) } })}
          onClose={() => setAsked(false)}
        />
      )}
    </Paper>
  );
}

interface WriteProps {
  prompt: string;
  from: Version;
  onClose: () => void;
  onMade: (version: number) => void;
}

/** Writes a version; it begins with the text of the one that is shown. */
function Write({ prompt, from, onClose, onMade }: WriteProps) {
  const { t } = useTranslation(['engine', 'shell']);
  const form = useForm({
    initialValues: { body: from.body, notes: '' },
    validate: { body: (v) => (!v.trim() ? t('prompts.bodyMissing') : v === from.body ? t('prompts.bodySame') : null) },
  });
  const create = useAction('post', '/ai/prompts/{id}/versions', {
    form,
    stale: ['/ai/prompts'],
    done: t('prompts.written'),
    then: (v) => onMade(v.version),
  });
  return (
    <Dialog onClose={onClose} title={t('prompts.write')}>
      <form
        onSubmit={form.onSubmit((v) => void create.run({ path: { id: prompt }, body: { body: v.body, notes: v.notes.trim() || null } }))}
        noValidate
      >
        <Stack>
          <BodyField data-autofocus {...form.getInputProps('body')} />
          <TextInput label={t('prompts.notes')} maxLength={1000} {...form.getInputProps('notes')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending}>
              {t('prompts.write')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
