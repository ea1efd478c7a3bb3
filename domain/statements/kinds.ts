/** What a statement can be. */
export const KINDS = ['fact', 'preference', 'event', 'relation', 'skill'] as const;
export type Kind = (typeof KINDS)[number];
