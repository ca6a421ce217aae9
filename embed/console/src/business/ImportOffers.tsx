import { Alert, Button, FileInput, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { asApiError, currentLanguage, Dialog, refresh, sentenceOf, showDone, upload, wrongWord } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencies, type Report } from './types';

const kinds = '.csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const maxBytes = 5 * 1024 * 1024;
const shownIssues = 50;

/** Takes offers out of a file: it says what would happen before anything does. */
export function ImportOffers({ business, onClose }: { business: string; onClose: () => void }) {
  const { t } = useTranslation(['business', 'shell']);
  const form = useForm({ initialValues: { file: null as File | null, currency: 'UZS' } });
  const [report, setReport] = useState<Report>();
  const [busy, setBusy] = useState(false);
  const send = async (values: typeof form.values, dryRun: boolean) => {
    if (!values.file) return;
    const data = new FormData();
    data.set('dry_run', String(dryRun));
    data.set('currency', values.currency);
    data.set('file', values.file, values.file.name);
    setBusy(true);
    try {
      const path = `/ai/businesses/${business}/offers/import` as '/ai/businesses/{id}/offers/import';
      const found = await upload(path, data);
      setReport(found);
      if (dryRun) return;
      void refresh('/ai/businesses/{id}/offers');
      showDone(t('offers.imported', { created: found.created, updated: found.updated }));
      onClose();
    } catch (thrown) {
      const e = asApiError(thrown);
      const { file, mapping, currency } = e.details;
      const why = file ?? mapping;
      form.setErrors(currency ? { currency: wrongWord(currency) } : { file: (why && wrongWord(why)) || sentenceOf(e).message });
      setReport(undefined);
    } finally {
      setBusy(false);
    }
  };
  const look = (change: Partial<typeof form.values>) => {
    const values = { ...form.getValues(), ...change };
    form.setValues(values);
    form.clearErrors();
    setReport(undefined);
    if (values.file && values.file.size > maxBytes) form.setErrors({ file: t('offers.tooLarge') });
    else if (values.file) void send(values, true);
  };
  return (
    <Dialog onClose={onClose} title={t('offers.import')} size="xl">
      <form
        noValidate
        onSubmit={form.onSubmit((v) => {
          void send(v, false);
        })}
      >
        <Stack>
          <Text size="sm">{t('offers.importLead')}</Text>
          <Group align="flex-start" grow preventGrowOverflow={false}>
            <FileInput
              label={t('offers.file')}
              placeholder={t('offers.choose')}
              accept={kinds}
              clearable
              clearButtonProps={{ 'aria-label': t('offers.forget') }}
              value={form.values.file}
              error={form.errors.file}
              onChange={(file) => look({ file })}
            />
            <Select
              label={t('offers.importCurrency')}
              allowDeselect={false}
              data={[...currencies]}
              value={form.values.currency}
              error={form.errors.currency}
              onChange={(v) => v && look({ currency: v })}
            />
          </Group>
          {report && <Shown report={report} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={busy} disabled={!report || report.created + report.updated === 0}>
              {report ? t('offers.importAct', { count: report.created + report.updated }) : t('offers.import')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** What an import would do, and why rows are left out. */
function Shown({ report: r }: { report: Report }) {
  const { t } = useTranslation('business');
  const word = (i: Report['issues'][number]) => {
    if (i.kind === 'DUPLICATE') return t('issue.DUPLICATE');
    const said = i.field && i.message.startsWith(`${i.field} `) ? i.message.slice(i.field.length + 1) : i.message;
    return wrongWord(said.replace(/\.$/, '')) || t('issue.INVALID');
  };
  return (
    <Stack gap="sm" role="status">
      <Text fw={600}>
        {t('offers.would', { created: r.created, updated: r.updated, unchanged: r.unchanged, out: r.invalid + r.duplicates })}
      </Text>
      {r.ignored_columns.length > 0 && (
        <Text size="sm">{t('offers.ignored', { columns: new Intl.ListFormat(currentLanguage()).format(r.ignored_columns) })}</Text>
      )}
      {r.issues.length > 0 && (
        <Alert color="orange" title={t('offers.leftOut', { count: r.invalid + r.duplicates })}>
          <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('offers.why') } }}>
            <Table verticalSpacing={2}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={70}>{t('offers.row')}</Table.Th>
                  <Table.Th w={200}>{t('offers.cell')}</Table.Th>
                  <Table.Th>{t('offers.why')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {r.issues.slice(0, shownIssues).map((i) => (
                  <Table.Tr key={`${i.row} ${i.field} ${i.kind}`} data-issue={i.row}>
                    <Table.Td>{i.row}</Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{i.value ?? '–'}</Table.Td>
                    <Table.Td>{word(i)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Alert>
      )}
    </Stack>
  );
}
