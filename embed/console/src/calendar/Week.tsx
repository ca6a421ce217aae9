import { ActionIcon, Button, Group, Paper, Text, Title, VisuallyHidden } from '@mantine/core';
import { dayOf, useFormat, useGet } from '@shell';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type CSSProperties, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { height, kinds, styles } from './styles';
import type { Action, Business } from './types';
import { type Block, type Day, daysLater, hoursOf, mondayOf, weekOf } from './week';

const legend = ['open', 'busy', 'buffer', 'notice', 'booked', 'waits'] as const;

/** The week of a business: its hours, what is taken, what stays free around that, what is booked and what waits. */
export function Week({ business, actions, connected }: { business: Business; actions: readonly Action[]; connected: boolean }) {
  const { t } = useTranslation('calendar');
  const f = useFormat();
  const zone = business.timezone;
  const now = Date.now();
  const [monday, setMonday] = useState(() => mondayOf(dayOf(now, zone)));
  const range = { from: `${daysLater(monday, -1)}T00:00:00Z`, to: `${daysLater(monday, 8)}T00:00:00Z` };
  const { data } = useGet('/ai/calendar', { query: range });
  const busy = data?.busy ?? null;
  const days = useMemo(
    () => weekOf(monday, { business, busy, actions, now: Math.floor(now / 60_000) * 60_000 }),
    [monday, business, busy, actions, now],
  );
  const hours = hoursOf(days);
  const noon = (day: string) => `${day}T12:00:00Z`;
  return (
    <Paper component="section" aria-label={t('week.title')}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>
          {f.day(noon(monday), 'UTC')} – {f.day(noon(daysLater(monday, 6)), 'UTC')}
        </Title>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setMonday(mondayOf(dayOf(Date.now(), zone)))}>
            {t('week.today')}
          </Button>
          <ActionIcon variant="default" aria-label={t('week.before')} onClick={() => setMonday(daysLater(monday, -7))}>
            <IconChevronLeft size={17} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="default" aria-label={t('week.after')} onClick={() => setMonday(daysLater(monday, 7))}>
            <IconChevronRight size={17} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t('week.zone', { zone, notice: business.calendar_config.min_notice_minutes, buffer: business.calendar_config.buffer_minutes })}
        {connected && data && busy === null ? ` ${t('week.unreadable')}` : ''}
      </Text>
      <div style={styles.scroll}>
        <div style={styles.week}>
          <ol style={{ ...styles.clocks, ...height(hours.to - hours.from) }} aria-hidden>
            {Array.from({ length: hours.to - hours.from }, (_, i) => (
              <li key={hours.from + i} style={styles.clock}>{`${String(hours.from + i).padStart(2, '0')}:00`}</li>
            ))}
          </ol>
          {days.map((d, i) => (
            <Column
              key={d.date}
              day={d}
              name={`${f.weekdays[i]} ${f.day(noon(d.date), 'UTC')}`}
              hours={hours}
              today={d.date === dayOf(now, zone)}
            />
          ))}
        </div>
      </div>
      <Group component="ul" style={styles.legend} gap="md" mt="sm">
        {legend.map((k) => (
          <li key={k}>
            <span style={{ ...styles.sample, ...kinds[k] }} aria-hidden />
            {t(`week.${k}`)}
          </li>
        ))}
      </Group>
    </Paper>
  );
}

interface ColumnProps {
  day: Day;
  name: string;
  hours: { from: number; to: number };
  today: boolean;
}

function Column({ day, name, hours, today }: ColumnProps) {
  const { t } = useTranslation('calendar');
  const clock = (n: number) => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`;
  const place = (b: Block): CSSProperties => {
    const all = (hours.to - hours.from) * 60;
    const from = Math.max(b.from - hours.from * 60, 0);
    return { top: `${(from / all) * 100}%`, height: `${((Math.min(b.to - hours.from * 60, all) - from) / all) * 100}%` };
  };
  return (
    <section aria-label={name} style={styles.day}>
      <Text size="sm" fw={today ? 700 : 500} style={styles.name}>
        {name}
      </Text>
      <ul style={{ ...styles.blocks, ...height(hours.to - hours.from) }}>
        <li style={styles.lines} aria-hidden />
        {day.blocks.map((b) => {
          const who = b.action && (b.action.extracted.attendee_name || b.action.extracted.title || b.action.conversation?.name || '');
          const words = `${t(`week.${b.kind}`)} ${clock(b.from)}–${clock(b.to)}`;
          return (
            <li
              key={`${b.kind} ${b.from} ${b.action?.id ?? ''}`}
              style={{ ...styles.block, ...kinds[b.kind], ...place(b) }}
              title={who ? `${words}, ${who}` : words}
            >
              {b.action ? (
                <span style={styles.what}>
                  {clock(b.from)} {who}
                </span>
              ) : (
                <VisuallyHidden>{words}</VisuallyHidden>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
