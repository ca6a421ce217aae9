// How long sending takes is estimated in one place, by the service (the report of the checks); here it becomes a
// time on the clock. How fast it goes just now is read from the hours of its figures.
import { call } from '@shell';
import { useQuery } from '@tanstack/react-query';
import type { Campaign, Report } from './model';

const hour = 3_600_000;

/** When the last message would go out, if it began when it is to begin; null when that never comes. */
export function finishOf(c: Pick<Campaign, 'scheduled_at'>, r: Pick<Report, 'estimated_hours'>, now = Date.now()): Date | null {
  if (r.estimated_hours === null) return null;
  const begin = Math.max(now, c.scheduled_at ? Date.parse(c.scheduled_at) : now);
  return new Date(begin + r.estimated_hours * hour);
}

/** What the service says of a draft that is saved. */
export function useEstimate(c: Campaign, saved: boolean): Report | undefined {
  const { data } = useQuery({
    queryKey: ['/campaigns/{id}/validate', c.id, c.account_ids, c.audience, c.min_days_between_messages, c.scheduled_at, c.sending_window],
    staleTime: 0,
    queryFn: ({ signal }) => call('post', '/campaigns/{id}/validate', { path: { id: c.id }, signal }),
    enabled: saved && c.status === 'DRAFT' && c.account_ids.length > 0,
    retry: false,
  });
  return data;
}

/** So many hours back are "just now". */
const recent = 2;

/**
 * Messages an hour, of the last two hours of the clock and no longer than it runs: an average since the
 * beginning would count nights and pauses. Undefined when nothing was sent in them.
 */
export function recentPerHour(
  timeline: readonly { at: string; delivered: number; failed: number }[],
  startedAt: string | null,
  now = Date.now(),
): number | undefined {
  const from = Math.floor(now / hour) * hour - (recent - 1) * hour;
  const hours = timeline.filter((h) => Date.parse(h.at) >= from);
  const sent = hours.reduce((n, h) => n + h.delivered + h.failed, 0);
  if (sent === 0) return undefined;
  const begun = Math.max(Math.min(...hours.map((h) => Date.parse(h.at))), startedAt ? Date.parse(startedAt) : 0);
  const took = Math.max(now - begun, 60_000) / hour;
  return sent / took;
}
