// What the service tells by codes: read from its description and, where that names
// none, from its sources. A value that was added there is missing here until it has words.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const description = readFileSync(path.resolve(import.meta.dirname, '../src/shell/api/schema.d.ts'), 'utf8');
const codes = JSON.parse(/^\/\/ Codes: (.*)$/m.exec(description)![1]!) as {
  enums: Record<string, string[]>;
  errors: string[];
  tags: string[];
  fields: string[];
};

/** The values of every field that has a list of them, by schema and field. */
export const enums: Readonly<Record<string, readonly string[]>> = codes.enums;
/** The names of what requests have. */
export const fields: readonly string[] = codes.fields;
/** The groups of operations. */
export const tags: readonly string[] = codes.tags;

/** The Go files of these folders, without tests, as one text. */
export function sources(...folders: readonly string[]): string {
  return folders
    .map((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((f) => f.endsWith('.go') && !f.endsWith('_test.go') && !f.includes('apitest'))
        .sort()
        .map((f) => readFileSync(path.join(root, folder, f), 'utf8'))
        .join('\n'),
    )
    .join('\n');
}

/** Every first group that the pattern finds, once. */
export function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((m) => m[1]!))].sort();
}

/** The part of a text from a line on that begins so, to the line that closes it. */
export function block(text: string, begins: string): string {
  const from = text.indexOf(begins);
  if (from < 0) throw new Error(`the service has no ${begins}`);
  return text.slice(from, text.indexOf('\n}\n', from));
}

/** A sentence of Go as it is said: its places filled with something of their kind. */
export function sample(format: string): string {
  const text = JSON.parse(`"${format.replace(/\\'/g, "'")}"`) as string;
  return text
    .replace(/%(\[\d\])?(\.\d+)?([a-z])/g, (_, _n, _p, verb: string) => ({ d: '12', q: '"x"', s: 'abc', v: 'abc' })[verb] ?? 'abc')
    .replaceAll('%%', '%');
}

/** The codes of all refusals: those of the description, and those of no operation in particular. */
export const errorCodes: readonly string[] = [
  ...new Set([
    ...codes.errors,
    ...all(sources('app', 'web/apiv1'), /Kind:\s+[\w.()]+, Code: "([a-z_]+)"/g),
    ...all(sources('messenger/telegram'), /^\t"[A-Z_]+":\s+"([a-z_]+)",$/gm),
  ]),
].sort();
