/** On which days a membership holds, by the limits that a relation states. */

/** Memberships without an end, through a last day (`2026-04-08`), and on Saturdays and Sundays alone. */
export type Term =
  | { readonly kind: 'always' }
  | { readonly kind: 'until'; readonly day: string }
  | { readonly kind: 'weekends' };

export const ALWAYS: Term = { kind: 'always' };

const ABOUT_APPOINTMENTS = /schedul|logistic|ride|transport|pickup/u;
const ENDS = /revoked|until|initially|temporary|same_day|through/u;
const THROUGH_DAY =
  /through_(?<day>sunday|monday|tuesday|wednesday|thursday|friday|saturday)(?:_|$)/u;
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const WEEKEND = [0, 6];
const DAY_MS = 86_400_000;

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** The first such weekday on or after the day. */
function nextDay(from: string, name: string): string {
  const ahead = (DAYS.indexOf(name) - weekdayOf(from) + DAYS.length) % DAYS.length;
  return new Date(Date.parse(`${from}T00:00:00Z`) + ahead * DAY_MS).toISOString().slice(0, 10);
}

/** Whether a membership holds on a day. Where no day is known, only one without a limit does. */
export function holdsOn(term: Term, day: string | null): boolean {
  if (term.kind === 'always') return true;
  if (day === null) return false;
  return term.kind === 'until' ? day <= term.day : WEEKEND.includes(weekdayOf(day));
}

/** When somebody who covers for another clinician needs to know: at weekends where the coverage names them. */
export function coverageTerm(scope: string): Term {
  return /weekend/u.test(scope) ? { kind: 'weekends' } : ALWAYS;
}

/**
 * How long a relative may hear about appointments, by the level of access; null where she may not. A consent that will end
 * at an unknown time is good for the day on which it was given, or through the weekday that it names. Nobody can tell that
 * it still holds where no day is known, so it is not given there.
 */
export function consentTerm(level: string, givenOn: string | null): Term | null {
  if (!ABOUT_APPOINTMENTS.test(level)) return null;
  if (!ENDS.test(level)) return ALWAYS;
  if (givenOn === null) return null;
  const day = THROUGH_DAY.exec(level)?.groups?.['day'];
  return { kind: 'until', day: day === undefined ? givenOn : nextDay(givenOn, day) };
}
