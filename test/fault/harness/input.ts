/**
 * What the fault tests send: observations of people who do not exist, the same for the same length. Sentences come
 * again: from the same speaker, from others, in other letters, in other sessions that were held at the same
 * time, as re-sends. So every rule that merges statements has work to do, and what it comes to must not depend
 * on what was interrupted.
 */
import { createHash } from 'node:crypto';

export interface Observation {
  /** Its place in the input; how both runs name it, since ids differ. */
  readonly number: number;
  readonly sessionId: string;
  readonly scopePath: string;
  readonly speaker: string;
  readonly role: 'user' | 'assistant';
  readonly occurredAt: string;
  readonly content: string;
}

const SCOPES = ['/lab', '/lab/glass', '/lab/glass/kiln', '/garden'] as const;
export const SPEAKERS = ['nora', 'emil', 'ines', 'tariq', 'greta', 'oskar', 'lucia'] as const;
const DEEDS = ['mended', 'painted', 'borrowed'] as const;
const ADJECTIVES = ['copper', 'wooden'] as const;
const THINGS = ['kettle', 'lantern', 'canoe'] as const;
const PLACES = ['Bergen', 'Cluj'] as const;

const TURNS_PER_SESSION = 12;
/** Sessions that are held side by side. */
const SIDE_BY_SIDE = 24;
const FIRST_DAY = Date.UTC(2021, 1, 3, 9);
const DAY_MS = 86_400_000;
const TURN_MS = 45_000;

/** A number below `limit` that depends on the words alone. */
function draw(limit: number, ...words: readonly (string | number)[]): number {
  return createHash('sha256').update(words.join('|')).digest().readUInt32BE(0) % limit;
}

function pick<T>(list: readonly T[], ...words: readonly (string | number)[]): T {
  const found = list[draw(list.length, ...words)];
  if (found === undefined) throw new RangeError('an empty list has nothing to pick');
  return found;
}

export function nameOf(speaker: string): string {
  return `${speaker.charAt(0).toUpperCase()}${speaker.slice(1)}`;
}

/** One sentence; loud ones end in an exclamation mark and write the adjective in capitals. */
function assertion(seed: string, who: string): string {
  const adjective = pick(ADJECTIVES, seed, 'adjective');
  const thing = pick(THINGS, seed, 'thing');
  const deed = pick(DEEDS, seed, 'deed');
  const place = pick(PLACES, seed, 'place');
  const loud = draw(3, seed, 'loud') === 0;
  const what = `the ${loud ? adjective.toUpperCase() : adjective} ${thing}`;
  const end = loud ? '!' : '.';
  if (who === '') return `The ${what.slice(4)} in ${place} was ${deed}${end}`;
  const since = draw(6, seed, 'since') === 0 ? `, since 2019-0${1 + draw(3, seed, 'month')},` : '';
  return `${who} ${deed} ${what}${since} in ${place}${end}`;
}

/** What a speaker says in a turn. `others` spoke in the session before. */
function content(seed: string, others: readonly string[]): string {
  const other = others.length === 0 ? undefined : others[draw(others.length, seed, 'other')];
  switch (draw(10, seed, 'form')) {
    case 0:
      return 'How was your weekend, and is it warm outside?';
    case 1:
    case 2:
      return other === undefined ? assertion(seed, 'I') : assertion(seed, nameOf(other));
    case 3:
    case 4:
      return assertion(seed, '');
    case 5:
      return `${assertion(seed, 'I')} ${assertion(`${seed}+`, '')}`;
    case 6:
      return `Also ${assertion(seed, 'I')}`;
    case 7:
      return assertion(seed, 'I').replace(' in ', ' at the clinic in ');
    default:
      return assertion(seed, 'I');
  }
}

type Turn = Omit<Observation, 'number'>;

function sessionTurns(session: number, sessions: number): Turn[] {
  const turns: Turn[] = [];
  // Two sessions at a time were held at the very same time, and late ones before early ones.
  const day = (session * 7) % Math.max(1, Math.ceil(sessions / 2));
  const first = draw(SPEAKERS.length, session, 'first');
  for (let index = 0; turns.length < TURNS_PER_SESSION; index += 1) {
    const seed = `${session}/${index}`;
    const speaker = SPEAKERS[(first + draw(3, seed, 'speaker')) % SPEAKERS.length] ?? '';
    const earlier = turns.filter(({ role }) => role === 'user').map((turn) => turn.speaker);
    const others = [...new Set(earlier)].filter((key) => key !== speaker);
    const isAssistant = draw(11, seed, 'assistant') === 0;
    const turn: Turn = {
      sessionId: `meeting-${session}`,
      scopePath: pick(SCOPES, session, 'scope'),
      speaker: isAssistant ? 'clerk' : speaker,
      role: isAssistant ? 'assistant' : 'user',
      occurredAt: new Date(FIRST_DAY + day * DAY_MS + index * TURN_MS).toISOString(),
      content: isAssistant ? 'I have written that down.' : content(seed, others),
    };
    turns.push(turn);
    // A sender that is unsure sends again, under another key.
    if (draw(12, seed, 'again') === 0) turns.push(turn);
  }
  return turns.slice(0, TURNS_PER_SESSION);
}

/** The first `length` observations, in the order in which they are due. */
export function faultInput(length: number): readonly Observation[] {
  const sessions = Math.ceil(length / TURNS_PER_SESSION);
  const turns: Turn[] = [];
  for (let start = 0; start < sessions; start += SIDE_BY_SIDE) {
    const ends = Math.min(sessions, start + SIDE_BY_SIDE);
    const held = Array.from({ length: ends - start }, (_, at) =>
      sessionTurns(start + at, sessions),
    );
    for (let turn = 0; turn < TURNS_PER_SESSION; turn += 1) {
      turns.push(...held.flatMap((session) => session[turn] ?? []));
    }
  }
  return turns.slice(0, length).map((turn, number) => ({ number, ...turn }));
}
