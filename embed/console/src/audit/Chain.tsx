import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { call, showProblem, useFormat } from '@shell';
import { asApiError } from '@shell/api/error';
import { IconLink, IconLinkOff, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Verdict, verify } from './chain';
import { useActionWord } from './words';

const pageSize = 500;
const read = (offset: number) => call('get', '/audit-logs', { query: { sort: 'created_at', limit: pageSize, offset } });

/** Whether the log is as it was written; the browser itself follows the chain. */
export function Chain() {
  const { t } = useTranslation('audit');
  const f = useFormat();
  const [share, setShare] = useState<number>();
  const [verdict, setVerdict] = useState<Verdict & { at: number }>();
  const check = async () => {
    setShare(0);
    try {
      setVerdict({ ...(await verify(read, (done, total) => setShare(total ? (done / total) * 100 : 100))), at: Date.now() });
    } catch (e) {
      showProblem(asApiError(e));
    }
    setShare(undefined);
  };
  // Browsers calculate hashes on https and on the machine itself only.
  if (!globalThis.crypto?.subtle) return <Text size="sm" c="dimmed" mb="md">{t('chain.needsHttps')}</Text>;
  const button = <Button variant="default" size="compact-md" loading={share !== undefined} leftSection={<IconShieldCheck size={16} aria-hidden />} onClick={() => void check()}>{t(verdict ? 'chain.again' : 'chain.check')}</Button>;
  return (
    <div role="status">
      {!verdict && <Group mb="md" gap="sm">{button}<Text size="sm" c="dimmed" flex={1} miw={220}>{t('chain.why')}</Text></Group>}
      {share !== undefined && <Progress value={share} mb="md" aria-label={t('chain.check')} />}
      {verdict?.ok && <Alert color="green" mb="md" icon={<IconLink aria-hidden />} title={t('chain.whole')}><Group justify="space-between">{t('chain.wholeText', { count: verdict.count, at: f.time(new Date(verdict.at)) })}{button}</Group></Alert>}
      {verdict && !verdict.ok && <Alert color="red" mb="md" icon={<IconLinkOff aria-hidden />} title={t('chain.broken', { place: f.number(verdict.seq) })}><Broken verdict={verdict} />{button}</Alert>}
    </div>
  );
}

function Broken({ verdict }: { verdict: Extract<Verdict, { ok: false }> }) {
  const { t } = useTranslation('audit');
  const word = useActionWord();
  const f = useFormat();
  const e = verdict.entry;
  return <Text size="sm" mb="sm">{e ? t('chain.changed', { action: word(e.action), at: f.time(e.at) }) : t('chain.missing')} {t('chain.next')}</Text>;
}
