import { Anchor, Button, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DropFiles } from '@kit';
import { useTranslation } from 'react-i18next';
import { maxBytes, pasted, save } from './sheet';
import type { ImportSource } from './terms';

const kinds = '.csv,.tsv,.txt,.json,.xlsx,text/csv,application/json,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const example =
  'username,first_name,last_name,language,consent_status,consent_timestamp,tags,city\n' +
  'gulnora_k,Gulnora,Karimova,uz,OPTED_IN,2026-05-01,vip;samarqand,Samarqand\n';

/** Where the people come from: a file, or a text that is pasted. */
export function SourceStep({ problem, onFile }: { problem?: string; onFile: (f: File, source: ImportSource | null) => void }) {
  const { t } = useTranslation('recipient');
  const form = useForm({ initialValues: { way: 'file' as 'file' | 'paste', text: '' } });
  const { way, text } = form.values;
  const wrong = form.errors.file;
  const take = (f: File | null | undefined, source: ImportSource | null) => {
    if (!f) return;
    const why = f.size === 0 ? 'import.fileEmpty' : f.size > maxBytes ? 'import.tooLarge' : null;
    form.setErrors(why ? { file: t(why) } : {});
    if (!why) onFile(f, source);
  };
  return (
    <Stack maw={760}>
      <SegmentedControl
        {...form.getInputProps('way')}
        data={[
          { value: 'file', label: t('import.fromFile') },
          { value: 'paste', label: t('import.fromText') },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {way === 'file' ? (
        <DropFiles
          accept={kinds}
          onFiles={([f]) => take(f, null)}
          text={t('import.drop')}
          choose={t('import.choose')}
          hint={t('import.limits')}
        />
      ) : (
        <Stack gap="xs">
          <Textarea
            label={t('import.paste')}
            description={t('import.pasteHint')}
            rows={10}
            {...form.getInputProps('text')}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            data-autofocus
          />
          <div>
            <Button disabled={text.trim() === ''} onClick={() => take(pasted(text), 'MANUAL')}>
              {t('import.next')}
            </Button>
          </div>
        </Stack>
      )}
      {(wrong || problem) && (
        <Text c="var(--mantine-color-error)" role="alert">
          {wrong || problem}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('import.rules')}
      </Text>
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => save('example.csv', example)}>
        {t('import.example')}
      </Anchor>
    </Stack>
  );
}
