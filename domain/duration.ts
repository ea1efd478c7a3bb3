/** Durations as people write them in settings: `90d`, `12h`, `30m`, `45s`, or a plain number of seconds. */

const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds, or null when the text is no positive duration. */
export function parseDurationSeconds(text: string): number | null {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text.trim());
  if (match === null) return null;
  const seconds = Number(match[1]) * (SECONDS_PER_UNIT[match[2] || 's'] ?? 0);
  return seconds > 0 && Number.isSafeInteger(seconds) ? seconds : null;
}
