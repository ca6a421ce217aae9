import { expect, test } from 'vitest';
import { keyOf } from './keys';

test.each([
  ['a Latin layout', 'j', 'KeyJ', false, 'j'],
  ['a Russian one', 'о', 'KeyJ', false, 'j'],
  ['an Uzbek Cyrillic one', 'л', 'KeyK', false, 'k'],
  ['Dvorak, where letters count and not places', 'j', 'KeyC', false, 'j'],
  ['Caps Lock', 'X', 'KeyX', false, 'x'],
  ['the slash', '/', 'Slash', false, '/'],
  ['the slash of a Russian layout', '.', 'Slash', false, '/'],
  ['the comma above it', ',', 'Slash', true, ','],
  ['the slash of a Dvorak layout', '/', 'BracketLeft', false, '/'],
  ['a letter where others have the slash', 'z', 'Slash', false, 'z'],
  ['a keyboard on the screen, which names no place', 'k', '', false, 'k'],
  ['no letter', 'Enter', 'Enter', false, 'Enter'],
])('the key of %s', (_, key, code, shiftKey, want) => {
  expect(keyOf({ key, code, shiftKey })).toBe(want);
});
