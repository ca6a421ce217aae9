// The words for codes and for sentences of the API that name their values.
import i18next from 'i18next';
import { teach } from '../language/problem';
import { markup } from './markup';
import { said } from './said';
import { wrong } from './wrong';

const ns = 'shell/codes';
type Values = Record<string, string>;

const word = (key: string, values: Values = {}): string => i18next.t(key as never, { ns, ...values });
const known = (key: string): boolean => i18next.exists(key, { ns });

/** The words of a table for a sentence; undefined for one that nobody has thought of. */
function inWords(group: 'said' | 'wrong' | 'markup', sentence: string): string | undefined {
  for (const [sign, key] of { said, wrong, markup }[group]) {
    const found = sign.exec(sentence);
    if (found) return word(`${group}.${key}`, valuesOf(found.groups ?? {}));
  }
  return undefined;
}

/** What a sentence names, as people call it. A variable is shown as it is written. */
function valuesOf(groups: Record<string, string | undefined>): Values {
  const out: Values = { variable: '{{first_name}}' };
  for (const [name, value = ''] of Object.entries(groups)) {
    if (name === 'fields') out[name] = value.split(', ').map(nameOf).join(', ');
    else if (name === 'what' || name === 'other') out[name] = known(`limit.${value}`) ? limitWord(value) : nameOf(value);
    else if (name === 'why') out[name] = wrongWord(value);
    else out[name] = value;
  }
  return out;
}

/** What people call a field of a request or a record: audience.list_ids, scopes[2]; undefined for one without a name. */
export function fieldWord(field: string): string | undefined {
  const key = `name.${field
    .replace(/\[\d+\]/g, '')
    .split('.')
    .at(-1)!}`;
  return known(key) ? word(key) : undefined;
}
const nameOf = (field: string): string => fieldWord(field) ?? field;

/** A value that the API tells by a code: a state, a role, a plan. */
export const valueWord = (value: string): string | undefined => (known(`value.${value}`) ? word(`value.${value}`) : undefined);

/** The words around a change. */
export const changeWord = (key: 'field' | 'before' | 'after' | 'none' | 'hidden' | 'yes' | 'no'): string => word(`change.${key}`);

/** What a record is that has no name to show, by the beginning of its id. */
export const thingWord = (prefix: string): string | undefined => (known(`thing.${prefix}`) ? word(`thing.${prefix}`) : undefined);

/** What is wrong with a field, as the API says it; what nobody has thought of stays as it is, as a sentence. */
export function wrongWord(sentence: string): string {
  const at = /^at character (\d+), (.*)$/s.exec(sentence) ?? /^The text cannot be read: at character (\d+), (.*)\.$/s.exec(sentence);
  if (at) return word('markup.at', { at: at[1]!, what: inWords('markup', at[2]!) ?? at[2]! });
  return inWords('wrong', sentence) ?? inWords('markup', sentence) ?? asSentence(sentence);
}

const asSentence = (s: string): string => `${s.charAt(0).toUpperCase()}${s.slice(1)}${/[.!?]$/.test(s) ? '' : '.'}`;

/** Beginnings of codes that the messenger has whole families of. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^FROZEN_/, 'FROZEN'],
  [/^BOT_/, 'PEER_IS_BOT'],
  [/^CHAT_SEND_/, 'PRIVACY_RESTRICTED'],
  [/^(MESSAGE_TOO_LONG|MESSAGE_EMPTY|MULTI_MEDIA_|ENTITY_|ENTITIES_|MEDIA_|PHOTO_|VIDEO_|IMAGE_|DOCUMENT_|FILE_)/, 'CONTENT'],
];

/** Why a message did not go or an account stopped, by its code. What only the messenger knows is shown as its answer. */
export function codeWord(code: string): string {
  const key = known(`code.${code}`) ? code : (families.find(([sign]) => sign.test(code))?.[1] ?? 'UNKNOWN');
  return word(`code.${key}`, { code });
}

/** What a limit of a plan is of. */
export const limitWord = (key: string): string => (known(`limit.${key}`) ? word(`limit.${key}`) : key);

let taught: Promise<unknown> | undefined;

export async function ready(): Promise<void> {
  taught ??= i18next.loadNamespaces([ns, 'shell']);
  await taught;
  teach({
    said: (message) => inWords('said', message),
    error: (code) => (known(`errors.${code}`) ? word(`errors.${code}`) : undefined),
    wrong: wrongWord,
    name: nameOf,
  });
}
