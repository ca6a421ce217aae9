import { Button, Group, Paper, Stack, Stepper, Text } from '@mantine/core';
import { type Above, detailsOf, Page, upload, useEvents, useGet, useNavigate } from '@shell';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Columns } from './Columns';
import { payload } from './ImportPage';
import { Report } from './Report';
import { SourceStep } from './SourceStep';
import { Sending } from './Sending';
import { peekFile, type Peek, usernamesIn } from './sheet';
import { TermsStep } from './TermsStep';
import { blankTerms, formOf, type ImportSource, type Mapping, type Terms } from './terms';
import { useDryRun } from './dryrun';
import { showFailure } from './failure';
import { taken } from './handover';
import { fileProblem } from './problems';

const steps = ['file', 'columns', 'terms', 'check'] as const;

/** Brings people in from a file: what it is, what its columns mean, on which terms, what would become of it. */
export default function ImportWizard() {
  const { t } = useTranslation('recipient');
  const listId = useRouterState({ select: (s) => (s.location.search as { list_id?: string }).list_id });
  const [step, setStep] = useState(0);
  const [file, setFile] = useState<File>();
  const [look, setLook] = useState<Peek | null>(null);
  const [mapping, setMapping] = useState<Mapping>({});
  const [terms, setTerms] = useState<Terms>(() => (listId ? { ...blankTerms, list: 'old', listId } : blankTerms));
  const [guessed, setGuessed] = useState<string>();
  const dry = useDryRun();
  const unread = dry.errors.unreadable;
  useEffect(() => {
    window.scrollTo(0, 0); // each step is a page of its own
  }, [step]);
  // A file that is neither text nor a workbook goes no further than the first step.
  if (unread !== undefined && step > 0) setStep(0);
  const { start, sent } = useImport();
  const { data: before } = useGet('/recipient-imports', { query: { limit: 1 } });
  const running = before?.data[0]?.status === 'RUNNING';

  const choose = async (f: File, source: ImportSource | null) => {
    const look = await peekFile(f);
    setFile(f);
    setMapping({});
    setGuessed(undefined);
    setLook(look);
    setTerms((before) => ({ ...before, source }));
    setStep(1);
    const names = look && usernamesIn(look);
    if ((await dry.run(f, { ...terms, source }, {})) || !names) return;
    // No header is known to the server: what stands in the columns says more.
    setGuessed(names);
    setMapping({ [names]: 'username' });
    void dry.run(f, { ...terms, source }, { [names]: 'username' });
  };
  useEffect(() => {
    const given = taken();
    if (given) void choose(given, null);
  }, []);
  const check = async (to: number) => {
    if (file && (await dry.run(file, terms, mapping))) setStep(to);
  };
  if (sent !== undefined)
    return (
      <Page title={t('import.title')} above={above(t)}>
        <Sending share={sent} />
      </Page>
    );
  return (
    <Page title={t('import.title')} lead={t('import.lead')} above={above(t)}>
      <Text hiddenFrom="sm" fw={600} mb="md">
        {t('import.stepOf', { n: step + 1, total: steps.length, name: t(`import.step.${steps[step]!}`) })}
      </Text>
      <Stepper visibleFrom="sm" active={step} size="sm" mb="lg" onStepClick={(n) => n < step && setStep(n)} allowNextStepsSelect={false}>
        {steps.map((s) => (
          <Stepper.Step key={s} label={t(`import.step.${s}`)} />
        ))}
      </Stepper>
      {step === 0 && (
        <SourceStep problem={unread === undefined ? undefined : fileProblem(t, unread)} onFile={(f, source) => void choose(f, source)} />
      )}
      {step > 0 && file && (
        <Stack maw={980}>
          <Text size="sm">
            <Text span fw={600}>
              {file.name}
            </Text>
            {dry.report && (
              <Text span c="dimmed">
                {' '}
                · {t('import.rows', { count: dry.report.total })}
              </Text>
            )}
          </Text>
          {step === 1 && <Columns peek={look} guessed={guessed} mapping={mapping} onChange={setMapping} dry={dry} />}
          {step === 2 && (
            <Paper>
              <TermsStep terms={terms} errors={detailsOf({ details: dry.errors })} onChange={setTerms} />
            </Paper>
          )}
          {step === 3 && dry.report && <Report report={dry.report} name={file.name} />}
          {step === 3 && running && (
            <Text c="var(--mantine-color-error)" role="alert">
              {t('import.busy')}
            </Text>
          )}
          <Group>
            <Button variant="default" onClick={() => setStep(step - 1)}>
              {t('import.back')}
            </Button>
            {step === 1 && (
              <Button loading={dry.pending} onClick={() => void check(2)}>
                {t('import.next')}
              </Button>
            )}
            {step === 2 && (
              <Button loading={dry.pending} disabled={!listNamed(terms)} onClick={() => void check(3)}>
                {t('import.check')}
              </Button>
            )}
            {step === 3 && dry.report && (
              <Button disabled={dry.report.valid === 0 || running} onClick={() => void start(formOf(file, terms, mapping, false))}>
                {t('import.go', { count: dry.report.valid })}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Page>
  );
}

/** A list that was asked for is chosen, or has a name. */
const listNamed = (t: Terms) => t.list === 'none' || (t.list === 'old' ? t.listId !== null : t.newList.trim() !== '');

const above = (t: (k: 'title' | 'sections.imports') => string): Above[] => [
  { label: t('title'), to: '/recipients' },
  { label: t('sections.imports'), to: '/recipients/imports' },
];

/**
 * Sends the import and goes to its page as soon as that exists. The request answers when
 * all of it is saved; it goes on when this page is left.
 */
function useImport() {
  const navigate = useNavigate();
  const [sent, setSent] = useState<number>();
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  const open = (id: string) => {
    if (here.current) void navigate({ to: `/recipients/imports/${id}`, replace: true });
  };
  useEvents(['recipient.import_progress'], (e) => {
    if (sent === 1) open(payload(e.data).import_id);
  });
  async function start(form: FormData): Promise<void> {
    if (sent !== undefined) return;
    setSent(0);
    try {
      const report = await upload('/recipients/import', form, { onSent: setSent });
      if (report?.import_id) open(report.import_id);
    } catch (e) {
      showFailure(e);
      if (here.current) setSent(undefined);
    }
  }
  return { start, sent };
}
