import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, showDone, useAction, useGet, useMe } from '@shell';
import { adoptMe } from '@shell/session/me';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { emailProblem } from './email';

/** Asks for another address to sign in with, and for the password. The new one is confirmed by a link where the service sends mail. */
export function ChangeEmail({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['session', 'shell']);
  const me = useMe();
  const { data: config } = useGet('/public/config', {});
  const [sentTo, setSentTo] = useState<string>();
  const before = me.user?.email ?? '';
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (v) => {
        const wrong = emailProblem(v, before);
        return wrong && t(`email.${wrong}`);
      },
      password: (v) => (v === '' ? t('password.currentMissing') : null),
    },
  });
  const change = useAction('post', '/me/email', {
    form: {
      setErrors: (e: Record<string, string>) => form.setErrors({ email: e.email, password: e.current_password && t('password.wrong') }),
    },
    failed: (e) => {
      if (e.code === 'conflict') form.setFieldError('email', t('email.taken'));
      return e.code === 'conflict';
    },
    then: (a) => {
      if (a.confirmation_sent) return setSentTo(form.getValues().email.trim());
      if (me.user) adoptMe({ ...me, user: { ...me.user, email: a.email } });
      showDone(t('email.done', { email: a.email }));
      onClose();
    },
  });
  if (sentTo) {
    return (
      <Dialog onClose={onClose} title={t('email.sentTitle')}>
        <Stack>
          <Text size="sm">{t('email.sent', { email: sentTo, before })}</Text>
          <Button onClick={onClose}>{t('email.understood')}</Button>
        </Stack>
      </Dialog>
    );
  }
  return (
    <Dialog onClose={onClose} title={t('email.title')}>
      <form noValidate onSubmit={form.onSubmit((v) => void change.run({ body: { email: v.email.trim(), current_password: v.password } }))}>
        <Stack>
          <Text size="sm">{t(config?.mail ? 'email.byLink' : 'email.atOnce')}</Text>
          <TextInput
            label={t('email.new')}
            type="email"
            autoComplete="email"
            maxLength={254}
            data-autofocus
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t('email.password')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
            {...form.getInputProps('password')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={change.pending}>
              {t('email.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
