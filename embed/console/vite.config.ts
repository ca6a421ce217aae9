import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { mantineStyles } from './scripts/mantine.ts';
import { nav } from './scripts/nav.ts';

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
    // one file, and what several pages need comes in files by who needs it.
    rolldownOptions: { output: { codeSplitting: { groups: [
      { name: 'first', tags: ['$initial'], priority: 2 },
      { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 24_000, priority: 1 },
    ] } } },
  },
  server: { strictPort: true, port: 5173 },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'], setupFiles: ['test/setup.ts'] },
});
