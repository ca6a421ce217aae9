// The pictures of the map in the navigation: not in the first load.
export { IconMap2 as Map, IconPalette as Palette } from '@tabler/icons-react';
