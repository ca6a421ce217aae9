// The description of the API as this page needs it.

export interface SchemaNode {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  oneOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  allOf?: SchemaNode[];
  required?: string[];
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

interface Media {
  schema?: SchemaNode;
  example?: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: SchemaNode;
  example?: unknown;
}

interface Raw {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { description?: string; content?: Record<string, Media> }>;
  'x-svc-permission'?: string;
  'x-svc-errors'?: string[];
}

export interface Document {
  servers?: { url: string }[];
  paths: Record<string, Record<string, Raw>>;
  components: { schemas: Record<string, SchemaNode> };
}

export interface Operation extends Raw {
  method: string;
  path: string;
  group: string;
  permission: string;
}

/** The operations in the order of the description; what the person may never call is left out. */
export function operationsOf(d: Document, administrator: boolean): Operation[] {
  const all = Object.entries(d.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, o]): Operation => ({
        ...o,
        method: method.toUpperCase(),
        path,
        group: o.tags?.[0] ?? o.operationId.split('.')[0]!,
        permission: o['x-svc-permission'] ?? 'public',
      }),
    ),
  );
  return all.filter((o) => administrator || o.permission !== 'platform-administrator');
}

export function groupsOf(operations: readonly Operation[]): string[] {
  return [...new Set(operations.map((o) => o.group))].sort();
}

/** Operations that hold every word, in any order. */
export function search(operations: readonly Operation[], text: string): Operation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter((o) => {
    const all = `${o.method} ${o.path} ${o.operationId} ${o.summary ?? ''} ${o.permission}`.toLowerCase();
    return words.every((w) => all.includes(w));
  });
}

/** What a reference stands for. */
export function resolve(d: Document, s: SchemaNode): SchemaNode {
  let node = s;
  for (let depth = 0; node.$ref && depth < 8; depth++) node = d.components.schemas[node.$ref.split('/').pop()!] ?? {};
  return node;
}

/** The type in short, as in "string", "array of Recipient", "a | b". */
export function typeOf(d: Document, s: SchemaNode): string {
  if (s.$ref) return typeOf(d, resolve(d, s));
  const choices = s.oneOf ?? s.anyOf;
  if (choices) return choices.map((c) => typeOf(d, c)).join(' | ');
  const types = [s.type ?? []].flat();
  return (
    types
      .map((t) => (t === 'array' && s.items ? `array of ${typeOf(d, s.items)}` : t === 'string' && s.format ? `string (${s.format})` : t))
      .join(' | ') || 'any'
  );
}

/** The bounds of a value in short. */
export function boundsOf(s: SchemaNode): string {
  const out = [];
  if (s.minimum !== undefined || s.maximum !== undefined) out.push(`${s.minimum ?? ''}…${s.maximum ?? ''}`);
  if (s.minLength !== undefined || s.maxLength !== undefined) out.push(`${s.minLength ?? 0}…${s.maxLength ?? ''} chars`);
  if (s.maxItems !== undefined) out.push(`≤ ${s.maxItems} items`);
  if (s.default !== undefined) out.push(`= ${JSON.stringify(s.default)}`);
  return out.join(', ');
}

/** The object within: of itself, of a list, or of one of the choices. */
export function objectOf(d: Document, s: SchemaNode): SchemaNode | undefined {
  const node = resolve(d, s);
  if (node.properties) return node;
  if (node.items) return objectOf(d, node.items);
  for (const c of [...(node.oneOf ?? []), ...(node.anyOf ?? []), ...(node.allOf ?? [])]) {
    const found = objectOf(d, c);
    if (found) return found;
  }
  return typeof node.additionalProperties === 'object' ? objectOf(d, node.additionalProperties) : undefined;
}

/** The body and its media type, of a request or of the answer when it goes well. */
export function bodyOf(o: Operation): { type: string; media: Media } | undefined {
  const first = Object.entries(o.requestBody?.content ?? {})[0];
  return first && { type: first[0], media: first[1] };
}

export function answerOf(o: Operation): { status: string; type?: string; media?: Media } {
  const [status = '200', answer] = Object.entries(o.responses).find(([s]) => s.startsWith('2') || s.startsWith('3')) ?? [];
  const content = Object.entries(answer?.content ?? {});
  const first = content.find(([type]) => type === 'application/json') ?? content[0];
  return { status, type: first?.[0], media: first?.[1] };
}

/** Of a code that so large a part of the operations can answer, nobody learns about one of them. */
const general = 1 / 5;

/** The error codes of an operation: those that are particular to it and a few others, and those of nearly all. */
export function errorsOf(d: Document, o: Operation): { own: string[]; shared: string[] } {
  const lists = Object.values(d.paths)
    .flatMap((p) => Object.values(p))
    .map((x) => new Set(x['x-svc-errors']));
  const isShared = (code: string) => lists.filter((l) => l.has(code)).length > lists.length * general;
  const codes = o['x-svc-errors'] ?? [];
  return { own: codes.filter((c) => !isShared(c)), shared: codes.filter(isShared) };
}
