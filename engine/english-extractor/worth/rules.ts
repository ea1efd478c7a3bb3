/** The rules by which a clause is worth a statement. They are right to different degrees, so each statement knows its own. */
export const RULES = [
  'event',
  'habit',
  'plan',
  'preference',
  'ability',
  'possession',
  'description',
  'feeling',
  'effect',
  'of others',
  'answer',
] as const;
export type WorthRule = (typeof RULES)[number];
