import type { Format } from '@kit';
import type { Template } from './TemplateList';

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
