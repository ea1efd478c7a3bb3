/**
 * A conversation of two people who do not exist, in sentences of our own: the same for the same length, no two
 * of its statements alike. Every sixth turn says nothing worth keeping, as in any talk.
 */
import type { Turn } from '../../measure/data/conversation-file.ts';

const SPEAKERS = ['Nora', 'Emil'] as const;
const TURNS_PER_SESSION = 20;
const FIRST_SESSION = Date.UTC(2031, 1, 3, 18, 30);
const WEEK_MS = 7 * 86_400_000;
const TURN_MS = 45_000;

const PLACES =
  `Aarhus Bergen Cluj Dijon Evora Faro Graz Haarlem Izmir Jena Kaunas Lecce Malmo Nantes Ostrava Plovdiv
Riga Split Tartu Utrecht Varna Wroclaw Zadar`.split(/\s+/);
const FRIENDS = 'Ada Bram Clio Dora Ezra Fay Gil Hanne Ivo Jonas Katja Leo Mina Nils Olga'.split(
  ' ',
);
const THINGS =
  `kettle lantern canoe telescope loom accordion greenhouse bicycle typewriter tent compass saddle kayak
violin bookcase`.split(/\s+/);
const ADJECTIVES = 'copper wooden folding borrowed painted narrow heavy silent'.split(' ');
const JOBS =
  'baker surveyor welder librarian beekeeper pilot tailor geologist printer gardener'.split(' ');
const CRAFTS = 'pottery bookbinding fencing calligraphy weaving juggling falconry origami'.split(
  ' ',
);
const DAYS = [
  'yesterday',
  'last week',
  'last Friday',
  'two days ago',
  'this morning',
  'last month',
];

function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new RangeError('an empty list has nothing to pick');
  return found;
}

type Sentence = (index: number) => string;

const SENTENCES: readonly Sentence[] = [
  (i) =>
    `I bought a ${pick(ADJECTIVES, i)} ${pick(THINGS, i + 2)} in ${pick(PLACES, i)} ${pick(DAYS, i)}.`,
  (i) =>
    `My cousin ${pick(FRIENDS, i)} works as a ${pick(JOBS, i + 3)} near ${pick(PLACES, i + 5)} and owns a ${pick(THINGS, i)}.`,
  (i) =>
    `That's good news! I've been learning ${pick(CRAFTS, i)} with ${pick(FRIENDS, i + 4)} since our trip to ${pick(PLACES, i + 9)}.`,
  (i) =>
    `We stayed in ${pick(PLACES, i + 2)} for a week & ${pick(FRIENDS, i + 1)} showed us the ${pick(ADJECTIVES, i + 1)} ${pick(THINGS, i + 7)}.`,
  (i) =>
    `It was one of those evenings where I missed ${pick(PLACES, i + 11)} and ${pick(FRIENDS, i + 6)}'s ${pick(CRAFTS, i + 1)} lessons.`,
  (i) => `How are you, and how was your weekend? Tell me about number ${i}!`,
];

/** The first `length` turns of the conversation, in sessions of twenty. */
export function syntheticConversation(length: number): readonly Turn[] {
  return Array.from({ length }, (_, index): Turn => {
    const session = Math.floor(index / TURNS_PER_SESSION);
    const instant = FIRST_SESSION + session * WEEK_MS + (index % TURNS_PER_SESSION) * TURN_MS;
    return {
      sessionId: `evening-${session + 1}`,
      speaker: pick(SPEAKERS, index),
      occurredAt: new Date(instant).toISOString(),
      content: pick(SENTENCES, index)(index),
    };
  });
}
