import { bodyOf, type Operation } from './document';

/** Stands where a person's own key goes. */
export const placeholder = 'svck_YOUR_KEY';

/** In single quotes, as a shell takes it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The path with an example in each brace, and the parameters that must be given. */
function address(base: string, o: Operation): string {
  const required = (o.parameters ?? []).filter((p) => p.required);
  const path = o.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(required.find((p) => p.in === 'path' && p.name === name)?.example ?? name.toUpperCase()),
  );
  const query = required
    .filter((p) => p.in === 'query')
    .map((p) => `${p.name}=${encodeURIComponent(String(p.example ?? p.name.toUpperCase()))}`)
    .join('&');
  return `${base}${path}${query && `?${query}`}`;
}

/** The request as a command to copy, with this service's own address. */
export function curlOf(o: Operation, base: string): string {
  const lines = [`curl ${o.method === 'GET' ? '' : `-X ${o.method} `}${quoted(address(base, o))}`];
  if (o.permission !== 'public') lines.push(`-H ${quoted(`Authorization: Bearer ${placeholder}`)}`);
  const body = bodyOf(o);
  if (body?.type === 'multipart/form-data') lines.push(`-F ${quoted('file=@FILE')}`);
  else if (body) {
    lines.push(`-H ${quoted(`Content-Type: ${body.type}`)}`);
    if (body.media.example !== undefined) lines.push(`-d ${quoted(JSON.stringify(body.media.example))}`);
  }
  return lines.join(' \\\n  ');
}
