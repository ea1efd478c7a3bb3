/** What the search indexes hold: statements, and the messages that they were drawn from. */
export const UNIT_KINDS = ['statement', 'message'] as const;
export type UnitKind = (typeof UNIT_KINDS)[number];
