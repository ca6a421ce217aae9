import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client, loadedFrom } from '../src/client/client';
import { isAbort, SvcError } from '../src/client/error';
import { json, never, server } from './server';

const base = 'https://maps.example';

function make(answer: Parameters<typeof server>[0], options = {}) {
  const s = server(answer);
  return { ...s, client: new Client({ baseUrl: base, key: 'k&1', fetch: s.fetch, ...options }) };
}

const params = (url: URL) => Object.fromEntries(url.searchParams);

describe('GET endpoints', () => {
  const cases: [string, (c: Client) => Promise<unknown>, string, Record<string, string>][] = [
    [
      'search',
      (c) => c.search('choy xona', { limit: 5, near: [41.3, 69.2], kinds: ['poi', 'place'], category: 'group:food', bias: 1 }),
      '/api/search',
      { q: 'choy xona', lang: 'uz', limit: '5', lat: '41.3', lon: '69.2', kinds: 'poi,place', category: 'group:food', bias: '1' },
    ],
    ['search with a box', (c) => c.search('x', { bbox: [1, 2, 3, 4], lang: 'ru' }), '/api/search', { q: 'x', lang: 'ru', bbox: '1,2,3,4' }],
    [
      'autocomplete',
      (c) => c.autocomplete('to', { near: { lat: 1, lon: 2 } }),
      '/api/autocomplete',
      { q: 'to', lang: 'uz', lat: '1', lon: '2' },
    ],
    ['reverse', (c) => c.reverse(41.3, 69.2), '/api/reverse', { lat: '41.3', lon: '69.2', lang: 'uz' }],
    [
      'lookup',
      (c) => c.lookup(41.3, 69.2, { name: 'Chorsu', radius: 300 }),
      '/api/lookup',
      { lat: '41.3', lon: '69.2', name: 'Chorsu', radius: '300', lang: 'uz' },
    ],
    [
      'nearby',
      (c) => c.nearby(41.3, 69.2, { radius: 900, category: 'food.cafe', limit: 3, kinds: ['poi'] }),
      '/api/nearby',
      { lat: '41.3', lon: '69.2', radius: '900', category: 'food.cafe', limit: '3', kinds: 'poi', lang: 'uz' },
    ],
    ['place', (c) => c.place(7, { lang: 'en' }), '/api/place/7', { lang: 'en' }],
    ['placeByMapsrc', (c) => c.placeByMapsrc('n', 12), '/api/place/mapsrc/n/12', { lang: 'uz' }],
    ['geometry', (c) => c.geometry(7), '/api/geometry/7', {}],
    ['categories', (c) => c.categories(), '/api/categories', {}],
    ['districts', (c) => c.districts(), '/api/districts', {}],
    ['photo', (c) => c.photo('Q42'), '/api/photo', { entity: 'Q42' }],
    ['status', (c) => c.status(), '/api/status', {}],
    ['usage', (c) => c.usage({ days: 7, series: true }), '/api/usage', { days: '7', series: '1' }],
  ];
  it.each(cases)('%s', async (_, call, path, want) => {
    const { client, calls } = make(() => json({ results: [], result: null, photo: null }));
    await call(client);
    expect(calls).toHaveLength(1);
    expect(calls[0]!.url.origin + calls[0]!.url.pathname).toBe(base + path);
    expect(params(calls[0]!.url)).toEqual({ ...want, key: 'k&1' });
    expect(calls[0]!.init.headers, 'a header would fail the preflight').toBeUndefined();
  });

  it('unwraps what is wrapped', async () => {
    const { client } = make(({ url }) => json(url.pathname === '/api/lookup' ? { result: { id: 1 } } : { results: [{ id: 2 }] }));
    expect(await client.lookup(1, 2)).toEqual({ id: 1 });
    expect(await client.nearby(1, 2)).toEqual([{ id: 2 }]);
  });

  it('sends no key when there is none', async () => {
    const { client, calls } = make(() => json({}), { key: '' });
    await client.status();
    expect(calls[0]!.url.search).toBe('');
  });
});

describe('POST endpoints', () => {
  it('turns (lat, lon) into [lon, lat] and names of options into fields', async () => {
    const { client, calls } = make(() => json({ routes: [] }));
    await client.route({
      from: [41.1, 69.1],
      via: [{ lat: 41.2, lon: 69.2 }],
      to: [41.3, 69.3],
      mode: 'foot',
      alternatives: 2,
      avoidTolls: true,
      heading: 90,
    });
    expect(calls[0]!.init.method).toBe('POST');
    expect(calls[0]!.url.searchParams.get('key')).toBe('k&1');
    expect(JSON.parse(String(calls[0]!.init.body))).toEqual({
      points: [
        [69.1, 41.1],
        [69.2, 41.2],
        [69.3, 41.3],
      ],
      language: 'uz',
      alternatives: 2,
      heading: 90,
      mode: 'foot',
      avoid_tolls: true,
    });
  });

  it('asks for areas unless told otherwise', async () => {
    const { client, calls } = make(() => json({ features: [] }));
    await client.isochrone({ point: [41, 69], minutes: [5, 10] });
    expect(JSON.parse(String(calls[0]!.init.body))).toEqual({ point: [69, 41], minutes: [5, 10], polygons: true });
    await client.isochrone({ point: [41, 69], metres: [500], polygons: false });
    expect(JSON.parse(String(calls[1]!.init.body)).polygons).toBe(false);
  });

  it('sends both sides of a matrix', async () => {
    const { client, calls } = make(() => json({ cells: [] }));
    await client.matrix({
      sources: [[1, 2]],
      targets: [
        [3, 4],
        [5, 6],
      ],
      mode: 'car',
    });
    expect(JSON.parse(String(calls[0]!.init.body))).toEqual({
      sources: [[2, 1]],
      targets: [
        [4, 3],
        [6, 5],
      ],
      mode: 'car',
    });
  });
});

