import { Grid, MultiSelect, NumberInput, Paper, Stack, TagsInput, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { get, useCan, useGet } from '@shell';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayChange, personName } from '../model';
import { AudienceCount } from './AudienceCount';
import type { StepProps } from './draft';

/** Who gets it: lists, tags and single people together, with a live count of who is left out and why. */
export function Audience({ campaign: c, draft }: StepProps) {
  const { t } = useTranslation(['campaign', 'shell']);
  const [audience, setAudience] = useState(c.audience);
  const [days, setDays] = useState<number | string>(c.min_days_between_messages ?? '');
  const free = mayChange(c, 'audience');
  const { data: lists } = useGet('/lists', { query: { limit: 500 } });
  const { data: tags } = useGet('/recipients/tags', {});
  const change = (a: Partial<Pick<typeof audience, 'list_ids' | 'tags' | 'recipient_ids'>>) => {
    setAudience((before) => ({ ...before, ...a }));
    draft.change({ audience: a });
  };
  const clear = { 'aria-label': t('shell:list.clearSearch') };
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Paper>
          <Stack>
            {!free && <Text size="sm">{t('audience.locked')}</Text>}
            <MultiSelect
              label={t('audience.lists')}
              description={t('audience.listsHint')}
              disabled={!free}
              searchable
              clearable
              clearButtonProps={clear}
              error={draft.errors['audience.list_ids']}
              data={(lists?.data ?? []).map((l) => ({ value: l.id, label: `${l.name} (${l.members_count})` }))}
              value={audience.list_ids}
              onChange={(list_ids) => change({ list_ids })}
            />
            <TagsInput
              label={t('audience.tags')}
              description={t('audience.tagsHint')}
              disabled={!free}
              data={(tags?.data ?? []).map((x) => x.tag)}
              value={audience.tags}
              error={draft.errors['audience.tags']}
              onChange={(v) => change({ tags: v })}
              clearable
              clearButtonProps={clear}
            />
            <People
              ids={audience.recipient_ids}
              count={audience.recipient_count}
              disabled={!free}
              error={draft.errors['audience.recipient_ids']}
              onChange={(recipient_ids) => change({ recipient_ids })}
            />
            <NumberInput
              label={t('audience.days')}
              description={t('audience.daysHint')}
              disabled={!free}
              min={0}
              max={90}
              allowDecimal={false}
              value={days}
              error={draft.errors.min_days_between_messages}
              onChange={(v) => {
                setDays(v);
                draft.change({ min_days_between_messages: v === '' ? null : Number(v) });
              }}
            />
          </Stack>
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <AudienceCount id={c.id} />
      </Grid.Col>
    </Grid>
  );
}

interface PeopleProps {
  ids: string[];
  /** How many are named; the API answers the first 5000 ids only. */
  count: number;
  disabled: boolean;
  error?: string;
  onChange: (ids: string[]) => void;
}

const shownNames = 100;
/** As many as are asked for one by one. */
const askedNames = 50;

/** People who were chosen before, by their names. */
function useNames(ids: readonly string[]): Map<string, string> {
  const enabled = useCan()('recipients:read');
  const found = useQueries({ queries: ids.map((id) => ({ ...get('/recipients/{id}', { path: { id } }), enabled })) });
  return new Map(found.flatMap((q) => (q.data ? [[q.data.id, personName(q.data)] as const] : [])));
}

function People({ ids, count, disabled, error, onChange }: PeopleProps) {
  const { t } = useTranslation('campaign');
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim().replace(/^@/, ''), 250);
  const { data } = useGet('/recipients', { query: q.length > 1 ? { q, limit: 20 } : { limit: 20 } }, { keep: true });
  const [names, setNames] = useState<Record<string, string>>({});
  const chosen = useNames(ids.filter((id) => !(id in names)).slice(0, askedNames));
  const options = new Map((data?.data ?? []).map((r) => [r.id, personName(r)]));
  for (const id of ids.slice(0, shownNames)) if (!options.has(id)) options.set(id, names[id] ?? chosen.get(id) ?? t('audience.somebody'));
  if (count > shownNames) return <Text size="sm">{t('audience.many', { count })}</Text>;
  return (
    <MultiSelect
      label={t('audience.people')}
      description={t('audience.peopleHint')}
      disabled={disabled}
      searchable
      value={ids}
      error={error}
      onSearchChange={setTyped}
      data={[...options].map(([value, label]) => ({ value, label }))}
      nothingFoundMessage={t('shell:palette.nothing' as never)}
      onChange={(next) => {
        setNames((n) => ({ ...n, ...Object.fromEntries(next.map((id) => [id, options.get(id) ?? ''])) }));
        onChange(next);
      }}
    />
  );
}
