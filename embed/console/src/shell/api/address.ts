import type { Search } from '../link';

/** ?tag=a&tag=b and q=7 as they are, not as JSON. */
export function parseSearch(text: string): Search {
  const out: Search = {};
  for (const [k, v] of new URLSearchParams(text)) {
    const before = out[k];
    out[k] = before === undefined ? v : [before, v].flat();
  }
  return out;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const out = new URLSearchParams();
  for (const [k, v] of Object.entries(search)) {
    for (const one of [v].flat()) if (one !== undefined && one !== null && one !== '') out.append(k, String(one));
  }
  const text = out.toString();
  return text && `?${text}`;
}
