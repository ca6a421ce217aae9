import { Alert, List, Text } from '@mantine/core';
import { Confirm, NamedThing, showProblem, useAction, useFormat, useNavigate, useSimulator } from '@shell';
import { IconFlask } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { finishOf } from './estimate';
import type { Campaign, Report } from './model';
import { Rule } from './Rule';

interface Props {
  campaign: Campaign;
  report: Report;
  /** The checks failed after all: with the report of the refusal, when it is known. */
  onRefused: (report: Report | null) => void;
  onClose: () => void;
}

/** The question before a launch: to how many, from which accounts, from when to when. */
export function Launch({ campaign: c, report: r, onRefused, onClose }: Props) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const navigate = useNavigate();
  const simulated = useSimulator();
  const [refused, setRefused] = useState<string>();
  // Back from the campaign leads to what was before the checks: they are over.
  const leave = () => void navigate({ to: `/campaigns/${c.id}`, replace: true });
  const start = useAction('post', '/campaigns/{id}/start', {
    stale: ['/campaigns', '/accounts', '/dashboard', '/recipients'],
    done: t('launch.done', { name: c.name }),
    then: () => leave(),
    failed(e) {
      if (e.code === 'campaign_invalid') onRefused(null);
      else if (e.code === 'campaign_not_draft') leave();
      else if (e.code === 'plan_limit_reached') setRefused(t('launch.plan'));
      else showProblem(e);
      return true;
    },
  });
  const begin = c.scheduled_at && Date.parse(c.scheduled_at) > Date.now() ? new Date(c.scheduled_at) : new Date();
  const end = finishOf(c, r);
  return (
    <Confirm
      title={t('launch.title', { name: c.name })}
      act={t('launch.confirm', { count: r.audience.sendable })}
      pending={start.pending}
      onConfirm={() => void start.run({ path: { id: c.id }, body: {} })}
      onClose={onClose}
      consequence={t('launch.consequence', { count: r.audience.sendable })}
    >
      {simulated && (
        <Alert color="grape" icon={<IconFlask size={18} aria-hidden />} data-simulator>
          {t('launch.simulator')}
        </Alert>
      )}
      <List size="sm" spacing={4}>
        <List.Item>
          {t('launch.from')}{' '}
          {c.accounts.map((a, i) => (
            <span key={a.id}>
              {i > 0 && ', '}
              <NamedThing of={a} />
            </span>
          ))}
        </List.Item>
        <List.Item>
          {t(begin.getTime() > Date.now() + 1000 ? 'launch.begins' : 'launch.beginsNow', { at: f.time(begin) })}
          {end && <> {t('launch.ends', { at: f.time(end) })}</>}
        </List.Item>
        {r.audience.matched > r.audience.sendable && (
          <List.Item>{t('launch.left', { count: r.audience.matched - r.audience.sendable })}</List.Item>
        )}
        {c.repeat && (
          <List.Item>
            <Rule campaign={c} />
          </List.Item>
        )}
      </List>
      {refused && (
        <Alert color="red" role="alert">
          {refused}
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        {t('launch.after')}
      </Text>
    </Confirm>
  );
}
