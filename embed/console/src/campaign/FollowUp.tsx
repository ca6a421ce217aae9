import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Confirm, useAction, useCan, useGet, useNavigate } from '@shell';
import { IconMailForward } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRefused } from './Actions';
import { type Campaign, hasEnded, type Totals } from './model';

const who = ['UNREACHED', 'NOT_REPLIED', 'NOT_READ', 'REPLIED'] as const;
type Who = (typeof who)[number];

/** How many people a follow-up is for, as the figures tell; who waits for their turn is in none of them. */
export function followed(totals: Totals, s: { read: number; replied: number }): Record<Who, number> {
  return {
    UNREACHED: totals.failed + totals.skipped + totals.cancelled,
    NOT_REPLIED: Math.max(0, totals.completed - s.replied),
    NOT_READ: Math.max(0, totals.completed - s.read),
    REPLIED: s.replied,
  };
}

/** What a campaign that was sent leads on to: another for exactly those whom it did not reach, who are silent, or who answered. */
export function FollowUp({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const can = useCan();
  const [open, setOpen] = useState(false);
  if (!can('campaigns:manage') || c.started_at === null) return null;
  return (
    <>
      <Button
        variant={hasEnded(c) ? 'filled' : 'default'}
        leftSection={<IconMailForward size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('follow.open')}
      </Button>
      {open && <Question campaign={c} onClose={() => setOpen(false)} />}
    </>
  );
}

function Question({ campaign: c, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { t } = useTranslation('campaign');
  const navigate = useNavigate();
  const { data: s } = useGet('/campaigns/{id}/statistics', { path: { id: c.id } });
  const counts = followed(c.totals, s ?? { read: 0, replied: 0 });
  const first = who.find((w) => counts[w] > 0) ?? 'UNREACHED';
  const form = useForm<{ audience: Who | null; name: string }>({ initialValues: { audience: null, name: '' } });
  const chosen = form.values.audience ?? first;
  const make = useAction('post', '/campaigns/{id}/duplicate', {
    form,
    stale: ['/campaigns'],
    failed: useRefused(),
    then: (made) => void navigate({ to: `/campaigns/${made.id}/edit` }),
  });
  const name = form.values.name.trim();
  return (
    <Confirm
      title={t('follow.title')}
      consequence={t('follow.text', { count: counts[chosen] })}
      act={t('follow.act')}
      pending={make.pending}
      onClose={onClose}
      onConfirm={() => void make.run({ path: { id: c.id }, body: { audience: chosen, ...(name ? { name } : {}) } })}
    >
      <Radio.Group
        label={t('follow.who')}
        value={chosen}
        onChange={(v) => form.setFieldValue('audience', v as Who)}
        error={form.errors.audience}
      >
        <Stack gap="xs" mt={6}>
          {who.map((w) => (
            <Radio key={w} value={w} disabled={counts[w] === 0} label={t(`follow.${w}`, { count: counts[w] })} />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput label={t('field.name')} placeholder={c.name} maxLength={120} {...form.getInputProps('name')} />
    </Confirm>
  );
}
