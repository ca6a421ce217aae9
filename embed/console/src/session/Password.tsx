import { Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction, useMe, useSupport } from '@shell';
import { adoptMe } from '@shell/session/me';
import { useTranslation } from 'react-i18next';

/** The API refuses shorter ones. */
const shortest = 10;
const blank = { current: '', next: '', again: '' };

/** A new password; it ends every other session. */
export function Password() {
  const { t } = useTranslation('session');
  const support = useSupport();
  const email = useMe().user?.email ?? '';
  const form = useForm({
    initialValues: blank,
    validate: {
      current: (v) => (v === '' ? t('password.currentMissing') : null),
      next: (v) => ([...v].length < shortest ? t('password.tooShort', { count: shortest }) : null),
      again: (v, all) => (v === all.next ? null : t('password.differ')),
    },
  });
  const fields = {
    setErrors: (e: Record<string, string>) =>
      form.setErrors({ current: e.current_password && t('password.wrong'), next: e.new_password && t('password.refused') }),
  };
  const change = useAction('patch', '/me', {
    form: fields,
    stale: ['/me/sessions'],
    done: t('password.done'),
    then: (me) => {
      adoptMe(me);
      form.reset();
    },
  });
  if (support) return null;
  const eye = { 'aria-label': t('password.show') };
  return (
    <Paper component="section">
      <Title order={2} mb={4}>
        {t('password.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('password.consequence')}
      </Text>
      <form onSubmit={form.onSubmit((v) => void change.run({ body: { current_password: v.current, new_password: v.next } }))}>
        <Stack gap="sm">
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label={t('password.current')}
            autoComplete="current-password"
            visibilityToggleButtonProps={eye}
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label={t('password.next')}
            description={t('password.rule', { count: shortest })}
            autoComplete="new-password"
            visibilityToggleButtonProps={eye}
            {...form.getInputProps('next')}
          />
          <PasswordInput
            label={t('password.again')}
            autoComplete="new-password"
            visibilityToggleButtonProps={eye}
            {...form.getInputProps('again')}
          />
          <div>
            <Button type="submit" variant="default" loading={change.pending}>
              {t('password.submit')}
            </Button>
          </div>
        </Stack>
      </form>
    </Paper>
  );
}
