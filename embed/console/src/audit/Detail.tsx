import { DataList, Stack, Text } from '@mantine/core';
import { Changes, Copy, Dialog, prefixOf, Thing, usePageOf, When } from '@shell';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Entry } from './entry';
import { useActionWord, useThingWord } from './words';

/** Who did it: a person or key by name, or what kind of actor it was. */
export function Actor({ entry: e }: { entry: Entry }) {
  const { t } = useTranslation('audit');
  if (e.actor.name || !e.actor.id)
    return (
      <>
        {e.actor.name ?? t(`actor.${e.actor.type}`)}
        {e.actor.name && e.actor.type !== 'USER' && (
          <Text size="xs" c="dimmed">
            {t(`actor.${e.actor.type}`)}
          </Text>
        )}
      </>
    );
  return <Thing id={e.actor.id} name={null} />;
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
  const { t } = useTranslation('audit');
  const word = useActionWord();
  return (
    <Dialog onClose={onClose} title={word(e.action)} size="xl">
      <Stack gap="md">
        {e.changes && Object.keys(e.changes).length > 0 && <Changes changes={e.changes} label={t('column.changes')} />}
        <DataList orientation="horizontal" labelWidth={150}>
          <Line label={t('column.resource')}>
            <Subject entry={e} />
          </Line>
          <Line label={t('column.actor')}>
            <Actor entry={e} />
          </Line>
          <Line label={t('column.at')}>
            <When at={e.at} exact />
          </Line>
          {e.reason && <Line label={t('reason')}>{e.reason}</Line>}
          {e.ip && <Line label={t('ip')}>{e.ip}</Line>}
          {e.user_agent && <Line label={t('program')}>{e.user_agent}</Line>}
          {e.request_id && (
            <Line label={t('request')}>
              <Copy value={e.request_id} small />
            </Line>
          )}
          {e.support_session_id && <Line label={t('support')}>{t('yes')}</Line>}
          <Line label={t('place')}>{e.seq}</Line>
          <Line label={t('hash')}>
            <Copy value={e.hash} small />
          </Line>
        </DataList>
      </Stack>
    </Dialog>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
