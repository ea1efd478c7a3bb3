/** What one broken word of a question costs over HTTP, and what the words of the scope regain. */
import { readCorpora, type Corpus } from '../rank/corpus.ts';
import { SLIPS_OF_QUESTION, spellingRows, withSlips } from '../rank/broken.ts';
import { none, type Row } from '../report.ts';
import { askSources, askStatements, noFaults, type Faults } from '../retrieval/asked.ts';
import { load, type Loaded } from '../retrieval/loaded.ts';
import { recallAt, type Answered } from '../retrieval/scored.ts';
import type { Ability, Bench } from '../service/conversation.ts';

const DEPTH = 10;
/** What messages must regain of the recall that a broken word loses. */
const REGAINED = 0.7;

type Ask = (loaded: Loaded) => Promise<Answered>;
type Way = Parameters<typeof withSlips>[1];

async function recallOf(all: readonly Loaded[], by: Way, ask: Ask): Promise<number> {
  const answered: Answered[] = [];
  // Without a slip the question is the same each time.
  const times = by === 'correct' ? 1 : SLIPS_OF_QUESTION;
  for (let seed = 0; seed < times; seed += 1) {
    for (const one of all) {
      answered.push(await ask({ ...one, conversation: withSlips(one.conversation, by, seed) }));
    }
  }
  return recallAt(DEPTH, answered);
}

async function rowsOf(
  title: string,
  all: readonly Loaded[],
  ask: Ask,
  floor?: number,
): Promise<Row[]> {
  const correct = await recallOf(all, 'correct', ask);
  const broken = await recallOf(all, 'beyondRepair', ask);
  const repaired = await recallOf(all, 'text', ask);
  return spellingRows(title, { correct, broken, repaired }, floor);
}

function faultRows({ foreign, incomplete }: Faults): Row[] {
  return [none('answers not complete', incomplete), none('results of other scopes', foreign)];
}

async function measureSpelling(bench: Bench, { conversations }: Corpus): Promise<readonly Row[]> {
  const faults = noFaults();
  const all: Loaded[] = [];
  for (const one of conversations) all.push(await load(bench, one, { scope: `slips-${one.name}` }));
  await bench.quiet();
  const messages: Ask = (one) => askSources(bench, one, faults, { limit: DEPTH });
  const statements: Ask = (one) => askStatements(bench, one, faults, DEPTH);
  return [
    ...(await rowsOf('messages', all, messages, REGAINED)),
    ...(await rowsOf('statements', all, statements)),
    ...faultRows(faults),
  ];
}

export const searchSpelling: Ability = {
  title: 'search, a broken word (locomo)',
  prepare(dataFolder) {
    const { locomo } = readCorpora(dataFolder);
    return locomo && ((bench) => measureSpelling(bench, locomo));
  },
};
