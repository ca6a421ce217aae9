import { Paper, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import figures from './detection.json';

/** How well the words of customers are understood without a model, as it was measured. */
export function Detection() {
  const { t, i18n } = useTranslation('business');
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <Paper component="section" aria-label={t('detection.title')}>
      <Title order={2} mb="xs">
        {t('detection.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('detection.lead', { count: figures.messages })}
      </Text>
      <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('detection.title') } }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('detection.what')}</Table.Th>
              <Table.Th ta="right">{t('detection.recall')}</Table.Th>
              <Table.Th ta="right">{t('detection.precision')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {figures.signals.map((s) => (
              <Table.Tr key={s.signal}>
                <Table.Td>{t(`detection.signal.${s.signal}` as 'detection.signal.stop')}</Table.Td>
                <Table.Td ta="right">{share.format(s.recall)}</Table.Td>
                <Table.Td ta="right">{share.format(s.precision)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed" mt="sm">
        {t('detection.own')}
      </Text>
    </Paper>
  );
}
