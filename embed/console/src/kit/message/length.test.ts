import { expect, test } from 'vitest';
import { lengthIn } from './ReplyComposer';

test('a text is as long as its network counts: what one calls characters are UTF-16 units', () => {
  const of = (text: string) => (['utf16', 'bytes', 'characters'] as const).map((unit) => lengthIn(unit, text));
  expect(of('Salom')).toEqual([5, 5, 5]);
  expect(of('Салом')).toEqual([5, 10, 5]);
  expect(of('🙂')).toEqual([2, 4, 2]);
});
