/** What became of the units of a batch; `fenced` ones had been taken over by a newer drain. */
export const UNIT_OUTCOMES = ['ok', 'retry', 'failed', 'fenced'] as const;
export type UnitCounts = Readonly<Record<(typeof UNIT_OUTCOMES)[number], number>>;
