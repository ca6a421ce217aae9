// The chain of an agent while it is edited.
import type { Schema } from '@shell';

export type Config = Schema<'EngineShownConfig'>;
export type ChainEntry = Schema<'EngineShownEntry'>;

/** One model of a chain, as it is edited. key tells rows apart while they move. */
export interface Entry {
  key: string;
  provider_id: string;
  model: string;
  temperature: number | '';
  max_output_tokens: number | '';
  timeout_seconds: number | '';
}

export const mostEntries = 5;

/** What a chain of the API is while it is edited. */
export function entriesOf(chain: readonly ChainEntry[]): Entry[] {
  return chain.map((e) => ({
    key: keyOf(e),
    provider_id: e.provider_id,
    model: e.model,
    temperature: e.temperature ?? '',
    max_output_tokens: e.max_output_tokens ?? '',
    timeout_seconds: e.timeout_seconds ?? '',
  }));
}

export const keyOf = (e: { provider_id: string; model: string }) => `${e.provider_id}/${e.model}`;

const orNull = (v: number | '') => (v === '' ? null : v);

/** What the API takes. */
export function bodyOf(entries: readonly Entry[]) {
  return entries.map((e) => ({
    provider_id: e.provider_id,
    model: e.model,
    temperature: orNull(e.temperature),
    max_output_tokens: orNull(e.max_output_tokens),
    timeout_seconds: orNull(e.timeout_seconds),
  }));
}

/** The list with the entry of one place at another; a place outside of it changes nothing. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const out = [...list];
  if (from < 0 || from >= out.length || to < 0 || to >= out.length) return out;
  const [one] = out.splice(from, 1);
  out.splice(to, 0, one!);
  return out;
}
