import { Paper, Skeleton, Table, Text, Title } from '@mantine/core';
import { Failed, Status, useFormat, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import { Money } from './parts';
import type { Provider } from './types';

/** The models that can be put into a chain with this provider, what they cost, and as of which day that is known. */
export function Models({ provider: p }: { provider: Provider }) {
  const { t } = useTranslation('engine');
  const f = useFormat();
  const { data, error, refetch } = useGet('/ai/models', { query: { provider_kind: p.kind, limit: 100 } });
  return (
    <Paper component="section" aria-label={t('models.title')}>
      <Title order={2}>{t('models.title')}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('models.lead')}
      </Text>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={120} />}
      {data && (data.data ?? []).length === 0 && <Text size="sm">{t('models.empty')}</Text>}
      {data && (data.data ?? []).length > 0 && (
        <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('models.title') } }}>
          <Table aria-label={t('models.title')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('test.model')}</Table.Th>
                <Table.Th ta="right">{t('models.input')}</Table.Th>
                <Table.Th ta="right">{t('models.output')}</Table.Th>
                <Table.Th ta="right">{t('models.context')}</Table.Th>
                <Table.Th>{t('models.priceDate')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {(data.data ?? []).map((m) => (
                <Table.Tr key={m.id}>
                  <Table.Td>
                    {m.label} {m.source === 'ORGANIZATION' && <Status state="READY" label={t(`source.${m.source}`)} />}
                    {m.label !== m.model && (
                      <Text size="xs" c="dimmed">
                        {m.model}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td ta="right">{m.price ? <Money usd={m.price.input_per_million_usd} /> : '–'}</Table.Td>
                  <Table.Td ta="right">{m.price ? <Money usd={m.price.output_per_million_usd} /> : '–'}</Table.Td>
                  <Table.Td ta="right">{m.context_tokens === null ? '–' : f.number(m.context_tokens)}</Table.Td>
                  <Table.Td>{m.price_as_of ? f.date(m.price_as_of) : '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
