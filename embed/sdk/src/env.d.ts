// The worker of MapLibre as text: see src/map/engine.ts.
declare module 'maplibre-gl/dist/maplibre-gl-worker.mjs?raw' {
  const code: string;
  export default code;
}
declare module '*.css';
declare const __VERSION__: string;
