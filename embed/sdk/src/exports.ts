/// <reference path="./env.d.ts" />
// What a page can use. The declarations of /v1/map.d.ts are made from this file.
export {
  Client,
  type CallOptions,
  type ClientOptions,
  type IsochroneOptions,
  type LookupOptions,
  type MatrixOptions,
  type NearbyOptions,
  type RouteOptions,
  type SearchOptions,
  type UsageOptions,
} from './client/client';
export { SvcError, isAbort, type ErrorCode } from './client/error';
export type * from './client/types';
export { Map } from './map/map';
export { Icons } from './map/sprite';
export { SearchBox, type SearchBoxEvents, type SearchBoxOptions } from './map/searchbox';
export type {
  Directions,
  DirectionsOptions,
  GlMap,
  Isochrone,
  IsochroneMapOptions,
  MapEvents,
  MapOptions,
  Padding,
  PlaceEvent,
  PointEvent,
  RouteEvent,
  StyleName,
} from './map/types';
export { distanceText } from './i18n/words';

/** Version of this bundle. */
export const version: string = __VERSION__;
