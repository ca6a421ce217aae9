import { Alert, Autocomplete, Button, Group, Paper, Table, Text, Title } from '@mantine/core';
import { type Schema, Status, useAction, useCan, useFormat, useGet, When } from '@shell';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { abilities, type Capabilities, type Provider } from './types';

type Tested = Schema<'EngineTested'>;

/** Asks the provider, and shows what its models were found to be able to do. */
export function Test({ provider: p }: { provider: Provider }) {
  const { t } = useTranslation('engine');
  const can = useCan();
  const [model, setModel] = useState('');
  const [result, setResult] = useState<Tested>();
  const known = useGet('/ai/models', { query: { provider_kind: p.kind, limit: 100 } });
  const test = useAction('post', '/ai/providers/{id}/test', { stale: ['/ai/providers'], then: setResult });
  // What the demo model can do is not kept: it is what the test has just said.
  const kept = (p.supports ?? {}) as Record<string, Capabilities>;
  const found = Object.entries(result?.supports && result.model ? { ...kept, [result.model]: result.supports } : kept);
  return (
    <Paper component="section" aria-label={t('test.title')}>
      <Title order={2}>{t('test.title')}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('test.lead')}
      </Text>
      {can('ai:manage') && (
        <Group align="flex-end" mb="sm">
          {!p.demo && (
            <Autocomplete
              label={t('test.model')}
              description={t('test.modelHint')}
              data={(known.data?.data ?? []).map((m) => m.model)}
              value={model}
              onChange={setModel}
              maw={320}
              style={{ flexGrow: 1 }}
            />
          )}
          <Button
            leftSection={<IconPlugConnected size={17} aria-hidden />}
            loading={test.pending}
            disabled={p.status === 'DISABLED'}
            onClick={() => void test.run({ path: { id: p.id }, body: { model: model.trim() || null } })}
          >
            {t('test.act')}
          </Button>
        </Group>
      )}
      <div role="status">{result && <Result of={result} />}</div>
      {found.length > 0 && <Found of={found} />}
    </Paper>
  );
}

function Result({ of: r }: { of: Tested }) {
  const { t } = useTranslation('engine');
  const f = useFormat();
  if (r.ok)
    return (
      <Alert color="green" mb="sm" title={t('test.ok', { ms: f.number(r.latency_ms) })}>
        {r.model && t('test.answered', { model: r.model })}
      </Alert>
    );
  return (
    <Alert color="red" mb="sm" title={r.error_code ? t(`fault.${r.error_code}`) : t('test.failed')}>
      {r.error_code ? t(`fix.${r.error_code}`) : r.message}
    </Alert>
  );
}

/** What was found, a line a model. */
function Found({ of: found }: { of: readonly (readonly [string, Capabilities])[] }) {
  const { t } = useTranslation('engine');
  return (
    <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('test.found') } }}>
      <Table aria-label={t('test.found')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('test.model')}</Table.Th>
            {abilities.map((a) => (
              <Table.Th key={a}>{t(`ability.${a}`)}</Table.Th>
            ))}
            <Table.Th>{t('column.tested')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.map(([model, c]) => (
            <Table.Tr key={model}>
              <Table.Td>{model}</Table.Td>
              {abilities.map((a) => (
                <Table.Td key={a}>
                  <Status state={c[a] ? 'OK' : 'OFFLINE'} label={t(c[a] ? 'test.yes' : 'test.no')} />
                </Table.Td>
              ))}
              <Table.Td>
                <When at={c.tested_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
