import type { Schema } from '@shell';

export type Connection = Schema<'CalendarShown'>;
export type Action = Schema<'CalendarShownAction'>;
export type Business = Schema<'BusinessShown'>;

export const statuses = ['AWAITING_CUSTOMER', 'PENDING', 'EXECUTING', 'COMPLETED', 'REJECTED', 'FAILED', 'EXPIRED'] as const;
export const types = ['CREATE', 'UPDATE', 'CANCEL', 'FIND', 'CHECK_AVAILABILITY'] as const;

/** Whether an action books, and does not only look. */
export const books = (a: Pick<Action, 'type'>): boolean => a.type === 'CREATE' || a.type === 'UPDATE' || a.type === 'CANCEL';

/** Whether a person may reject an action. */
export const isOpen = (a: Pick<Action, 'status'>): boolean => a.status === 'PENDING' || a.status === 'AWAITING_CUSTOMER';
