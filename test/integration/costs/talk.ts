/**
 * Conversations that are made up but resemble real ones as far as an extractor and an index are concerned: two people who
 * greet, ask, tell what they do, own, like and plan, in sentences of different length. The same seed gives the same talk.
 */
const PEOPLE = ['Ada', 'Bela', 'Cora', 'Dario', 'Edda', 'Faris', 'Gila', 'Henk'] as const;
const PLACES = ['Porto', 'Graz', 'Bergen', 'Tartu', 'Lima', 'Osaka', 'Accra', 'Turin'] as const;
const THINGS = ['canoe', 'loom', 'piano', 'kiln', 'easel', 'telescope', 'tent', 'scooter'] as const;
const HOBBIES = ['pottery', 'rowing', 'chess', 'weaving', 'hiking', 'baking', 'singing'] as const;
const JOBS = ['nurse', 'carpenter', 'teacher', 'gardener', 'pilot', 'baker', 'welder'] as const;
const WHEN = [
  'last week',
  'in March',
  'yesterday',
  'two years ago',
  'on Sunday',
  'in 2021',
] as const;
const KIN = ['sister', 'brother', 'neighbour', 'colleague', 'cousin'] as const;

export interface Said {
  readonly session_id: string;
  readonly peer_key: string;
  readonly content: string;
  readonly occurred_at: string;
  /** Whom it is for; absent for all. */
  readonly audience?: object | null;
}

/** Numbers below `most`, by a linear congruence; nothing here needs more than repeatability. */
function picks(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

type Pick = <T>(items: readonly [T, ...T[]]) => T;

const SENTENCES: readonly ((pick: Pick, n: number) => string)[] = [
  (pick) => `Hey ${pick(PEOPLE)}! It has been ages, how are things with you and the family?`,
  (pick, n) => `I moved to ${pick(PLACES)} ${pick(WHEN)} because house number ${n} was for sale.`,
  () => 'That sounds wonderful, I would love to see it some day. What do you do there?',
  (pick, n) => `I work as a ${pick(JOBS)} now, and I bought a ${pick(THINGS)} with number ${n}.`,
  (pick) => `My ${pick(KIN)} ${pick(PEOPLE)} is into ${pick(HOBBIES)}, it keeps the evenings busy.`,
  (pick, n) =>
    `I love ${pick(HOBBIES)}. We met group ${n} in ${pick(PLACES)} ${pick(WHEN)}, it rained.`,
  () => 'Really? Tell me more, I did not know that about you.',
  (pick, n) =>
    `I sold my ${pick(THINGS)} for ${n} euros and I am saving for a trip to ${pick(PLACES)}.`,
  (pick) => `I do not like ${pick(HOBBIES)} any more, my knee hurts. The doctor said to rest.`,
  (pick, n) => `We adopted a dog called Rex ${n}; ${pick(PEOPLE)} walks it before breakfast.`,
];

/** `amount` messages, spread over so many sessions, each of which two people have. */
export function talk(amount: number, sessions: number, people: number): readonly Said[] {
  const next = picks(amount + sessions);
  const pick: Pick = (items) => items[next(items.length)] ?? items[0];
  return Array.from({ length: amount }, (_, n) => {
    const session = Math.floor((n * sessions) / amount);
    const speaker = PEOPLE[(session * 2 + (n % 2)) % people] ?? PEOPLE[0];
    const sentence = SENTENCES[next(SENTENCES.length)] ?? SENTENCES[0];
    return {
      session_id: `session-${session}`,
      peer_key: speaker.toLowerCase(),
      content: sentence?.(pick, n) ?? '',
      occurred_at: new Date(Date.UTC(2025, 0, 1) + n * 60_000).toISOString(),
    };
  });
}

export const QUESTIONS = [
  'Where does Ada live since she moved?',
  'What does Bela do for work?',
  'Which hobby does the sister of Ada have?',
  'Who bought a telescope last week?',
  'How much did Cora get for the piano?',
  'When did they meet the group in Lima?',
  'What is the name of the dog, and who walks it?',
  'Why does Dario not like rowing any more?',
  'Who is saving for a trip to Osaka?',
  'Which house was for sale in Tartu?',
] as const;
