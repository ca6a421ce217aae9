import { Stack, Text } from '@mantine/core';
import { type Column, List, Page, Status, Tag } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Config } from './chain';
import { EngineSections } from './sections';

/** The jobs that models do, and which models each asks. */
export default function Agents() {
  const { t } = useTranslation('engine');
  const columns = useMemo<Column<Config>[]>(
    () => [
      {
        key: 'agent',
        title: t('column.agent'),
        render: (a) => (
          <>
            {t(`agent.${a.agent}`)}
            <Text span size="sm" c="dimmed" display="block" fw={400} maw={380}>
              {t(`agentJob.${a.agent}`)}
            </Text>
          </>
        ),
      },
      {
        key: 'state',
        title: t('column.state'),
        render: (a) => <Status state={a.enabled ? 'ACTIVE' : 'DISABLED'} label={t(a.enabled ? 'agents.on' : 'agents.off')} />,
      },
      { key: 'chain', title: t('agents.chain'), from: 'md', render: (a) => <Chain of={a} /> },
      { key: 'source', title: t('agents.source'), from: 'lg', render: (a) => <Tag>{t(`agents.from.${a.source}`)}</Tag> },
    ],
    [t],
  );
  return (
    <Page title={t('sections.agents')} lead={t('agents.lead')}>
      <EngineSections />
      <List
        path="/ai/agents"
        label={t('sections.agents')}
        columns={columns}
        to={(a) => `/ai/agents/${a.agent}`}
        name={(a) => t(`agent.${a.agent}`)}
        empty={{ title: t('sections.agents'), text: t('agents.lead') }}
      />
    </Page>
  );
}

/** The models of a chain in their order. */
function Chain({ of: a }: { of: Config }) {
  const { t } = useTranslation('engine');
  if (a.chain.length === 0)
    return (
      <Text span size="sm" c="dimmed">
        {t('agents.noChain')}
      </Text>
    );
  return (
    <Stack gap={0}>
      {a.chain.map((e, i) => (
        <Text key={e.provider_id + e.model} span size="sm" c={i > 0 ? 'dimmed' : undefined}>
          {i + 1}. {e.model} · {e.provider?.name ?? e.provider_id}
        </Text>
      ))}
    </Stack>
  );
}
