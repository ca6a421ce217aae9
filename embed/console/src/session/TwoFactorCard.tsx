import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { Confirm, Dialog, Status, TwoFactor, useAction, useMe, useSupport } from '@shell';
import { adoptMe } from '@shell/session/me';
import { RecoveryCodes } from '@shell/session/RecoveryCodes';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Proof, useProof } from './Proof';

/** Two-factor: what it is, whether it is on, turning it on and off. */
export function TwoFactorCard() {
  const { t } = useTranslation('session');
  const { user } = useMe();
  const support = useSupport();
  const [open, setOpen] = useState<'on' | 'off' | 'codes'>();
  const on = user?.mfa_enabled ?? false;
  return (
    <Paper component="section">
      <Group justify="space-between" mb={4}>
        <Title order={2}>{t('two.title')}</Title>
        <Status state={on ? 'ACTIVE' : 'PAUSED'} label={t(on ? 'two.on' : 'two.off')} />
      </Group>
      <Text size="sm" mb="sm">
        {t(on ? 'two.onText' : 'two.offText')}
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {t('two.lost')}
      </Text>
      {on && (
        <Text size="sm" mb="sm">
          {t('two.codesLeft', { count: user?.recovery_codes_left ?? 0 })}
        </Text>
      )}
      {!support &&
        (on ? (
          <Group gap="xs">
            <Button variant="default" onClick={() => setOpen('codes')}>
              {t('two.newCodes')}
            </Button>
            <Button variant="default" onClick={() => setOpen('off')}>
              {t('two.turnOff')}
            </Button>
          </Group>
        ) : (
          <Button onClick={() => setOpen('on')}>{t('two.turnOn')}</Button>
        ))}
      {open === 'on' && <TwoFactor onClose={() => setOpen(undefined)} />}
      {open === 'codes' && <NewCodes onClose={() => setOpen(undefined)} />}
      {open === 'off' && <TurnOff onClose={() => setOpen(undefined)} />}
    </Paper>
  );
}

/** With the password a person can turn it off who lost the phone and is still signed in. */
function TurnOff({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('session');
  const proof = useProof();
  const disable = useAction('post', '/me/mfa/disable', {
    done: t('two.offDone'),
    then: (me) => {
      adoptMe(me);
      onClose();
    },
    failed: proof.failed,
  });
  const send = () => {
    const body = proof.body();
    if (body) void disable.run({ body: body as never });
  };
  return (
    <Confirm
      danger
      title={t('two.turnOff')}
      act={t('two.turnOff')}
      consequence={t('two.consequence')}
      pending={disable.pending}
      onConfirm={send}
      onClose={onClose}
    >
      <Proof of={proof} />
    </Confirm>
  );
}

/** Ten new recovery codes; the earlier ones work no more. */
function NewCodes({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('session');
  const proof = useProof();
  const [codes, setCodes] = useState<readonly string[]>();
  const make = useAction('post', '/me/mfa/recovery-codes', {
    stale: ['/me'],
    then: (made) => setCodes(made.recovery_codes),
    failed: proof.failed,
  });
  if (codes)
    return (
      <Dialog firm title={t('two.newCodes')} onClose={onClose}>
        <RecoveryCodes codes={codes} onKept={onClose} />
      </Dialog>
    );
  const send = () => {
    const body = proof.body();
    if (body) void make.run({ body: body as never });
  };
  return (
    <Confirm
      title={t('two.newCodes')}
      act={t('two.newCodes')}
      consequence={t('two.newCodesText')}
      pending={make.pending}
      onConfirm={send}
      onClose={onClose}
    >
      <Proof of={proof} />
    </Confirm>
  );
}
