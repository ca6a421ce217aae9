// What the index of a feature may use. It is in the first load, with everything that
// it imports; the pages use @shell, which is loaded with the first of them.
export type { Command, Feature, Found, NavEntry, PageRoute } from './feature';
export type { Href } from './addresses';
export type { Schema } from './api/client';
export { get, queries } from './api/query';
export type { Cache } from './api/cache';
export type { EventRule } from './events/rules';
export { lateIcon } from './frame/lateIcon';
export type { Permission } from './session/me';
