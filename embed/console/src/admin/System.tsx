import { Alert, Anchor, Box, Group, List, RingProgress, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { Copy, Failed, type Format, Link, Num, Page, type Schema, Status, useFormat, useGet, When } from '@shell';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { administrators } from './Guard';
import { Fact, Facts, Part, sizeText, spanText } from './parts';
import { warningText } from './warnings';

type SystemShown = Schema<'AdminSystem'>;

/** Beyond this the messenger will soon refuse messages. */
const tooMuchSkew = 20_000;
const week = 7 * 86_400_000;

function System() {
  const { t } = useTranslation('admin');
  const { data: s, error, refetch } = useGet('/admin/system', {});
  return (
    <Page title={t('system.title')} lead={t('system.lead')}>
      {error && !s && <Failed error={error} onAgain={() => void refetch()} />}
      {!s && !error && <Skeleton h={320} />}
      {s && (
        <>
          {s.maintenance_mode && (
            <Alert color="yellow" mb="md">
              {t('system.maintenance')}{' '}
              <Anchor component={Link} to="/admin/settings" c="inherit" underline="always">
                {t('nav.settings')}
              </Anchor>
            </Alert>
          )}
          <Warnings of={s} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" verticalSpacing={0}>
            <Program of={s} />
            <Disk of={s} />
            <Database of={s} />
            <Backup of={s} />
            <Messenger of={s} />
            <Encryption of={s} />
          </SimpleGrid>
        </>
      )}
    </Page>
  );
}

/** Settings of the server that are surely not meant. */
function Warnings({ of: s }: { of: SystemShown }) {
  const { t } = useTranslation('admin');
  if (s.warnings.length === 0) return null;
  return (
    <Alert color="yellow" mb="md" title={t('system.warning.title')} data-warnings>
      <List size="sm" spacing={4}>
        {s.warnings.map((w) => (
          <List.Item key={w} style={{ overflowWrap: 'anywhere' }}>
            {warningText(w)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Program({ of: s }: { of: SystemShown }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  return (
    <Part title={t('system.program')}>
      <Facts>
        <Fact label={t('system.version')}>{s.version}</Fact>
        <Fact label={t('system.commit')}>{s.commit && <Copy value={s.commit} small />}</Fact>
        <Fact label={t('system.built')}>{s.built_at && <When at={s.built_at} exact />}</Fact>
        <Fact label={t('system.uptime')}>{spanText(s.uptime_seconds, f)}</Fact>
        <Fact label={t('system.clock')}>{clock(s, t, f)}</Fact>
      </Facts>
    </Part>
  );
}

function clock(s: SystemShown, t: TFunction<'admin'>, f: Format) {
  if (s.clock_skew_ms === null) return t('system.clockUnknown');
  const far = Math.abs(s.clock_skew_ms);
  if (far > tooMuchSkew) return <Status state="FAILED" label={t('system.clockWrong', { span: spanText(far / 1000, f) })} />;
  return <Status state="OK" label={t('system.clockRight', { n: f.number(far) })} />;
}

function Disk({ of: s }: { of: SystemShown }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const { used_bytes: used, free_bytes: free, ok } = s.storage;
  const share = free === null ? 0 : used / Math.max(1, used + free);
  return (
    <Part title={t('system.disk')}>
      {!ok && <Alert color="red">{t('system.diskLow')}</Alert>}
      <Group gap="lg">
        {free !== null && (
          <RingProgress
            size={110}
            thickness={12}
            label={
              <Text ta="center" size="sm" fw={600}>
                {f.percent(share)}
              </Text>
            }
            sections={[{ value: share * 100, color: ok ? 'sea' : 'red' }]}
            role="img"
            aria-label={t('system.diskShare', { share: f.percent(share) })}
          />
        )}
        <Box flex={1} miw={200}>
          <Facts>
            <Fact label={t('system.used')}>{sizeText(used, f)}</Fact>
            <Fact label={t('system.free')}>{free !== null && sizeText(free, f)}</Fact>
          </Facts>
        </Box>
      </Group>
    </Part>
  );
}

function Database({ of: s }: { of: SystemShown }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const d = s.database;
  return (
    <Part title={t('system.database')}>
      <Facts>
        <Fact label={t('column.status')}>
          <Status state={d.ok ? 'OK' : 'FAILED'} label={t(d.ok ? 'system.well' : 'system.broken')} />
        </Fact>
        <Fact label={t('system.size')}>{sizeText(d.size_bytes, f)}</Fact>
        <Fact label={t('system.latency')}>{t('ms', { n: f.number(Math.round(d.latency_ms * 10) / 10) })}</Fact>
        <Fact label={t('system.migrations')}>
          <Num value={d.migrations} />
        </Fact>
      </Facts>
    </Part>
  );
}

function Backup({ of: s }: { of: SystemShown }) {
  const { t } = useTranslation('admin');
  const { last_at: last, last_verified_at: verified } = s.backup;
  const old = last !== null && Date.now() - new Date(last).getTime() > week;
  return (
    <Part title={t('system.backup')}>
      {last === null && <Alert color="yellow">{t('system.noBackup')}</Alert>}
      {old && <Alert color="yellow">{t('system.oldBackup')}</Alert>}
      <Facts>
        <Fact label={t('system.lastBackup')}>{last && <When at={last} />}</Fact>
        <Fact label={t('system.verified')}>{verified ? <When at={verified} /> : t('system.neverVerified')}</Fact>
      </Facts>
      <Copy value="svc backup backup.svcbak" />
    </Part>
  );
}

function Messenger({ of: s }: { of: SystemShown }) {
  const { t } = useTranslation('admin');
  return (
    <Part title={t('system.messenger')}>
      <Facts>
        <Fact label={t('system.driver')}>{t(`system.drivers.${s.messenger.driver}`)}</Fact>
        <Fact label={t('system.online')}>
          <Num value={s.messenger.online_accounts} />
        </Fact>
      </Facts>
    </Part>
  );
}

function Encryption({ of: s }: { of: SystemShown }) {
  const { t } = useTranslation('admin');
  return (
    <Part title={t('system.encryption')}>
      {s.encryption.rotating && <Alert color="yellow">{t('system.rotating')}</Alert>}
      <Facts>
        <Fact label={t('system.key')}>{s.encryption.key_id}</Fact>
      </Facts>
    </Part>
  );
}

export default administrators(System);
