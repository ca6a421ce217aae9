// Questions before what reaches far.
import { Checkbox, Select } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { DatesProvider, DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { Confirm, currentLanguage, dayjsLocale, useAction, useNavigate } from '@shell';
import { useTranslation } from 'react-i18next';
import { hostOf, type Webhook } from './health';
import { changeWebhook, turnedOff, turnedOn } from './status';

interface Props {
  webhook: Webhook;
  onClose: () => void;
}

/** What of the missed deliveries is sent again. since: as a date picker writes it. */
interface Since {
  since: string | null;
  only_failed: boolean;
}

const overlaps = ['0', '1', '24', '72'] as const;
const mostDays = 30;
const day = 86_400_000;

export function Rotate({ webhook: w, onClose, onMade }: Props & { onMade: (secret: string) => void }) {
  const { t } = useTranslation('hook');
  const form = useForm({ initialValues: { overlap_hours: '24' } });
  const hours = form.values.overlap_hours;
  const rotate = useAction('post', '/webhooks/{id}/rotate-secret', {
    form,
    stale: ['/webhooks'],
    then: (made) => onMade(made.signing_secret ?? ''),
  });
  return (
    <Confirm
      danger={hours === '0'}
      title={t('rotate.title')}
      act={t('rotate.act')}
      consequence={t(hours === '0' ? 'rotate.atOnce' : 'rotate.overlap', { count: Number(hours) })}
      pending={rotate.pending}
      onConfirm={() => void rotate.run({ path: { id: w.id }, body: { overlap_hours: Number(hours) } })}
      onClose={onClose}
    >
      <Select
        label={t('rotate.both')}
        allowDeselect={false}
        {...form.getInputProps('overlap_hours')}
        data={overlaps.map((value) => ({ value, label: value === '0' ? t('rotate.none') : t('rotate.hours', { count: Number(value) }) }))}
      />
    </Confirm>
  );
}

/**
 * Sends what the endpoint has not received: all that is kept, or since a time. A webhook that is
 * off is turned on by the same request, so that an outage ends in one step (contract 8.3).
 */
export function useRecover(webhook: Webhook, o: { then?: () => void; form?: UseFormReturnType<Since> } = {}) {
  const { t } = useTranslation('hook');
  const off = webhook.status === 'DISABLED';
  const recover = useAction('post', '/webhooks/{id}/recover', {
    form: o.form,
    stale: ['/webhooks'],
    done: t(off ? 'recover.doneOn' : 'recover.done'),
    then: o.then,
  });
  return {
    pending: recover.pending,
    run: (choice: { since?: string; only_failed?: boolean } = {}) =>
      void recover.run({ path: { id: webhook.id }, body: { ...choice, enable: off } }),
  };
}

export function Recover({ webhook: w, onClose }: Props) {
  const { t } = useTranslation(['hook', 'shell']);
  const first = new Date(Date.now() - mostDays * day);
  const moment = (since: string | null) => (since ? new Date(since.replace(' ', 'T')) : undefined);
  const wrong = (since: string | null) => {
    const at = moment(since);
    return at && (at < first || at.getTime() > Date.now()) ? t('recover.wrong', { count: mostDays }) : null;
  };
  const form = useForm<Since>({ initialValues: { since: null, only_failed: false }, validate: { since: wrong } });
  const recover = useRecover(w, { then: onClose, form });
  const send = () => {
    const { since, only_failed } = form.values;
    if (!form.validate().hasErrors) recover.run({ since: moment(since)?.toISOString(), only_failed });
  };
  const off = w.status === 'DISABLED';
  return (
    <Confirm
      title={t(off ? 'recover.actOn' : 'recover.title')}
      act={t(off ? 'recover.actOn' : 'recover.act')}
      consequence={t(off ? 'recover.consequenceOn' : 'recover.consequence', { host: hostOf(w) })}
      pending={recover.pending}
      onConfirm={send}
      onClose={onClose}
    >
      <DatesProvider settings={{ locale: dayjsLocale(currentLanguage()), firstDayOfWeek: 1 }}>
        <DateTimePicker
          label={t('recover.since')}
          description={t('recover.sinceHint', { count: mostDays })}
          placeholder={t('recover.sinceAll')}
          minDate={first}
          maxDate={new Date()}
          valueFormat="D MMM YYYY HH:mm"
          clearable
          clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
          {...form.getInputProps('since')}
          popoverProps={{ withinPortal: true }}
        />
      </DatesProvider>
      <Checkbox label={t('recover.onlyFailed')} {...form.getInputProps('only_failed', { type: 'checkbox' })} />
    </Confirm>
  );
}

export function Disable({ webhook: w, onClose }: Props) {
  const { t } = useTranslation('hook');
  const disable = useAction('patch', '/webhooks/{id}', {
    stale: ['/webhooks'],
    now: ({ path }, cache) => changeWebhook(cache, path.id, turnedOff),
    done: t('disable.done'),
  });
  const confirm = () => {
    void disable.run({ path: { id: w.id }, body: { status: 'DISABLED' } });
    onClose(); // it shows already
  };
  return (
    <Confirm
      danger
      title={t('disable.title', { host: hostOf(w) })}
      consequence={t('disable.consequence')}
      act={t('disable.act')}
      pending={disable.pending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

export function Enable({ webhook: w, onClose }: Props) {
  const { t } = useTranslation('hook');
  const enable = useAction('patch', '/webhooks/{id}', {
    stale: ['/webhooks'],
    now: ({ path }, cache) => changeWebhook(cache, path.id, turnedOn),
    done: t('enable.done'),
  });
  const confirm = () => {
    void enable.run({ path: { id: w.id }, body: { status: 'ACTIVE' } });
    onClose(); // it shows already
  };
  return (
    <Confirm
      title={t('enable.title', { host: hostOf(w) })}
      consequence={t('enable.consequence')}
      act={t('enable.act')}
      pending={enable.pending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

export function Delete({ webhook: w, onClose }: Props) {
  const { t } = useTranslation('hook');
  const navigate = useNavigate();
  const remove = useAction('delete', '/webhooks/{id}', {
    stale: ['/organization'],
    done: t('delete.done', { host: hostOf(w) }),
    then: () => void navigate({ to: '/webhooks' }),
  });
  return (
    <Confirm
      danger
      word={t('delete.word')}
      title={t('delete.title', { host: hostOf(w) })}
      consequence={t('delete.consequence')}
      act={t('delete.act')}
      pending={remove.pending}
      onConfirm={() => void remove.run({ path: { id: w.id } })}
      onClose={onClose}
    />
  );
}
