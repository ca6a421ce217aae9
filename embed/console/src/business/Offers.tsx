import { ActionIcon, Button, Group, NumberInput, Pagination, Paper, Select, Skeleton, Switch, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Confirm, Empty, Failed, useAction, useCan, useGet } from '@shell';
import { IconDownload, IconFileImport, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImportOffers } from './ImportOffers';
import { OfferDialog } from './OfferDialog';
import { changesOf, draftOf, wrongOf } from './offer';
import { availabilities, type Business, currencies, type Offer } from './types';

const perPage = 50;

/** What a business sells: a table whose cells are changed where they stand. */
export default function Offers({ business: b }: { business: Business }) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<'add' | 'import' | { edit: Offer } | { remove: Offer }>();
  const close = () => setAsked(undefined);
  const { data, error, refetch } = useGet(
    '/ai/businesses/{id}/offers',
    { path: { id: b.id }, query: { limit: perPage, offset: (page - 1) * perPage } },
    { keep: true },
  );
  const remove = useAction('delete', '/ai/offers/{id}', { stale: ['/ai/businesses/{id}/offers'], done: t('offers.removed'), then: close });
  const buttons = may && (
    <Group gap="xs">
      <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAsked('add')}>
        {t('offers.add')}
      </Button>
      <Button variant="default" leftSection={<IconFileImport size={17} aria-hidden />} onClick={() => setAsked('import')}>
        {t('offers.import')}
      </Button>
    </Group>
  );
  return (
    <>
      {data && data.total > 0 && (
        <Group justify="space-between" mb="sm">
          {buttons || <span />}
          <Button
            component="a"
            href={`/api/v1/ai/businesses/${b.id}/offers?format=csv`}
            download
            variant="subtle"
            leftSection={<IconDownload size={17} aria-hidden />}
          >
            {t('offers.export')}
          </Button>
        </Group>
      )}
      <Paper p={0} style={{ overflow: 'hidden' }}>
        {!data && (error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />)}
        {data?.total === 0 && <Empty title={t('offers.empty')} text={t('offers.emptyText')} action={buttons} />}
        {data && data.total > 0 && (
          <Table.ScrollContainer minWidth={860} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('tab.offers') } }}>
            <Table verticalSpacing={4} aria-label={t('tab.offers')}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('offers.name')}</Table.Th>
                  <Table.Th w={150}>{t('offers.price')}</Table.Th>
                  <Table.Th w={100}>{t('offers.currency')}</Table.Th>
                  <Table.Th w={170}>{t('offers.availability')}</Table.Th>
                  <Table.Th w={100}>{t('offers.priority')}</Table.Th>
                  <Table.Th w={70}>{t('offers.active')}</Table.Th>
                  <Table.Th w={80} aria-label={t('more')} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.data.map((o) => (
                  <Row
                    key={`${o.id} ${o.updated_at}`}
                    offer={o}
                    may={may}
                    onEdit={() => setAsked({ edit: o })}
                    onRemove={() => setAsked({ remove: o })}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Paper>
      {data && data.total > 0 && (
        <Group justify="space-between" mt="sm">
          <Text size="sm" c="dimmed">
            {t('offers.count', { count: data.total })} {may && t('offers.hint')}
          </Text>
          {data.total > perPage && <Pagination total={Math.ceil(data.total / perPage)} value={page} onChange={setPage} />}
        </Group>
      )}
      {asked === 'add' && <OfferDialog business={b.id} onClose={close} />}
      {asked === 'import' && <ImportOffers business={b.id} onClose={close} />}
      {typeof asked === 'object' && 'edit' in asked && <OfferDialog business={b.id} offer={asked.edit} onClose={close} />}
      {typeof asked === 'object' && 'remove' in asked && (
        <Confirm
          danger
          title={t('offers.removeTitle', { name: asked.remove.name })}
          consequence={t('offers.removeConsequence')}
          act={t('delete.act')}
          pending={remove.pending}
          onConfirm={() => void remove.run({ path: { id: asked.remove.id } })}
          onClose={close}
        />
      )}
    </>
  );
}

interface RowProps {
  offer: Offer;
  may: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

/** One offer. It is saved when a cell is left or Enter is pressed; Escape takes back what was typed. */
function Row({ offer: o, may, onEdit, onRemove }: RowProps) {
  const { t } = useTranslation('business');
  const before = draftOf(o);
  const form = useForm({ initialValues: before });
  const change = useAction('patch', '/ai/offers/{id}', { form, stale: ['/ai/businesses/{id}/offers'] });
  const save = (values = form.getValues()) => {
    const body = changesOf(before, values);
    if (Object.keys(body).length === 0) return;
    const wrong = wrongOf(values);
    form.setErrors(Object.fromEntries(Object.entries(wrong).map(([k, v]) => [k, t(v)])));
    if (Object.keys(wrong).length === 0) void change.run({ path: { id: o.id }, body });
  };
  const keys = (e: KeyboardEvent) => {
    if (e.key === 'Enter') save();
    if (e.key === 'Escape') form.reset();
  };
  const name = (field: 'name' | 'price' | 'currency' | 'availability' | 'priority' | 'active') => `${t(`offers.${field}`)}: ${o.name}`;
  const cell = { variant: 'unstyled' as const, disabled: !may, onBlur: () => save(), onKeyDown: keys };
  const now = (field: 'currency' | 'availability', v: string | null) => {
    if (v) save({ ...form.getValues(), [field]: v });
    form.setFieldValue(field, v as never);
  };
  return (
    <Table.Tr data-offer={o.name}>
      <Table.Td>
        <TextInput aria-label={name('name')} maxLength={200} {...form.getInputProps('name')} {...cell} />
      </Table.Td>
      <Table.Td>
        <NumberInput
          aria-label={name('price')}
          placeholder={t('offers.noPrice')}
          min={0}
          decimalScale={4}
          thousandSeparator=" "
          hideControls
          suffix={o.price_max === null || o.price_max === undefined ? '' : ' …'}
          {...form.getInputProps('price')}
          {...cell}
        />
      </Table.Td>
      <Table.Td>
        <Select
          variant="unstyled"
          aria-label={name('currency')}
          disabled={!may || form.values.price === ''}
          allowDeselect={false}
          data={[...new Set([...currencies, form.values.currency])]}
          error={form.errors.currency}
          value={form.values.price === '' ? null : form.values.currency}
          onChange={(v) => now('currency', v)}
        />
      </Table.Td>
      <Table.Td>
        <Select
          variant="unstyled"
          aria-label={name('availability')}
          disabled={!may}
          allowDeselect={false}
          data={availabilities.map((value) => ({ value, label: t(`availability.${value}`) }))}
          value={form.values.availability}
          onChange={(v) => now('availability', v)}
        />
      </Table.Td>
      <Table.Td>
        <NumberInput
          aria-label={name('priority')}
          min={0}
          max={100}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('sales_priority')}
          {...cell}
        />
      </Table.Td>
      <Table.Td>
        <Switch
          aria-label={name('active')}
          disabled={!may}
          checked={form.values.active}
          onChange={(e) => {
            const active = e.currentTarget.checked;
            form.setFieldValue('active', active);
            save({ ...form.getValues(), active });
          }}
        />
      </Table.Td>
      <Table.Td>
        {may && (
          <Group gap={2} wrap="nowrap">
            <ActionIcon variant="subtle" color="gray" aria-label={t('offers.edit', { name: o.name })} onClick={onEdit}>
              <IconPencil size={17} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={t('offers.remove', { name: o.name })} onClick={onRemove}>
              <IconTrash size={17} aria-hidden />
            </ActionIcon>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
