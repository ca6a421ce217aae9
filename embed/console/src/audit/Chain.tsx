import { Alert, Button, Group, Text } from '@mantine/core';
import { call, type Schema, showProblem, useFormat } from '@shell';
import { asApiError } from '@shell/api/error';
import { IconLink, IconLinkOff, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Whether the log is as it was written; the server, which has the key of the chain, follows it. */
export function Chain() {
  const { t } = useTranslation('audit');
  const f = useFormat();
  const [loading, setLoading] = useState(false);
  const [proof, setProof] = useState<Schema<'AuditProof'> & { at: number }>();
  const check = async () => {
    setLoading(true);
    try {
      setProof({ ...(await call('get', '/audit-logs/verify', {})), at: Date.now() });
    } catch (e) {
      showProblem(asApiError(e));
    }
    setLoading(false);
  };
  const button = (
    <Button
      variant="default"
      size="compact-md"
      loading={loading}
      leftSection={<IconShieldCheck size={16} aria-hidden />}
      onClick={() => void check()}
    >
      {t(proof ? 'chain.again' : 'chain.check')}
    </Button>
  );
  return (
    <div role="status">
      {!proof && (
        <Group mb="md" gap="sm">
          {button}
          <Text size="sm" c="dimmed" flex={1} miw={220}>
            {t('chain.why')}
          </Text>
        </Group>
      )}
      {proof?.whole && (
        <Alert color="green" mb="md" icon={<IconLink aria-hidden />} title={t('chain.whole')}>
          <Group justify="space-between">
            {t('chain.wholeText', { count: proof.entries, at: f.time(new Date(proof.at)) })}
            {button}
          </Group>
        </Alert>
      )}
      {proof && !proof.whole && (
        <Alert
          color="red"
          mb="md"
          icon={<IconLinkOff aria-hidden />}
          title={proof.broken_at ? t('chain.broken', { place: f.number(proof.broken_at) }) : t('chain.brokenEnd')}
        >
          <Text size="sm" mb="sm">
            {t('chain.missing')} {t('chain.next')}
          </Text>
          {button}
        </Alert>
      )}
    </div>
  );
}
