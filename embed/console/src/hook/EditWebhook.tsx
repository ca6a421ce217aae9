import { Failed, NotFound, Page, useAction, useGet, useNavigate } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hostOf, type Webhook } from './health';
import { eventsOf, useWebhookForm, valuesOf, WebhookForm } from './WebhookForm';

export default function EditWebhook() {
  const { t } = useTranslation('hook');
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useGet('/webhooks/{id}', { path: { id } });
  if (error?.status === 404) return <NotFound />;
  return (
    <Page
      title={t('edit.title')}
      above={[
        { label: t('title'), to: '/webhooks' },
        ...(data ? [{ label: data.description || hostOf(data), to: `/webhooks/${id}` as const }] : []),
      ]}
    >
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {data && <Editor key={id} webhook={data} />}
    </Page>
  );
}

function Editor({ webhook: w }: { webhook: Webhook }) {
  const { t } = useTranslation('hook');
  const navigate = useNavigate();
  const form = useWebhookForm(valuesOf(w));
  const back = `/webhooks/${w.id}` as const;
  const save = useAction('patch', '/webhooks/{id}', {
    form,
    stale: ['/webhooks'],
    done: t('saved'),
    then: () => void navigate({ to: back }),
  });
  return (
    <WebhookForm
      form={form}
      pending={save.pending}
      submit={t('edit.submit')}
      back={back}
      onSubmit={(v) =>
        void save.run({ path: { id: w.id }, body: { url: v.url.trim(), description: v.description.trim() || null, events: eventsOf(v) } })
      }
    />
  );
}
