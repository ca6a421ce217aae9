import { Page, Secret, useAction, useNavigate } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Webhook } from './health';
import { eventsOf, useWebhookForm, valuesOf, WebhookForm } from './WebhookForm';

export default function NewWebhook() {
  const { t } = useTranslation('hook');
  const navigate = useNavigate();
  const [made, setMade] = useState<Webhook>();
  const form = useWebhookForm(valuesOf());
  const create = useAction('post', '/webhooks', {
    form,
    stale: ['/webhooks', '/organization'],
    then: setMade,
  });
  return (
    <Page title={t('new.title')} lead={t('new.lead')} above={[{ label: t('title'), to: '/webhooks' }]}>
      <WebhookForm
        form={form}
        pending={create.pending}
        submit={t('new.submit')}
        back="/webhooks"
        onSubmit={(v) => void create.run({ body: { url: v.url.trim(), description: v.description.trim() || null, events: eventsOf(v) } })}
      />
      {made && (
        <Secret title={t('secret.title')} value={made.signing_secret ?? ''} onClose={() => void navigate({ to: `/webhooks/${made.id}` })} />
      )}
    </Page>
  );
}
