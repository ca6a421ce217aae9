import { Button, Checkbox, Group, Select, Skeleton, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  type Above,
  type Column,
  Confirm,
  Dialog,
  Failed,
  type Filter,
  List,
  NotFound,
  Page,
  Tag,
  useAction,
  useCan,
  useGet,
  useNavigate,
  When,
} from '@shell';
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EvaluationDialog } from './EvaluationDialog';
import { Talk, Wanted } from './parts';
import { type Item, lines } from './types';

/** One dataset: its items, and what each wants of an answer. */
export default function DatasetPage() {
  const { t } = useTranslation('quality');
  const { id = '' } = useParams({ strict: false });
  const can = useCan();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'item' | 'delete' | 'run'>();
  const { data: d, error, refetch } = useGet('/ai/eval-datasets/{id}', { path: { id } });
  const remove = useAction('delete', '/ai/eval-datasets/{id}', {
    stale: ['/ai/eval-datasets'],
    done: t('dataset.deleted'),
    then: () => void navigate({ to: '/ai/quality/datasets' }),
  });
  const columns = useMemo<Column<Item>[]>(
    () => [
      { key: 'talk', title: t('item.talk'), render: (i) => <Talk of={i.input} /> },
      { key: 'wanted', title: t('item.wanted'), render: (i) => <Wanted of={i.expected as never} /> },
      {
        key: 'tags',
        title: t('item.tags'),
        render: (i) => (
          <Group gap={4}>
            {i.tags.map((x) => (
              <Tag key={x}>{x === 'must_pass' ? t('item.must') : x}</Tag>
            ))}
            <Tag>{t(`source.${i.source}`)}</Tag>
          </Group>
        ),
      },
      { key: 'at', title: t('column.at'), from: 'lg', render: (i) => <When at={i.created_at} /> },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'source',
        label: t('item.source'),
        options: (['MANUAL', 'FEEDBACK', 'CONVERSATION'] as const).map((value) => ({ value, label: t(`source.${value}`) })),
      },
      { kind: 'choice', key: 'tag', label: t('item.tags'), options: [{ value: 'must_pass', label: t('item.must') }] },
    ],
    [t],
  );
  const above: Above[] = [{ label: t('sections.datasets'), to: '/ai/quality/datasets' }];
  if (error?.status === 404) return <NotFound />;
  if (!d)
    return (
      <Page title={t('dataset.one')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  const add = can('ai:operate') && (
    <Button variant="default" leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setOpen('item')}>
      {t('item.add')}
    </Button>
  );
  const actions = (
    <Group>
      {add}
      {can('ai:manage') && (
        <>
          <Button variant="default" onClick={() => setOpen('delete')}>
            {t('dataset.delete')}
          </Button>
          <Button leftSection={<IconPlayerPlay size={17} aria-hidden />} onClick={() => setOpen('run')} disabled={d.items_count === 0}>
            {t('evaluation.add')}
          </Button>
        </>
      )}
    </Group>
  );
  return (
    <Page title={d.name} lead={d.description ?? d.business?.name} above={above} actions={actions}>
      <List
        path="/ai/eval-datasets/{id}/items"
        params={{ id }}
        label={t('column.items')}
        columns={columns}
        filters={filters}
        name={(i) => i.input.messages.at(-1)?.text ?? i.id}
        empty={{ title: t('item.empty'), text: t('item.emptyText'), action: add }}
      />
      {open === 'item' && <ItemDialog dataset={id} onClose={() => setOpen(undefined)} />}
      {open === 'run' && <EvaluationDialog dataset={d} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <Confirm
          title={t('dataset.deleteTitle', { name: d.name })}
          consequence={t('dataset.deleteConsequence', { count: d.items_count })}
          act={t('dataset.delete')}
          danger
          pending={remove.pending}
          onConfirm={() => void remove.run({ path: { id } })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  );
}

const actions = ['DRAFT', 'HANDOFF', 'NONE', 'STOP'] as const;
const tongues = ['uz-Latn', 'uz-Cyrl', 'ru', 'en'] as const;

/** An item that a person writes: what the customer says, and what the answer must have. */
function ItemDialog({ dataset, onClose }: { dataset: string; onClose: () => void }) {
  const { t } = useTranslation(['quality', 'shell']);
  const form = useForm({
    initialValues: { text: '', contains: '', avoids: '', action: '' as string | null, language: '' as string | null, must: false },
    validate: { text: (v) => (v.trim() ? null : t('item.textMissing')) },
  });
  const create = useAction('post', '/ai/eval-datasets/{id}/items', {
    form,
    stale: ['/ai/eval-datasets'],
    done: t('item.added'),
    then: onClose,
  });
  const save = form.onSubmit((v) => {
    const expected = {
      reply_contains: lines(v.contains),
      reply_avoids: lines(v.avoids),
      ...(v.action ? { final_action: v.action } : {}),
      ...(v.language ? { language: v.language } : {}),
    };
    const input = { messages: [{ author: 'CUSTOMER', text: v.text.trim() }] };
    void create.run({ path: { id: dataset }, body: { input, expected, tags: v.must ? ['must_pass'] : [] } as never });
  });
  return (
    <Dialog onClose={onClose} title={t('item.add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          <Textarea label={t('item.text')} autosize minRows={2} maxLength={4096} data-autofocus {...form.getInputProps('text')} />
          <Textarea label={t('item.contains')} description={t('item.linesHint')} autosize {...form.getInputProps('contains')} />
          <Textarea label={t('item.avoids')} description={t('item.linesHint')} autosize {...form.getInputProps('avoids')} />
          <Group grow>
            <Select
              label={t('expected.final_action')}
              clearable
              data={actions.map((value) => ({ value, label: t(`action.${value}`) }))}
              {...form.getInputProps('action')}
            />
            <Select label={t('expected.language')} clearable data={[...tongues]} {...form.getInputProps('language')} />
          </Group>
          <Checkbox label={t('item.mustPass')} {...form.getInputProps('must', { type: 'checkbox' })} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending}>
              {t('item.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
