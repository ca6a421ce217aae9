import { Alert, Button, Stack, Text } from '@mantine/core';
import { Copy, Dialog, type Schema, useFormat } from '@shell';
import { useTranslation } from 'react-i18next';

/** A link with which a person chooses a new password. The API shows it once, so the dialog closes only when told. */
export function PasswordLink({ name, link, onClose }: { name: string; link: Schema<'SessionResetLink'>; onClose: () => void }) {
  const { t } = useTranslation('kit');
  const f = useFormat();
  return (
    <Dialog onClose={onClose} title={t('passwordLink.title', { name })} firm>
      <Stack>
        <Text size="sm">{t('passwordLink.text', { name })}</Text>
        <Copy value={new URL(link.url, location.origin).href} />
        <Alert color="yellow">
          <Text size="sm">{t('passwordLink.once', { until: f.time(link.expires_at) })}</Text>
        </Alert>
        <Button onClick={onClose}>{t('passwordLink.copied')}</Button>
      </Stack>
    </Dialog>
  );
}
