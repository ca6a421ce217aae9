import { Button, Grid, Paper, SegmentedControl, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Column, currentLanguage, Dialog, List, Page, useAction, useCan } from '@shell';
import { SellerSections } from '@kit';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Ends } from './parts';
import { ProfileActs, ProfileName, profileName } from './ProfileActs';
import { sampleOf, type Style, texts } from './sample';
import { type Communication, type Language, languages } from './types';

const choices = {
  formality: ['FORMAL', 'NEUTRAL', 'FRIENDLY'],
  address: ['POLITE_YOU', 'INFORMAL_YOU'],
  emoji: ['NONE', 'FEW', 'MANY'],
  sentence_length: ['SHORT', 'MEDIUM', 'LONG'],
} as const;
const fields = Object.keys(choices) as (keyof typeof choices)[];

/** How the seller speaks: built-in manners, and those of one's own. */
export default function CommunicationProfiles() {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const [asked, setAsked] = useState<'add' | Communication>();
  const columns = useMemo<Column<Communication>[]>(
    () => [
      { key: 'name', title: t('name'), render: (p) => <ProfileName of={p} /> },
      { key: 'manner', title: t('manner.title'), render: (p) => fields.map((f) => t(`manner.${p[f]}`)).join(' · ') },
      { key: 'acts', title: '', render: (p) => <ProfileActs kind="communication" profile={p} onEdit={() => setAsked(p)} /> },
    ],
    [t],
  );
  const add = may && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAsked('add')}>
      {t('manner.add')}
    </Button>
  );
  return (
    <Page title={t('sections.communication')} lead={t('manner.lead')} actions={add}>
      <SellerSections />
      <List
        path="/ai/communication-profiles"
        label={t('sections.communication')}
        columns={columns}
        name={(p) => profileName(t, p)}
        empty={{ title: t('manner.empty'), text: t('manner.lead'), action: add }}
      />
      {asked && <ProfileDialog profile={asked === 'add' ? undefined : asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

function ProfileDialog({ profile: p, onClose }: { profile?: Communication; onClose: () => void }) {
  const { t } = useTranslation('business');
  const form = useForm({
    initialValues: {
      name: p?.name ?? '',
      formality: p?.formality ?? ('NEUTRAL' as Communication['formality']),
      address: p?.address ?? ('POLITE_YOU' as Communication['address']),
      emoji: p?.emoji ?? ('FEW' as Communication['emoji']),
      sentence_length: p?.sentence_length ?? ('SHORT' as Communication['sentence_length']),
      max_questions: String(p?.max_questions ?? 1),
      do: p?.do ?? [],
      dont: p?.dont ?? [],
    },
    validate: { name: (v) => (v.trim() ? null : t('nameMissing')) },
  });
  const o = { form, stale: ['/ai/communication-profiles'], done: t('saved'), then: onClose };
  const create = useAction('post', '/ai/communication-profiles', o);
  const change = useAction('patch', '/ai/communication-profiles/{id}', o);
  const save = form.onSubmit((v) => {
    const body = { ...v, name: v.name.trim(), max_questions: Number(v.max_questions) };
    if (p) void change.run({ path: { id: p.id }, body });
    else void create.run({ body });
  });
  return (
    <Dialog onClose={onClose} title={p ? p.name : t('manner.add')} size="xl">
      <form onSubmit={save} noValidate>
        <Grid>
          <Grid.Col span={{ base: 12, sm: 7 }}>
            <Stack>
              <TextInput label={t('name')} maxLength={120} data-autofocus {...form.getInputProps('name')} />
              {fields.map((f) => (
                <Select
                  key={f}
                  label={t(`manner.${f}`)}
                  allowDeselect={false}
                  data={choices[f].map((value) => ({ value, label: t(`manner.${value}`) }))}
                  {...form.getInputProps(f)}
                />
              ))}
              <Select label={t('manner.questions')} allowDeselect={false} data={['1', '2']} {...form.getInputProps('max_questions')} />
              <TagsInput label={t('manner.do')} placeholder={t('manner.doExample')} splitChars={['\n']} {...form.getInputProps('do')} />
              <TagsInput
                label={t('manner.dont')}
                placeholder={t('manner.dontExample')}
                splitChars={['\n']}
                {...form.getInputProps('dont')}
              />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 5 }}>
            <Sample style={{ ...form.values, max_questions: Number(form.values.max_questions) }} />
          </Grid.Col>
        </Grid>
        <Ends act={p ? t('save') : t('manner.add')} pending={create.pending || change.pending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** What a reply sounds like with these choices, in the language that is chosen. */
function Sample({ style }: { style: Style }) {
  const { t } = useTranslation('business');
  const [language, setLanguage] = useState(currentLanguage() as Language);
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('sample.title')}>
      <Text size="sm" fw={600} mb="xs">
        {t('sample.title')}
      </Text>
      <SegmentedControl
        size="xs"
        fullWidth
        mb="sm"
        value={language}
        onChange={(v) => setLanguage(v as Language)}
        data={languages.map((value) => ({ value, label: value.toUpperCase() }))}
        aria-label={t('language.title')}
      />
      <Stack gap={6} lang={language}>
        <Text size="sm" p="xs" bg="var(--mantine-color-default-hover)" style={{ borderRadius: 8, alignSelf: 'flex-start' }}>
          {texts[language].question}
        </Text>
        <Text
          size="sm"
          p="xs"
          bg="var(--mantine-primary-color-light)"
          style={{ borderRadius: 8, alignSelf: 'flex-end' }}
          role="status"
          data-sample
        >
          {sampleOf(style, language)}
        </Text>
      </Stack>
      <Text size="xs" c="dimmed" mt="xs">
        {t('sample.hint')}
      </Text>
    </Paper>
  );
}
