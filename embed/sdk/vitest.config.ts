import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // The page imports the bundle that the server has; tests give it the client's part of the sources.
    alias: { 'svc-map': path.resolve(import.meta.dirname, 'test/bundle.ts') },
  },
  define: { __VERSION__: '"test"' },
  test: { environment: 'happy-dom', include: ['test/**/*.test.ts'] },
});
