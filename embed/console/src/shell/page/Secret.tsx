import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Copy } from './Copy';
import { Dialog } from './Dialog';

/** A secret that the API shows once: it says so, and closes only when told. */
export function Secret({ title, value, onClose }: { title: string; value: string; onClose: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <Dialog onClose={onClose} title={title} firm>
      <Stack>
        <Copy value={value} />
        <Alert color="yellow">
          <Text size="sm">{t('secret.once')}</Text>
        </Alert>
        <Button onClick={onClose}>{t('secret.kept')}</Button>
      </Stack>
    </Dialog>
  );
}
