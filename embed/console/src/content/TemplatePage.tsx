import { Alert, Button, Skeleton } from '@mantine/core';
import {
  type Above,
  ApiError,
  Confirm,
  Failed,
  NotFound,
  Page,
  refresh,
  showProblem,
  Unsaved,
  useAction,
  useCan,
  useGet,
  useNavigate,
} from '@shell';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Editor, useTemplateForm } from './Editor';
import { bodyOf, valuesOf } from './template';
import type { Template } from './TemplateList';

/** One template, to change and to look at. */
export default function TemplatePage() {
  const { t } = useTranslation('content');
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useGet('/templates/{id}', { path: { id } });
  const above: Above[] = [{ label: t('title'), to: '/templates' }];
  if (error?.status === 404) return <NotFound />;
  if (!data)
    return (
      <Page title={t('template')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={320} />}
      </Page>
    );
  return <Change key={id} template={data} />;
}

function Change({ template: x }: { template: Template }) {
  const { t } = useTranslation('content');
  const can = useCan();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const form = useTemplateForm(valuesOf(x));
  const nameTaken = (e: ApiError) => (e.code === 'conflict' ? (form.setFieldError('name', t('nameTaken')), true) : false);
  const save = useAction('patch', '/templates/{id}', {
    form,
    stale: ['/templates'],
    done: t('saved'),
    failed: nameTaken,
  });
  const copy = useAction('post', '/templates', {
    stale: ['/templates'],
    done: (made) => t('made', { name: made.name }),
    then: (made) => void navigate({ to: `/templates/${made.id}`, ignoreBlocker: true }),
  });
  const manage = can('campaigns:manage');
  const twin = () => void copy.run({ body: { ...bodyOf(form.values), name: t('copyOf', { name: x.name }).slice(0, 120) } });
  const actions = manage && (
    <>
      <Button variant="default" loading={copy.pending} leftSection={<IconCopy size={16} aria-hidden />} onClick={twin}>
        {t('copy')}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked(true)}>
        {t('delete')}
      </Button>
    </>
  );
  return (
    <Page
      title={x.name}
      above={[{ label: t('title'), to: '/templates' }]}
      lead={x.uses_count ? t('usedBy', { count: x.uses_count }) : t('unused')}
      actions={actions}
    >
      {manage && x.uses_count > 0 && form.isDirty() && (
        <Alert color="blue" mb="md">
          {t('changeOfUsed')}
        </Alert>
      )}
      <Unsaved form={form} />
      <Editor
        form={form}
        submit={t('save')}
        pending={save.pending}
        readOnly={!manage}
        onSubmit={(v) => void save.run({ path: { id: x.id }, body: bodyOf(v) })}
      />
      {asked && <Delete template={x} onClose={() => setAsked(false)} />}
    </Page>
  );
}

function Delete({ template: x, onClose }: { template: Template; onClose: () => void }) {
  const { t } = useTranslation('content');
  const navigate = useNavigate();
  const remove = useAction('delete', '/templates/{id}', {
    done: t('deleted', { name: x.name }),
    // The page that is left is not asked for again: what it shows is gone.
    then: () => void navigate({ to: '/templates', ignoreBlocker: true }).then(() => refresh('/templates')),
    failed(e) {
      if (e.code !== 'conflict') return false;
      showProblem(new ApiError({ code: 'template_in_use', message: t('inUse'), status: e.status, requestId: e.requestId }));
      onClose();
      return true;
    },
  });
  return (
    <Confirm
      danger
      title={t('deleteTitle', { name: x.name })}
      act={t('delete')}
      pending={remove.pending}
      onClose={onClose}
      onConfirm={() => void remove.run({ path: { id: x.id } })}
      consequence={`${t('deleteText')} ${x.uses_count ? t('usedBy', { count: x.uses_count }) : ''}`}
    />
  );
}
