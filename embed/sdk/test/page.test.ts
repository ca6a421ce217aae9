import { beforeEach, describe, expect, it } from 'vitest';
import { path } from '../app/src/arrows';
import { curl } from '../app/src/api';
import { readable } from '../app/src/facts';
import { failure, reasonText } from '../app/src/failure';
import { format, parse } from '../app/src/hash';
import { clock, statusLine, today, week } from '../app/src/hours';
import { setLocale } from '../app/src/i18n';
import { lacks } from '../app/src/setup';
import { webAddress } from '../app/src/ui';
import { SvcError } from '../src/client/error';
import { loadError } from '../src/map/failure';
import { nameOf, readFeature } from '../src/map/pick';
import { noticeText } from '../src/map/notice';
import { closeUp, frame } from '../src/map/zoom';
import { explain } from '../src/map/failure';
import { trim } from '../scripts/css.mjs';

beforeEach(() => setLocale('en'));

describe('the address of the page', () => {
  it.each([
    ['#map=12.5/41.31/69.24', { map: { zoom: 12.5, lat: 41.31, lon: 69.24 } }],
    ['#map=12/41.31/69.24&place=n/123', { map: { zoom: 12, lat: 41.31, lon: 69.24 }, place: { type: 'n', id: 123 } }],
    ['#at=41.3,69.2', { at: { lat: 41.3, lon: 69.2 } }],
    ['#from=41,69&to=42,70&mode=foot', { from: { lat: 41, lon: 69 }, to: { lat: 42, lon: 70 }, mode: 'foot' }],
    ['#api-keys', { section: 'api-keys' }],
  ])('%s', (text, want) => {
    const read = JSON.parse(JSON.stringify(parse(text)));
    expect(read).toEqual(want);
    expect(format(read)).toBe(text);
  });
  it.each([
    '',
    '#',
    '#map=a/b/c',
    '#map=5/91/0',
    '#map=5',
    '#place=node/1',
    '#place=n/1.5',
    '#place=n/12345678901234567',
    '#at=1',
    '#at=,',
    '#at=1,2,3',
    '#mode=<b>',
    '#%',
  ])('leaves out what makes no sense: %s', (text) => expect(JSON.parse(JSON.stringify(parse(text)))).toEqual({}));
});

describe('opening hours', () => {
  it('knows the day in Tashkent', () => {
    expect(today(new Date('2026-11-22T18:59:00Z'))).toBe(6); // Sunday, 23:59 there
    expect(today(new Date('2026-11-22T19:00:00Z'))).toBe(0); // Monday, midnight there
  });
  it.each([
    [0, '00:00'],
    [545, '09:05'],
    [1440, '24:00'],
    [1560, '02:00'],
  ])('%i is %s', (m, want) => expect(clock(m)).toBe(want));
  it('draws a week with the night after midnight', () => {
    const days = [
      [{ open: 1200, close: 1560 }],
      [],
      [
        { open: 540, close: 720 },
        { open: 780, close: 1080 },
      ],
      [],
      [],
      [],
      [],
    ];
    const table = week({ raw: '', all_day: false, days }, 2);
    const rows = [...table.querySelectorAll('tr')];
    expect(rows.map((r) => r.lastElementChild!.textContent)).toEqual([
      '20:00–02:00',
      'closed',
      '09:00–12:00, 13:00–18:00',
      'closed',
      'closed',
      'closed',
      'closed',
    ]);
    expect(rows.map((r) => r.querySelectorAll('.day i').length)).toEqual([1, 1, 2, 0, 0, 0, 0]);
    expect(rows[1]!.querySelector<HTMLElement>('.day i')!.style.width).toMatch(/^8\.33/);
    expect(rows.map((r) => r.hasAttribute('aria-current'))).toEqual([false, false, true, false, false, false, false]);
  });
  it.each([
    [{ open: true, known: true, next_change: '18:00' }, 'Open · until 18:00'],
    [{ open: true, known: true, next_change: '18:00', closes_soon: true }, 'Open · closes soon, until 18:00'],
    [{ open: true, known: true, all_day: true }, 'Open around the clock'],
    [{ open: false, known: true, next_change: '09:00' }, 'Closed · opens at 09:00'],
    [{ open: false, known: true, next_change: '09:00', next_day: 1 }, 'Closed · opens tomorrow at 09:00'],
    [{ open: false, known: true, next_change: '09:00', next_day: 3 }, 'Closed · opens in 3 days at 09:00'],
    [{ open: false, known: true }, 'Closed'],
  ])('%j', (status, want) => expect(statusLine(status).textContent).toBe(want));
  it('shows what cannot be read as it is written', () => {
    expect(week({ raw: 'sunrise-sunset', all_day: false, days: [], unparsed: true }).textContent).toContain('sunrise-sunset');
  });
});

