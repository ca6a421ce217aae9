import { Anchor, Group, Paper, Progress, SimpleGrid, Text } from '@mantine/core';
import { Sparkline } from './Sparkline';
import { type Href, Link, useFormat } from '@shell';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dashboard } from './steps';

/** The figures of the dashboard, each leading to what it counts. A part that the person may not read is not there. */
export function Figures({ dashboard: d }: { dashboard: Dashboard }) {
  const { t } = useTranslation('overview');
  const f = useFormat();
  const n = f.number;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      {d.messages && (
        <Card
          label={t('figure.today')}
          sentence={t(d.messages.today.failed > 0 ? 'figure.failed' : 'figure.delivered', {
            n: n(d.messages.today.delivered),
            count: d.messages.today.failed,
          })}
        >
          <Sparkline values={(d.messages.days ?? []).map((x) => x.delivered)} label={t('figure.twoWeeks')} />
        </Card>
      )}
      {d.recipients && (
        <Card
          to="/recipients"
          label={t('figure.sendable')}
          sentence={t('figure.ofPeople', { n: n(d.recipients.sendable), total: n(d.recipients.total) })}
        >
          <Progress.Root size="sm" aria-hidden>
            <Progress.Section value={share(d.recipients.sendable, d.recipients.total)} color="teal.7" />
            <Progress.Section value={share(d.recipients.unknown_consent, d.recipients.total)} color="gray.6" />
            <Progress.Section value={share(d.recipients.opted_out, d.recipients.total)} color="red.7" />
          </Progress.Root>
          <Group gap="sm" mt={6}>
            <Text size="xs" c="dimmed">
              {t('figure.unknown', { count: d.recipients.unknown_consent })}
            </Text>
            <Text size="xs" c="dimmed">
              {t('figure.optedOut', { count: d.recipients.opted_out })}
            </Text>
          </Group>
        </Card>
      )}
      {d.accounts && (
        <Card
          to="/accounts"
          label={t('figure.accounts')}
          sentence={t('figure.ofAccounts', { n: n(d.accounts.active), total: n(d.accounts.total) })}
        >
          <Group gap="sm">
            {d.accounts.cooling_down > 0 && (
              <Text size="xs" c="dimmed">
                {t('figure.cooling', { count: d.accounts.cooling_down })}
              </Text>
            )}
            {d.accounts.needs_attention > 0 && (
              <Text size="xs" c="var(--mantine-color-error)" fw={600}>
                {t('figure.needing', { count: d.accounts.needs_attention })}
              </Text>
            )}
          </Group>
        </Card>
      )}
      {d.campaigns && (
        <Card
          to="/campaigns"
          label={t('figure.running')}
          sentence={t('figure.completed', { n: n(d.campaigns.running), count: d.campaigns.completed_30d })}
        >
          <Group gap="sm">
            {d.campaigns.scheduled > 0 && (
              <Text size="xs" c="dimmed">
                {t('figure.scheduled', { count: d.campaigns.scheduled })}
              </Text>
            )}
            {d.campaigns.paused > 0 && (
              <Text size="xs" c="dimmed">
                {t('figure.paused', { count: d.campaigns.paused })}
              </Text>
            )}
          </Group>
        </Card>
      )}
    </SimpleGrid>
  );
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole);

interface CardProps {
  label: string;
  /** With its number inside, between <big> and </big>: where it stands is a matter of the language. */
  sentence: string;
  to?: Href;
  children?: ReactNode;
}

function Card({ label, sentence, to, children }: CardProps) {
  const [before, number, after] = partsOf(sentence);
  return (
    <Paper p="md">
      <Text size="sm" c="dimmed">
        {to ? (
          <Anchor component={Link} to={to} inherit c="inherit">
            {label}
          </Anchor>
        ) : (
          label
        )}
      </Text>
      <Text size="sm" c="dimmed" mb={6}>
        {before}
        <Text span c="var(--mantine-color-text)" fz={28} lh={1.2} fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {number}
        </Text>
        {after}
      </Text>
      {children}
    </Paper>
  );
}

/** What stands before the number of a sentence, the number, and what follows. */
export function partsOf(sentence: string): [before: string, number: string, after: string] {
  const [, before = '', number = sentence, after = ''] = /^(.*)<big>(.*)<\/big>(.*)$/.exec(sentence) ?? [];
  return [before, number, after];
}
