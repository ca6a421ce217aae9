import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { mantineStyles } from './scripts/mantine.ts';
import { nav } from './scripts/nav.ts';

/** What draws charts, calendars and maps, with what that is made of. */
const heavy =
  /node_modules[\\/](@mantine[\\/](charts|dates)|recharts|d3-[a-z-]+|es-toolkit|@reduxjs[\\/]toolkit|redux|react-redux|reselect|immer|decimal\.js-light|victory-vendor|internmap|dayjs|maplibre-gl)[\\/]|[\\/](Charts|UsageChart|Days)\.tsx/;

/** Our own modules do nothing but offer names: of the shell a page loads what it uses. What only imports them is left out. */
const quiet = /[\\/]console[\\/]src[\\/](?!main\.tsx$|shell[\\/]index\.ts$).*\.tsx?$/;

/** Of "shared~A~B~C", which names all who share it. */
const shortName = (name: string): string => name.split('~')[0]!;

const shell = path.resolve(import.meta.dirname, 'src/shell');

export default defineConfig({
  base: '/console/',
  plugins: [react(), mantineStyles(import.meta.dirname), nav(path.resolve(import.meta.dirname, 'src'))],
  resolve: {
    alias: [
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
    // A request costs a slow line more than a few kilobytes: what the first page needs is
    // one file, and what several pages need comes in files by who needs it. Charts and
    // calendars stay by themselves, whoever needs them.
    rolldownOptions: {
      treeshake: { moduleSideEffects: (id) => (quiet.test(id) ? false : undefined) },
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 2 },
            { name: 'icons', test: /@tabler[\\/]icons-react/, minShareCount: 2, priority: 1 },
            { name: 'shared', test: (id) => !heavy.test(id), minShareCount: 2, entriesAware: true, priority: 1 },
          ],
        },
        chunkFileNames: (chunk) => `assets/${shortName(chunk.name)}-[hash].js`,
        assetFileNames: (asset) => `assets/${shortName(asset.names[0]?.replace(/\.[^.]*$/, '') ?? 'file')}-[hash][extname]`,
      },
    },
  },
  server: { strictPort: true, port: 5173 },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'], setupFiles: ['test/setup.ts'] },
});
