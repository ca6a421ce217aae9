import type { Schema } from '@shell';

export type Board = Schema<'SocialBoard'>;
export type Post = Schema<'SocialPost'>;
export type Comment = Schema<'SocialComment'>;

export const boards = ['SOCIAL_OVERVIEW', 'CONTENT', 'AUDIENCE', 'GROWTH'] as const;
export const networks = ['PHOTO_NETWORK', 'PAGE_NETWORK', 'VIDEO_NETWORK'] as const;
export const kinds = ['POST', 'REEL', 'STORY', 'VIDEO', 'SHORT'] as const;
export const flags = ['question', 'complaint', 'purchase_interest', 'spam'] as const;
export const spans = ['7', '30', '90'] as const;

/** What a board shows, as its address says it; what is not known falls back. */
export function askedOf(search: Readonly<Record<string, unknown>>) {
  const one = <T extends string>(value: unknown, of: readonly T[]) => of.find((x) => x === String(value));
  return {
    board: one(search.board, boards) ?? 'SOCIAL_OVERVIEW',
    days: one(search.days, spans) ?? '30',
    platform: one(search.platform, networks),
    metric: typeof search.metric === 'string' ? search.metric : undefined,
  };
}
export type Asked = ReturnType<typeof askedOf>;

/** The flags of a comment that count. */
export function flagsOf(c: Pick<Comment, 'flags'>): (typeof flags)[number][] {
  return flags.filter((f) => c.flags?.[f].value);
}
