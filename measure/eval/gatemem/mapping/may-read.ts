/** Whether the mapping lets somebody read a turn: the service should answer alike. */
import { holdsOn } from './terms.ts';
import type { Circle, Mapping, TurnShape } from './structure.ts';

/** The members of a circle on a day; null where no day is known. */
export function membersOn({ members }: Circle, day: string | null): string[] {
  return [...members].filter(([, term]) => holdsOn(term, day)).map(([peer]) => peer);
}

/** The day on which so many turns have been said; null where the set names none. */
export function dayAfter(turns: readonly Pick<TurnShape, 'at'>[], said: number): string | null {
  return turns[said - 1]?.at?.slice(0, 10) ?? null;
}

interface Look {
  /** By place in the episode. */
  readonly turn: number;
  readonly reader: string;
  readonly day: string | null;
}

/** Speakers read their own words, everybody reads a turn without an audience, and otherwise the audience does. */
export function mayRead(
  { addressed, circles }: Mapping,
  turns: readonly Pick<TurnShape, 'speaker'>[],
  { day, reader, turn }: Look,
): boolean {
  if (turns[turn]?.speaker === reader) return true;
  const audience = addressed[turn]?.audience ?? null;
  if (audience === null || audience.peers.includes(reader)) return true;
  return circles.some(
    (circle) => audience.circles.includes(circle.name) && membersOn(circle, day).includes(reader),
  );
}
