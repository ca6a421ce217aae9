import type { Schema } from '@shell';

export type MapKey = Schema<'ManagedMapKey'>;
export const mapKeys = '/admin/map-keys';
