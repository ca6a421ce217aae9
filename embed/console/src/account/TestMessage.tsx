import { PlainComposer } from '@kit';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ApiError, codeWord, Dialog, type Schema, Status, useAction, useGet } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explained } from './flow';
import { type Account, accountName } from './name';
import { Refusal } from './Refusal';

/** A message to one person, to see that the account sends; its way is shown until it arrived. */
export function TestMessage({ account: a, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation(['account', 'shell']);
  const [refused, setRefused] = useState<ApiError>();
  const [job, setJob] = useState<string>();
  const form = useForm({
    initialValues: { username: '', text: '' },
    validate: { username: (v) => (usernameIn(v) ? null : t('test.missing')) },
  });
  const send = useAction('post', '/accounts/{id}/test-message', {
    form,
    stale: ['/jobs', '/accounts'],
    then: (queued) => setJob(queued.job_id),
    failed: (e) => explained.includes(e.code) && (setRefused(e), true),
  });
  const submit = form.onSubmit(({ username, text }) => {
    setRefused(undefined);
    void send.run({ path: { id: a.id }, body: { username: usernameIn(username), ...(text.trim() ? { text } : {}) } });
  });
  return (
    <Dialog onClose={onClose} title={t('test.title', { name: accountName(a) })}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('test.limits', { account: 10, organization: 20 })}</Text>
          <TextInput
            label={t('test.to')}
            description={t('test.toHint')}
            autoCapitalize="off"
            spellCheck={false}
            data-autofocus
            {...form.getInputProps('username')}
          />
          <PlainComposer
            label={t('test.text')}
            description={t('test.textHint')}
            value={form.values.text}
            error={form.errors.text}
            onChange={(text) => form.setFieldValue('text', text)}
          />
          {refused && <Refusal error={refused} />}
          {job && <Way account={a.id} job={job} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:close')}
            </Button>
            <Button type="submit" loading={send.pending}>
              {t('test.act')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** A username, however it was copied: with its sign, or as the address of a page. */
const usernameIn = (typed: string): string =>
  typed
    .trim()
    .replace(/^(https?:\/\/)?t\.me\//, '')
    .replace(/^@/, '');

const ended = ['DONE', 'FAILED', 'SKIPPED', 'CANCELLED'];

/** Where the message is. No event tells of a test, so it is asked until it ends. */
function Way({ account, job }: { account: string; job: string }) {
  const { t } = useTranslation('account');
  const jobIn = (list?: readonly Schema<'SendShown'>[]) => list?.find((j) => j.id === job);
  const { data } = useGet(
    '/jobs',
    { query: { account_id: account, kind: 'TEST', limit: 20 } },
    { while: (answer) => !ended.includes(jobIn(answer.data)?.status ?? '') },
  );
  const found = jobIn(data?.data);
  const state = found?.status ?? 'QUEUED';
  const code = found?.error_code;
  return (
    <Alert color={state === 'DONE' ? 'green' : state === 'FAILED' || state === 'SKIPPED' ? 'red' : 'blue'} aria-live="polite">
      <Group gap="xs">
        <Status state={state === 'DONE' ? 'DELIVERED' : state} label={t(`job.${state}`)} />
        {code && <Text size="sm">{codeWord(code)}</Text>}
      </Group>
    </Alert>
  );
}
