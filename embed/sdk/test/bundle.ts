// What the page uses of the bundle, without the map, which needs WebGL.
export { Client, lonLat } from '../src/client/client';
export { SvcError, isAbort } from '../src/client/error';
export { SearchBox } from '../src/map/searchbox';
export { distanceText } from '../src/i18n/words';
