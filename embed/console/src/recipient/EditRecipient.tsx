import { type Above, Failed, Page, useAction, useGet, useNavigate } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { changes, valuesOf } from './fields';
import { nameOf, type Recipient } from './name';
import { RecipientForm, useRecipientForm } from './RecipientForm';

export default function EditRecipient() {
  const { t } = useTranslation('recipient');
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useGet('/recipients/{id}', { path: { id } });
  const above: Above[] = [
    { label: t('title'), to: '/recipients' },
    ...(data ? [{ label: nameOf(data), to: `/recipients/${id}` as const }] : []),
  ];
  return (
    <Page title={t('edit.title')} above={above}>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {data && <Editor key={id} recipient={data} />}
    </Page>
  );
}

function Editor({ recipient }: { recipient: Recipient }) {
  const { t } = useTranslation('recipient');
  const navigate = useNavigate();
  const form = useRecipientForm(valuesOf(recipient));
  const back = `/recipients/${recipient.id}` as const;
  const save = useAction('patch', '/recipients/{id}', {
    form,
    stale: ['/recipients'],
    done: t('saved'),
    then: () => void navigate({ to: back }),
  });
  return (
    <RecipientForm
      form={form}
      pending={save.pending}
      submit={t('edit.submit')}
      back={back}
      optedOut={recipient.consent_status === 'OPTED_OUT'}
      onSubmit={(v) => void save.run({ path: { id: recipient.id }, body: changes(recipient, v) })}
    />
  );
}