describe('failures', () => {
  const refused = async (response: Response) => {
    const { client } = make(() => response);
    return client.search('x').then(
      () => null,
      (e: unknown) => e,
    );
  };
  it.each([
    [401, { error: 'Unauthorized', code: 401, message: 'missing API key (pass …)' }, 'missing_key', 'missing API key (pass …)'],
    [401, { error: 'Unauthorized', code: 401, message: 'unknown API key' }, 'unknown_key', 'unknown API key'],
    [403, { message: 'this API key is disabled' }, 'forbidden', 'this API key is disabled'],
    [429, { message: 'rate limit exceeded' }, 'rate_limited', 'rate limit exceeded'],
    [429, { message: 'monthly quota …', quota: { limit: 1 } }, 'quota', 'monthly quota …'],
    [400, { error: 'bad id' }, 'bad_request', 'bad id'],
    [404, { error: 'not found' }, 'not_found', 'not found'],
    [502, { error: 'no route found' }, 'upstream', 'no route found'],
    [503, { error: 'search index not built' }, 'unavailable', 'search index not built'],
    [500, {}, 'failed', 'HTTP 500'],
  ])('%i %j is %s', async (status, body, code, message) => {
    const error = await refused(json(body, status));
    expect(error).toBeInstanceOf(SvcError);
    expect(error).toMatchObject({ status, code, message });
  });

  it('reads Retry-After', async () => {
    expect(await refused(json({ message: 'x', quota: {} }, 429, { 'Retry-After': '90' }))).toMatchObject({ retryAfter: 90 });
  });

  it('survives the page of a proxy', async () => {
    expect(await refused(new Response('<html>', { status: 504 }))).toMatchObject({ status: 504, code: 'failed' });
    expect(await refused(new Response('<html>', { status: 200 }))).toMatchObject({ status: 0, code: 'failed' });
  });

  it('never repeats the key', async () => {
    const { client } = make(() => Promise.reject(new TypeError('fetch https://maps.example/?key=k%261 failed')));
    const error = (await client.search('x').catch((e: unknown) => e)) as Error;
    expect(error).toMatchObject({ code: 'network', status: 0 });
    expect(error.message).not.toContain('k%261');
  });
});

describe('checking a key', () => {
  it.each([
    [200, true],
    [404, true],
    [429, true],
    [401, false],
    [403, false],
    [500, false],
  ])('%i', async (status, accepted) => {
    const { client, calls } = make(() => json([], status));
    expect(
      await client.checkKey().then(
        () => true,
        () => false,
      ),
    ).toBe(accepted);
    expect(calls[0]!.url.pathname + calls[0]!.url.search).toBe('/styles/styles.json?key=k%261');
  });
});

describe('time', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['GET after 15 s', undefined, (c: Client) => c.status(), 15_000],
    ['POST after 30 s', undefined, (c: Client) => c.route({ from: [1, 1], to: [2, 2] }), 30_000],
    ['GET after the time that was set', 40_000, (c: Client) => c.status(), 40_000],
    ['POST after the larger one', 40_000, (c: Client) => c.matrix({ points: [[1, 1]] }), 40_000],
    ['POST never before 30 s', 1000, (c: Client) => c.matrix({ points: [[1, 1]] }), 30_000],
  ])('gives up a %s', async (_, timeout, call, limit) => {
    const { client } = make(never, { timeout });
    const failed = vi.fn();
    const done = call(client).catch(failed);
    await vi.advanceTimersByTimeAsync(limit - 1);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    await done;
    expect(failed.mock.calls[0]![0]).toMatchObject({ code: 'timeout', status: 0 });
  });

  it('lets the caller give up', async () => {
    const { client, fetch } = make(never);
    const stop = new AbortController();
    const done = client.search('x', { signal: stop.signal }).catch((e: unknown) => e);
    stop.abort();
    expect(isAbort(await done)).toBe(true);
    expect(isAbort(await client.search('x', { signal: stop.signal }).catch((e: unknown) => e))).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the server of a script', () => {
  afterEach(() => loadedFrom(undefined));
  it.each([
    ['https://maps.example/v1/map.js', 'https://maps.example'],
    ['https://example.org/deep/v1/map.umd.js?v=1', 'https://example.org/deep'],
    ['http://localhost:8080/v1/map.js#x', 'http://localhost:8080'],
  ])('%s', (script, want) => {
    loadedFrom(script);
    expect(new Client().baseUrl).toBe(want);
  });
  it('keeps a base below a path and drops its slash', () => {
    expect(new Client({ baseUrl: 'https://x.example/maps/' }).url('/api/status', { a: '' })).toBe('https://x.example/maps/api/status');
  });
});
