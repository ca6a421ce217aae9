import { Table } from '@mantine/core';
import { Inline, Status, Tag } from '@shell';
import { useTranslation } from 'react-i18next';
import { consents, languageName } from '../choices';
import type { Report } from './terms';

type Row = NonNullable<Report['sample']>[number];

/** The first people as they were understood. */
export function Sample({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('recipient');
  const extra = [...new Set(rows.flatMap((r) => Object.keys(r.attributes ?? {})))];
  return (
    <Table.ScrollContainer minWidth={600} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('import.sample') } }}>
      <Table aria-label={t('import.sample')} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column.name')}</Table.Th>
            <Table.Th>{t('field.username')}</Table.Th>
            <Table.Th>{t('field.language')}</Table.Th>
            <Table.Th>{t('column.consent')}</Table.Th>
            <Table.Th>{t('column.tags')}</Table.Th>
            {extra.map((k) => (
              <Table.Th key={k}>{k}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((r) => (
            <Table.Tr key={r.row}>
              <Table.Td>{[r.first_name, r.last_name].filter(Boolean).join(' ') || '–'}</Table.Td>
              <Table.Td>{[r.username && `@${r.username}`, r.messenger_id].filter(Boolean).join(' · ')}</Table.Td>
              <Table.Td>{r.language ? languageName(t, r.language) : '–'}</Table.Td>
              <Table.Td>
                <Consent value={r.consent_status} />
              </Table.Td>
              <Table.Td>
                <Inline>
                  {(r.tags ?? []).map((tag) => (
                    <Tag key={tag}>{tag}</Tag>
                  ))}
                </Inline>
              </Table.Td>
              {extra.map((k) => (
                <Table.Td key={k}>{String(r.attributes?.[k] ?? '–')}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Consent({ value }: { value: string | undefined }) {
  const { t } = useTranslation('recipient');
  const known = consents.find((c) => c === value);
  return known ? <Status state={known} label={t(`consent.${known}`)} /> : t('import.byTerms');
}
