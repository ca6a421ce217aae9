import { Code, DataList, Modal, Stack, Table, Text } from '@mantine/core';
import { Copy, prefixOf, Thing, usePageOf, When } from '@shell';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Entry } from './chain';
import { useActionWord, useThingWord } from './words';

/** Who did it: a person or key by name, or what kind of actor it was. */
export function Actor({ entry: e }: { entry: Entry }) {
  const { t } = useTranslation('audit');
  if (e.actor.name || !e.actor.id) return <>{e.actor.name ?? t(`actor.${e.actor.type}`)}{e.actor.name && e.actor.type !== 'USER' && <Text size="xs" c="dimmed">{t(`actor.${e.actor.type}`)}</Text>}</>;
  return <Thing id={e.actor.id} />;
}

/** What was changed: its name, with the way to its page while there is one. */
export function Subject({ entry: e }: { entry: Entry }) {
  const thing = useThingWord();
  const page = usePageOf()(e.resource.id);
  if (e.resource.name || page || prefixOf(e.resource.id) === 'usr') return <Thing id={e.resource.id} name={e.resource.name} />;
  return <>{thing(e.resource.type)}</>;
}

/** One entry: the values before and after, and where it came from. */
export function Detail({ entry: e, onClose }: { entry: Entry; onClose: () => void }) {
  const { t } = useTranslation(['audit', 'shell']);
  const word = useActionWord();
  const changes = Object.entries(e.changes ?? {});
  return (
    <Modal opened onClose={onClose} title={word(e.action)} size="xl" closeButtonProps={{ 'aria-label': t('shell:close') }}>
      <Stack gap="md">
        {changes.length > 0 && (
          <Table.ScrollContainer minWidth={480}>
            <Table aria-label={t('column.changes')} layout="fixed">
              <Table.Thead><Table.Tr><Table.Th>{t('field')}</Table.Th><Table.Th>{t('before')}</Table.Th><Table.Th>{t('after')}</Table.Th></Table.Tr></Table.Thead>
              <Table.Tbody>{changes.map(([k, c]) => <Table.Tr key={k}><Table.Td><Code>{k}</Code></Table.Td><Table.Td><Value of={c.from} /></Table.Td><Table.Td><Value of={c.to} /></Table.Td></Table.Tr>)}</Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        <DataList orientation="horizontal" labelWidth={150}>
          <Line label={t('column.resource')}><Subject entry={e} /></Line>
          <Line label={t('column.actor')}><Actor entry={e} /></Line>
          <Line label={t('column.at')}><When at={e.at} exact /></Line>
          {e.reason && <Line label={t('reason')}>{e.reason}</Line>}
          {e.ip && <Line label={t('ip')}>{e.ip}</Line>}
          {e.user_agent && <Line label={t('program')}>{e.user_agent}</Line>}
          {e.request_id && <Line label={t('request')}><Copy value={e.request_id} small /></Line>}
          {e.support_session_id && <Line label={t('support')}>{t('yes')}</Line>}
          <Line label={t('place')}>{e.seq}</Line>
          <Line label={t('hash')}><Copy value={e.hash} small /></Line>
        </DataList>
      </Stack>
    </Modal>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return <DataList.Item><DataList.ItemLabel>{label}</DataList.ItemLabel><DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{children}</DataList.ItemValue></DataList.Item>;
}

function Value({ of }: { of: unknown }) {
  const { t } = useTranslation('audit');
  if (of === null || of === undefined || of === '') return <Text span c="dimmed" size="sm">{t('none')}</Text>;
  if (of === 'hidden') return <Text span c="dimmed" size="sm">{t('hidden')}</Text>;
  if (typeof of === 'string' && prefixOf(of)) return <Thing id={of} />;
  return <Text size="sm" style={{ overflowWrap: 'anywhere' }}>{typeof of === 'string' ? of : JSON.stringify(of)}</Text>;
}
