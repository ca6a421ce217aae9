import { Button, Group, Paper, PasswordInput, SegmentedControl, Text, TextInput, Title } from '@mantine/core';
import { Confirm, sentenceOf, Status, TwoFactor, useAction, useMe, useSupport } from '@shell';
import { adoptMe } from '@shell/session/me';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Two-factor: what it is, whether it is on, turning it on and off. */
export function TwoFactorCard() {
  const { t } = useTranslation('session');
  const { user } = useMe();
  const support = useSupport();
  const [open, setOpen] = useState<'on' | 'off'>();
  const on = user?.mfa_enabled ?? false;
  return (
    <Paper component="section">
      <Group justify="space-between" mb={4}>
        <Title order={2}>{t('two.title')}</Title>
        <Status state={on ? 'ACTIVE' : 'PAUSED'} label={t(on ? 'two.on' : 'two.off')} />
      </Group>
      <Text size="sm" mb="sm">{t(on ? 'two.onText' : 'two.offText')}</Text>
      <Text size="sm" c="dimmed" mb="sm">{t('two.lost')}</Text>
      {!support && (on
        ? <Button variant="default" onClick={() => setOpen('off')}>{t('two.turnOff')}</Button>
        : <Button onClick={() => setOpen('on')}>{t('two.turnOn')}</Button>)}
      {open === 'on' && <TwoFactor onClose={() => setOpen(undefined)} />}
      {open === 'off' && <TurnOff onClose={() => setOpen(undefined)} />}
    </Paper>
  );
}

/** With the password a person can turn it off who lost the phone and is still signed in. */
function TurnOff({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('session');
  const [by, setBy] = useState<'code' | 'password'>('code');
  const [value, setValue] = useState('');
  const [wrong, setWrong] = useState('');
  const disable = useAction('post', '/me/mfa/disable', {
    done: t('two.offDone'), then: (me) => { adoptMe(me); onClose(); },
    failed(e) {
      if (e.status !== 401 && e.status !== 422) return false;
      setWrong(e.status === 401 && by === 'code' ? t('two.wrongCode') : by === 'password' ? t('password.wrong') : sentenceOf(e).message);
      return true;
    },
  });
  const choose = (next: string) => { setBy(next as typeof by); setValue(''); setWrong(''); };
  const send = () => (value.trim() === '' ? setWrong(t('two.missing')) : void disable.run({ body: { [by]: value.trim() } }));
  return (
    <Confirm danger title={t('two.turnOff')} act={t('two.turnOff')} consequence={t('two.consequence')} pending={disable.pending} onConfirm={send} onClose={onClose}>
      <SegmentedControl fullWidth value={by} onChange={choose} data={[{ value: 'code', label: t('two.byCode') }, { value: 'password', label: t('two.byPassword') }]} />
      {by === 'code'
        ? <TextInput label={t('two.code')} inputMode="numeric" autoComplete="one-time-code" maxLength={6} value={value} onChange={(e) => { setValue(e.currentTarget.value); setWrong(''); }} error={wrong} data-autofocus />
        : <PasswordInput label={t('password.current')} autoComplete="current-password" value={value} onChange={(e) => { setValue(e.currentTarget.value); setWrong(''); }} error={wrong} visibilityToggleButtonProps={{ 'aria-label': t('password.show') }} />}
    </Confirm>
  );
}
