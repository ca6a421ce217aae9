import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Codes that take the place of the authenticator, each once. The API answers them a single time. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslation('shell');
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack>
      <Text size="sm">{t('twofactor.codesText')}</Text>
      <SimpleGrid cols={2} spacing="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('twofactor.codes')}>
        {codes.map((c) => (
          <li key={c}>
            <Code fz="md">{c}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <CopyButton value={text} timeout={1500}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={17} aria-hidden /> : <IconCopy size={17} aria-hidden />}
            >
              {t(copied ? 'copy.done' : 'copy.copy')}
            </Button>
          )}
        </CopyButton>
        <Button
          component="a"
          variant="default"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          leftSection={<IconDownload size={17} aria-hidden />}
        >
          {t('twofactor.download')}
        </Button>
      </Group>
      <Alert color="yellow">
        <Text size="sm">{t('secret.once')}</Text>
      </Alert>
      <Button onClick={onKept}>{t('secret.kept')}</Button>
    </Stack>
  );
}
