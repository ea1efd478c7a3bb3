/** How much a statement stands out, whatever the query. */

const DAY_MS = 86_400_000;
const FADING_DAYS = 30;

export interface SalienceInput {
  readonly confidence: number;
  readonly corroborationCount: number;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/**
 * confidence x (1 + ln(1 + corroboration)) x exp(-age / 30 days). `at` is in milliseconds since the epoch;
 * a row from its future has age 0.
 */
export function salience(row: SalienceInput, at: number): number {
  const ageDays = Math.max(0, at - Date.parse(row.updatedAt)) / DAY_MS;
  return (
    row.confidence *
    (1 + Math.log1p(Math.max(0, row.corroborationCount))) *
    Math.exp(-ageDays / FADING_DAYS)
  );
}
