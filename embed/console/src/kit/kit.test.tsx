import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { everyDay } from './charts/days';
import { Formatted } from './message/Formatted';
import { insert, mark } from './message/marks';
import { variablesOf, wordsOf, written } from './message/message';
import { wouldLose } from './message/Templates';
import { wrong } from './message/uploads';
import { endSent, endShown, isOvernight } from './hours/days';

describe('a button of the toolbar', () => {
  test('puts marks around the selection, and takes them away again', () => {
    const once = mark('a news b', 2, 6, 'bold', 'MARKDOWN');
    expect(once).toEqual({ text: 'a **news** b', from: 4, to: 8 });
    expect(mark(once.text, once.from, once.to, 'bold', 'MARKDOWN')).toEqual({ text: 'a news b', from: 2, to: 6 });
  });
  test('writes the tags of HTML, and nothing into plain text', () => {
    expect(mark('news', 0, 4, 'link', 'HTML').text).toBe('<a href="https://">news</a>');
    expect(mark('news', 0, 4, 'bold', 'PLAIN').text).toBe('news');
  });
  test('quotes every line that is selected', () => {
    const q = mark('one\ntwo\nthree', 5, 11, 'quote', 'MARKDOWN');
    expect(q.text).toBe('one\n> two\n> three');
    expect(mark('> two', 2, 5, 'quote', 'MARKDOWN').text).toBe('two');
  });
  test('writes a variable in place of the selection', () => {
    expect(insert('Hello you!', 6, 9, '{{first_name}}')).toEqual({ text: 'Hello {{first_name}}!', from: 20, to: 20 });
  });
});

test('the variables of a text, each once', () => {
  expect(variablesOf('{{a}} {{ b }} {{a}} {{}} {c} {{d|friend of ours}}')).toEqual(['a', 'b', 'd']);
});

test.each([
  [0, 'image/png', 'fileEmpty'],
  [11 << 20, 'image/jpeg', 'photoTooLarge'],
  [21 << 20, 'video/mp4', 'fileTooLarge'],
  [11 << 20, 'video/mp4', undefined],
] as const)('%d bytes of %s', (size, type, want) => {
  expect(wrong({ size, type })).toBe(want);
});

test('a preview is formatted by UTF-16 units, nested and after emoji', () => {
  const { container } = render(
    <MantineProvider>
      <Formatted
        text="😀 bold both end"
        entities={[
          { type: 'bold', offset: 3, length: 9 },
          { type: 'italic', offset: 8, length: 4 },
        ]}
      />
    </MantineProvider>,
  );
  expect(container.querySelector('strong')?.textContent).toBe('bold both');
  expect(container.querySelector('strong em')?.textContent).toBe('both');
  expect(container.textContent).toContain('😀 bold both end');
});

test('a default stands behind the bar, without what would end the variable', () => {
  expect(written('first_name')).toBe('{{first_name}}');
  expect(written('first_name', ' my|friend} ')).toBe('{{first_name|my friend}}');
});

test.each([
  [
    'MARKDOWN',
    '**Hi** {{first_name|_you_}}, ~~old~~ ||x|| `a_b` snake_case 5 * 3 [our shop](https://a.uz) \\*',
    'Hi {{first_name|_you_}}, old x a_b snake_case 5 * 3 our shop *',
  ],
  ['MARKDOWN', '> one\n> __two__ _three_', 'one\ntwo three'],
  ['HTML', '<b>Hi</b><br>5 &lt; 6 <a href="https://a.uz">shop</a>', 'Hi\n5 < 6 shop'],
  ['PLAIN', '**Hi** <b>', '**Hi** <b>'],
])('a line of a list has the words of a text in %s without its marks', (format, text, words) => {
  expect(wordsOf({ text, format })).toBe(words);
});

test('a template asks before it takes the place of what was typed, not of another template or of nothing', () => {
  const message = { text: 'Hello', format: 'PLAIN' as const, attachment_ids: [], template_id: null };
  const templates = [{ id: 'tpl_1', text: 'Hello', attachment_ids: [] }];
  expect(wouldLose(message, templates)).toBe(true);
  expect(wouldLose({ ...message, template_id: 'tpl_1' }, templates)).toBe(false);
  expect(wouldLose({ ...message, template_id: 'tpl_1', text: 'Hello!' }, templates)).toBe(true);
  expect(wouldLose({ ...message, text: ' ' }, templates)).toBe(false);
});

test('marks of a text overlap', () => {
  const { container } = render(
    <MantineProvider>
      <Formatted
        text="one two"
        entities={[
          { type: 'bold', offset: 0, length: 5 },
          { type: 'italic', offset: 4, length: 3 },
        ]}
      />
    </MantineProvider>,
  );
  expect(container.querySelector('strong')?.textContent).toBe('one t');
  expect([...container.querySelectorAll('em')].map((e) => [e.textContent, e.closest('strong') !== null])).toEqual([
    ['t', true],
    ['wo', false],
  ]);
});

test('usage has a day for every day of its window, and hours of a day together', () => {
  const parts = [
    { at: '2026-05-02T09:00:00Z', product: 'search', requests: 3 },
    { at: '2026-05-02T10:00:00Z', product: 'search', requests: 4 },
  ];
  expect(everyDay({ from: '2026-05-01T00:00:00Z', to: '2026-05-03T11:00:00Z', parts }, ['search'])).toEqual([
    { day: '2026-05-01', search: 0 },
    { day: '2026-05-02', search: 7 },
    { day: '2026-05-03', search: 0 },
  ]);
});

test('the end of the day is midnight in a field of time', () => {
  expect([endShown('24:00'), endSent('00:00'), endSent(endShown('20:00'))]).toEqual(['00:00', '24:00', '20:00']);
  expect([isOvernight({ start: '22:00', end: '06:00' }), isOvernight({ start: '09:00', end: '24:00' })]).toEqual([true, false]);
});
