import { Button, Text } from '@mantine/core';
import { type Column, List, Page, Tag, useCan, When } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Abilities, Health } from './parts';
import { ProviderDialog } from './ProviderDialog';
import { EngineSections } from './sections';
import type { Provider } from './types';

/** Who answers what the AI is asked, and how well that goes. */
export default function Providers() {
  const { t } = useTranslation('engine');
  const can = useCan();
  const [adding, setAdding] = useState(false);
  const columns = useMemo<Column<Provider>[]>(
    () => [
      {
        key: 'name',
        title: t('column.name'),
        render: (p) => (
          <>
            {p.name} {p.is_default && <Tag>{t('default')}</Tag>}
            <Text span size="sm" c="dimmed" display="block" fw={400}>
              {t(`kind.${p.kind}`)}
            </Text>
          </>
        ),
      },
      { key: 'state', title: t('column.state'), render: (p) => <Health provider={p} /> },
      { key: 'abilities', title: t('column.abilities'), from: 'md', render: (p) => <Abilities provider={p} /> },
      { key: 'tested', title: t('column.tested'), render: (p) => (p.last_tested_at ? <When at={p.last_tested_at} /> : '–') },
    ],
    [t],
  );
  const add = can('ai:manage') && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
      {t('provider.add')}
    </Button>
  );
  return (
    <Page title={t('sections.providers')} lead={t('provider.lead')} actions={add}>
      <EngineSections />
      <List
        path="/ai/providers"
        label={t('sections.providers')}
        columns={columns}
        to={(p) => `/ai/providers/${p.id}`}
        name={(p) => p.name}
        empty={{ title: t('provider.empty'), text: t('provider.emptyText'), action: add }}
      />
      {adding && <ProviderDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
