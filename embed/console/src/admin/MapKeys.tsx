import { ActionIcon, Button, Code, Menu, Paper, Progress, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import { Confirm, Empty, Failed, Num, Page, Pale, Secret, Status, useAction, useFormat, useGet, When } from '@shell';
import { IconChartBar, IconDots, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { administrators } from './Guard';
import { MapKeyForm } from './MapKeyForm';
import { MapKeyUsage } from './MapKeyUsage';
import { type MapKey, mapKeys } from './mapKey';
import { listHead } from './parts';

type Asked = { act: 'edit' | 'revoke' | 'usage'; key: MapKey };

/** The keys of the map: those made here, and those of the key file, which are read-only. */
function MapKeys() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = useGet(mapKeys, {});
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<{ name: string; key: string }>();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const add = (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setOpen(true)}>
      {t('mapKeys.add')}
    </Button>
  );
  return (
    <Page title={t('mapKeys.title')} lead={t('mapKeys.lead')} actions={add}>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={320} />}
      {data?.data.length === 0 && (
        <Paper p={0}>
          <Empty title={t('mapKeys.empty')} text={t('mapKeys.emptyText')} action={add} />
        </Paper>
      )}
      {data && data.data.length > 0 && (
        <Paper p={0} style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={t('mapKeys.title')}>
          <Rows keys={data.data} ask={setAsked} />
        </Paper>
      )}
      {open && (
        <MapKeyForm
          onClose={() => setOpen(false)}
          onMade={(k) => {
            setOpen(false);
            setMade(k);
          }}
        />
      )}
      {asked?.act === 'edit' && <MapKeyForm of={asked.key} onClose={close} />}
      {asked?.act === 'revoke' && <Revoke of={asked.key} onClose={close} />}
      {asked?.act === 'usage' && <MapKeyUsage of={asked.key} onClose={close} />}
      {made && <Secret title={t('mapKeys.made', { name: made.name })} value={made.key} onClose={() => setMade(undefined)} />}
    </Page>
  );
}

function Rows({ keys, ask }: { keys: readonly MapKey[]; ask: (a: Asked) => void }) {
  const { t } = useTranslation(['admin', 'shell']);
  return (
    <Table aria-label={t('mapKeys.title')} miw={900} styles={listHead}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('mapKeys.name')}</Table.Th>
          <Table.Th>{t('column.status')}</Table.Th>
          <Table.Th>{t('mapKeys.origins')}</Table.Th>
          <Table.Th ta="right">{t('mapKeys.rate')}</Table.Th>
          <Table.Th>{t('mapKeys.used')}</Table.Th>
          <Table.Th>{t('mapKeys.created')}</Table.Th>
          <Table.Th>
            <VisuallyHidden>{t('shell:list.actions')}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((k) => (
          <Row key={k.id} of={k} ask={ask} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ of: k, ask }: { of: MapKey; ask: (a: Asked) => void }) {
  const { t } = useTranslation('admin');
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={550}>{k.name || t('mapKeys.unnamed')}</Text>
        <Code fz="xs">{k.key_start}</Code>
        {k.note && (
          <Text size="xs" c="dimmed" lineClamp={2} maw={260}>
            {k.note}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Status state={k.disabled ? 'REVOKED' : 'ACTIVE'} label={t(k.disabled ? 'mapKeys.revokedState' : 'mapKeys.active')} />
        {k.source === 'FILE' && (
          <Text size="xs" c="dimmed" mt={4}>
            {t(`mapKeys.source.${k.source}`)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {k.origins.length === 0 ? (
          <Pale>{t('mapKeys.everywhere')}</Pale>
        ) : (
          <Text size="sm" maw={260} lineClamp={3}>
            {k.origins.join(', ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{k.rate_limit > 0 ? <Num value={k.rate_limit} /> : <Pale>{t('mapKeys.usual')}</Pale>}</Table.Td>
      <Table.Td miw={170}>
        <Used of={k} />
      </Table.Td>
      <Table.Td>
        {k.created_at ? <When at={k.created_at} /> : <Pale>–</Pale>}
        {k.created_by && (
          <Text size="xs" c="dimmed">
            {k.created_by}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        <Acts of={k} ask={ask} />
      </Table.Td>
    </Table.Tr>
  );
}

const nearly = 80;

function Used({ of: k }: { of: MapKey }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  if (k.used_this_month === null) return <Pale>{t('mapKeys.uncounted')}</Pale>;
  if (k.monthly_quota === 0) return <Text size="sm">{t('mapKeys.usedOnly', { used: f.number(k.used_this_month) })}</Text>;
  const share = Math.min(100, (k.used_this_month / k.monthly_quota) * 100);
  return (
    <>
      <Text size="sm">{t('mapKeys.usedOf', { used: f.number(k.used_this_month), limit: f.number(k.monthly_quota) })}</Text>
      <Progress
        value={share}
        color={share >= 100 ? 'red' : share >= nearly ? 'yellow' : undefined}
        mt={4}
        aria-label={t('mapKeys.quotaOf', { name: k.name })}
      />
    </>
  );
}

function Acts({ of: k, ask }: { of: MapKey; ask: (a: Asked) => void }) {
  const { t } = useTranslation('admin');
  const ours = k.source === 'CONSOLE';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('mapKeys.more', { name: k.name })}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconChartBar size={16} aria-hidden />}
          disabled={k.used_this_month === null}
          onClick={() => ask({ act: 'usage', key: k })}
        >
          {t('mapKeys.usage')}
        </Menu.Item>
        {ours && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => ask({ act: 'edit', key: k })}>
            {t('mapKeys.edit')}
          </Menu.Item>
        )}
        {ours && !k.disabled && (
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => ask({ act: 'revoke', key: k })}
          >
            {t('mapKeys.revoke')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Revoke({ of: k, onClose }: { of: MapKey; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const revoke = useAction('post', '/admin/map-keys/{id}/revoke', {
    stale: [mapKeys],
    done: t('mapKeys.revoked', { name: k.name }),
    then: onClose,
  });
  return (
    <Confirm
      danger
      title={t('mapKeys.revokeTitle', { name: k.name })}
      consequence={t('mapKeys.revokeConsequence')}
      act={t('mapKeys.revoke')}
      pending={revoke.pending}
      onConfirm={() => void revoke.run({ path: { id: k.id } })}
      onClose={onClose}
    />
  );
}

export default administrators(MapKeys);
