import { Alert, Button, Paper, Skeleton, Text, Title } from '@mantine/core';
import { Failed, Page, ThingById, useAction, useCan, useFormat, useGet } from '@shell';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SettingsSections } from './sections';

/** The acceptable-use policy: its text, and who accepted which version when. */
export default function Policy() {
  const { t } = useTranslation('org');
  const f = useFormat();
  const can = useCan();
  const org = useGet('/organization', {});
  const policy = useGet('/public/policy', {});
  const accept = useAction('post', '/organization/accept-policy', {
    stale: ['/organization', '/me', '/public/policy'],
    done: t('policy.done'),
  });
  const failed = org.error ?? policy.error;
  const o = org.data;
  const p = policy.data;
  const current = o && p && o.aup_version === p.version;
  return (
    <Page title={t('policy.title')} lead={t('policy.lead')}>
      <SettingsSections />
      {failed && !(o && p) && (
        <Failed
          error={failed}
          onAgain={() => {
            void org.refetch();
            void policy.refetch();
          }}
        />
      )}
      {!failed && !(o && p) && <Skeleton h={260} />}
      {o && p && (
        <>
          {current && (
            <Alert color="green" mb="md" icon={<IconCircleCheck aria-hidden />}>
              {t('policy.accepted', { version: p.version, at: o.policy_accepted_at ? f.time(o.policy_accepted_at) : '–' })}{' '}
              {o.policy_accepted_by && <ThingById id={o.policy_accepted_by} />}
            </Alert>
          )}
          {!current && (
            <Alert
              color="yellow"
              mb="md"
              icon={<IconAlertTriangle aria-hidden />}
              title={t(o.aup_version ? 'policy.newVersion' : 'policy.notYet')}
            >
              <Text size="sm" mb="sm">
                {t('policy.consequence')}
              </Text>
              {can('org:manage') ? (
                <Button loading={accept.pending} onClick={() => void accept.run({ body: { policy_version: p.version } })}>
                  {t('policy.accept', { version: p.version })}
                </Button>
              ) : (
                <Text size="sm">{t('policy.askAdmin')}</Text>
              )}
            </Alert>
          )}
          <Paper maw={760}>
            <Title order={2} mb="sm">
              {t('policy.version', { version: p.version })}
            </Title>
            <Text style={{ whiteSpace: 'pre-wrap' }}>{p.text}</Text>
          </Paper>
        </>
      )}
    </Page>
  );
}
