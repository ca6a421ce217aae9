import { ApiError, call } from '@shell';
import { useQuery } from '@tanstack/react-query';
import type { Format } from './choices';
import type { Template } from './TemplateList';

const step = 500;

/** The API lists templates and shows none by its id. */
async function find(id: string, signal: AbortSignal): Promise<Template> {
  for (let offset = 0; ; offset += step) {
    const page = await call('get', '/templates', { query: { limit: step, offset, sort: '-updated_at' }, signal });
    const found = page.data.find((t) => t.id === id);
    if (found) return found;
    if (offset + step >= page.total) throw new ApiError({ code: 'not_found', message: 'There is no such template.', status: 404 });
  }
}

export function useTemplate(id: string) {
  return useQuery<Template, ApiError>({
    queryKey: ['/templates', { id }],
    queryFn: ({ signal }) => find(id, signal),
    refetchOnWindowFocus: false,
  });
}

export interface Values {
  name: string;
  text: string;
  format: Format;
  language: string | null;
  category: string;
  attachment_ids: string[];
}

export const blank: Values = { name: '', text: '', format: 'MARKDOWN', language: null, category: '', attachment_ids: [] };

export function valuesOf(t: Template): Values {
  return {
    name: t.name,
    text: t.text,
    format: t.format as Format,
    language: t.language,
    category: t.category ?? '',
    attachment_ids: t.attachment_ids,
  };
}

export function bodyOf(v: Values) {
  return { ...v, name: v.name.trim(), category: v.category.trim() || null };
}

/** The names of the variables of a text, each once. */
export function variablesOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*([^{}\n]+?)\s*\}\}/g)].map((m) => m[1]!))];
}
