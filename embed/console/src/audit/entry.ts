import type { Schema } from '@shell';

export type Entry = Schema<'AuditEntry'>;
