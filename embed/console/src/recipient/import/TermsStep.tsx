import { Alert, Radio, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useGet } from '@shell';
import { IconScale } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { grantable, type Grantable, sources } from '../choices';
import type { ImportSource, Terms } from './terms';

interface Props {
  terms: Terms;
  errors: Readonly<Record<string, string>>;
  onChange: (t: Terms) => void;
}

/** On which basis these people may be written to, and where they are put. */
export function TermsStep({ terms, errors, onChange }: Props) {
  const { t } = useTranslation('recipient');
  const { data: lists } = useGet('/lists', { query: { limit: 500, sort: 'name' } });
  const { data: tags } = useGet('/recipients/tags', {});
  const put = (change: Partial<Terms>) => onChange({ ...terms, ...change });
  return (
    <Stack>
      <Radio.Group
        label={t('import.consent')}
        description={t('import.consentHint')}
        value={terms.consent}
        onChange={(v) => put({ consent: v as Grantable })}
        error={errors.default_consent}
      >
        <Stack gap="xs" mt="xs">
          {grantable.map((c) => (
            <Radio key={c} value={c} label={t(`consent.${c}`)} description={t(`import.basis.${c}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Alert color="blue" icon={<IconScale aria-hidden />}>
        {t('import.law')}
      </Alert>
      <Radio.Group label={t('import.list')} value={terms.list} onChange={(v) => put({ list: v as Terms['list'] })} error={errors.list_id}>
        <Stack gap="xs" mt="xs">
          {(['none', 'old', 'new'] as const)
            .filter((l) => l !== 'old' || (lists?.total ?? 0) > 0)
            .map((l) => (
              <Radio key={l} value={l} label={t(`import.listWay.${l}`)} />
            ))}
        </Stack>
      </Radio.Group>
      {terms.list === 'old' && (
        <Select
          aria-label={t('import.listWay.old')}
          placeholder={t('filter.list')}
          maw={360}
          searchable
          data={lists?.data.map((l) => ({ value: l.id, label: l.name }))}
          value={terms.listId}
          onChange={(v) => put({ listId: v })}
        />
      )}
      {terms.list === 'new' && (
        <TextInput
          aria-label={t('import.listWay.new')}
          placeholder={t('list.namePlaceholder')}
          maw={360}
          maxLength={80}
          value={terms.newList}
          onChange={(e) => put({ newList: e.currentTarget.value })}
          error={errors.new_list_name}
        />
      )}
      <TagsInput
        label={t('import.tags')}
        description={t('import.tagsHint')}
        maw={480}
        data={tags?.data.map((x) => x.tag)}
        value={terms.tags}
        onChange={(v) => put({ tags: v })}
        maxTags={50}
        error={errors.tags}
      />
      <Select
        label={t('field.source')}
        description={t('import.sourceHint')}
        maw={360}
        placeholder={t('import.sourceAuto')}
        data={sources.map((value) => ({ value, label: t(`source.${value}`) }))}
        value={terms.source}
        onChange={(v) => put({ source: v as ImportSource | null })}
        error={errors.source}
        clearable
        clearButtonProps={{ 'aria-label': t('import.sourceAuto') }}
      />
    </Stack>
  );
}
