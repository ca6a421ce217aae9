// The service worker, in a scope that stands for the browser's: what a press on a notification opens.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const code = readFileSync(path.resolve(import.meta.dirname, '../public/sw.js'), 'utf8');
const origin = 'https://svc.example.uz';
const conversation = '/console/inbox/cnv_00000000000000000000000001';

type Listener = (event: object) => void;

/** Presses a notification that leads to a place, while tabs are open, and answers what happened, in order. */
async function press(to: string | undefined, ...urls: string[]): Promise<string[]> {
  const did: string[] = [];
  const tabs = urls.map((url) => ({
    url,
    focus: async () => void did.push(`focus ${url}`),
    navigate: async (where: string) => void did.push(`navigate ${url} to ${where}`),
  }));
  const listeners = new Map<string, Listener>();
  const clients = {
    matchAll: async (o: object) => {
      expect(o).toEqual({ type: 'window', includeUncontrolled: true }); // also those that loaded before the worker
      return tabs;
    },
    openWindow: async (where: string) => void did.push(`open ${where}`),
  };
  const scope = {
    location: new URL(`${origin}/console/sw.js`),
    clients,
    addEventListener: (type: string, f: Listener) => listeners.set(type, f),
  };
  new Function('self', code)(scope);
  let waited: Promise<unknown> | undefined;
  const notification = { data: to === undefined ? null : { to }, close: () => did.push('close') };
  listeners.get('notificationclick')!({ notification, waitUntil: (p: Promise<unknown>) => (waited = p) });
  await waited;
  return did;
}

test('with no tab of the console, a notification opens its conversation in a new window', async () => {
  expect(await press(conversation)).toEqual(['close', `open ${conversation}`]);
  expect(await press(undefined)).toEqual(['close', 'open /console/inbox']);
});

test('the tab of the console that is open is brought to the front and led to the conversation', async () => {
  const tab = `${origin}/console/campaigns`;
  expect(await press(conversation, `${origin}/map`, tab, `${origin}/console/`)).toEqual([
    'close',
    `focus ${tab}`,
    `navigate ${tab} to ${conversation}`,
  ]);
});

test('a tab of another origin, or of another part of the service, is left alone', async () => {
  expect(
    await press(
      conversation,
      'https://evil.example/console/inbox',
      `${origin}/console`,
      `${origin}/docs/console/`,
      `${origin}.evil.example/console/`,
    ),
  ).toEqual(['close', `open ${conversation}`]);
});
