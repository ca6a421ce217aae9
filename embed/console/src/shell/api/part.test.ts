import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from './part';

const gone = new TypeError('Failed to fetch dynamically imported module: /console/assets/Keys.js');
const failing = () => page(() => Promise.reject(gone))();

afterEach(() => vi.unstubAllGlobals());

describe('the code of a page that cannot be loaded', () => {
  it('fails as a request does while the server does not answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
    await expect(failing()).rejects.toMatchObject({ code: 'page_unreachable', lost: true });
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 502 })));
    await expect(failing()).rejects.toMatchObject({ code: 'page_unreachable' });
  });
  it('says that it is gone when the server answers: there is a new version', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response()));
    await expect(failing()).rejects.toBe(gone);
  });
});
