import type { Schema } from '@shell';

export type Member = Schema<'OrgShownMember'>;
export const memberName = (m: Member): string => m.user.name || m.user.email;
