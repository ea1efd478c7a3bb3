/** One batch of dirty marks: the units to write, the units to delete, and the parts that are counted at a time. */
import type { UnitKind } from '../../domain/retrieval/units.ts';
import { countsForRanking } from '../../domain/governance/counted.ts';
import type { DirtyMark } from '../../stores/postgres/indexes/dirty-marks.store.ts';
import type { CountedUnit, UnitRef } from '../../stores/postgres/retrieval/frequencies.store.ts';
import type { MessageUnit } from '../../stores/postgres/indexes/units.store.ts';
import { readLenders, sourcesOf, surroundingsOf, type Lenders } from './lenders.ts';
import { createPauses } from '../slices.ts';
import type { IndexDependencies } from './dependencies.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import {
  analyseStatement,
  countedMessage,
  countedStatement,
  isIndexed,
  type AnalysedMessage,
  type AnalysedStatement,
  type IndexedStatement,
  type WordsOfSources,
} from './units.ts';

/** The units of the marks, as Postgres holds them. */
export interface Units {
  readonly accountId: string;
  readonly marks: readonly DirtyMark[];
  readonly statements: readonly IndexedStatement[];
  readonly messages: readonly MessageUnit[];
  /** What lends words to those that are due in Qdrant. */
  readonly lenders: Lenders;
  /** Units that no longer exist or were withdrawn. */
  readonly gone: Readonly<Record<UnitKind, readonly string[]>>;
}

export interface Batch extends Omit<Units, 'statements' | 'messages' | 'lenders'> {
  readonly statements: readonly AnalysedStatement[];
  readonly messages: readonly AnalysedMessage[];
  /** Units with a text that could not be analysed: neither written nor counted. */
  readonly failed: ReadonlySet<string>;
}

/** The distinct units of one kind. */
export function idsOf(marks: readonly DirtyMark[], unit: UnitKind): string[] {
  return [...new Set(marks.filter((mark) => mark.unit === unit).map((mark) => mark.unit_id))];
}

/** The distinct units of one kind that Qdrant marks are about. */
export function idsInPoints(marks: readonly DirtyMark[], unit: UnitKind): string[] {
  return idsOf(
    marks.filter((mark) => mark.engine === 'qdrant'),
    unit,
  );
}

/** Reads the units of the marks; nothing heavier happens in the transaction. */
export async function readUnits(
  stores: Stores,
  accountId: string,
  marks: readonly DirtyMark[],
): Promise<Units> {
  const wanted = { statement: idsOf(marks, 'statement'), message: idsOf(marks, 'message') };
  const statements = (await stores.units.statements(wanted.statement)).filter(isIndexed);
  const messages = await stores.units.messages(wanted.message);
  const lenders = await readLenders(stores, {
    statement: idsInPoints(marks, 'statement'),
    message: idsInPoints(marks, 'message'),
  });
  const there = new Set([...statements, ...messages].map(({ id }) => id));
  return {
    accountId,
    marks,
    statements,
    messages,
    lenders,
    gone: {
      statement: wanted.statement.filter((id) => !there.has(id)),
      message: wanted.message.filter((id) => !there.has(id)),
    },
  };
}

/** The words of the statements' sources, by statement. */
async function wordsOfSources(
  text: IndexDependencies['text'],
  { accountId, lenders, statements }: Units,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, WordsOfSources>> {
  const lent = statements.flatMap((unit) => {
    const lending = sourcesOf(unit.id, lenders);
    return lending === null ? [] : [{ unit, ...lending }];
  });
  const texts = lent.map(({ sources, unit: { statement } }) => ({ accountId, sources, statement }));
  const vectors = await text.readStatements(texts, { accountId, signal });
  return new Map(
    lent.flatMap(({ readers, unit }, n) => {
      const sparse = vectors[n] ?? null;
      return sparse === null ? [] : [[unit.id, { readers, sparse }] as const];
    }),
  );
}

/** Analyses the units, in threads where there is much; to be called outside of any transaction. */
export async function analyseUnits(
  { text }: Pick<IndexDependencies, 'text'>,
  units: Units,
  signal: AbortSignal,
): Promise<Batch> {
  const { accountId } = units;
  const lent = await wordsOfSources(text, units, signal);
  const statements: AnalysedStatement[] = [];
  const pause = createPauses();
  for (const unit of units.statements) {
    signal.throwIfAborted();
    statements.push(analyseStatement(accountId, unit, lent.get(unit.id)));
    await pause();
  }
  const texts = units.messages.map((unit) => ({
    accountId,
    content: unit.content,
    surroundings: surroundingsOf(unit, units.lenders),
  }));
  const analyses = await text.analyseMessages(texts, { accountId, signal });
  const messages: AnalysedMessage[] = [];
  const failed = new Set<string>();
  units.messages.forEach((unit, index) => {
    const analysis = analyses[index] ?? null;
    if (analysis === null) failed.add(unit.id);
    else messages.push({ unit, analysis });
  });
  const { gone, marks } = units;
  return { accountId, gone, marks, statements, messages, failed };
}

/** A part of a batch: one transaction counts its units and clears their marks. */
export interface Part {
  readonly unitIds: ReadonlySet<string>;
  readonly gone: readonly UnitRef[];
  readonly counted: readonly CountedUnit[];
}

/** Each term is a row under the mutex of its scope: about a second's work. */
const MOST_TERMS_OF_PART = 100_000;
/** For each unit that goes, the terms that it was counted for are read: up to 65,536. */
const MOST_GONE_OF_PART = 50;

/** The batch in parts of at least one unit; units that do not count for ranking are taken out of the numbers. */
export function partsOf(batch: Batch): Part[] {
  const { gone, statements, messages } = batch;
  const parts: { unitIds: Set<string>; gone: UnitRef[]; counted: CountedUnit[] }[] = [];
  let terms = 0;
  const part = (more: number) => {
    const last = parts.at(-1);
    const isFull = terms + more > MOST_TERMS_OF_PART || last?.gone.length === MOST_GONE_OF_PART;
    if (last !== undefined && !isFull) return last;
    const next = { unitIds: new Set<string>(), gone: [], counted: [] };
    parts.push(next);
    terms = 0;
    return next;
  };
  const count = (unit: CountedUnit): void => {
    const { unitIds, counted } = part(unit.termIds.length);
    terms += unit.termIds.length;
    unitIds.add(unit.unitId);
    counted.push(unit);
  };
  const uncount = (unit: UnitKind, unitId: string): void => {
    const { unitIds, gone: uncounted } = part(0);
    unitIds.add(unitId);
    uncounted.push({ unit, unitId });
  };
  for (const id of gone.statement) uncount('statement', id);
  for (const id of gone.message) uncount('message', id);
  for (const statement of statements) {
    if (countsForRanking(statement.unit)) count(countedStatement(statement));
    else uncount('statement', statement.unit.id);
  }
  for (const message of messages) {
    if (message.unit.has_audience) uncount('message', message.unit.id);
    else count(countedMessage(message));
  }
  return parts;
}
