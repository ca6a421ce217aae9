import { Page, Unsaved, useAction, useNavigate } from '@shell';
import { useTranslation } from 'react-i18next';
import { Editor, useTemplateForm } from './Editor';
import { blank, bodyOf } from './template';

export default function NewTemplate() {
  const { t } = useTranslation('content');
  const navigate = useNavigate();
  const form = useTemplateForm(blank);
  const create = useAction('post', '/templates', {
    form,
    stale: ['/templates'],
    done: (x) => t('made', { name: x.name }),
    then: () => void navigate({ to: '/templates' }),
    failed: (e) => (e.code === 'conflict' ? (form.setFieldError('name', t('nameTaken')), true) : false),
  });
  return (
    <Page title={t('newTitle')} above={[{ label: t('title'), to: '/templates' }]}>
      <Unsaved form={form} />
      <Editor form={form} submit={t('create')} pending={create.pending} onSubmit={(v) => void create.run({ body: bodyOf(v) })} />
    </Page>
  );
}
