import { Paper, Progress, Stack, Text } from '@mantine/core';
import { useFormat } from '@shell';
import { useTranslation } from 'react-i18next';

/** The file is on its way, or read; the page of the import follows. */
export function Sending({ share }: { share: number }) {
  const { t } = useTranslation('recipient');
  const f = useFormat();
  return (
    <Paper maw={560}>
      <Stack gap="xs" aria-live="polite">
        <Text fw={600}>{share < 1 ? t('import.sending', { share: f.percent(share) }) : t('import.begins')}</Text>
        <Progress value={100 * share} animated aria-label={t('import.title')} />
      </Stack>
    </Paper>
  );
}
