/** How long a relative may hear about appointments, by the level of access that the relation states. */

const ABOUT_APPOINTMENTS = /schedul|logistic|ride|transport|pickup/u;
const ENDS = /revoked|until|initially|temporary|same_day|through/u;
const THROUGH_DAY =
  /through_(?<day>sunday|monday|tuesday|wednesday|thursday|friday|saturday)(?:_|$)/u;
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY_MS = 86_400_000;

/** The first such weekday on or after the day. */
function nextDay(from: string, name: string): string {
  const start = new Date(`${from}T00:00:00Z`);
  const ahead = (DAYS.indexOf(name) - start.getUTCDay() + DAYS.length) % DAYS.length;
  return new Date(start.getTime() + ahead * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The last day on which the consent holds, null where it has no end, and undefined where there is none. A consent that
 * will end at an unknown time is good for the day on which it was given, or through the weekday that it names. Nobody can
 * tell that it still holds where no day is known, so it is not given there.
 */
export function consentUntil(level: string, givenOn: string | null): string | null | undefined {
  if (!ABOUT_APPOINTMENTS.test(level)) return undefined;
  if (!ENDS.test(level)) return null;
  if (givenOn === null) return undefined;
  const day = THROUGH_DAY.exec(level)?.groups?.['day'];
  return day === undefined ? givenOn : nextDay(givenOn, day);
}
