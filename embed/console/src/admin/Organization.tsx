import { Alert, Anchor, Grid, Group, Skeleton, Text } from '@mantine/core';
import { type Above, Copy, Failed, Link, NotFound, Num, Page, type Schema, useFormat, useGet, When } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { administrators } from './Guard';
import { Limits } from './Limits';
import { OrganizationActions } from './OrganizationActions';
import { Fact, Facts, Part, State } from './parts';

type Shown = Schema<'AdminOrganization'>;

function Organization() {
  const { t } = useTranslation('admin');
  const { id = '' } = useParams({ strict: false });
  const f = useFormat();
  const { data: o, error, refetch } = useGet('/admin/organizations/{id}', { path: { id } });
  const above: Above[] = [{ label: t('organization.title'), to: '/admin/organizations' }];
  if (error?.status === 404) return <NotFound />;
  if (error && !o)
    return (
      <Page title={t('column.organization')} above={above}>
        <Failed error={error} onAgain={() => void refetch()} />
      </Page>
    );
  if (!o)
    return (
      <Page title={t('column.organization')} above={above}>
        <Skeleton h={240} />
      </Page>
    );
  return (
    <Page
      title={o.name}
      above={above}
      badge={<State kind="organization" state={o.status} />}
      actions={<OrganizationActions organization={o} />}
    >
      {o.status === 'SUSPENDED' && (
        <Alert color="red" mb="md" title={t('organization.suspendedTitle')}>
          {t('organization.suspendedBecause', { reason: o.suspended_reason ?? '–' })}
        </Alert>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Part title={t('details')}>
            <Details of={o} />
          </Part>
          <Part title={t('organization.belongs')}>
            <Belongings id={o.id} />
          </Part>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Part title={t('organization.month')} lead={f.month(o.usage.period.from)}>
            <Group gap="xl">
              <Figure label={t('organization.sent')} value={o.usage.messages.sent} />
              <Figure label={t('organization.failed')} value={o.usage.messages.failed} />
            </Group>
          </Part>
          <Limits organization={o} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <Text size="xl" fw={650} lh={1.2}>
        <Num value={value} />
      </Text>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    </div>
  );
}

function Details({ of: o }: { of: Shown }) {
  const { t } = useTranslation('admin');
  return (
    <Facts>
      <Fact label={t('column.owner')}>
        {o.owner && (
          <>
            {o.owner.email}
            {!o.owner.user_id && (
              <Text span size="sm" c="dimmed">
                {' '}
                · {t('organization.invited')}
              </Text>
            )}
          </>
        )}
      </Fact>
      <Fact label={t('column.plan')}>{t(`plan.${o.plan}`)}</Fact>
      <Fact label={t('organization.ai')}>{t(o.ai_enabled ? 'organization.on' : 'organization.off')}</Fact>
      <Fact label={t('organization.analysis')}>
        {t(o.ai_enabled && o.conversation_intelligence_enabled ? 'organization.on' : 'organization.off')}
      </Fact>
      <Fact label={t('organization.timezone')}>{o.timezone}</Fact>
      <Fact label={t('organization.policy')}>
        {o.aup_version === o.policy_version
          ? t('organization.policyAccepted', { version: o.aup_version })
          : t('organization.policyNot', { version: o.policy_version })}
      </Fact>
      <Fact label={t('column.activity')}>{o.last_activity_at && <When at={o.last_activity_at} />}</Fact>
      <Fact label={t('column.created')}>
        <When at={o.created_at} exact />
      </Fact>
      <Fact label={t('id')}>
        <Copy value={o.id} small />
      </Fact>
    </Facts>
  );
}

/** The lists of the platform, narrowed to this organization. */
function Belongings({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const lists = [
    ['campaigns', '/admin/campaigns'],
    ['accounts', '/admin/accounts'],
    ['proxies', '/admin/proxies'],
    ['reports', '/admin/abuse-reports'],
    ['audit', '/admin/audit-logs'],
  ] as const;
  return (
    <Group gap="md">
      {lists.map(([key, to]) => (
        <Anchor key={key} component={Link} to={to} search={{ organization_id: id } as never} size="sm">
          {t(`organization.own.${key}`)}
        </Anchor>
      ))}
    </Group>
  );
}

export default administrators(Organization);
