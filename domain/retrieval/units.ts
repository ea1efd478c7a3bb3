/** The units in the search indexes: statements, and their source messages. */
export const UNIT_KINDS = ['statement', 'message'] as const;
export type UnitKind = (typeof UNIT_KINDS)[number];
