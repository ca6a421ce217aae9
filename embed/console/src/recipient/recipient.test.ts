import { describe, expect, test } from 'vitest';
import { filterBody } from './BulkActions';
import { bareUsername, blank, changes, check, newBody, valuesOf } from './fields';
import { nameOf, type Recipient, secondNameOf } from './name';
import { afterTagging, showTags } from './tagged';

const olga = {
  id: 'rcp_1',
  first_name: 'Olga',
  last_name: '',
  username: 'olga_k',
  messenger_id: null,
  language: 'uz',
  consent_status: 'OPTED_IN',
  consent_note: null,
  tags: ['vip'],
  lists: [],
  attributes: { city: 'Toshkent', orders: 3, code: '0012' },
} as unknown as Recipient;

test('a person is called by name, by username, by number', () => {
  expect([nameOf(olga), secondNameOf(olga)]).toEqual(['Olga', '@olga_k']);
  expect(nameOf({ ...olga, first_name: '' })).toBe('@olga_k');
  expect(nameOf({ ...olga, first_name: '', username: null, messenger_id: 7 })).toBe('7');
});

test.each([
  ['@olga_k', 'olga_k'],
  ['https://t.me/olga_k', 'olga_k'],
  [' t.me/olga_k ', 'olga_k'],
  ['olga_k', 'olga_k'],
])('%s is a username', (text, want) => {
  expect(bareUsername(text)).toBe(want);
});

describe('the form', () => {
  test('wants a username or a number', () => {
    expect(check(blank)).toEqual({ username: 'who' });
    expect(check({ ...blank, messenger_id: '12a' })).toEqual({ messenger_id: 'number' });
    expect(check({ ...blank, username: '@olga_k' })).toEqual({});
  });
  test('sends null for what was left empty', () => {
    expect(newBody({ ...blank, username: 'olga_k' })).toMatchObject({
      username: 'olga_k',
      first_name: null,
      messenger_id: null,
      consent_status: 'UNKNOWN',
    });
  });
  test('sends only what was changed', () => {
    expect(changes(olga, valuesOf(olga))).toEqual({});
    expect(changes(olga, { ...valuesOf(olga), last_name: 'Karimova' })).toEqual({ last_name: 'Karimova' });
  });
  test('keeps numbers numbers and codes text', () => {
    const v = valuesOf(olga);
    v.attributes = v.attributes.map((a) => (a.key === 'orders' ? { ...a, value: '4' } : a));
    expect(changes(olga, v)).toEqual({ attributes: { orders: 4 } });
  });
});

test('a bulk action takes the filter of the address', () => {
  expect(filterBody({ suppressed: 'false', tag: ['vip'] })).toEqual({ suppressed: false, tag: ['vip'] });
  expect(filterBody({})).toEqual({ all: true });
});

test('tags are given and taken at once, of the people that are named', () => {
  expect(afterTagging(['a', 'b'], 'tag', ['b', 'c'])).toEqual(['a', 'b', 'c']);
  expect(afterTagging(['a', 'b'], 'untag', ['b', 'c'])).toEqual(['a']);
  const page = { data: [1, 2].map((n) => ({ id: `rcp_${n}`, tags: ['a'] })) };
  const shown: unknown[] = [];
  const cache = { change: (_: string, to: (page: never) => unknown) => shown.push(to(page as never)) } as never;
  showTags(cache, { action: 'tag', recipient_ids: ['rcp_2'], tags: ['vip'] });
  expect(shown).toEqual([
    {
      data: [
        { id: 'rcp_1', tags: ['a'] },
        { id: 'rcp_2', tags: ['a', 'vip'] },
      ],
    },
  ]);
  showTags(cache, { action: 'tag', filter: { all: true }, tags: ['vip'] }); // whom it means only the server knows
  showTags(cache, { action: 'delete', recipient_ids: ['rcp_2'] });
  expect(shown).toHaveLength(1);
});
