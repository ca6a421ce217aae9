// Makes src/shell/api/schema.d.ts from the description that the program prints: a
// field that was renamed there no longer compiles here.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import openapi, { astToString } from 'openapi-typescript';

const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'src/shell/api/schema.d.ts');
const run = promisify(execFile);

/** The strict description: what an answer always has is not optional. OPENAPI_DOCUMENT names a file that has it already. */
async function description() {
  if (process.env.OPENAPI_DOCUMENT) return readFile(process.env.OPENAPI_DOCUMENT, 'utf8');
  const { stdout } = await run('go', ['run', '.', 'openapi', '--strict'], {
    cwd: path.resolve(root, '../..'),
    maxBuffer: 1 << 26,
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  return stdout;
}

/**
 * closed takes out what would make the compiler blind: that an object may have more
 * fields than are named (any misspelt one would be allowed), and that a list may be
 * null (the API answers an empty one).
 */
function closed(node) {
  if (Array.isArray(node)) {
    node.forEach(closed);
  } else if (node !== null && typeof node === 'object') {
    if (node.properties && node.additionalProperties === true) delete node.additionalProperties;
    if (Array.isArray(node.type) && node.type.includes('array')) node.type = 'array';
    Object.values(node).forEach(closed);
  }
  return node;
}

/** Refusals have one shape, which shell/api/error.ts reads; a copy of it for each operation would be most of the file. */
function withoutRefusals(document) {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      for (const status of Object.keys(operation.responses ?? {})) {
        if (!status.startsWith('2')) delete operation.responses[status];
      }
    }
  }
  return document;
}

/**
 * codesOf are the values that the API tells by a code, by the field that has them, and
 * the codes of its refusals: the tests of the words hold themselves against them.
 */
function codesOf(document) {
  const enums = {};
  const walk = (node, name) => {
    if (Array.isArray(node)) return node.forEach((n) => walk(n, name));
    if (node === null || typeof node !== 'object') return undefined;
    if (Array.isArray(node.enum)) enums[name] = node.enum.filter((v) => v !== null);
    for (const [k, v] of Object.entries(node.properties ?? {})) walk(v, name ? `${name}.${k}` : k);
    return ['items', 'oneOf', 'anyOf', 'allOf', 'additionalProperties'].forEach((k) => walk(node[k], name));
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) walk(schema, name);
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const all = (key) => [...new Set(operations.flatMap((o) => o[key] ?? []))].sort();
  return { enums, errors: all('x-svc-errors'), tags: all('tags'), fields: fieldsOf(document, operations) };
}

/** fieldsOf are the names of all that requests have: refusals and the log name them. */
function fieldsOf(document, operations) {
  const names = new Set();
  const seen = new Set();
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (node === null || typeof node !== 'object' || seen.has(node)) return undefined;
    seen.add(node);
    if (node.$ref) walk(document.components.schemas[node.$ref.split('/').at(-1)]);
    Object.keys(node.properties ?? {}).forEach((name) => names.add(name));
    return [...Object.values(node.properties ?? {}), node.items, node.oneOf, node.anyOf, node.allOf, node.additionalProperties].forEach(
      walk,
    );
  };
  for (const o of operations) Object.values(o.requestBody?.content ?? {}).forEach((c) => walk(c.schema));
  return [...names].sort();
}

const document = JSON.parse(await description());
const codes = JSON.stringify(codesOf(document));
const nodes = await openapi(closed(withoutRefusals(document)), { defaultNonNullable: false });
const text = `// Made by scripts/types.mjs; see there.\n${astToString(nodes)}\n// Codes: ${codes}\n`;
const before = await readFile(file, 'utf8').catch(() => '');
if (text !== before) await writeFile(file, text);
