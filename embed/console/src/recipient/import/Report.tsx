import { Alert, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useFormat } from '@shell';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { consents } from '../choices';
import { Issues } from './Issues';
import { canReceive, ends, type Report as ImportReport } from './terms';

const colors = { imported: 'teal.7', optedOut: 'red.7', duplicates: 'gray.6', invalid: 'orange.7' };
const consentColors = { OPTED_IN: 'teal.7', AUTHORIZED: 'green.6', EXISTING_RELATIONSHIP: 'lime.7', UNKNOWN: 'gray.6', OPTED_OUT: 'red.7' };

/** What became of a file, or would: counts drawn, and the rows that need a look. */
export function Report({ report: r, name, done }: { report: ImportReport; name: string; done?: boolean }) {
  const { t } = useTranslation('recipient');
  const f = useFormat();
  const receive = canReceive(r);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Bar
          title={t('import.rowsTitle')}
          total={r.total}
          parts={ends(r).map((e) => ({ key: e.end, label: t(`import.end.${e.end}`), count: e.count, color: colors[e.end] }))}
        />
        <Bar
          title={t('import.consentTitle')}
          total={r.valid}
          parts={consents.map((c) => ({ key: c, label: t(`consent.${c}`), count: r.by_consent?.[c] ?? 0, color: consentColors[c] }))}
        />
      </SimpleGrid>
      <Alert color={receive > 0 ? 'teal' : 'orange'} icon={<IconInfoCircle aria-hidden />}>
        {receive > 0 ? t('import.canReceive', { count: receive }) : t('import.noneReceive')}{' '}
        {(r.by_consent?.UNKNOWN ?? 0) > 0 && t(done ? 'import.unknownDone' : 'import.unknown', { count: r.by_consent?.UNKNOWN })}
      </Alert>
      {(r.sheet || (r.encoding && r.encoding !== 'UTF-8')) && (
        <Text size="sm" c="dimmed">
          {r.sheet ? t('import.readSheet', { sheet: r.sheet }) : t('import.readAs', { encoding: r.encoding })}
        </Text>
      )}
      {r.warnings?.map((w) => (
        <Alert key={w.code} color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {t(`import.warning.${w.code}`, { row: f.number(w.row) })}
        </Alert>
      ))}
      {r.issues.length > 0 && <Issues report={r} name={name} />}
    </Stack>
  );
}

interface Part {
  key: string;
  label: string;
  count: number;
  color: string;
}

/** A whole and its parts, drawn and in words. */
function Bar({ title, total, parts }: { title: string; total: number; parts: readonly Part[] }) {
  const f = useFormat();
  const shown = parts.filter((p) => p.count > 0);
  return (
    <Paper>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {f.number(total)}
        </Text>
      </Group>
      <Progress.Root size="lg" mb="xs" aria-hidden>
        {shown.map((p) => (
          <Progress.Section key={p.key} value={(100 * p.count) / Math.max(1, total)} color={p.color} />
        ))}
      </Progress.Root>
      <Stack gap={2} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map((p) => (
          <Group key={p.key} component="li" gap={8} wrap="nowrap">
            <span
              style={{ width: 10, height: 10, borderRadius: 3, background: `var(--mantine-color-${p.color.replace('.', '-')})` }}
              aria-hidden
            />
            <Text size="sm" flex={1}>
              {p.label}
            </Text>
            <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
              {f.number(p.count)} · {f.percent(p.count / Math.max(1, total))}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
