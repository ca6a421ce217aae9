import { Button, Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  type Column,
  currentLanguage,
  Dialog,
  type Filter,
  Link,
  List,
  Page,
  Pale,
  Status,
  useAction,
  useCan,
  useNavigate,
  When,
} from '@shell';
import { SellerSections } from '@kit';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Ends } from './parts';
import { type Business, type Language, languages, orNull } from './types';

/** What the seller sells for: each business with its own offers, voice and rules. */
export default function Businesses() {
  const { t } = useTranslation('business');
  const can = useCan();
  const [adding, setAdding] = useState(false);
  const columns = useMemo<Column<Business>[]>(
    () => [
      {
        key: 'name',
        title: t('name'),
        sort: 'name',
        render: (b) => (
          <>
            {b.name}
            {b.industry && <Pale>{b.industry}</Pale>}
          </>
        ),
      },
      { key: 'status', title: t('status'), render: (b) => <Status state={b.status} label={t(`state.${b.status}`)} /> },
      { key: 'languages', title: t('languages'), from: 'md', render: (b) => b.languages.map((l) => t(`language.${l}`)).join(', ') },
      { key: 'created', title: t('created'), sort: 'created_at', from: 'md', render: (b) => <When at={b.created_at} /> },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'status',
        label: t('status'),
        options: (['ACTIVE', 'ARCHIVED'] as const).map((value) => ({ value, label: t(`state.${value}`) })),
      },
    ],
    [t],
  );
  const add = can('ai:manage') && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  );
  return (
    <Page title={t('sections.businesses')} lead={t('lead')} actions={add}>
      <SellerSections />
      <List
        path="/ai/businesses"
        label={t('sections.businesses')}
        columns={columns}
        filters={filters}
        to={(b) => `/ai/businesses/${b.id}`}
        name={(b) => b.name}
        empty={{
          title: t('empty'),
          text: t('emptyText'),
          action: (
            <Button component={Link} to="/ai/businesses/start">
              {t('sections.start')}
            </Button>
          ),
        }}
      />
      {adding && <NewBusiness onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** Adds a business: what cannot be guessed, and no more. */
export function NewBusiness({ onClose, onMade }: { onClose: () => void; onMade?: (b: Business) => void }) {
  const { t } = useTranslation('business');
  const navigate = useNavigate();
  const own = currentLanguage() as Language;
  const form = useForm({
    initialValues: { name: '', industry: '', languages: [...languages] as Language[], default_language: own },
    validate: {
      name: (v) => (v.trim() ? null : t('nameMissing')),
      languages: (v) => (v.length > 0 ? null : t('languageMissing')),
    },
  });
  const create = useAction('post', '/ai/businesses', {
    form,
    stale: ['/ai/businesses'],
    done: t('added'),
    then: (b) => {
      onClose();
      if (onMade) onMade(b);
      else void navigate({ to: `/ai/businesses/${b.id}` });
    },
  });
  const save = form.onSubmit((v) => {
    const first = v.languages.includes(v.default_language) ? v.default_language : v.languages[0]!;
    void create.run({ body: { name: v.name.trim(), industry: orNull(v.industry), languages: v.languages, default_language: first } });
  });
  return (
    <Dialog onClose={onClose} title={t('add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput label={t('name')} description={t('nameHint')} maxLength={120} data-autofocus {...form.getInputProps('name')} />
          <TextInput label={t('industry')} placeholder={t('industryExample')} maxLength={120} {...form.getInputProps('industry')} />
          <LanguageFields form={form} />
          <Ends act={t('add')} pending={create.pending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

interface LanguageForm {
  values: { languages: Language[]; default_language: Language };
  getInputProps: (field: 'languages' | 'default_language') => object;
}

/** In which languages a business answers, and in which when the customer's is not clear. */
export function LanguageFields({ form, disabled }: { form: LanguageForm; disabled?: boolean }) {
  const { t } = useTranslation('business');
  return (
    <>
      <Checkbox.Group label={t('languages')} {...form.getInputProps('languages')}>
        {languages.map((l) => (
          <Checkbox key={l} value={l} label={t(`language.${l}`)} mt={4} disabled={disabled} />
        ))}
      </Checkbox.Group>
      <Select
        label={t('defaultLanguage')}
        description={t('defaultLanguageHint')}
        allowDeselect={false}
        disabled={disabled}
        data={form.values.languages.map((value) => ({ value, label: t(`language.${value}`) }))}
        {...form.getInputProps('default_language')}
      />
    </>
  );
}
