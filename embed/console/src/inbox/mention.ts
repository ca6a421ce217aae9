// Colleagues who are called in a note by "@".
import type { Colleague } from './people';

/** What stands behind the last "@" of a text, when it may become a name. */
export function asked(text: string): string | undefined {
  const found = /(?:^|\s)@([^\s@][^@\n]{0,40})?$/u.exec(text);
  return found ? (found[1] ?? '') : undefined;
}

const most = 6;

/** The colleagues whose names begin so, or a later word of which does. */
export function meantColleagues(people: readonly Colleague[], begin: string): Colleague[] {
  const wanted = begin.toLowerCase();
  return people.filter((p) => ` ${p.name.toLowerCase()}`.includes(` ${wanted}`)).slice(0, most);
}

/** The text with the name in place of what stood behind the "@". */
export const withName = (text: string, name: string): string => text.replace(/@[^@]*$/u, `@${name} `);

/** The colleagues whom a text calls. */
export const called = (text: string, people: readonly Colleague[]): string[] =>
  people.filter((p) => text.includes(`@${p.name}`)).map((p) => p.id);
