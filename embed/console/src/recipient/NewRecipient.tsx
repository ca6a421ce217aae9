import { Page, showFound, useAction, useNavigate } from '@shell';
import { useTranslation } from 'react-i18next';
import { blank, newBody } from './fields';
import { nameOf } from './name';
import { RecipientForm, useRecipientForm } from './RecipientForm';

export default function NewRecipient() {
  const { t } = useTranslation('recipient');
  const navigate = useNavigate();
  const form = useRecipientForm(blank);
  const create = useAction('post', '/recipients', {
    form,
    stale: ['/recipients', '/lists', '/dashboard'],
    done: (r) => t('added', { name: nameOf(r) }),
    then: (r) => {
      for (const w of r.warnings) showFound(w.code, false, t(`warning.${w.code}`));
      void navigate({ to: `/recipients/${r.id}` });
    },
  });
  return (
    <Page title={t('new.title')} lead={t('new.lead')} above={[{ label: t('title'), to: '/recipients' }]}>
      <RecipientForm
        form={form}
        pending={create.pending}
        submit={t('new.submit')}
        back="/recipients"
        lists
        onSubmit={(v) => void create.run({ body: newBody(v) })}
      />
    </Page>
  );
}
