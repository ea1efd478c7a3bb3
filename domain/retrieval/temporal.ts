/** How near a validity window is to an instant. */

const DAY_MS = 86_400_000;

export interface ValidityWindow {
  /** ISO 8601; either end may be unknown. Half-open. */
  readonly relevantFrom: string | null;
  readonly relevantUntil: string | null;
}

/**
 * 1 when the window covers the instant, else 1 / (1 + days to its nearest edge); null without any window.
 * `at` is in milliseconds since the epoch.
 */
export function temporalScore(window: ValidityWindow, at: number): number | null {
  const from = window.relevantFrom === null ? null : Date.parse(window.relevantFrom);
  const until = window.relevantUntil === null ? null : Date.parse(window.relevantUntil);
  if (from === null && until === null) return null;
  if (from !== null && at < from) return 1 / (1 + (from - at) / DAY_MS);
  if (until !== null && at >= until) return 1 / (1 + (at - until) / DAY_MS);
  return 1;
}
