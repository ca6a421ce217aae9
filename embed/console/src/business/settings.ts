// The seller's settings as a form holds them, and as the API takes them.
import { type Settings, type Trigger, triggers } from './types';

export type Rule = Omit<NonNullable<Settings['handoff_rules']>[string], 'threshold'> & { threshold: number | '' };

/** Everything that a person sets; numbers that may be missing are empty. */
export interface Draft
  extends Omit<Settings, 'business_id' | 'version' | 'updated_at' | 'handoff_rules' | 'max_reply_characters' | 'follow_up'> {
  handoff_rules: Record<Trigger, Rule>;
  max_reply_characters: number | '';
  follow_up: { limit: number; delay_minutes: number; quiet: boolean; start: string; end: string };
}

const usualQuiet = { start: '21:00', end: '09:00' };

export function draftOf(s: Settings): Draft {
  const { business_id: _b, version: _v, updated_at: _u, handoff_rules: rules, max_reply_characters: most, follow_up: f, ...rest } = s;
  const quiet = f.quiet_hours ?? usualQuiet;
  const rule = (t: Trigger): Rule => {
    const r = rules?.[t];
    return {
      enabled: r?.enabled ?? false,
      threshold: r?.threshold ?? '',
      notify_user_ids: r?.notify_user_ids ?? [],
      sentence: r?.sentence ?? '',
    };
  };
  return {
    ...rest,
    max_reply_characters: most ?? '',
    follow_up: { limit: f.limit, delay_minutes: f.delay_minutes, quiet: f.quiet_hours !== null, start: quiet.start, end: quiet.end },
    handoff_rules: Object.fromEntries(triggers.map((t) => [t, rule(t)])) as Record<Trigger, Rule>,
  };
}

export function bodyOf(d: Draft) {
  const { limit, delay_minutes, quiet, start, end } = d.follow_up;
  return {
    ...d,
    max_reply_characters: d.max_reply_characters === '' ? null : d.max_reply_characters,
    follow_up: { limit, delay_minutes, quiet_hours: quiet ? { start, end } : null },
    handoff_rules: Object.fromEntries(
      Object.entries(d.handoff_rules).map(([t, r]) => [
        t,
        { ...r, threshold: r.threshold === '' ? null : r.threshold, sentence: r.sentence?.trim() || null },
      ]),
    ),
    prohibited_phrases: d.prohibited_phrases.map((p) => p.trim()).filter(Boolean),
  };
}
