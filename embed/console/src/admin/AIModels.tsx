import { ActionIcon, Button, Text } from '@mantine/core';
import { money } from '@kit';
import { type Column, List, Page, type Schema, Status, useFormat } from '@shell';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AIModelForm } from './AIModelForm';
import { AISections } from './AIOverview';
import { administrators } from './Guard';

type Model = Schema<'EngineShownModel'>;

/** The models of the catalogue: their prices hold for every organization that has none of its own. */
function AIModels() {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const [asked, setAsked] = useState<{ model?: Model }>();
  const columns = useMemo<Column<Model>[]>(
    () => [
      {
        key: 'name',
        title: t('ai.model'),
        render: (m) => (
          <>
            {m.label}
            <Text span size="sm" c="dimmed" display="block" fw={400}>
              {t(`ai.kind.${m.provider_kind}`)} · {m.model}
            </Text>
          </>
        ),
      },
      {
        key: 'state',
        title: t('column.status'),
        render: (m) => <Status state={m.active ? 'ACTIVE' : 'DISABLED'} label={t(m.active ? 'ai.active' : 'ai.inactive')} />,
      },
      {
        key: 'price',
        title: t('ai.price'),
        align: 'right',
        render: (m) =>
          m.price
            ? `${money(m.price.input_per_million_usd, f.locale)} / ${money(m.price.output_per_million_usd, f.locale)}`
            : t('ai.noPrice'),
      },
      {
        key: 'asOf',
        title: t('ai.priceDate'),
        from: 'md',
        render: (m) => (
          <>
            {m.price_as_of ? f.date(m.price_as_of) : '–'}
            {m.price_source && (
              <Text span size="xs" c="dimmed" display="block" maw={240}>
                {m.price_source}
              </Text>
            )}
          </>
        ),
      },
      {
        key: 'edit',
        title: '',
        align: 'right',
        render: (m) => (
          <ActionIcon variant="subtle" aria-label={t('ai.editOf', { name: m.label })} onClick={() => setAsked({ model: m })}>
            <IconPencil size={17} aria-hidden />
          </ActionIcon>
        ),
      },
    ],
    [t, f],
  );
  const add = (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAsked({})}>
      {t('ai.add')}
    </Button>
  );
  return (
    <Page title={t('ai.models')} lead={t('ai.modelsLead')} actions={add}>
      <AISections />
      <List
        path="/admin/ai/models"
        label={t('ai.models')}
        columns={columns}
        name={(m) => m.label}
        empty={{ title: t('ai.models'), text: t('ai.modelsLead'), action: add }}
      />
      {asked && <AIModelForm of={asked.model} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

export default administrators(AIModels);
