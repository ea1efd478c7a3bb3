/** How often a person wants to be asked, and who may change that to what. */
import { MOST_PER_DAY, MOST_PER_SESSION } from './words.ts';

/** A year; a pause may be renewed. */
export const LONGEST_PAUSE_HOURS = 8_760;

const HOUR_MS = 3_600_000;

/** Fields as they are stored and answered. `paused_until` is ISO 8601 UTC. */
export interface AskPreference {
  readonly max_per_session: number;
  readonly max_per_day: number;
  readonly paused_until: string | null;
}

/** Null: as before. `pause_for_hours` 0 ends a pause. */
export interface AskWish {
  readonly max_per_session: number | null;
  readonly max_per_day: number | null;
  readonly pause_for_hours: number | null;
}

/** A person who never said anything. */
export const NO_WISH: AskPreference = {
  max_per_session: MOST_PER_SESSION,
  max_per_day: MOST_PER_DAY,
  paused_until: null,
};

/** The later of two ends of a pause; null is none. */
function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) >= Date.parse(b) ? a : b;
}

/** What is wished for afterwards. Who may not loosen gets the stricter of before and now, field by field. */
export function wishAfter(
  before: AskPreference,
  wish: AskWish,
  { mayLoosen, now }: { readonly mayLoosen: boolean; readonly now: Date },
): AskPreference {
  const most = (was: number, wanted: number | null): number => {
    if (wanted === null) return was;
    return mayLoosen ? wanted : Math.min(was, wanted);
  };
  const { pause_for_hours: hours } = wish;
  const asked =
    hours === null || hours === 0 ? null : new Date(now.getTime() + hours * HOUR_MS).toISOString();
  const isOver = before.paused_until !== null && Date.parse(before.paused_until) <= now.getTime();
  const standing = isOver ? null : before.paused_until;
  const kept = hours === null || !mayLoosen ? standing : null;
  return {
    max_per_session: most(before.max_per_session, wish.max_per_session),
    max_per_day: most(before.max_per_day, wish.max_per_day),
    paused_until: later(kept, asked),
  };
}
