import type { Schema } from '@shell';

export type PeopleList = Schema<'RecipientShownList'>;
