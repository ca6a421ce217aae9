import type { Report } from './terms';

/** How many rows of an import are done, as far as its report tells. */
export const processedOf = (r: Report): number => r.created + r.updated + r.invalid + r.duplicates;
