import { late } from '@shell';

/** Drawn when it is first needed: fields of time are no part of most pages. */
export const SendingHours = late(() => import('./SendingHours'));
