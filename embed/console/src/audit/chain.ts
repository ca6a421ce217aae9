// The chain of the log, followed in this browser: whoever reads it need not take the
// server's word. Each hash covers the hash before it and the entry as it was written.
import type { Schema } from '@shell';

export type Entry = Schema<'AuditEntry'>;

export type Verdict = { ok: true; count: number } | { ok: false; count: number; seq: number; entry?: Entry };

/** Characters that the server writes as escapes besides those of every JSON. */
const escapes: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };

/** What a hash covers, as the server writes it: fields in its order, those without a value left out. */
export function covered(e: Entry): string {
  const changes = Object.entries(e.changes ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, c]) => [k, { from: c.from ?? null, to: c.to ?? null }]);
  const fields: [string, unknown][] = [
    ['seq', e.seq], ['id', e.id], ['at', e.at], ['actor', { type: e.actor.type, id: e.actor.id, name: e.actor.name }], ['action', e.action],
    ['resource', { type: e.resource.type, id: e.resource.id, name: e.resource.name }],
  ];
  if (changes.length > 0) fields.push(['changes', Object.fromEntries(changes)]);
  const optional: [string, unknown][] = [['reason', e.reason], ['ip', e.ip], ['user_agent', e.user_agent], ['request_id', e.request_id], ['support_session_id', e.support_session_id]];
  fields.push(...optional.filter(([, v]) => v !== null && v !== undefined));
  return JSON.stringify(Object.fromEntries(fields)).replace(/[<>&\u2028\u2029]/g, (c) => escapes[c]!);
}

/** The hash of an entry behind the one before it; before is "" for the first. */
export async function link(before: string, e: Entry): Promise<string> {
  const sum = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${before}\n${covered(e)}`));
  return [...new Uint8Array(sum)].map((b) => b.toString(16).padStart(2, '0')).join('');
}

interface Page {
  data: readonly Entry[];
  total: number;
}

/** Follows the chain from its first entry. read gives the entries from an offset on, oldest first. */
export async function verify(read: (offset: number) => Promise<Page>, progress: (done: number, total: number) => void): Promise<Verdict> {
  const early = new Map<number, Entry>(); // entries of one moment may come in another order
  let hash = '';
  let seq = 0;
  for (let offset = 0; ;) {
    const page = await read(offset);
    for (const e of page.data) early.set(e.seq, e);
    for (let e = early.get(seq + 1); e; e = early.get(seq + 1)) {
      hash = await link(hash, e);
      if (hash !== e.hash) return { ok: false, count: seq, seq: e.seq, entry: e };
      early.delete(e.seq);
      seq = e.seq;
    }
    offset += page.data.length;
    progress(seq, page.total);
    if (page.data.length === 0 || offset >= page.total) break;
  }
  return early.size > 0 ? { ok: false, count: seq, seq: seq + 1 } : { ok: true, count: seq };
}
