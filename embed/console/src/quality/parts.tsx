// Small parts of the pages about quality.
import { Paper, Stack, Text } from '@mantine/core';
import { Sections, Tag, useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Input } from './types';

/** The pages about quality. */
export function QualitySections() {
  const { t } = useTranslation('quality');
  return (
    <Sections
      of={[
        { to: '/ai/quality', label: t('sections.feedback') },
        { to: '/ai/quality/datasets', label: t('sections.datasets') },
        { to: '/ai/quality/evaluations', label: t('sections.evaluations') },
        { to: '/ai/quality/experiments', label: t('sections.experiments') },
      ]}
    />
  );
}

/** A share in percent; a dash for none. */
export function Share({ value, digits = 0 }: { value: number | null | undefined; digits?: number }) {
  const f = useFormat();
  if (value === null || value === undefined) return <span>–</span>;
  const text = new Intl.NumberFormat(f.locale, { style: 'percent', maximumFractionDigits: digits }).format(value);
  return <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>{text}</span>;
}

/** A conversation as the seller found it. */
export function Talk({ of }: { of: Input | null | undefined }) {
  const { t } = useTranslation('quality');
  if (!of) return <Text c="dimmed">{t('item.gone')}</Text>;
  return (
    <Stack gap={6}>
      {of.messages.map((m, i) => (
        <Paper key={i} withBorder p="xs" ms={m.author === 'CUSTOMER' ? 0 : 'lg'} me={m.author === 'CUSTOMER' ? 'lg' : 0}>
          <Text size="xs" c="dimmed">
            {t(`author.${m.author}` as never)}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {m.text}
          </Text>
        </Paper>
      ))}
      {of.stage && (
        <span>
          <Tag>{of.stage}</Tag>
        </span>
      )}
    </Stack>
  );
}

/** What an item wants of an answer. */
export function Wanted({ of: e }: { of: { [key: string]: unknown } | null | undefined }) {
  const { t } = useTranslation('quality');
  const entries = Object.entries(e ?? {}).filter(([, v]) => (Array.isArray(v) ? v.length > 0 : v));
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('item.nothingWanted')}
      </Text>
    );
  return (
    <Stack gap={2}>
      {entries.map(([key, value]) => (
        <Text key={key} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span c="dimmed">
            {t(`expected.${key}` as never)}:{' '}
          </Text>
          {Array.isArray(value) ? value.map((v) => `«${v}»`).join(', ') : String(value)}
        </Text>
      ))}
    </Stack>
  );
}
