/**
 * The bags of the passages of a message: their own words, and words of what stands around them (`domain/ranking/bag.ts`).
 * In a conversation between people that is also a question that the message may answer, and the name of who says it; in
 * one with an assistant the turns are long, and their own words say enough. Pure.
 */
import { bagOf, type WeightedTerms } from '../../domain/ranking/bag.ts';
import { dateTerms, nameTerms, type UnitReading } from '../text/ranked-unit.ts';

/** A turn before or after a message. */
export interface Turn {
  readonly speaker: string;
  readonly role: string;
  /** Without secrets; empty of a long turn, which lends no words. */
  readonly text: string;
}

export interface Surroundings {
  /** Id of who says the message. */
  readonly speaker: string;
  readonly speakerName: string;
  readonly role: string;
  /** Milliseconds since 1970, with the offset from UTC of who said it. */
  readonly at: number;
  readonly offsetMinutes: number;
  /** The nearest first, at most two; null for one that not all who read the message may read. */
  readonly before: readonly (Turn | null)[];
  readonly after: readonly (Turn | null)[];
}

/** How far words reach, in passages. */
const REACH = 2;

/** A passage beside those of the message. */
interface Beside {
  readonly speaker: string;
  readonly reading: UnitReading;
}
type Place = Beside | null;

/** Whether the role of a turn is that of an assistant. */
export function isAssistant(role: string): boolean {
  return role.toLowerCase() === 'assistant';
}

/** Whether an assistant takes part, as far as the surroundings show. */
export function hearsAssistant({
  role,
  before,
  after,
}: Pick<Surroundings, 'role' | 'before' | 'after'>): boolean {
  return isAssistant(role) || [...before, ...after].some((turn) => isAssistant(turn?.role ?? ''));
}

/** The passages of turns in the order of their distance; what lends no words keeps a place. */
function placesOf(
  turns: readonly (Turn | null)[],
  read: (text: string) => readonly UnitReading[],
  isBefore: boolean,
): Place[] {
  const places = turns.flatMap((turn): Place[] => {
    if (turn === null) return [null];
    const readings = read(turn.text);
    const nearest = isBefore ? readings.slice(-REACH).toReversed() : readings.slice(0, REACH);
    return nearest.map((reading) => ({ speaker: turn.speaker, reading }));
  });
  return places.slice(0, REACH);
}

/** The passages of the turns before a message, the nearest first. */
export function placesBefore(
  turns: readonly (Turn | null)[],
  read: (text: string) => readonly UnitReading[],
): Place[] {
  return placesOf(turns, read, true);
}

/** The bags of the passages of a message, in their order. `read` cuts and reads the text of a turn. */
export function bagsOf(
  passages: readonly UnitReading[],
  surroundings: Surroundings | null,
  read: (text: string) => readonly UnitReading[],
): WeightedTerms[] {
  const isChat = surroundings !== null && !hearsAssistant(surroundings);
  const before = placesBefore(surroundings?.before ?? [], read);
  const after = placesOf(surroundings?.after ?? [], read, false);
  const own = passages.map((reading): Place => {
    return { speaker: surroundings?.speaker ?? '', reading };
  });
  const line = [...before.toReversed(), ...own, ...after];
  const wordsAt = (...places: readonly number[]): WeightedTerms[] =>
    places.flatMap((place) => line[place]?.reading.own ?? []);
  const names = isChat ? nameTerms(surroundings.speakerName) : [];
  const date = surroundings === null ? [] : dateTerms(surroundings.at, surroundings.offsetMinutes);
  return passages.map(({ own: words }, n) => {
    const at = before.length + n;
    const asked = line[at - 1] ?? null;
    const isReply =
      isChat && asked?.reading.asks === true && asked.speaker !== surroundings.speaker;
    return bagOf({
      own: words,
      next: wordsAt(at - 1, at + 1),
      second: wordsAt(at - 2, at + 2),
      question: isReply ? asked.reading.own : null,
      sources: [],
      speaker: names,
      date,
    });
  });
}
