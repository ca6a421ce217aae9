import { ActionIcon, Box, Code, CopyButton, List, Paper, Table, Tabs, Text, Title, Tooltip } from '@mantine/core';
import { Page } from '@shell';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { samples } from './samples';

const headers = ['X-Svc-Signature', 'X-Svc-Event', 'X-Svc-Event-Id', 'X-Svc-Delivery', 'X-Svc-Attempt', 'webhook-signature'] as const;

/** How a receiver knows that a delivery is ours. */
export default function Verify() {
  const { t } = useTranslation('hook');
  return (
    <Page title={t('verify.title')} lead={t('verify.lead')} above={[{ label: t('title'), to: '/webhooks' }]}>
      <Paper maw={860} mb="md">
        <Title order={2} mb="xs">
          {t('verify.rules')}
        </Title>
        <List spacing={4} size="sm">
          {(['raw', 'time', 'two', 'answer', 'again'] as const).map((k) => (
            <List.Item key={k}>{t(`verify.rule.${k}`)}</List.Item>
          ))}
        </List>
      </Paper>
      <Paper maw={860} mb="md">
        <Title order={2} mb="xs">
          {t('verify.code')}
        </Title>
        <Tabs defaultValue={samples[0]!.key} keepMounted>
          <Tabs.List mb="sm">
            {samples.map((s) => (
              <Tabs.Tab key={s.key} value={s.key}>
                {s.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {samples.map((s) => (
            <Tabs.Panel key={s.key} value={s.key}>
              <Box pos="relative">
                <Code block tabIndex={0} data-sample={s.key} style={{ overflow: 'auto' }}>
                  {s.code}
                </Code>
                <CopyButton value={s.code} timeout={1500}>
                  {({ copied, copy }) => (
                    <Tooltip label={t(copied ? 'verify.copied' : 'verify.copy')}>
                      <ActionIcon
                        pos="absolute"
                        top={6}
                        right={6}
                        variant="default"
                        onClick={copy}
                        aria-label={t(copied ? 'verify.copied' : 'verify.copy')}
                      >
                        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
                      </ActionIcon>
                    </Tooltip>
                  )}
                </CopyButton>
              </Box>
            </Tabs.Panel>
          ))}
        </Tabs>
      </Paper>
      <Paper maw={860}>
        <Title order={2} mb="xs">
          {t('verify.headers')}
        </Title>
        <Table aria-label={t('verify.headers')}>
          <Table.Tbody>
            {headers.map((h) => (
              <Table.Tr key={h}>
                <Table.Th scope="row" fw={400} w={190}>
                  <Code>{h}</Code>
                </Table.Th>
                <Table.Td>
                  <Text size="sm">{t(`verify.header.${h}`)}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Page>
  );
}
