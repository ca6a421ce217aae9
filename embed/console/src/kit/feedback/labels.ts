/** What feedback can say was good or wrong. */
export const labels = [
  'GOOD',
  'WRONG_FACT',
  'WRONG_TONE',
  'WRONG_LANGUAGE',
  'TOO_LONG',
  'MISSED_SALE',
  'SHOULD_HAND_OFF',
  'UNSAFE',
  'OTHER',
] as const;
export type Label = (typeof labels)[number];
export type Target = 'MESSAGE' | 'DRAFT' | 'EXECUTION' | 'DECISION';
