import { Group, NumberInput, Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import { changesOf, draftOf, newOf, wrongOf } from './offer';
import { Ends } from './parts';
import { availabilities, currencies, type Offer, offerTypes } from './types';

/** Everything about one offer: what the seller may say of it. */
export function OfferDialog({ business, offer: o, onClose }: { business: string; offer?: Offer; onClose: () => void }) {
  const { t } = useTranslation('business');
  const before = draftOf(o);
  const form = useForm({
    initialValues: before,
    validate: (v) => Object.fromEntries(Object.entries(wrongOf(v)).map(([k, w]) => [k, t(w)])),
  });
  const options = { form, stale: ['/ai/businesses/{id}/offers'], then: onClose };
  const create = useAction('post', '/ai/businesses/{id}/offers', { ...options, done: t('offers.added') });
  const change = useAction('patch', '/ai/offers/{id}', { ...options, done: t('saved') });
  const save = form.onSubmit((v) => {
    if (o) void change.run({ path: { id: o.id }, body: changesOf(before, v) });
    else void create.run({ path: { id: business }, body: newOf(v) });
  });
  const price = (field: 'price' | 'price_max', label: string) => (
    <NumberInput label={label} min={0} decimalScale={4} thousandSeparator=" " hideControls {...form.getInputProps(field)} />
  );
  return (
    <Dialog onClose={onClose} title={o ? t('offers.edit', { name: o.name }) : t('offers.add')} size="lg">
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput label={t('offers.name')} maxLength={200} data-autofocus {...form.getInputProps('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Select
              label={t('offers.type')}
              allowDeselect={false}
              data={offerTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
              {...form.getInputProps('type')}
            />
            <Select
              label={t('offers.availability')}
              allowDeselect={false}
              data={availabilities.map((value) => ({ value, label: t(`availability.${value}`) }))}
              {...form.getInputProps('availability')}
            />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            {price('price', t('offers.price'))}
            {price('price_max', t('offers.priceMax'))}
            <Select
              label={t('offers.currency')}
              allowDeselect={false}
              data={[...new Set([...currencies, form.values.currency])]}
              {...form.getInputProps('currency')}
            />
          </SimpleGrid>
          <TextInput label={t('offers.note')} placeholder={t('offers.noteExample')} maxLength={500} {...form.getInputProps('price_note')} />
          <Textarea
            label={t('description')}
            description={t('offers.descriptionHint')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={4000}
            {...form.getInputProps('description')}
          />
          <TextInput label={t('offers.delivery')} maxLength={1000} {...form.getInputProps('delivery')} />
          <TextInput label={t('offers.url')} type="url" maxLength={2048} {...form.getInputProps('url')} />
          <Group align="flex-end">
            <NumberInput
              label={t('offers.priority')}
              description={t('offers.priorityHint')}
              min={0}
              max={100}
              allowDecimal={false}
              {...form.getInputProps('sales_priority')}
            />
            <Switch label={t('offers.active')} mb={8} {...form.getInputProps('active', { type: 'checkbox' })} />
          </Group>
          <Ends act={o ? t('save') : t('offers.add')} pending={create.pending || change.pending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
