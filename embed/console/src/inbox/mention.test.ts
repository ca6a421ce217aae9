import { expect, test } from 'vitest';
import { asked, called, meantColleagues, withName } from './mention';

const people = [
  { id: 'usr_1', name: 'Anvar Karimov' },
  { id: 'usr_2', name: 'Olga' },
];

test('"@" at the end asks for colleagues', () => {
  expect(asked('Koʻring @')).toBe('');
  expect(asked('Koʻring @kar')).toBe('kar');
  expect(asked('olga@example.uz')).toBeUndefined();
  expect(asked('@Olga\n')).toBeUndefined();
});

test('a name begins with any of its words', () => {
  expect(meantColleagues(people, 'kar').map((p) => p.id)).toEqual(['usr_1']);
  expect(meantColleagues(people, '').length).toBe(2);
  expect(meantColleagues(people, 'rimov')).toEqual([]);
});

test('a name that was chosen is called', () => {
  const text = withName('Koʻring @kar', 'Anvar Karimov');
  expect(text).toBe('Koʻring @Anvar Karimov ');
  expect(called(text, people)).toEqual(['usr_1']);
  expect(called('Olga', people)).toEqual([]);
});
