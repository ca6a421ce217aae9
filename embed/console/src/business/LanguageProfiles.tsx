import { ActionIcon, Button, Group, Select, Stack, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Column, Dialog, List, Page, useAction, useCan } from '@shell';
import { SellerSections } from '@kit';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Ends, Wrong } from './parts';
import { ProfileActs, ProfileName } from './ProfileActs';
import { type LanguageProfile, languages, orNull } from './types';

const mostTerms = 500;

/** How the seller writes each language: script, mixing, and the words of the trade. */
export default function LanguageProfiles() {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const [asked, setAsked] = useState<'add' | LanguageProfile>();
  const columns = useMemo<Column<LanguageProfile>[]>(
    () => [
      { key: 'name', title: t('name'), render: (p) => <ProfileName of={p} /> },
      { key: 'language', title: t('language.title'), render: (p) => t(`language.${p.language}`) },
      { key: 'script', title: t('tongue.script'), from: 'md', render: (p) => t(`script.${p.script}`) },
      { key: 'glossary', title: t('tongue.glossary'), from: 'md', render: (p) => t('tongue.terms', { count: p.glossary.length }) },
      { key: 'acts', title: '', render: (p) => <ProfileActs kind="language" profile={p} onEdit={() => setAsked(p)} /> },
    ],
    [t],
  );
  const add = may && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAsked('add')}>
      {t('tongue.add')}
    </Button>
  );
  return (
    <Page title={t('sections.languages')} lead={t('tongue.lead')} actions={add}>
      <SellerSections />
      <List
        path="/ai/language-profiles"
        label={t('sections.languages')}
        columns={columns}
        name={(p) => p.name}
        empty={{ title: t('tongue.empty'), text: t('tongue.lead'), action: add }}
      />
      {asked && <ProfileDialog profile={asked === 'add' ? undefined : asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

function ProfileDialog({ profile: p, onClose }: { profile?: LanguageProfile; onClose: () => void }) {
  const { t } = useTranslation('business');
  const form = useForm({
    initialValues: {
      name: p?.name ?? '',
      language: p?.language ?? ('uz' as LanguageProfile['language']),
      script: p?.script ?? ('SAME_AS_CUSTOMER' as LanguageProfile['script']),
      mixing: p?.mixing ?? ('AVOID' as LanguageProfile['mixing']),
      greeting: p?.greeting ?? '',
      notes: p?.notes ?? '',
      glossary: (p?.glossary ?? []).map((x) => ({ term: x.term, use: x.use, avoid: x.avoid ?? '' })),
    },
    validate: { name: (v) => (v.trim() ? null : t('nameMissing')) },
  });
  const o = { form, stale: ['/ai/language-profiles'], done: t('saved'), then: onClose };
  const create = useAction('post', '/ai/language-profiles', o);
  const change = useAction('patch', '/ai/language-profiles/{id}', o);
  const save = form.onSubmit((v) => {
    const glossary = v.glossary
      .filter((x) => x.term.trim() || x.use.trim())
      .map((x) => ({ term: x.term.trim(), use: x.use.trim(), avoid: orNull(x.avoid) }));
    const body = { ...v, name: v.name.trim(), greeting: orNull(v.greeting), notes: orNull(v.notes), glossary };
    if (p) void change.run({ path: { id: p.id }, body });
    else void create.run({ body });
  });
  const scripts = (['LATIN', 'CYRILLIC', 'SAME_AS_CUSTOMER'] as const).filter(
    (s) => form.values.language === 'uz' || s !== (form.values.language === 'ru' ? 'LATIN' : 'CYRILLIC'),
  );
  const cell = (i: number, field: 'term' | 'use' | 'avoid') => (
    <Table.Td>
      <TextInput
        size="xs"
        aria-label={`${t(`tongue.${field}`)} ${i + 1}`}
        maxLength={120}
        {...form.getInputProps(`glossary.${i}.${field}`)}
      />
    </Table.Td>
  );
  return (
    <Dialog onClose={onClose} title={p ? p.name : t('tongue.add')} size="lg">
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput label={t('name')} maxLength={120} data-autofocus {...form.getInputProps('name')} />
          <Group grow align="flex-start">
            <Select
              label={t('language.title')}
              allowDeselect={false}
              data={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
              {...form.getInputProps('language')}
              onChange={(v) => v && form.setValues({ language: v as LanguageProfile['language'], script: 'SAME_AS_CUSTOMER' })}
            />
            <Select
              label={t('tongue.script')}
              allowDeselect={false}
              data={scripts.map((value) => ({ value, label: t(`script.${value}`) }))}
              {...form.getInputProps('script')}
            />
          </Group>
          <Select
            label={t('tongue.mixing')}
            allowDeselect={false}
            data={(['AVOID', 'ALLOW'] as const).map((value) => ({ value, label: t(`mixing.${value}`) }))}
            {...form.getInputProps('mixing')}
          />
          <TextInput label={t('tongue.greeting')} maxLength={500} {...form.getInputProps('greeting')} />
          <Textarea label={t('tongue.notes')} autosize minRows={2} maxRows={6} maxLength={2000} {...form.getInputProps('notes')} />
          <div>
            <Text size="sm" fw={500}>
              {t('tongue.glossary')}
            </Text>
            <Text size="xs" c="dimmed" mb={4}>
              {t('tongue.glossaryHint')}
            </Text>
            {form.values.glossary.length > 0 && (
              <Table verticalSpacing={2} horizontalSpacing={4} aria-label={t('tongue.glossary')}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('tongue.term')}</Table.Th>
                    <Table.Th>{t('tongue.use')}</Table.Th>
                    <Table.Th>{t('tongue.avoid')}</Table.Th>
                    <Table.Th w={36} aria-label={t('more')} />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {form.values.glossary.map((_, i) => (
                    <Table.Tr key={i}>
                      {cell(i, 'term')}
                      {cell(i, 'use')}
                      {cell(i, 'avoid')}
                      <Table.Td>
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={t('tongue.removeTerm', { n: i + 1 })}
                          onClick={() => form.removeListItem('glossary', i)}
                        >
                          <IconX size={16} aria-hidden />
                        </ActionIcon>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )}
            {form.values.glossary.length < mostTerms && (
              <Button
                variant="default"
                size="compact-sm"
                mt={6}
                leftSection={<IconPlus size={15} aria-hidden />}
                onClick={() => form.insertListItem('glossary', { term: '', use: '', avoid: '' })}
              >
                {t('tongue.addTerm')}
              </Button>
            )}
          </div>
          <Wrong
            errors={form.errors}
            shown={(f) => /^(name|language|script|mixing|greeting|notes)$/.test(f) || /^glossary\.\d+\./.test(f)}
          />
          <Ends act={p ? t('save') : t('tongue.add')} pending={create.pending || change.pending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
