// The rules of the console's folders.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const src = path.resolve(import.meta.dirname, '../src');
const folders = readdirSync(src, { withFileTypes: true })
  .filter((e) => e.isDirectory())
  .map((e) => e.name);
const sources = (dir: string): string[] =>
  readdirSync(path.join(src, dir), { recursive: true, encoding: 'utf8' })
    .filter((f) => /\.tsx?$/.test(f) && !f.endsWith('.d.ts'))
    .map((f) => path.join(dir, f));
const imports = (file: string): string[] =>
  [...readFileSync(path.join(src, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((m) => m[1]!);

/** What an import of a file reaches within src: a folder, or "" for none of ours. */
function reaches(file: string, to: string): string {
  if (to.startsWith('@shell')) return 'shell';
  if (to === '@kit') return 'kit';
  if (!to.startsWith('.')) return '';
  return path.relative(src, path.resolve(src, path.dirname(file), to)).split(path.sep)[0]!;
}

/** Below the features, for all of them. */
const floors = ['shell', 'kit'];

test.each(folders.filter((f) => !floors.includes(f)))('%s imports the shell, the kit and itself only', (feature) => {
  const files = sources(feature);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    for (const to of imports(file)) expect(['', 'shell', 'kit', feature], `${file} imports ${to}`).toContain(reaches(file, to));
  }
});

test.each(floors)('%s knows no feature, and the shell no kit', (floor) => {
  for (const file of sources(floor)) {
    for (const to of imports(file)) expect(['', 'shell', floor], `${file} imports ${to}`).toContain(reaches(file, to));
  }
});

test('the index of a feature is in the first load: it imports @shell/first, and its pages lazily', () => {
  for (const feature of folders.filter((f) => !floors.includes(f))) {
    const text = readFileSync(path.join(src, feature, 'index.tsx'), 'utf8');
    const eager = [...text.matchAll(/^import (?!type).*from '([^']+)'/gm)].map((m) => m[1]!);
    expect(eager, feature).not.toContain('@shell');
    expect(text).toMatch(/load: \(\) => import\(/);
  }
});

test('no page keeps anything in localStorage but language and theme', () => {
  for (const folder of folders) {
    for (const file of sources(folder)) {
      const text = readFileSync(path.join(src, file), 'utf8');
      if (text.includes('localStorage.')) expect(file).toBe(path.join('shell', 'language', 'i18n.ts'));
    }
  }
});

test('what opens over the page is a Dialog of the shell, which gives the focus back', () => {
  for (const folder of folders) {
    for (const file of sources(folder)) {
      if (file !== path.join('shell', 'page', 'Dialog.tsx'))
        expect(readFileSync(path.join(src, file), 'utf8'), file).not.toMatch(/<(Modal|Drawer)\b/);
    }
  }
});

test('a name is not asked for by the row of a list: its answer tells it', () => {
  for (const folder of folders) {
    for (const file of sources(folder)) {
      const text = readFileSync(path.join(src, file), 'utf8');
      for (const m of text.matchAll(/render: \(.*?\) =>[\s\S]*?\n {6}\}?,?\n/g)) expect(m[0], file).not.toMatch(/<(ThingById|Name)\b/);
    }
  }
});