describe('text from the map', () => {
  it.each([
    ['example.org', 'https://example.org/'],
    ['http://x.uz/a', 'http://x.uz/a'],
    ['javascript:alert(1)', ''],
    ['data:text/html,x', ''],
    ['JAVASCRIPT:alert(1)', ''],
    [' java\nscript:x', ''],
    ['', ''],
    [undefined, ''],
  ])('%s leads to %s', (text, want) => expect(webAddress(text)).toBe(want));
  it('reads tags', () => {
    expect(readable('yes')).toBe('yes');
    expect(readable('uzbek;fast_food')).toBe('uzbek, fast food');
    expect((readable('https://x.uz/menu/') as HTMLAnchorElement).rel).toBe('noopener noreferrer');
  });
});

describe('failures', () => {
  it.each([
    [new SvcError(0, '', 'network'), /does not answer/],
    [new SvcError(403, 'origin x', 'forbidden'), /origin x/],
    [new SvcError(502, 'no route found', 'upstream'), /no way between/],
    [new SvcError(502, 'route: No path could be found', 'upstream'), /no way between/],
    [new SvcError(502, 'routing engine unavailable: x', 'upstream'), /does not answer/],
    [new Error('odd'), /odd/],
  ])('%s', (error, want) => expect(reasonText(error)).toMatch(want));
  it('offers to try again only where that helps', () => {
    expect(failure(new Error('x')).querySelector('button')).toBeNull();
    expect(failure(new Error('x'), () => undefined).querySelector('button')).not.toBeNull();
  });
  it('of the map never show the key', () => {
    const url = 'https://m.example/styles/light.json?lang=uz&key=SECRET';
    for (const error of [{ status: 401, url, message: `AJAXError: ${url}` }, { url, message: url }, { message: `bad ${url}` }]) {
      const e = loadError({ error });
      expect(JSON.stringify(e) + e.error.message).not.toContain('SECRET');
    }
    expect(loadError({ error: { status: 401, url } })).toMatchObject({ what: 'style', error: { code: 'unknown_key' } });
    expect(loadError({ error: { status: 401, url: 'https://m.example/tiles/1/1/1.pbf' } })).toMatchObject({
      what: 'tiles',
      error: { code: 'missing_key' },
    });
  });
});

describe('what a server lacks', () => {
  const status = { routing: false, photos: false, docs: 1, built_at: null, bounds: null, sources: { tiles: true } };
  it('says so', () => {
    expect(lacks(status)).toBeNull();
    expect(lacks({ ...status, docs: 0 })!.commands).toContain('svc map build');
    expect(lacks({ ...status, sources: { tiles: false } })!.key).toBe('setup.noTiles');
  });
});

describe('clicks on the map', () => {
  const click = { lat: 1, lng: 2 };
  const feature = (properties: object, type = 'symbol', sourceLayer = 'pois') => ({
    geometry: { type: 'Point', coordinates: [69, 41] },
    properties: properties as Record<string, unknown>,
    layer: { type, id: 'x' },
    sourceLayer,
  });
  it('mean names and icons, at the point of the feature', () => {
    expect(readFeature(feature({ name: 'Chorsu' }), click, 'uz')).toEqual({ name: 'Chorsu', lat: 41, lon: 69, radius: 120 });
    expect(readFeature(feature({ category: 'finance.atm' }), click, 'uz')).toMatchObject({ name: '' });
    expect(readFeature(feature({ name: 'Lake' }, 'fill'), click, 'uz')).toBeNull();
    expect(readFeature(feature({}), click, 'uz')).toBeNull();
    const line = {
      ...feature({ name: 'Road' }),
      geometry: {
        type: 'LineString',
        coordinates: [
          [1, 1],
          [2, 2],
        ],
      },
    };
    expect(readFeature(line, click, 'uz')).toMatchObject({ lat: 1, lon: 2 });
    expect(readFeature(feature({ name: 'T' }, 'symbol', 'place_labels'), click, 'uz')!.radius).toBeGreaterThan(1000);
  });
  it('take the primary name first', () => {
    expect(nameOf({ name: 'A', name_uz: 'B' }, 'uz')).toBe('A');
    expect(nameOf({ name_ru: 'C' }, 'ru')).toBe('C');
  });
});

it('draws every manoeuvre of the specification, and turns apart', () => {
  const seen = new Set<string>();
  for (const m of ['slight_right', 'right', 'sharp_right', 'sharp_left', 'left', 'slight_left', 'straight']) seen.add(path('turn', m));
  expect(seen.size).toBe(7);
  for (const type of [
    'none',
    '',
    'depart',
    'arrive',
    'continue',
    'uturn',
    'ramp',
    'exit',
    'fork',
    'merge',
    'roundabout',
    'roundabout_exit',
    'ferry',
    'ferry_exit',
    'transit',
    'elevator',
    'steps',
    'escalator',
    'building_enter',
    'building_exit',
  ]) {
    expect(path(type, ''), type).toMatch(/^M[\d\sMLHVAaZhvlz.-]+$/);
  }
  expect(path('uturn', 'left')).not.toBe(path('uturn', 'right'));
});

