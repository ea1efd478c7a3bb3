/** One batch of dirty marks: the units to write, the units to delete, and the parts that are counted at a time. */
import type { UnitKind } from '../../domain/retrieval/units.ts';
import { countsForRanking } from '../../domain/ranking/counted.ts';
import type { DirtyMark } from '../../stores/postgres/dirty-marks.store.ts';
import type { CountedUnit, UnitRef } from '../../stores/postgres/frequencies.store.ts';
import type { MessageUnit } from '../../stores/postgres/units.store.ts';
import type { Neighbour } from '../../stores/postgres/neighbours.store.ts';
import type { MessageText } from './analysis.ts';
import type { Turn } from './surroundings.ts';
import { createPauses } from '../offload/slices.ts';
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
} from './units.ts';

/** The units of the marks, as Postgres holds them. */
export interface Units {
  readonly accountId: string;
  readonly marks: readonly DirtyMark[];
  readonly statements: readonly IndexedStatement[];
  readonly messages: readonly MessageUnit[];
  /** What stands beside the messages that are due in Qdrant. */
  readonly neighbours: readonly Neighbour[];
  /** Units that no longer exist or were withdrawn. */
  readonly gone: Readonly<Record<UnitKind, readonly string[]>>;
}

export interface Batch extends Omit<Units, 'statements' | 'messages' | 'neighbours'> {
  readonly statements: readonly AnalysedStatement[];
  readonly messages: readonly AnalysedMessage[];
  /** Units with a text that could not be analysed: neither written nor counted. */
  readonly failed: ReadonlySet<string>;
}

/** The distinct units of one kind. */
export function idsOf(marks: readonly DirtyMark[], unit: UnitKind): string[] {
  return [...new Set(marks.filter((mark) => mark.unit === unit).map((mark) => mark.unit_id))];
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
  // After the messages: what is said meanwhile marks them again.
  const inPoints = marks.filter((mark) => mark.engine === 'qdrant');
  const neighbours = await stores.neighbours.of(idsOf(inPoints, 'message'));
  const there = new Set([...statements, ...messages].map(({ id }) => id));
  return {
    accountId,
    marks,
    statements,
    messages,
    neighbours,
    gone: {
      statement: wanted.statement.filter((id) => !there.has(id)),
      message: wanted.message.filter((id) => !there.has(id)),
    },
  };
}

/** What stands around a message; `neighbours` are its own, the nearest first. */
function surroundingsOf(
  unit: MessageUnit,
  neighbours: readonly Neighbour[],
): MessageText['surroundings'] {
  if (unit.is_chunk) return null;
  const turns = (isOnSide: (distance: number) => boolean): (Turn | null)[] =>
    neighbours
      .filter(({ distance }) => isOnSide(distance))
      .map(({ content: text, role, speaker_peer_id: speaker }) =>
        text === null ? null : { text, role, speaker },
      );
  return {
    speaker: unit.speaker_peer_id,
    speakerName: unit.speaker_name,
    role: unit.role,
    at: Date.parse(unit.occurred_at),
    offsetMinutes: unit.occurred_offset_minutes,
    before: turns((distance) => distance < 0),
    after: turns((distance) => distance > 0),
  };
}

/** Analyses the units, in threads where there is much; to be called outside of any transaction. */
export async function analyseUnits(
  { text }: Pick<IndexDependencies, 'text'>,
  units: Units,
  signal: AbortSignal,
): Promise<Batch> {
  const { accountId } = units;
  const statements: AnalysedStatement[] = [];
  const pause = createPauses();
  for (const unit of units.statements) {
    signal.throwIfAborted();
    statements.push(analyseStatement(accountId, unit));
    await pause();
  }
  const besides = Map.groupBy(units.neighbours, ({ beside }) => beside);
  const texts = units.messages.map((unit) => ({
    accountId,
    content: unit.content,
    surroundings: surroundingsOf(unit, besides.get(unit.id) ?? []),
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
  for (const message of messages) count(countedMessage(message));
  return parts;
}
