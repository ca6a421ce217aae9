import { MultiSelect, Stack, TagsInput, Text } from '@mantine/core';
import { type Schema, useGet } from '@shell';
import { useTranslation } from 'react-i18next';

type Excluded = Schema<'CampaignExclude'>;

interface Props {
  campaign: string;
  value: Excluded;
  disabled: boolean;
  errors: Readonly<Record<string, string>>;
  onChange: (e: Excluded) => void;
}

/** Who is left out, whatever else holds: lists, tags, and everybody who was in another campaign. */
export function Exclude({ campaign, value, disabled, errors, onChange }: Props) {
  const { t } = useTranslation(['campaign', 'shell']);
  const { data: lists } = useGet('/lists', { query: { limit: 500 } });
  const { data: tags } = useGet('/recipients/tags', {});
  const { data: campaigns } = useGet('/campaigns', { query: { limit: 500 } });
  const clear = { clearable: true, clearButtonProps: { 'aria-label': t('shell:list.clearSearch') } };
  return (
    <Stack gap="xs" role="group" aria-label={t('exclude.title')}>
      <Text size="sm" fw={600}>
        {t('exclude.title')}
      </Text>
      <MultiSelect
        label={t('exclude.lists')}
        disabled={disabled}
        searchable
        {...clear}
        error={errors['audience.exclude.list_ids']}
        data={(lists?.data ?? []).map((l) => ({ value: l.id, label: l.name }))}
        value={value.list_ids}
        onChange={(list_ids) => onChange({ ...value, list_ids })}
      />
      <TagsInput
        label={t('exclude.tags')}
        disabled={disabled}
        {...clear}
        error={errors['audience.exclude.tags']}
        data={(tags?.data ?? []).map((x) => x.tag)}
        value={value.tags}
        onChange={(v) => onChange({ ...value, tags: v })}
      />
      <MultiSelect
        label={t('exclude.campaigns')}
        description={t('exclude.campaignsHint')}
        disabled={disabled}
        searchable
        maxValues={20}
        {...clear}
        error={errors['audience.exclude.campaign_ids']}
        data={(campaigns?.data ?? []).filter((c) => c.id !== campaign && c.status !== 'DRAFT').map((c) => ({ value: c.id, label: c.name }))}
        value={value.campaign_ids}
        onChange={(campaign_ids) => onChange({ ...value, campaign_ids })}
      />
    </Stack>
  );
}
