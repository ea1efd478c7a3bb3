/**
 * How well statements drawn from messages agree with facts that people drew from the same messages. Shares are
 * between 0 and 1. A statement and a fact are compared only when they name a common message.
 */
import { stemsOf, tokenF1 } from './stems.ts';

/** A statement, with the messages that it cites. */
export interface Cited {
  readonly text: string;
  readonly sources: readonly string[];
  /** The person that the statement is about; null where that is unknown. */
  readonly subject: string | null;
}

/** A fact that a person noted about one participant, with the messages that show it. */
export interface GoldFact {
  readonly text: string;
  readonly subject: string;
  readonly evidence: readonly string[];
}

/** The answer to a later question. Extraction should keep those of its words that its evidence holds. */
export interface GoldAnswer {
  readonly text: string;
  readonly evidence: readonly string[];
}

/** The messages, statements, facts and answers of one conversation. Ids are those of `messages`. */
export interface ExtractionCase {
  readonly messages: ReadonlyMap<string, string>;
  readonly statements: readonly Cited[];
  readonly facts: readonly GoldFact[];
  readonly answers: readonly GoldAnswer[];
}

/** The number of cases in which a condition held, of all cases. */
export interface Tally {
  readonly held: number;
  readonly of: number;
}

export interface ExtractionFigures {
  /** EC: facts with a statement that cites one of their messages. */
  readonly coverage: Tally;
  /** EP: statements that cite a message of some fact. */
  readonly precision: Tally;
  /** FR@.5: facts with a statement that reaches a token F1 of .5. */
  readonly factRecall: Tally;
  /** FP@.35: statements with a fact that reaches .35. */
  readonly factPrecision: Tally;
  /** AR: words of answers that a statement from the evidence holds, of those that the evidence itself holds. */
  readonly answerWords: Tally;
  /** SPM: statements by messages. */
  readonly perMessage: Tally;
  /** Statements about the same person as the best matching fact of a shared message. */
  readonly subject: Tally;
}

const RECALL_F1 = 0.5;
const PRECISION_F1 = 0.35;

interface Stemmed<T> {
  readonly item: T;
  readonly stems: readonly string[];
}

function stemmed<T extends { readonly text: string }>(items: readonly T[]): Stemmed<T>[] {
  return items.map((item) => ({ item, stems: stemsOf(item.text) }));
}

/** Items by the ids that they name. */
function byId<T>(items: readonly T[], idsOf: (item: T) => readonly string[]): Map<string, T[]> {
  const index = new Map<string, T[]>();
  for (const item of items) {
    for (const id of new Set(idsOf(item))) {
      const known = index.get(id);
      if (known === undefined) index.set(id, [item]);
      else known.push(item);
    }
  }
  return index;
}

interface Best<T> {
  readonly item: T;
  readonly f1: number;
}

/** The counterpart with the best F1; the first of equal ones. Null when there is no counterpart. */
function best<T>(stems: readonly string[], counterparts: readonly Stemmed<T>[]): Best<T> | null {
  let found: Best<T> | null = null;
  for (const { item, stems: theirs } of counterparts) {
    const f1 = tokenF1(stems, theirs);
    if (found === null || f1 > found.f1) found = { item, f1 };
  }
  return found;
}

function tally(values: readonly boolean[]): Tally {
  return { held: values.filter(Boolean).length, of: values.length };
}

function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce((total, { held, of }) => ({ held: total.held + held, of: total.of + of }), {
    held: 0,
    of: 0,
  });
}

function survivingWords(
  { messages, answers }: ExtractionCase,
  statementsAt: ReadonlyMap<string, readonly Stemmed<Cited>[]>,
): Tally {
  return sum(
    answers.map(({ text, evidence }) => {
      const said = new Set(evidence.flatMap((id) => stemsOf(messages.get(id) ?? '')));
      const kept = new Set(
        evidence.flatMap((id) => (statementsAt.get(id) ?? []).flatMap(({ stems }) => stems)),
      );
      return tally([...new Set(stemsOf(text))].filter((w) => said.has(w)).map((w) => kept.has(w)));
    }),
  );
}

/** The figures of one conversation. */
export function measureExtraction(measured: ExtractionCase): ExtractionFigures {
  const statements = stemmed(measured.statements);
  const facts = stemmed(measured.facts);
  const statementsAt = byId(statements, ({ item }) => item.sources);
  const factsAt = byId(facts, ({ item }) => item.evidence);
  const bestOfFacts = facts.map(({ item, stems }) =>
    best(
      stems,
      item.evidence.flatMap((id) => statementsAt.get(id) ?? []),
    ),
  );
  const bestOfStatements = statements.map(({ item, stems }) => ({
    subject: item.subject,
    match: best(
      stems,
      item.sources.flatMap((id) => factsAt.get(id) ?? []),
    ),
  }));
  const comparable = bestOfStatements.flatMap(({ subject, match }) =>
    subject === null || match === null || match.f1 < PRECISION_F1
      ? []
      : [{ subject, wanted: match.item.subject }],
  );
  return {
    coverage: tally(bestOfFacts.map((match) => match !== null)),
    precision: tally(bestOfStatements.map(({ match }) => match !== null)),
    factRecall: tally(bestOfFacts.map((match) => (match?.f1 ?? 0) >= RECALL_F1)),
    factPrecision: tally(bestOfStatements.map(({ match }) => (match?.f1 ?? 0) >= PRECISION_F1)),
    answerWords: survivingWords(measured, statementsAt),
    perMessage: { held: statements.length, of: measured.messages.size },
    subject: tally(comparable.map(({ subject, wanted }) => subject === wanted)),
  };
}

/** Adds the figures of several conversations up. */
export function combined(figures: readonly ExtractionFigures[]): ExtractionFigures {
  const total = (of: (one: ExtractionFigures) => Tally): Tally => sum(figures.map(of));
  return {
    coverage: total((one) => one.coverage),
    precision: total((one) => one.precision),
    factRecall: total((one) => one.factRecall),
    factPrecision: total((one) => one.factPrecision),
    answerWords: total((one) => one.answerWords),
    perMessage: total((one) => one.perMessage),
    subject: total((one) => one.subject),
  };
}

/** How often a statement cites the same source as an earlier one with the same subject and normalised text. */
export function repeatedFromOneSource(statements: readonly Cited[]): number {
  const seen = new Set<string>();
  let repeated = 0;
  for (const { text, sources, subject } of statements) {
    const normalised = text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ');
    const keys = [...new Set(sources)].map((id) => `${id}\n${subject}\n${normalised.trim()}`);
    if (keys.some((key) => seen.has(key))) repeated += 1;
    for (const key of keys) seen.add(key);
  }
  return repeated;
}
