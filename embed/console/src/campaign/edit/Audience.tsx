import { PeopleSelect } from '@kit';
import { Grid, MultiSelect, NumberInput, Paper, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { useGet } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayChange } from '../model';
import { AudienceCount } from './AudienceCount';
import { Conditions } from './Conditions';
import type { StepProps } from './draft';
import { Exclude } from './Exclude';

/** More are not shown by their names: they came with a copy, and are counted. */
const shownPeople = 100;

/** Who gets it: lists, tags and single people together, with a live count of who is left out and why. */
export function Audience({ campaign: c, draft }: StepProps) {
  const { t } = useTranslation(['campaign', 'shell']);
  const [audience, setAudience] = useState(c.audience);
  const [days, setDays] = useState<number | string>(c.min_days_between_messages ?? '');
  const free = mayChange(c, 'audience');
  const { data: lists } = useGet('/lists', { query: { limit: 500 } });
  const { data: tags } = useGet('/recipients/tags', {});
  type Choice = Pick<typeof audience, 'everyone' | 'list_ids' | 'tags' | 'recipient_ids' | 'match' | 'where' | 'exclude'>;
  const change = (a: Partial<Choice>) => {
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
            <Switch
              label={t('audience.everyone')}
              description={t('audience.everyoneHint')}
              checked={audience.everyone}
              disabled={!free}
              onChange={(e) => change({ everyone: e.currentTarget.checked })}
            />
            {!audience.everyone && (
              <>
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
                {c.audience.recipient_count > shownPeople ? (
                  <Text size="sm">{t('audience.many', { count: c.audience.recipient_count })}</Text>
                ) : (
                  <PeopleSelect
                    label={t('audience.people')}
                    description={t('audience.peopleHint')}
                    value={audience.recipient_ids}
                    disabled={!free}
                    error={draft.errors['audience.recipient_ids']}
                    onChange={(recipient_ids) => change({ recipient_ids })}
                  />
                )}
              </>
            )}
            <Conditions
              match={audience.match}
              where={audience.where}
              disabled={!free}
              error={Object.entries(draft.errors).find(([field]) => field.startsWith('audience.where'))?.[1]}
              onChange={change}
            />
            <Exclude
              campaign={c.id}
              value={audience.exclude}
              disabled={!free}
              errors={draft.errors}
              onChange={(exclude) => change({ exclude })}
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
