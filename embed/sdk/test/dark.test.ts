import { expect, test } from 'vitest';
import { isDarkColor } from '../src/map/dark';

test('the ground of a style is dark or light', () => {
  for (const dark of ['#000', '#1d2628', 'rgb(40,39,37)', 'rgba(18, 18, 17, 0.9)', 'hsl(200, 10%, 12%)', 'black', 'RGB(0 0 0)'])
    expect(isDarkColor(dark), dark).toBe(true);
  for (const light of ['#fff', '#f8f4f0', 'rgb(245,245,245)', 'hsl(30deg 20% 95%)', 'white', '', 'currentColor'])
    expect(isDarkColor(light), light).toBe(false);
});
