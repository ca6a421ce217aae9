import { expect, test } from 'vitest';
import { formatFor } from '../shell/language/format';
import { distanceText } from './Found';
import { clock, dayText } from './hours';
import { pageSnippet } from './snippet';

test('hours past midnight are those of the next day', () => {
  expect(clock(540)).toBe('09:00');
  expect(
    dayText([
      { open: 540, close: 780 },
      { open: 840, close: 1560 },
    ]),
  ).toBe('09:00–13:00, 14:00–02:00');
  expect(dayText([{ open: 0, close: 1440 }])).toBe('00:00–24:00');
  expect(dayText([])).toBe('');
});

test('distances are in metres below a kilometre', () => {
  expect(distanceText(532.4, formatFor('en-GB'))).toBe('532 m');
  expect(distanceText(1540, formatFor('en-GB'))).toBe('1.5 km');
});

test('the page to copy uses the bundle of this server and never a key', () => {
  const page = pageSnippet('https://map.example.uz', 'dark', 'ru');
  expect(page).toContain("from 'https://map.example.uz/v1/map.js'");
  expect(page).toContain("key: 'YOUR_KEY'");
});
