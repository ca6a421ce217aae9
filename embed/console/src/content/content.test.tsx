import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { Formatted } from './Formatted';
import { insert, mark } from './marks';
import { bodyOf, blank, variablesOf } from './template';
import { wrong } from './uploads';

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
  expect(variablesOf('{{a}} {{ b }} {{a}} {{}} {c}')).toEqual(['a', 'b']);
});

test('a body has no empty category', () => {
  expect(bodyOf({ ...blank, name: ' A ', category: ' ' })).toMatchObject({ name: 'A', category: null });
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
