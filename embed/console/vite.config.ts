import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { mantineStyles } from './scripts/mantine.ts';
import { nav } from './scripts/nav.ts';
import { together } from './scripts/together.ts';

/** What draws charts, calendars and maps, with what that is made of. */
const heavy =
  /node_modules[\\/](@mantine[\\/](charts|dates)|recharts|d3-[a-z-]+|es-toolkit|@reduxjs[\\/]toolkit|redux|react-redux|reselect|immer|decimal\.js-light|victory-vendor|internmap|dayjs|maplibre-gl)[\\/]|[\\/](Charts|UsageChart|RequestsChart|Days)\.tsx/;

/** What home shows, and the frame behind its first load: one file, of which every page uses most. */
const home = [
  'src/overview/Home.tsx',
  'src/notify/Bell.tsx',
  'src/shell/frame/Menus.tsx',
  'src/shell/page/Empty.tsx',
  'src/shell/codes/index.ts',
  'src/shell/page/Notices.tsx',
];
const words = (language: string) =>
  ['overview', 'notify', 'shell', 'shell/codes'].map((folder) => `src/${folder}/locales/${language}.json`);
const files = { home, 'words-uz': words('uz'), 'words-ru': words('ru'), 'words-en': words('en') };

/** The one table, which most pages have, and what it stands in. */
const list = /[\\/]src[\\/]shell[\\/](list[\\/]List|split[\\/]Split)\.tsx$/;

/** Our own modules do nothing but offer names: of the shell a page loads what it uses. What only imports them is left out. */
const quiet = /[\\/]console[\\/]src[\\/](?!main\.tsx$|(?:shell|kit)[\\/]index\.ts$).*\.tsx?$/;

/** Of "shared~A~B~C", which names all who share it. */
const shortName = (name: string): string => name.split('~')[0]!;

const shell = path.resolve(import.meta.dirname, 'src/shell');
const kit = path.resolve(import.meta.dirname, 'src/kit');

export default defineConfig({
  base: '/console/',
  plugins: [
    react(),
    mantineStyles(import.meta.dirname),
    nav(path.resolve(import.meta.dirname, 'src')),
    together(import.meta.dirname, files),
  ],
  resolve: {
    alias: [
      { find: /^@kit$/, replacement: `${kit}/index.ts` },
      { find: /^@shell$/, replacement: `${shell}/index.ts` },
      { find: /^@shell\//, replacement: `${shell}/` },
    ],
  },
  build: {
    target: 'es2022',
    outDir: 'build',
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the policy of the page allows no data: fonts
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    // A request costs a slow line more than a few kilobytes: what the frame needs is one file,
    // what home needs is another, and what several pages need comes in files by who needs it. Charts and
    // calendars stay by themselves, whoever needs them. Of a file below 5.5 kB a page takes more than it needs: its name, which the
    // first load knows of each file, and a request weigh more.
    rolldownOptions: {
      treeshake: { moduleSideEffects: (id) => (quiet.test(id) ? false : undefined) },
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 5 },
            { name: 'first', test: /rolldown[\\/]runtime/, priority: 5 },
            { name: 'home', test: /virtual:together[\\/]home/, priority: 3 },
            { name: 'charts', test: /[\\/]src[\\/]overview[\\/]Analytics\.tsx$/, priority: 2 },
            { name: 'list', test: list, priority: 2 },
            { name: 'seller', test: /[\\/]src[\\/]kit[\\/]seller[\\/]/, minShareCount: 2, priority: 2 },
            { name: 'icons', test: /@tabler[\\/]icons-react/, minShareCount: 2, priority: 1 },
            {
              name: 'shared',
              test: (id) => !heavy.test(id),
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 5500,
              priority: 1,
            },
          ],
        },
        chunkFileNames: 'assets/c[hash:7].js', // the first load has the names of all files: they say no more than they must
        assetFileNames: (asset) => `assets/${shortName(asset.names[0]?.replace(/\.[^.]*$/, '') ?? 'file')}-[hash:7][extname]`,
      },
    },
  },
  server: { strictPort: true, port: 5173 },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'], setupFiles: ['test/setup.ts'] },
});
