import { Group, Paper, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { money } from '@kit';
import { Failed, Page, Pale, type Schema, Sections, Status, useFormat, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import { administrators } from './Guard';
import { OrgLink, Part } from './parts';

type Overview = Schema<'EnginePlatformOverview'>;
type Use = Schema<'EnginePlatformUse'>;

/** The pages of the platform about AI. */
export function AISections() {
  const { t } = useTranslation('admin');
  return (
    <Sections
      of={[
        { to: '/admin/ai', label: t('ai.overview') },
        { to: '/admin/ai/models', label: t('ai.models') },
      ]}
    />
  );
}

/** What the AI of all organizations cost, and which providers fail. */
function AIOverview() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = useGet('/admin/ai/overview', {});
  return (
    <Page title={t('ai.title')} lead={t('ai.lead')}>
      <AISections />
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={240} />}
      {data && (
        <>
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md">
            <Figure label={t('ai.day')} usd={data.cost_24h_usd} />
            <Figure label={t('ai.month')} usd={data.cost_30d_usd} />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, md: 2 }} verticalSpacing={0}>
            <Part title={t('ai.byOrganization')} lead={t('ai.span')}>
              <Shares of={data.by_organization} name={(u) => (u.organization ? <OrgLink of={u.organization} /> : u.key)} />
            </Part>
            <Part title={t('ai.byProvider')} lead={t('ai.span')}>
              <Shares of={data.by_provider} name={(u) => (u.key === '-' ? t('ai.unknownKind') : t(`ai.kind.${u.key as Kind}`))} />
            </Part>
          </SimpleGrid>
          <Failing of={data.failing_providers} />
        </>
      )}
    </Page>
  );
}

export type Kind = Schema<'EngineShownModel'>['provider_kind'];

function Figure({ label, usd }: { label: string; usd: number }) {
  const f = useFormat();
  return (
    <Paper p="sm">
      <Text size="xl" fw={650} lh={1.2} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {money(usd, f.locale)}
      </Text>
      <Text size="sm">{label}</Text>
    </Paper>
  );
}

/** Costs beside each other, each as its share of the largest. */
function Shares({ of, name }: { of: readonly Use[]; name: (u: Use) => React.ReactNode }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const most = Math.max(0, ...of.map((u) => u.cost_usd));
  if (of.length === 0) return <Pale>{t('ai.none')}</Pale>;
  return (
    <Stack gap="xs" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
      {of.map((u) => (
        <li key={u.key} data-use={u.key}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" component="div">
              {name(u)}
            </Text>
            <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
              {money(u.cost_usd, f.locale)} · {t('ai.executions', { count: u.executions, n: f.number(u.executions) })}
            </Text>
          </Group>
          <Progress value={most > 0 ? (u.cost_usd / most) * 100 : 0} size="sm" mt={2} aria-hidden />
        </li>
      ))}
    </Stack>
  );
}

function Failing({ of }: { of: Overview['failing_providers'] }) {
  const { t } = useTranslation('admin');
  return (
    <Part title={t('ai.failing')} lead={t('ai.failingLead')}>
      {of.length === 0 ? (
        <Pale>{t('ai.noneFails')}</Pale>
      ) : (
        <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {of.map((p) => (
            <li key={p.id}>
              <Group gap="xs">
                <Text size="sm" fw={550}>
                  {p.name}
                </Text>
                <Status state="FAILED" label={t(`ai.kind.${p.kind}`)} />
                {p.organization && <OrgLink of={p.organization} />}
              </Group>
              {p.last_error && (
                <Text size="sm" c="dimmed">
                  {t('ai.keyRejected')}
                </Text>
              )}
            </li>
          ))}
        </Stack>
      )}
    </Part>
  );
}

export default administrators(AIOverview);
