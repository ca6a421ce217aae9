/// <reference path="../env.d.ts" />
import {
  AttributionControl,
  GeolocateControl,
  Map as GlMap,
  Marker,
  NavigationControl,
  Popup,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import workerCode from 'maplibre-gl/dist/maplibre-gl-worker.mjs?raw';

// The worker travels inside this file: a page of another origin may start a
// worker from a blob, but not from our address.
let started = false;

/** startWorkers hands MapLibre its worker before the first map. */
export function startWorkers(): void {
  if (started) return;
  started = true;
  const code = workerCode.replace(/\/\/# sourceMappingURL=\S+\s*$/, '');
  setWorkerUrl(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
}

export { AttributionControl, GeolocateControl, GlMap, Marker, NavigationControl, Popup, ScaleControl };
