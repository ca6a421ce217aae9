// What the API finds wrong with files and rows, in the language of the person. It says
// so in English sentences; those that people meet have words of their own.
import { wrongWord } from '@shell';
import i18next, { type TFunction } from 'i18next';
import type { Issue } from './terms';

type T = TFunction<'recipient'>;

const files: readonly (readonly [RegExp, string])[] = [
  [/no column messenger_id or username/, 'noColumn'],
  [/is empty/, 'empty'],
  [/is no CSV or JSON/, 'kind'],
  [/not in UTF-8/, 'encoding'],
  [/quotation mark/, 'quote'],
  [/more than \d+ rows/, 'rows'],
  [/two columns are mapped/, 'twice'],
];

/** A sentence for a file that cannot be read. */
export function fileProblem(t: T, message: string): string {
  const known = files.find(([sign]) => sign.test(message));
  if (known) return t(`import.wrong.${known[1]}` as never, { row: /\d+/.exec(message)?.[0] ?? '?' });
  return wrongWord(message);
}

/** Why a row is listed. */
export function why(t: T, i: Issue): string {
  if (i.kind === 'DUPLICATE') return t('import.issue.DUPLICATE', { row: /\d+/.exec(i.message)?.[0] ?? '?' });
  if (i.kind !== 'INVALID') return t(`import.issue.${i.kind}`);
  const key = `import.invalid.${reason(i)}`;
  return i18next.exists(key, { ns: 'recipient' }) ? t(key as never) : wrongWord(i.message);
}

function reason(i: Issue): string {
  if (i.field === 'messenger_id' && i.value === null) return 'nobody';
  return /scientific/.test(i.message) ? 'scientific' : (i.field ?? '');
}
