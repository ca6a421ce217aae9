import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../api/action';
import { currentLanguage } from '../language/i18n';

/**
 * Asks for a link for a new password by mail. The answer is the same whether the address
 * belongs to somebody; the page that the link opens is /public/password-reset.
 */
export function PasswordReset({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation('shell');
  const [sent, setSent] = useState(false);
  const form = useForm({ initialValues: { email: '' }, validate: { email: (v) => (v.includes('@') ? null : t('signin.emailMissing')) } });
  const ask = useAction('post', '/auth/password-reset', { form, then: () => setSent(true) });
  return (
    <form onSubmit={form.onSubmit((v) => void ask.run({ body: { email: v.email.trim(), language: currentLanguage() } }))} noValidate>
      <Stack>
        <Text role={sent ? 'status' : undefined}>{t(sent ? 'signin.resetSent' : 'signin.resetText')}</Text>
        {!sent && <TextInput label={t('signin.email')} type="email" autoComplete="username" autoFocus {...form.getInputProps('email')} />}
        {!sent && (
          <Button type="submit" loading={ask.pending} fullWidth>
            {t('signin.resetSend')}
          </Button>
        )}
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('signin.resetBack')}
        </Anchor>
      </Stack>
    </form>
  );
}
