import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Column, Dialog, type Filter, List, Num, Page, type Schema, useAction, useCan, useNavigate, When } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EngineSections } from './sections';
import { agents } from './types';

type Prompt = Schema<'EngineShownPrompt'>;

/** What agents are told: the organization's own prompts, in versions. */
export default function Prompts() {
  const { t } = useTranslation('engine');
  const can = useCan();
  const [adding, setAdding] = useState(false);
  const columns = useMemo<Column<Prompt>[]>(
    () => [
      {
        key: 'name',
        title: t('column.name'),
        render: (p) => (
          <>
            {p.name}
            <Text span size="sm" c="dimmed" display="block" fw={400}>
              {t(`agent.${p.agent}`)}
            </Text>
          </>
        ),
      },
      {
        key: 'active',
        title: t('prompts.active'),
        render: (p) => (p.active_version ? t('prompts.version', { n: p.active_version }) : '–'),
      },
      { key: 'versions', title: t('prompts.versions'), from: 'md', align: 'right', render: (p) => <Num value={p.versions_count} /> },
      { key: 'changed', title: t('prompts.changed'), render: (p) => <When at={p.updated_at} /> },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      { kind: 'choice', key: 'agent', label: t('column.agent'), options: agents.map((value) => ({ value, label: t(`agent.${value}`) })) },
    ],
    [t],
  );
  const add = can('ai:manage') && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
      {t('prompts.add')}
    </Button>
  );
  return (
    <Page title={t('sections.prompts')} lead={t('prompts.lead')} actions={add}>
      <EngineSections />
      <List
        path="/ai/prompts"
        label={t('sections.prompts')}
        columns={columns}
        filters={filters}
        to={(p) => `/ai/prompts/${p.id}`}
        name={(p) => p.name}
        empty={{ title: t('prompts.empty'), text: t('prompts.emptyText'), action: add }}
      />
      {adding && <PromptDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

const longestBody = 32_000;

function PromptDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['engine', 'shell']);
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { agent: 'SELLER' as Prompt['agent'], name: '', body: '', notes: '' },
    validate: {
      name: (v) => (v.trim() ? null : t('form.nameMissing')),
      body: (v) => (v.trim() ? null : t('prompts.bodyMissing')),
    },
  });
  const create = useAction('post', '/ai/prompts', {
    form,
    stale: ['/ai/prompts'],
    done: t('prompts.added'),
    then: (p) => void navigate({ to: `/ai/prompts/${p.id}` }),
  });
  const save = form.onSubmit((v) => void create.run({ body: { ...v, name: v.name.trim(), notes: v.notes.trim() || null } }));
  return (
    <Dialog onClose={onClose} title={t('prompts.add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          <Select
            label={t('column.agent')}
            allowDeselect={false}
            data={agents.map((value) => ({ value, label: t(`agent.${value}`) }))}
            {...form.getInputProps('agent')}
          />
          <TextInput label={t('column.name')} maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <BodyField {...form.getInputProps('body')} />
          <TextInput label={t('prompts.notes')} maxLength={1000} {...form.getInputProps('notes')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending}>
              {t('prompts.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** The text of a version. */
export function BodyField(props: object) {
  const { t } = useTranslation('engine');
  return (
    <Textarea
      label={t('prompts.body')}
      description={t('prompts.bodyHint')}
      autosize
      minRows={6}
      maxRows={18}
      maxLength={longestBody}
      {...props}
    />
  );
}
