// The terms of an import, and the form that carries them to the API.
import type { Schema } from '@shell';
import type { Grantable } from '../choices';

export type Report = Schema<'RecipientImportReport'>;
export type Issue = Report['issues'][number];
export const issueKinds = ['INVALID', 'DUPLICATE', 'SUPPRESSED', 'OPTED_OUT', 'UNKNOWN_CONSENT'] as const;

export type ImportSource = 'CSV' | 'JSON' | 'API' | 'CRM' | 'MANUAL';

export interface Terms {
  consent: Grantable;
  source: ImportSource | null;
  list: 'none' | 'old' | 'new';
  listId: string | null;
  newList: string;
  tags: string[];
}

export const blankTerms: Terms = { consent: 'UNKNOWN', source: null, list: 'none', listId: null, newList: '', tags: [] };

/** By header: a field, "attributes.key", or "" to leave the column out. */
export type Mapping = Readonly<Record<string, string>>;

export function formOf(file: File, terms: Terms, mapping: Mapping, dryRun: boolean): FormData {
  const form = new FormData();
  form.set('file', file, file.name);
  form.set('dry_run', String(dryRun));
  form.set('default_consent', terms.consent);
  if (terms.source) form.set('source', terms.source);
  if (terms.tags.length) form.set('tags', terms.tags.join(';'));
  if (terms.list === 'old' && terms.listId) form.set('list_id', terms.listId);
  if (terms.list === 'new' && terms.newList.trim()) form.set('new_list_name', terms.newList.trim());
  if (Object.keys(mapping).length) form.set('mapping', JSON.stringify(mapping));
  return form;
}

const sendable = ['OPTED_IN', 'AUTHORIZED', 'EXISTING_RELATIONSHIP'];

/** How many of the report campaigns may write to. */
export const canReceive = (r: Report): number => sendable.reduce((sum, c) => sum + (r.by_consent?.[c] ?? 0), 0);

/** The rows of the report that came to each end; together they are all rows. */
export function ends(r: Report): { end: 'imported' | 'optedOut' | 'duplicates' | 'invalid'; count: number }[] {
  const optedOut = Math.min(r.valid, r.by_consent?.OPTED_OUT ?? 0);
  return [
    { end: 'imported', count: r.valid - optedOut },
    { end: 'optedOut', count: optedOut },
    { end: 'duplicates', count: r.duplicates },
    { end: 'invalid', count: r.invalid },
  ];
}
