/**
 * Four people who do not exist tell of their changing lives, in sentences of our own: moves, jobs, names, things
 * bought and sold, said again in other letters, told of each other, and some of it told late. The same for the
 * same seed and length.
 */

export interface LifeTurn {
  readonly session_id: string;
  readonly scope_path: string;
  readonly peer_key: string;
  readonly peer_name: string;
  readonly content: string;
  readonly occurred_at: string;
}

export const PEOPLE = ['Ada', 'Bo', 'Cleo', 'Dag'] as const;
const SESSIONS = 8;
const FIRST_DAY = Date.UTC(2024, 0, 8, 9);
const HOUR_MS = 3_600_000;

const PLACES = ['Bergen', 'Oslo', 'Rome', 'Paris', 'Turku'] as const;
const FIRMS = ['Acme', 'Globex', 'Initech', 'Umbra'] as const;
const JOBS = ['nurse', 'teacher', 'baker', 'pilot', 'welder'] as const;
const THINGS = ['Tesla', 'red kayak', 'piano', 'tandem'] as const;
const TASTES = ['green tea', 'black coffee', 'cold rain', 'old maps', 'brass bands'] as const;
const TONGUES = ['Dutch', 'Finnish', 'Welsh'] as const;
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June'] as const;

/** A number in [0, 1), the same sequence for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Pick = <T>(list: readonly T[]) => T;

function picker(next: () => number): Pick {
  return (list) => {
    const found = list[Math.floor(next() * list.length)];
    if (found === undefined) throw new RangeError('an empty list has nothing to pick');
    return found;
  };
}

const OWN: readonly ((pick: Pick) => string)[] = [
  (pick) => `I live in ${pick(PLACES)}.`,
  (pick) => `I live in ${pick(PLACES)}.`,
  (pick) => `I live in ${pick(PLACES)}, not in ${pick(PLACES)}.`,
  (pick) => `I moved to ${pick(PLACES)} in ${pick(MONTHS)}.`,
  (pick) => `I moved to ${pick(PLACES)} in ${pick(MONTHS)} 2023.`,
  (pick) => `I work at ${pick(FIRMS)}.`,
  (pick) => `I started working at ${pick(FIRMS)} in ${pick(MONTHS)}.`,
  (pick) => `I left ${pick(FIRMS)} in ${pick(MONTHS)}.`,
  (pick) => `I work as a ${pick(JOBS)}.`,
  (pick) => `I turned ${pick([33, 34, 35])} last week.`,
  (pick) => `My email is ${pick(['one', 'two', 'three'])}@example.org.`,
  (pick) => `My phone number is 555-01${pick([10, 20, 30])}.`,
  (pick) => `I bought a ${pick(THINGS)}.`,
  (pick) => `I sold my ${pick(THINGS)} in ${pick(MONTHS)}.`,
  (pick) => `I like ${pick(TASTES)}.`,
  (pick) => `I visited ${pick(PLACES)} in ${pick(MONTHS)}.`,
  (pick) => `My sister lives in ${pick(PLACES)}.`,
  // Two ways to say one thing, alike to the built-in embedder too.
  (pick) => `I am learning ${pick(TONGUES)}.`,
  (pick) => `I have been learning ${pick(TONGUES)}.`,
  (pick) => `I like ${pick(TASTES)}. I work at ${pick(FIRMS)} these days.`,
  () => 'How was your weekend?',
];

const OF_OTHERS: readonly ((pick: Pick, other: string) => string)[] = [
  (pick, other) => `${other} lives in ${pick(PLACES)}.`,
  (pick, other) => `${other} moved to ${pick(PLACES)} in ${pick(MONTHS)}.`,
  (pick, other) => `${other} works at ${pick(FIRMS)}.`,
  (pick, other) => `${other} likes ${pick(TASTES)}.`,
];

const scopeOf = (session: number): string => (session === SESSIONS - 1 ? '/team/club' : '/team');

function turnOf(session: number, name: string, content: string, at: number): LifeTurn {
  return {
    session_id: `lives-${session}`,
    scope_path: scopeOf(session),
    peer_key: name.toLowerCase(),
    peer_name: name,
    content,
    occurred_at: new Date(at).toISOString(),
  };
}

/** The first turn of each person in every session, without a statement: from then on all take part in all of them. */
export function greetings(): readonly LifeTurn[] {
  return Array.from({ length: SESSIONS }, (_, session) =>
    PEOPLE.map((name) => turnOf(session, name, 'Hello there!', FIRST_DAY - HOUR_MS)),
  ).flat();
}

/** The first `length` turns that the seed gives, nearly in the order of their times. */
export function changingLives(seed: number, length: number): readonly LifeTurn[] {
  const next = numbers(seed);
  const pick = picker(next);
  const sessions = Array.from({ length: SESSIONS }, (_, session) => session);
  return Array.from({ length }, (_, n) => {
    const name = pick(PEOPLE);
    const others = PEOPLE.filter((each) => each !== name);
    const tells = next() < 0.2;
    const plain = tells ? pick(OF_OTHERS)(pick, pick(others)) : pick(OWN)(pick);
    const content = next() < 0.1 ? plain.replace(/\.$/u, '!') : plain;
    // One in ten is told weeks after it was said; a few at the very same time.
    const lateMs = next() < 0.1 ? 900 * HOUR_MS : 0;
    const at = FIRST_DAY + Math.floor(n / 2) * 17 * HOUR_MS - lateMs;
    return turnOf(pick(sessions), name, content, at);
  });
}

/** The list in another order, the same for the same seed. */
export function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const next = numbers(seed);
  return list
    .map((item) => ({ item, key: next() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
