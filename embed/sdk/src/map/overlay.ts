import type { FeatureCollection, IsochroneAnswer, Route } from '../client/types';
import type { GlMap } from './engine';

const routeSource = 'svc-routes';
const areaSource = 'svc-areas';

/** Colours that stand out on light and dark maps alike. */
const colors = { route: '#2563eb', edge: '#ffffff', other: '#8aa0c0', otherEdge: '#5f7493' };

/**
 * From near to far. Areas lie in each other, so their tints add up to the
 * centre; each edge carries its value, and nobody has to tell colours apart.
 */
export const areaColors = ['#0b716c', '#1583a8', '#3a72d8', '#6b5fd3', '#9a4cb8', '#bf3f86'];

type Data = FeatureCollection<Record<string, unknown>>;

const nothing: Data = { type: 'FeatureCollection', features: [] };

/**
 * Routes and reachable areas above a style. They belong to the map and not to
 * the style: a new style gets them again.
 */
export class Overlay {
  #gl: GlMap;
  #routes: Data = nothing;
  #areas: Data = nothing;

  constructor(gl: GlMap) {
    this.#gl = gl;
    gl.on('style.load', () => this.#draw());
  }

  /** The layer that answers clicks on routes. */
  static readonly routeLayers = ['svc-route-other', 'svc-route'];

  setRoutes(routes: readonly Route[], selected: number): void {
    this.#routes = {
      type: 'FeatureCollection',
      features: routes.map((r, index) => ({
        type: 'Feature',
        geometry: { type: 'LineString', coordinates: r.geometry },
        properties: { index, selected: index === selected },
      })),
    };
    this.#draw();
  }

  setAreas(answer: IsochroneAnswer | null, color: (value: number) => string, label: (value: number) => string): void {
    const features = (answer?.features ?? []).map((f) => {
      const value = contourValue(f.properties);
      return { ...f, properties: { value, color: color(value), label: label(value) } };
    });
    // The largest lies below, or it would hide the others.
    features.sort((a, b) => b.properties.value - a.properties.value);
    this.#areas = { type: 'FeatureCollection', features };
    this.#draw();
  }

  #draw(): void {
    if (!this.#gl.style?._loaded) return; // 'style.load' comes back here
    this.#source(areaSource, this.#areas, (below) => this.#addAreas(below));
    this.#source(routeSource, this.#routes, (below) => this.#addRoutes(below));
  }

  #source(id: string, data: Data, addLayers: (below: string | undefined) => void): void {
    const source = this.#gl.getSource(id) as { setData(data: unknown): void } | undefined;
    if (source) {
      source.setData(data);
      return;
    }
    if (data.features.length === 0) return;
    this.#gl.addSource(id, { type: 'geojson', data: data as never });
    addLayers(this.#firstLabel());
  }

  /** Names stay readable above what we draw. */
  #firstLabel(): string | undefined {
    return this.#gl.getStyle().layers.find((l) => l.type === 'symbol' && l.layout?.['text-field'])?.id;
  }

  #addAreas(below: string | undefined): void {
    this.#gl.addLayer(
      {
        id: 'svc-area',
        type: 'fill',
        source: areaSource,
        paint: { 'fill-color': ['get', 'color'], 'fill-opacity': 0.16 },
      },
      below,
    );
    this.#gl.addLayer(
      {
        id: 'svc-area-edge',
        type: 'line',
        source: areaSource,
        layout: { 'line-join': 'round' },
        paint: { 'line-color': ['get', 'color'], 'line-width': 2.5 },
      },
      below,
    );
    const font = this.#font();
    if (!font) return;
    this.#gl.addLayer({
      id: 'svc-area-label',
      type: 'symbol',
      source: areaSource,
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 320,
        'text-field': ['get', 'label'],
        'text-font': font as string[],
        'text-size': 12.5,
        'text-max-angle': 40,
        'text-padding': 8,
      },
      paint: { 'text-color': ['get', 'color'], 'text-halo-color': '#ffffff', 'text-halo-width': 2 },
    });
  }

  /** A font that the style has; without one there are no labels, and no failed requests. */
  #font(): unknown {
    for (const l of this.#gl.getStyle().layers) {
      if (l.type === 'symbol' && Array.isArray(l.layout?.['text-font'])) return l.layout['text-font'];
    }
    return undefined;
  }

  #addRoutes(below: string | undefined): void {
    const line = (id: string, selected: boolean, color: string, width: number[]) =>
      this.#gl.addLayer(
        {
          id,
          type: 'line',
          source: routeSource,
          filter: ['==', ['get', 'selected'], selected],
          layout: { 'line-join': 'round', 'line-cap': 'round' },
          paint: {
            'line-color': color,
            'line-width': ['interpolate', ['linear'], ['zoom'], 6, width[0]!, 14, width[1]!, 18, width[2]!],
          },
        },
        below,
      );
    line('svc-route-other-edge', false, colors.otherEdge, [4, 7, 13]);
    line('svc-route-other', false, colors.other, [3, 5, 10]);
    line('svc-route-edge', true, colors.edge, [6, 10, 18]);
    line('svc-route', true, colors.route, [4, 7, 14]);
  }
}

/** contourValue is the size of a contour in minutes or metres. */
export function contourValue(p: IsochroneAnswer['features'][number]['properties']): number {
  return p.contour_minutes ?? p.contour_metres ?? p.contour;
}
