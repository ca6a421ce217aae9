import type { Hours, OpenRange, OpenStatus } from 'svc-map';
import { t, weekdays } from './i18n';
import { h } from './ui';

/** The zone in which the server reads opening hours. */
const zone = 'Asia/Tashkent';

/** statusLine says whether a place is open, and until when. */
export function statusLine(s: OpenStatus): HTMLElement {
  const state = s.open ? t('hours.open') : t('hours.closed');
  const soon = s.closes_soon || s.opens_soon;
  const name = s.open ? (soon ? 'soon' : 'open') : 'closed';
  return h(
    'p',
    { class: 'status' },
    h('strong', { class: name }, s.all_day && s.open ? t('hours.allDay') : state),
    next(s) && h('span', {}, ` · ${next(s)}`),
  );
}

function next(s: OpenStatus): string {
  const time = s.next_change;
  if (!time || s.all_day) return '';
  if (s.open) return s.closes_soon ? `${t('hours.closesSoon')}, ${t('hours.until', { time })}` : t('hours.until', { time });
  if (!s.next_day) return s.opens_soon ? `${t('hours.opensSoon')}, ${t('hours.opensToday', { time })}` : t('hours.opensToday', { time });
  return s.next_day === 1 ? t('hours.opensTomorrow', { time }) : t('hours.opensIn', { n: s.next_day, time });
}

/** today is the day of the week in the zone of the hours, Monday 0. */
export function today(now = new Date()): number {
  const name = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short' }).format(now);
  return ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(name);
}

/** clock writes minutes from midnight; those past midnight belong to the day before. */
export function clock(minutes: number): string {
  if (minutes === 1440) return '24:00';
  const m = minutes % 1440;
  return `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`;
}

/** week draws the hours of seven days, a bar and a text each. */
export function week(hours: Hours, day = today()): HTMLElement {
  if (hours.unparsed) return h('p', { class: 'soft' }, t('hours.unreadable', { raw: hours.raw }));
  if (hours.all_day) return h('p', {}, t('hours.allDay'));
  const names = weekdays();
  const rows = hours.days.map((ranges, i) => {
    const row = h(
      'tr',
      { class: i === day ? 'today' : '' },
      h('th', { attrs: { scope: 'row' } }, names[i] ?? '', i === day && h('span', { class: 'quiet' }, ` (${t('hours.today')})`)),
      h('td', { class: 'track', attrs: { 'aria-hidden': 'true' } }, bar(ranges, hours.days[(i + 6) % 7] ?? [])),
      h(
        'td',
        {},
        ...(ranges.length
          ? ranges.map((r, k) => h('span', { class: 'range' }, `${clock(r.open)}–${clock(r.close)}${k < ranges.length - 1 ? ', ' : ''}`))
          : [t('hours.dayOff')]),
      ),
    );
    if (i === day) row.setAttribute('aria-current', 'date');
    return row;
  });
  return h('table', { class: 'week' }, h('tbody', {}, ...rows));
}

/** bar is a day from midnight to midnight, with what is left of the night before. */
function bar(ranges: readonly OpenRange[], before: readonly OpenRange[]): HTMLElement {
  const late = before.filter((r) => r.close > 1440).map((r) => ({ open: 0, close: r.close - 1440 }));
  return h(
    'span',
    { class: 'day' },
    ...[...late, ...ranges].map((r) => {
      const part = h('i');
      part.style.left = `${(r.open / 1440) * 100}%`;
      part.style.width = `${((Math.min(r.close, 1440) - r.open) / 1440) * 100}%`;
      return part;
    }),
  );
}
