// Templates as ready answers.
import type { Opened } from './types';

interface Template {
  id: string;
  name: string;
  text: string;
  format: string;
}

const variable = /\{\{\s*([^{}|\n]+?)\s*(?:\|([^{}\n]*))?\}\}/g;

/** The text of a template for the person of a conversation: a reply has no variables. */
export function filled(text: string, o: Pick<Opened, 'contact' | 'recipient'>): string {
  const [first = '', ...rest] = (o.recipient?.name ?? o.contact.name).split(/\s+/);
  const values: Record<string, string> = { first_name: first, last_name: rest.join(' '), username: o.contact.username ?? '' };
  return text
    .replace(variable, (_, name: string, fallback?: string) => values[name] || fallback || '')
    .replace(/[ \t]+$/gm, '')
    .trim();
}

/** The templates that a person means who typed "/" and the beginning of a word of the name. */
export function meant<T extends Template>(templates: readonly T[], typed: string): T[] {
  const asked = typed.slice(1).trim().toLowerCase();
  const fits = (t: T) =>
    t.name
      .toLowerCase()
      .split(/\s+/)
      .some((w) => w.startsWith(asked)) || t.name.toLowerCase().startsWith(asked);
  return templates.filter((t) => asked === '' || fits(t)).slice(0, 8);
}

/** Whether what is typed asks for a ready answer. */
export const asksForCanned = (text: string): boolean => /^\/[^\n/]{0,40}$/.test(text);
