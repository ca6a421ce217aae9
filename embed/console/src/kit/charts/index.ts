import { late } from '@shell';

/** Drawn when it is first needed: what draws charts is large. */
export const RequestsChart = late(() => import('./RequestsChart'));
