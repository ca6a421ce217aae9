import { expect, test } from 'vitest';
import { blank, bodyOf } from './template';

test('a body has no empty category', () => {
  expect(bodyOf({ ...blank, name: ' A ', category: ' ' })).toMatchObject({ name: 'A', category: null });
});
