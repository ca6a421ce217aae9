import { Button, Menu, Select, TagsInput, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Confirm, type Selection, showDone, useAction, useGet } from '@shell';
import { IconChevronDown, IconTag } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { consentOptions, grantable, type Grantable } from './choices';
import { showTags } from './tagged';

/** How many a bulk action of the API takes. */
export const mostInBulk = 5000;

const actions = ['tag', 'untag', 'add_to_list', 'remove_from_list', 'set_consent', 'opt_out', 'delete'] as const;
type Action = (typeof actions)[number];
const forGood: readonly Action[] = ['opt_out', 'delete'];

/** What can be done to the people who are selected; every step asks first and names how many. */
export function BulkActions({ selection }: { selection: Selection }) {
  const { t } = useTranslation('recipient');
  const [action, setAction] = useState<Action>();
  return (
    <>
      <Button size="compact-sm" variant="default" leftSection={<IconTag size={15} aria-hidden />} onClick={() => setAction('tag')}>
        {t('bulk.tag.act')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setAction('add_to_list')}>
        {t('bulk.add_to_list.act')}
      </Button>
      <Menu>
        <Menu.Target>
          <Button size="compact-sm" variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
            {t('bulk.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {actions
            .filter((a) => a !== 'tag' && a !== 'add_to_list')
            .map((a) => (
              <Menu.Item key={a} c={forGood.includes(a) ? 'var(--mantine-color-error)' : undefined} onClick={() => setAction(a)}>
                {t(`bulk.${a}.act`)}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {action && <Ask key={action} action={action} selection={selection} onClose={() => setAction(undefined)} />}
    </>
  );
}

function Ask({ action, selection, onClose }: { action: Action; selection: Selection; onClose: () => void }) {
  const { t } = useTranslation('recipient');
  const form = useForm({
    initialValues: { tags: [] as string[], list_id: null as string | null, consent_status: null as Grantable | null, consent_note: '' },
  });
  const bulk = useAction('post', '/recipients/bulk', {
    form,
    stale: ['/recipients', '/lists', '/suppressions', '/dashboard'],
    now: ({ body: b }, cache) => showTags(cache, b),
    then(done) {
      showDone(
        t('bulk.done', { count: done.changed }) + (done.skipped.length ? ` ${t('bulk.skipped', { count: done.skipped.length })}` : ''),
      );
      selection.clear();
      onClose();
    },
  });
  const who = selection.all ? { filter: filterBody(selection.query) } : { recipient_ids: [...selection.ids] };
  const v = form.values;
  const body = {
    action,
    ...who,
    tags: v.tags.length ? v.tags : undefined,
    list_id: v.list_id ?? undefined,
    consent_status: v.consent_status ?? undefined,
    consent_note: v.consent_note.trim() || undefined,
  };
  const error = form.errors.recipient_ids ?? form.errors.filter;
  return (
    <Confirm
      title={t(`bulk.${action}.act`)}
      act={t(`bulk.${action}.act`)}
      danger={forGood.includes(action)}
      word={forGood.includes(action) ? t('bulk.word') : undefined}
      consequence={
        <>
          {t(`bulk.${action}.consequence`, { count: selection.count })}
          {error && <span role="alert"> {error}</span>}
        </>
      }
      pending={bulk.pending}
      onConfirm={() => void bulk.run({ body })}
      onClose={onClose}
    >
      {(action === 'tag' || action === 'untag') && <Tags {...form.getInputProps('tags')} />}
      {(action === 'add_to_list' || action === 'remove_from_list') && <ListChoice {...form.getInputProps('list_id')} />}
      {action === 'set_consent' && (
        <>
          <Select label={t('field.consent')} data={consentOptions(t, grantable)} {...form.getInputProps('consent_status')} />
          <Textarea
            label={t('field.note')}
            description={t('field.noteHint')}
            maxLength={1000}
            autosize
            {...form.getInputProps('consent_note')}
          />
        </>
      )}
    </Confirm>
  );
}

/** The address says of whom; the operation wants truths and not their words. */
export function filterBody(query: Selection['query']): Record<string, unknown> {
  const out: Record<string, unknown> = { ...query };
  for (const name of ['suppressed', 'has_conversation']) if (name in out) out[name] = out[name] === 'true';
  if (Object.keys(out).length === 0) out.all = true; // a filter that says nothing is refused
  return out;
}

function Tags({ value, onChange, error }: { value?: string[]; onChange: (v: string[]) => void; error?: ReactNode }) {
  const { t } = useTranslation('recipient');
  const { data } = useGet('/recipients/tags', {});
  return (
    <TagsInput
      label={t('column.tags')}
      data={data?.data.map((x) => x.tag)}
      value={value}
      onChange={onChange}
      error={error}
      maxTags={50}
      data-autofocus
    />
  );
}

function ListChoice({ value, onChange, error }: { value?: string | null; onChange: (v: string | null) => void; error?: ReactNode }) {
  const { t } = useTranslation('recipient');
  const { data } = useGet('/lists', { query: { limit: 500 } });
  return (
    <Select
      label={t('filter.list')}
      data={data?.data.map((l) => ({ value: l.id, label: l.name }))}
      value={value}
      onChange={onChange}
      error={error}
      searchable
      data-autofocus
    />
  );
}
