// The map itself. Loaded with the first page that shows one: MapLibre is larger than
// the rest of the console.
import 'maplibre-gl/dist/maplibre-gl.css';
import { useComputedColorScheme } from '@mantine/core';
import { GeoJSONSource, Map as GlMap, Marker, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { useEffect, useRef, useState } from 'react';
import { address, lang } from './api';
import { useMapKey } from './key';
import type { Bounds } from './types';

setWorkerUrl(workerUrl);

/** Tashkent: what is seen when the map does not say where it is. */
const home: [number, number] = [69.24, 41.31];
const closeUp = 16;
const line = 'route';

export interface Pin {
  lat: number;
  lon: number;
  color?: string;
}

interface Props {
  label: string;
  style?: string;
  /** Of its labels; that of the console without. */
  language?: string;
  bounds?: Bounds | null;
  pins?: readonly Pin[];
  /** What to look at: moves there when it changes. */
  at?: Pin & { bbox?: Bounds /** As near as this at least. */; zoom?: number };
  route?: readonly [number, number][];
  routeBox?: Bounds;
  onPress?: (lat: number, lon: number) => void;
  height?: string;
}

const box = (b: Bounds): [[number, number], [number, number]] => [
  [b[0], b[1]],
  [b[2], b[3]],
];

/** A map with pins and a way. */
export default function Canvas({ label, style, language, bounds, pins = [], at, route, routeBox, onPress, height = '100%' }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<GlMap>();
  const key = useMapKey();
  const scheme = useComputedColorScheme('light');
  const wanted = styleUrl(style ?? scheme, language ?? lang(), key);
  const press = useRef(onPress);
  press.current = onPress;

  useEffect(() => {
    const gl = new GlMap({
      container: holder.current!,
      style: wanted,
      center: home,
      zoom: 10,
      maxZoom: 20,
      attributionControl: { compact: true },
      ...(bounds ? { bounds: box(bounds), fitBoundsOptions: { padding: 20 } } : {}),
    });
    gl.addControl(new NavigationControl({ showCompass: false }), 'bottom-right');
    gl.addControl(new ScaleControl(), 'bottom-left');
    gl.on('click', (e) => press.current?.(e.lngLat.lat, e.lngLat.lng));
    gl.once('load', () => setMap(gl));
    gl.getCanvas().setAttribute('aria-label', label);
    return () => {
      setMap(undefined);
      gl.remove();
    };
  }, [wanted, label]); // bounds are those of the beginning

  useEffect(() => {
    if (!map) return undefined;
    const drawn = pins.map((p) => new Marker({ color: p.color ?? '#1d6b57' }).setLngLat([p.lon, p.lat]).addTo(map));
    return () => drawn.forEach((m) => m.remove());
  }, [map, JSON.stringify(pins)]);

  useEffect(() => {
    if (!map || !at) return;
    const [w, s, e, n] = at.bbox ?? [at.lon, at.lat, at.lon, at.lat];
    if (e - w > 0.002 || n - s > 0.002)
      map.fitBounds(
        [
          [w, s],
          [e, n],
        ],
        { padding: 40, maxZoom: closeUp },
      );
    else map.easeTo({ center: [at.lon, at.lat], zoom: at.zoom ?? Math.max(map.getZoom(), closeUp) });
  }, [map, JSON.stringify(at)]);

  useEffect(() => {
    if (map) drawWay(map, route, routeBox);
  }, [map, route, routeBox]);

  return (
    <div
      ref={holder}
      style={{ height, minHeight: 240, borderRadius: 'var(--mantine-radius-md)', overflow: 'hidden' }}
      data-map={map ? 'ready' : undefined}
    />
  );
}

function styleUrl(id: string, language: string, key: string): string {
  return new URL(address(`/styles/${id}.json`, { lang: language, key: key || undefined }), location.origin).href;
}

function drawWay(map: GlMap, route: Props['route'], bbox: Bounds | undefined): void {
  const data = {
    type: 'Feature' as const,
    properties: {},
    geometry: { type: 'LineString' as const, coordinates: (route ?? []).map((p) => [...p]) },
  };
  const source = map.getSource(line);
  if (source instanceof GeoJSONSource) source.setData(data);
  else if (route) {
    map.addSource(line, { type: 'geojson', data });
    map.addLayer({
      id: line,
      type: 'line',
      source: line,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': '#2563eb', 'line-width': 5, 'line-opacity': 0.85 },
    });
  }
  if (route && bbox) map.fitBounds(box(bbox), { padding: 50 });
}
