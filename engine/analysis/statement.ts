/**
 * What a statement is found by, for those who read its sources: besides its own words those of the messages that it was
 * drawn from, of the turns before them, and of a question that the first of them may answer (`domain/ranking/bag.ts`). In
 * a chat with an assistant it has its own words only: statements of one long message would push out all others. Pure but
 * for hashing.
 */
import { bagOf, type WeightedTerms } from '../../domain/ranking/bag.ts';
import { analyze } from '../text/analyze.ts';
import { dateTerms, type UnitReading } from '../text/ranked-unit.ts';
import {
  bagVector,
  createPassageReader,
  type AnalysedVector,
  type ReadPassages,
} from './message.ts';
import { hearsAssistant, placesBefore, type Surroundings, type Turn } from './surroundings.ts';

/** A message that a statement was drawn from. */
export interface LendingSource
  extends Turn, Pick<Surroundings, 'at' | 'offsetMinutes' | 'before' | 'after'> {}

export interface StatementText {
  readonly accountId: string;
  readonly statement: string;
  /** At least one. */
  readonly sources: readonly LendingSource[];
}

function shared(own: WeightedTerms, { own: other }: UnitReading): number {
  let count = 0;
  for (const term of own.terms.keys()) if (other.terms.has(term)) count += 1;
  return count;
}

/** What stands directly before the passage that shares most terms with the statement, and that passage. */
interface Cited {
  readonly passage: UnitReading | null;
  readonly first: WeightedTerms | null;
  readonly second: WeightedTerms | null;
  /** The unit before, where another person asks in it. */
  readonly question: WeightedTerms | null;
}

function citedOf(
  own: WeightedTerms,
  { before, speaker, text }: LendingSource,
  read: (text: string) => readonly UnitReading[],
): Cited {
  const readings = read(text);
  const best = readings.reduce(
    (most, reading, at) => {
      const terms = shared(own, reading);
      return terms > most.terms ? { at, terms } : most;
    },
    { at: 0, terms: -1 },
  );
  const said = readings.map((reading) => ({ speaker, reading }));
  const line = [...placesBefore(before, read).toReversed(), ...said];
  const at = line.length - said.length + best.at;
  const asked = line[at - 1] ?? null;
  return {
    passage: readings[best.at] ?? null,
    first: asked?.reading.own ?? null,
    second: line[at - 2]?.reading.own ?? null,
    question:
      asked !== null && asked.reading.asks && asked.speaker !== speaker ? asked.reading.own : null,
  };
}

const present = (terms: WeightedTerms | null): readonly WeightedTerms[] =>
  terms === null ? [] : [terms];

/** The vector of a statement with the words of its sources; null where they lend none. The texts are without secrets. */
export function statementWithSources(
  { accountId, statement, sources }: StatementText,
  read: ReadPassages = createPassageReader(),
): AnalysedVector | null {
  const isWithAssistant = sources.some(hearsAssistant);
  const [first] = sources;
  if (first === undefined || isWithAssistant) return null;
  const own = analyze(statement);
  const cited = sources.map((source) => citedOf(own, source, (text) => read(text).readings));
  const bag = bagOf({
    own,
    sources: cited.flatMap(({ passage }) => present(passage?.own ?? null)),
    next: cited.flatMap((one) => present(one.first)),
    second: cited.flatMap((one) => present(one.second)),
    question: cited[0]?.question ?? null,
    speaker: [],
    date: dateTerms(first.at, first.offsetMinutes),
  });
  return bagVector(accountId, bag);
}
