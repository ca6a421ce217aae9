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

test('no page keeps anything in localStorage but language, theme and sound', () => {
  for (const folder of folders) {
    for (const file of sources(folder)) {
      const text = readFileSync(path.join(src, file), 'utf8');
      if (text.includes('localStorage.'))
        expect([path.join('shell', 'language', 'i18n.ts'), path.join('inbox', 'sound.ts')]).toContain(file);
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

const texts = (): [string, string][] =>
  folders.flatMap((folder) => sources(folder).map((f): [string, string] => [f, readFileSync(path.join(src, f), 'utf8')]));

test('links and navigation are those of the shell, which know the pages there are', () => {
  const own = ['link.ts', path.join('split', 'pane.ts'), path.join('split', 'Split.tsx')].map((f) => path.join('shell', f));
  for (const [file, text] of texts().filter(([f]) => !own.includes(f) && !/\.test\.tsx?$/.test(f))) {
    for (const m of text.matchAll(/import \{([^}]*)\} from '@tanstack\/react-router'/g)) {
      expect(
        m[1]!.split(',').map((n) => n.trim()),
        file,
      ).not.toContain('Link');
      expect(
        m[1]!.split(',').map((n) => n.trim()),
        file,
      ).not.toContain('useNavigate');
    }
  }
});

test('what a form holds and what is wrong with it is in its useForm', () => {
  for (const [file, text] of texts().filter(([f]) => f.endsWith('.tsx'))) {
    expect(text, file).not.toMatch(/\[errors, setErrors\] = useState/);
    expect(text, file).not.toMatch(/\[wrong, setWrong\] = useState\(''\);[\s\S]*<(TextInput|Textarea|Select|PasswordInput)\b/);
  }
});

test('a list that stays mounted is a page, and what is opened from it stands below it', () => {
  for (const [file, text] of texts().filter(([f]) => /^[a-z]+.index\.tsx$/.test(f))) {
    for (const m of text.matchAll(/path: '([^']+)'[^\n]*within: '([^']+)'/g)) {
      expect(text, file).toContain(`path: '${m[2]}'`);
      expect(m[1], file).toMatch(new RegExp(`^${m[2]}/`));
    }
  }
});

test('days and times are those of the organization: the browser’s own are asked for in the shell only', () => {
  const clocks =
    /\.(getHours|getMinutes|getDate|getDay|getMonth|getFullYear|setHours|setDate|toDateString|toLocaleDateString|toLocaleTimeString)\(/;
  for (const [file, text] of texts().filter(([f]) => !f.startsWith(path.join('shell', 'language')) && !/\.test\.tsx?$/.test(f)))
    expect(text, file).not.toMatch(clocks);
});
