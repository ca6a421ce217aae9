import type { App } from './app';
import { t, type Key } from './i18n';
import { copy, drawing, h, iconButton } from './ui';

/** Endpoints in the order of the map contract, with an example each. */
function endpoints(app: App): [key: Key, path: string, body?: string][] {
  const { lat, lng } = app.map.gl.getCenter();
  const at = `lat=${lat.toFixed(5)}&lon=${lng.toFixed(5)}`;
  const point = (dx: number, dy: number) => [Number((lng + dx).toFixed(5)), Number((lat + dy).toFixed(5))];
  const pair = JSON.stringify([point(0, 0), point(0.02, 0.01)]);
  const { lang } = app;
  return [
    ['api.search', `/api/search?q=museum&lang=${lang}&limit=5&${at}`],
    ['api.autocomplete', `/api/autocomplete?q=mus&lang=${lang}&${at}`],
    ['api.reverse', `/api/reverse?${at}&lang=${lang}`],
    ['api.lookup', `/api/lookup?${at}&name=museum&radius=500&lang=${lang}`],
    ['api.nearby', `/api/nearby?${at}&radius=1000&category=group:food&lang=${lang}`],
    ['api.place', `/api/place/1?lang=${lang}`],
    ['api.mapsrc', `/api/place/mapsrc/r/1?lang=${lang}`],
    ['api.geometry', '/api/geometry/1'],
    ['api.categories', '/api/categories'],
    ['api.districts', '/api/districts'],
    ['api.photo', '/api/photo?entity=Q269'],
    ['api.route', '/api/route', `{"points":${pair},"mode":"car","language":"${lang}","alternatives":2}`],
    ['api.matrix', '/api/matrix', `{"points":${pair},"mode":"car"}`],
    ['api.isochrone', '/api/isochrone', `{"point":${JSON.stringify(point(0, 0))},"mode":"foot","minutes":[5,10,15],"polygons":true}`],
    ['api.usage', '/api/usage'],
    ['api.tiles', '/tiles/tiles.json'],
    ['api.style', `/styles/light.json?lang=${lang}`],
    ['api.status', '/api/status'],
  ];
}

/** curl is one command for a shell; the key stands in $KEY. */
export function curl(base: string, path: string, body?: string): string {
  const open = path === '/api/status';
  const key = open ? '' : `${path.includes('?') ? '&' : '?'}key=$KEY`;
  const url = `"${base}${path}${key}"`;
  return body ? `curl -H 'Content-Type: application/json' -d '${body}' ${url}` : `curl ${url}`;
}

/** openApi shows how to use the server from elsewhere; section names where to begin. */
export function openApi(app: App, section: string): void {
  app.open(() => {
    const base = app.client.baseUrl;
    const body = h(
      'div',
      { class: 'api' },
      h('p', {}, t('api.intro')),
      heading('api-keys', t('api.keys')),
      h('p', {}, t('api.keysText')),
      code(app, 'svc keys add "my page" --keys keys.json --origins https://example.org\nsvc serve --keys keys.json --require-key'),
      heading('bundle', t('api.bundle')),
      code(app, example(app, base)),
      h(
        'p',
        {},
        `${t('api.files')}: `,
        ...['map.d.ts', 'LICENSES.txt'].flatMap((f, i) => [i > 0 && ', ', h('a', { href: `${base}/v1/${f}` }, f)]),
      ),
      heading('api', t('api.endpoints')),
      ...endpoints(app).map(([key, path, data]) => h('div', { class: 'endpoint' }, h('h4', {}, t(key)), code(app, curl(base, path, data)))),
      heading('routing', t('api.routing')),
      h('p', {}, t('api.routingText')),
      code(
        app,
        'svc map engine-config > valhalla.json\nvalhalla_build_tiles -c valhalla.json country.osm.pbf\nvalhalla_service valhalla.json 2\nsvc serve --routing-url http://127.0.0.1:8002',
      ),
    );
    requestAnimationFrame(() => body.querySelector(`#section-${section}`)?.scrollIntoView({ block: 'start' }));
    return { title: t('api.title'), body, address: { section } };
  });
}

function heading(id: string, text: string): HTMLElement {
  return h('h3', { id: `section-${id}` }, text);
}

function example(app: App, base: string): string {
  const { lat, lng } = app.map.gl.getCenter();
  const center = `[${lng.toFixed(3)}, ${lat.toFixed(3)}]`;
  return `<link rel="stylesheet" href="${base}/v1/map.css">
<div id="map"></div>
<script type="module">
  import { Map } from '${base}/v1/map.js';
  const map = new Map({ container: 'map', key: '…',
    lang: '${app.lang}', center: ${center}, zoom: 13 });
  map.on('place', (e) => console.log(e.place));
</script>`;
}

/** code is text to copy. */
function code(app: App, text: string): HTMLElement {
  const button = iconButton(
    'copy',
    t('app.copy'),
    () =>
      void copy(text).then((done) => {
        if (!done) return;
        button.replaceChildren(drawing('check'));
        app.toast(t('app.copied'));
      }),
    'copy',
  );
  return h('div', { class: 'code' }, h('pre', { tabIndex: 0 }, text), button);
}
