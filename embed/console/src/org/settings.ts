// The settings as a form has them, and what of it was changed.
import type { Body, Schema } from '@shell';

export type Organization = Schema<'OrgShownOrganization'>;

export const languages = ['uz', 'ru', 'en'] as const;
export type Language = (typeof languages)[number];

export interface Values {
  name: string;
  timezone: string;
  default_language: Language;
  /** Null: new campaigns may send at any time. */
  default_sending_window: Organization['default_sending_window'];
  retention: { messages_days: number | string; events_days: number | string; executions_days: number | string };
  opt_out_page: { title: string; text: string; language: Language };
  stop_keywords: Record<Language, string[]>;
}

export function valuesOf(o: Organization): Values {
  return {
    name: o.name,
    timezone: o.timezone,
    default_language: o.default_language,
    default_sending_window: o.default_sending_window,
    retention: {
      messages_days: o.retention.messages_days ?? '',
      events_days: o.retention.events_days,
      executions_days: o.retention.executions_days,
    },
    opt_out_page: { title: o.opt_out_page.title ?? '', text: o.opt_out_page.text ?? '', language: o.opt_out_page.language },
    stop_keywords: { uz: o.stop_keywords.uz, ru: o.stop_keywords.ru, en: o.stop_keywords.en },
  };
}

type Change = Body<'/organization', 'patch'>;
const days = (v: number | string): number | null => (v === '' ? null : Number(v));
const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

/** Only what was changed: what a colleague changes meanwhile stays. */
export function changes(o: Organization, v: Values): Change {
  const was = valuesOf(o);
  const out: Change = {};
  if (v.name.trim() !== was.name) out.name = v.name.trim();
  if (v.timezone !== was.timezone) out.timezone = v.timezone;
  if (v.default_language !== was.default_language) out.default_language = v.default_language;
  if (differs(v.default_sending_window, was.default_sending_window)) out.default_sending_window = v.default_sending_window;
  const retention: NonNullable<Change['retention']> = {};
  if (days(v.retention.messages_days) !== o.retention.messages_days) retention.messages_days = days(v.retention.messages_days);
  if (days(v.retention.events_days) !== o.retention.events_days) retention.events_days = days(v.retention.events_days);
  // It has a number always: an emptied field stays as it was.
  const executions = days(v.retention.executions_days);
  if (executions !== null && executions !== o.retention.executions_days) retention.executions_days = executions;
  if (Object.keys(retention).length > 0) out.retention = retention;
  if (differs(v.opt_out_page, was.opt_out_page)) {
    out.opt_out_page = {
      title: v.opt_out_page.title.trim() || null,
      text: v.opt_out_page.text.trim() || null,
      language: v.opt_out_page.language,
    };
  }
  const words = Object.fromEntries(
    languages.filter((l) => differs(v.stop_keywords[l], was.stop_keywords[l])).map((l) => [l, v.stop_keywords[l]]),
  );
  if (Object.keys(words).length > 0) out.stop_keywords = words;
  return out;
}

/** What new campaigns get when somebody turns the hours on: the service's own default. */
export const usualHours: NonNullable<Values['default_sending_window']> = {
  weekdays: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'],
  start: '09:00',
  end: '20:00',
};

/** What the API would refuse of the hours, to be said before it is asked. */
export function hoursProblem(h: Values['default_sending_window']): 'noDay' | 'noTime' | 'same' | null {
  if (!h) return null;
  if (h.weekdays.length === 0) return 'noDay';
  if (!h.start || !h.end) return 'noTime';
  return h.start === h.end ? 'same' : null;
}
