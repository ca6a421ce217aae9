import { ApiError, call, type Schema } from '@shell';
import { useQuery } from '@tanstack/react-query';
import type { Report } from './terms';

type Import = Schema<'RecipientShownImport'>;

const step = 20;

/** How many rows of an import are done, as far as its report tells. */
export const processedOf = (r: Report): number => r.created + r.updated + r.invalid + r.duplicates;

/** The API lists imports and shows none by its id: the newest pages come first, and the one that is looked for is mostly new. */
async function find(id: string, signal: AbortSignal): Promise<Import> {
  for (let offset = 0; ; offset += step) {
    const page = await call('get', '/recipient-imports', { query: { limit: step, offset }, signal });
    const found = page.data.find((i) => i.id === id);
    if (found) return found;
    if (offset + step >= page.total) throw new ApiError({ code: 'not_found', message: 'There is no such import.', status: 404 });
  }
}

/** One import; events about imports refresh it, as its key begins with their path. */
export function useOneImport(id: string) {
  return useQuery<Import, ApiError>({ queryKey: ['/recipient-imports', { id }], queryFn: ({ signal }) => find(id, signal) });
}
