import { Button, Group, Skeleton, Stepper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type Above, Failed, type Href, NotFound, Page, useGet, useNavigate } from '@shell';
import { IconArrowLeft, IconArrowRight, IconCloudCheck, IconListCheck } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Campaign, hasEnded } from '../model';
import { CampaignState } from '../State';
import { Accounts } from './Accounts';
import { Audience } from './Audience';
import { type Draft, useDraft } from './draft';
import { Message } from './Message';
import { Schedule } from './Schedule';

const steps = ['message', 'audience', 'accounts', 'schedule'] as const;
type Step = (typeof steps)[number];

/** A campaign in steps: what, to whom, from which accounts, when. The step is in the address. */
export default function Editor() {
  const { t } = useTranslation('campaign');
  const { id = '' } = useParams({ strict: false });
  const { data: c, error, refetch } = useGet('/campaigns/{id}', { path: { id } });
  const above: Above[] = [{ label: t('title'), to: '/campaigns' }, ...(c ? [{ label: c.name, to: `/campaigns/${id}` as const }] : [])];
  if (error?.status === 404) return <NotFound />;
  if (error && !c)
    return (
      <Page title={t('edit.title')} above={above}>
        <Failed error={error} onAgain={() => void refetch()} />
      </Page>
    );
  if (!c)
    return (
      <Page title={t('edit.title')} above={above}>
        <Skeleton h={320} />
      </Page>
    );
  if (hasEnded(c))
    return (
      <Page title={t('edit.title')} above={above} badge={<CampaignState campaign={c} />}>
        <Text>{t('edit.ended')}</Text>
      </Page>
    );
  return <Steps key={id} campaign={c} />;
}

function Steps({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const narrow = useMediaQuery('(max-width: 48em)');
  const navigate = useNavigate();
  const draft = useDraft(c.id);
  const { step: asked } = useSearch({ strict: false }) as { step?: string };
  const at = Math.max(0, steps.indexOf(asked as Step));
  const step = steps[at]!;
  const go = async (to: Href) => {
    if (await draft.flush()) void navigate({ to });
  };
  const open = (n: number) => void go(`/campaigns/${c.id}/edit?step=${steps[n]}`);
  const parts = { message: Message, audience: Audience, accounts: Accounts, schedule: Schedule };
  const Part = parts[step];
  return (
    <Page
      title={t('edit.title')}
      above={[
        { label: t('title'), to: '/campaigns' },
        { label: c.name, to: `/campaigns/${c.id}` },
      ]}
      badge={<CampaignState campaign={c} />}
      actions={<Saved draft={draft} />}
    >
      {c.status !== 'DRAFT' && (
        <Text size="sm" mb="md">
          {t(`locked.${c.status}` as never)}
        </Text>
      )}
      <Stepper
        active={at}
        onStepClick={open}
        size="sm"
        mb="lg"
        orientation="horizontal"
        styles={narrow ? { stepLabel: { display: 'none' }, stepBody: { display: 'none' }, separator: { marginInline: 6 } } : undefined}
      >
        {steps.map((s, i) => (
          <Stepper.Step key={s} label={t(`step.${s}`)} aria-label={narrow ? `${i + 1} ${t(`step.${s}`)}` : undefined} />
        ))}
      </Stepper>
      <Part key={step} campaign={c} draft={draft} />
      <Group mt="lg">
        {at > 0 && (
          <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={() => open(at - 1)}>
            {t('edit.back')}
          </Button>
        )}
        {at < steps.length - 1 && (
          <Button rightSection={<IconArrowRight size={16} aria-hidden />} onClick={() => open(at + 1)}>
            {t('edit.next')}
          </Button>
        )}
        {at === steps.length - 1 && c.status === 'DRAFT' && (
          <Button leftSection={<IconListCheck size={16} aria-hidden />} onClick={() => void go(`/campaigns/${c.id}/checks`)}>
            {t('edit.checks')}
          </Button>
        )}
        {c.status !== 'DRAFT' && (
          <Button variant="default" onClick={() => void go(`/campaigns/${c.id}`)}>
            {t('edit.done')}
          </Button>
        )}
      </Group>
    </Page>
  );
}

function Saved({ draft }: { draft: Draft }) {
  const { t } = useTranslation('campaign');
  return (
    <Group gap={6} role="status" aria-live="polite">
      {draft.state === 'saved' && <IconCloudCheck size={17} aria-hidden />}
      <Text size="sm" c={draft.state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}>
        {t(`saving.${draft.state}`)}
      </Text>
    </Group>
  );
}