it('writes commands that a shell understands', () => {
  expect(curl('http://h', '/api/search?q=x')).toBe('curl "http://h/api/search?q=x&key=$KEY"');
  expect(curl('http://h', '/api/route', '{"points":[]}')).toBe(
    `curl -H 'Content-Type: application/json' -d '{"points":[]}' "http://h/api/route?key=$KEY"`,
  );
  expect(curl('http://h', '/api/status')).toBe('curl "http://h/api/status"');
});

it('trims only the rules that nobody uses', () => {
  const css =
    '.maplibregl-map{a:b}.maplibregl-ctrl-globe,.maplibregl-ctrl-icon:is(a,b){background:url("x{}");}@media (x){.maplibregl-ctrl-terrain{a:b}}@keyframes k{0%{a:b}}';
  expect(trim(css)).toBe('.maplibregl-map{a:b}.maplibregl-ctrl-icon:is(a,b){background:url("x{}");}@keyframes k{0%{a:b}}');
});

describe('where to look from', () => {
  it.each([
    ['place.city', 'place', 16, 13.5],
    ['place.city', 'place', 3, 11.5],
    ['place.region', 'place', 9, 9],
    ['food.cafe', 'poi', 12, 17],
    ['food.cafe', 'poi', 18.5, 18.5],
    ['street', 'street', 4, 16],
    ['nature.peak', 'nature', 18, 15],
  ] as const)('%s of kind %s from zoom %d: %d', (category, kind, now, want) => expect(closeUp({ category, kind }, now)).toBe(want));
  const nothing = { top: 0, bottom: 0, left: 0, right: 0 };
  it('the whole world fits into its square', () => {
    const { center, zoom } = frame([-180, -85, 180, 85], { width: 512, height: 512 }, nothing, 0, 20);
    expect(zoom).toBeCloseTo(0, 1);
    expect(center[0]).toBeCloseTo(0);
    expect(center[1]).toBeCloseTo(0);
  });
  it('what is covered does not count', () => {
    const box = [0, -0.01, 1, 0.01] as const;
    const free = frame([...box], { width: 800, height: 800 }, nothing, 0, 20);
    const half = frame([...box], { width: 800, height: 800 }, { ...nothing, left: 400 }, 0, 20);
    expect(free.zoom - half.zoom).toBeCloseTo(1);
    const tall = frame([0, 0, 0.01, 1], { width: 800, height: 800 }, { ...nothing, bottom: 400 }, 0, 20);
    expect(free.zoom - tall.zoom).toBeCloseTo(1, 1);
  });
  it('room at one side moves the centre', () => {
    const { center, zoom } = frame([0, -1, 1, 1], { width: 800, height: 800 }, nothing, { ...nothing, left: 200 }, 8);
    expect(zoom).toBe(8);
    expect(center[0]).toBeCloseTo(0.5 - (100 * 360) / (512 * 256), 6);
  });
  it('a point is not looked at from closer than asked', () =>
    expect(frame([5, 5, 5, 5], { width: 9, height: 9 }, nothing, 40, 14)).toMatchObject({ zoom: 14 }));
});

describe('a map that cannot be shown', () => {
  const refusal = (status: number, text: string, url = 'https://m.example/styles/light.json?key=K') =>
    explain({ error: { status, url, message: url, body: new Blob([text]) } });
  it('gives the reason of the server', async () => {
    const told = await refusal(403, '{"error":"forbidden","message":"origin https://x is not allowed for this API key"}');
    expect(told).toMatchObject({ what: 'style', error: { status: 403, code: 'forbidden' } });
    expect(noticeText(told, 'en')).toBe('The map cannot be shown: origin https://x is not allowed for this API key');
    expect(noticeText(told, 'uz-Cyrl')).toMatch(/^Xaritani koʻrsatib boʻlmaydi: origin/);
  });
  it('does without one', async () => {
    expect((await refusal(403, '<html>proxy</html>')).error.message).toBe('HTTP 403');
    expect((await refusal(401, 'x'.repeat(5000))).error.message).toBe('the server wants a valid API key');
    expect((await refusal(404, '404 page not found')).error.code).toBe('not_found');
  });
  it('is silent about what a map can do without', async () => {
    expect(noticeText(await refusal(404, '', 'https://m.example/fonts/a/0-255.pbf'), 'en')).toBe('');
    expect(noticeText(await refusal(500, '', 'https://m.example/tiles/1/1/1.pbf'), 'en')).toBe('');
    expect(noticeText(await refusal(404, ''), 'ru')).toBe('На сервере нет стилей карты');
  });
});
