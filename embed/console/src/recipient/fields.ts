// The form of a person, and how it becomes the body of a request.
import type { Body } from '@shell';
import type { Recipient } from './name';

export interface Attribute {
  key: string;
  value: string;
}

export interface Values {
  first_name: string;
  last_name: string;
  username: string;
  messenger_id: string;
  language: string | null;
  consent_status: Recipient['consent_status'];
  consent_note: string;
  tags: string[];
  list_ids: string[];
  attributes: Attribute[];
}

export const blank: Values = {
  first_name: '',
  last_name: '',
  username: '',
  messenger_id: '',
  language: null,
  consent_status: 'UNKNOWN',
  consent_note: '',
  tags: [],
  list_ids: [],
  attributes: [],
};

export function valuesOf(r: Recipient): Values {
  return {
    first_name: r.first_name,
    last_name: r.last_name,
    username: r.username ?? '',
    messenger_id: r.messenger_id === null ? '' : String(r.messenger_id),
    language: r.language,
    consent_status: r.consent_status,
    consent_note: r.consent_note ?? '',
    tags: r.tags,
    list_ids: r.lists.map((l) => l.id),
    attributes: Object.entries(r.attributes ?? {}).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  };
}

const digits = /^\d{1,15}$/;

/** A username as people paste it: with @, or as a link. */
export function bareUsername(text: string): string {
  return text.trim().replace(/^(https?:\/\/)?(t\.me\/)?@?/i, '');
}

/** The keys of what is wrong, by field; the API checks the rest. */
export function check(v: Values): Partial<Record<keyof Values, 'who' | 'number'>> {
  if (v.messenger_id.trim() && !digits.test(v.messenger_id.trim())) return { messenger_id: 'number' };
  return bareUsername(v.username) === '' && v.messenger_id.trim() === '' ? { username: 'who' } : {};
}

/** A value as the person meant it: numbers and truths stay what they were. */
function meant(text: string): unknown {
  const t = text.trim();
  return /^(true|false|-?\d{1,15}(\.\d+)?)$/.test(t) ? JSON.parse(t.replace(/^(-?)0+(?=\d)/, '$1')) : t;
}

function attributes(list: readonly Attribute[], before: Record<string, unknown>): Record<string, unknown> {
  const named = list.filter((a) => a.key.trim() !== '');
  return Object.fromEntries(
    named.map((a) => {
      const key = a.key.trim();
      // Text that looks like a number, as in "0012", stays text; only what was a number already stays one.
      return [key, typeof before[key] === 'string' || before[key] === undefined ? a.value.trim() : meant(a.value)];
    }),
  );
}

const orNull = (text: string): string | null => text.trim() || null;

function common(v: Values, before: Record<string, unknown>) {
  return {
    first_name: orNull(v.first_name),
    last_name: orNull(v.last_name),
    username: orNull(bareUsername(v.username)),
    messenger_id: v.messenger_id.trim() ? Number(v.messenger_id) : null,
    language: v.language,
    tags: v.tags,
    attributes: attributes(v.attributes, before),
  };
}

export function newBody(v: Values): Body<'/recipients', 'post'> {
  return { ...common(v, {}), consent_status: v.consent_status, consent_note: orNull(v.consent_note), list_ids: v.list_ids };
}

/** What makes one object of another when it is merged into it, key by key: null removes a key. */
function merging(old: Record<string, unknown>, next: Record<string, unknown>): Record<string, unknown> {
  const changed = Object.entries(next).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(old[key]));
  const removed = Object.keys(old)
    .filter((key) => !(key in next))
    .map((key) => [key, null]);
  return Object.fromEntries([...changed, ...removed]);
}

/** Only what was changed is sent: what a colleague changes meanwhile stays. */
export function changes(before: Recipient, v: Values): Body<'/recipients/{id}', 'patch'> {
  const was = valuesOf(before);
  const next = common(v, before.attributes ?? {});
  const old = common(was, before.attributes ?? {});
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(next) as (keyof typeof next)[]) {
    if (JSON.stringify(next[key]) !== JSON.stringify(old[key]))
      out[key] = key === 'attributes' ? merging(old.attributes, next.attributes) : next[key];
  }
  if (v.consent_status !== was.consent_status) out.consent_status = v.consent_status;
  if (v.consent_note.trim() !== was.consent_note) out.consent_note = orNull(v.consent_note);
  return out as Body<'/recipients/{id}', 'patch'>;
}
