import { Alert, Button, Group, Select, Stack, Table, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, type Schema, useAction, wrongWord } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Proxy, proxyTypes } from '../name';

const mostLines = 1000;

/** The lines that count; empty ones and comments do not. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((l) => l.trim())
    .filter((l) => l && !l.startsWith('#'));

/** What a line looks like, without its password; a first look before the server decides. */
export function readLine(line: string): { type?: string; address: string } {
  const link = /^(?:tg:\/\/proxy|https:\/\/t\.me\/proxy)\?(.*)$/.exec(line);
  if (link) {
    const q = new URLSearchParams(link[1]);
    return { type: 'MTPROTO', address: `${q.get('server') ?? '?'}:${q.get('port') ?? '?'}` };
  }
  const url = /^(\w+):\/\/(?:.*@)?([^@]+)$/.exec(line);
  if (url) return { type: /^socks/i.test(url[1]!) ? 'SOCKS5' : url[1]!.toUpperCase(), address: url[2]! };
  const [host = '', port = ''] = line.split(':');
  return { address: `${host}:${port || '?'}` };
}

export function ProxyImport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['account', 'shell']);
  const form = useForm({ initialValues: { text: '', type: 'SOCKS5' as Proxy['type'] } });
  const [report, setReport] = useState<Schema<'AccountProxyImport'>>();
  const run = useAction('post', '/proxies/import', { form, stale: ['/proxies'], then: setReport });
  const { text, type } = form.values;
  const lines = linesOf(text);
  return (
    <Dialog onClose={onClose} title={t('import.title')} size="lg">
      <Stack>
        {report ? (
          <Report report={report} text={text} />
        ) : (
          <>
            <Text size="sm">{t('import.lead')}</Text>
            <Textarea
              label={t('import.lines')}
              description="host:port · host:port:user:password · socks5://user:password@host:port · tg://proxy?…"
              {...form.getInputProps('text')}
              autosize
              minRows={5}
              maxRows={12}
              spellCheck={false}
              autoComplete="off"
              error={form.errors.text ?? (lines.length > mostLines ? t('import.tooMany', { most: mostLines }) : undefined)}
              data-autofocus
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
            />
            <Select
              label={t('import.type')}
              description={t('import.typeHint')}
              data={proxyTypes.map((value) => ({ value, label: t(`proxyType.${value}`) }))}
              allowDeselect={false}
              {...form.getInputProps('type')}
              maw={300}
            />
            {lines.length > 0 && <Understood lines={lines} type={type} />}
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(report ? 'shell:close' : 'shell:cancel')}
          </Button>
          {!report && (
            <Button
              loading={run.pending}
              disabled={lines.length === 0 || lines.length > mostLines}
              onClick={() => void run.run({ body: { text, type_default: type } })}
            >
              {t('import.act', { count: lines.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

const shownLines = 5;

function Understood({ lines, type }: { lines: string[]; type: Proxy['type'] }) {
  const { t } = useTranslation('account');
  return (
    <div>
      <Text size="sm" fw={550} mb={4}>
        {t('import.understood')}
      </Text>
      <Table verticalSpacing={4}>
        <Table.Tbody>
          {lines.slice(0, shownLines).map((line, i) => {
            const read = readLine(line);
            return (
              <Table.Tr key={`${i}${line}`}>
                <Table.Td>{read.type ?? t(`proxyType.${type}`)}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{read.address}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {lines.length > shownLines && (
        <Text size="sm" c="dimmed">
          {t('import.andMore', { count: lines.length - shownLines })}
        </Text>
      )}
    </div>
  );
}

/** What became of the lines; those that were not understood, with the reason. */
function Report({ report: r, text }: { report: Schema<'AccountProxyImport'>; text: string }) {
  const { t } = useTranslation('account');
  const raw = text.split('\n');
  return (
    <Stack gap="sm">
      <Alert color={r.created > 0 ? 'green' : 'yellow'} aria-live="polite">
        {t('import.created', { count: r.created })} {t('import.duplicates', { count: r.duplicates })}{' '}
        {t('import.invalid', { count: r.invalid })}
      </Alert>
      {r.issues.length > 0 && (
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('import.row')}</Table.Th>
              <Table.Th>{t('import.line')}</Table.Th>
              <Table.Th>{t('import.why')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {r.issues.map((issue) => (
              <Table.Tr key={issue.row}>
                <Table.Td>{issue.row}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{readLine(raw[issue.row - 1]?.trim() ?? '').address}</Table.Td>
                <Table.Td>{wrongWord(issue.message)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
