/** Sorts the marks of a batch by their outcome, and marks units again when another writer cleared their marks. */
import { aroundOf } from '../../domain/retrieval/around.ts';
import { INDEX_NAMES } from '../../domain/retrieval/index-failure.ts';
import type { DirtyMark } from '../../stores/postgres/indexes/dirty-marks.store.ts';
import type { HeldMark } from '../../stores/postgres/indexes/mark-holds.store.ts';
import { idsInPoints, type Batch } from './batch.ts';
import type { IndexDependencies } from './dependencies.ts';
import { isAssistant } from '../analysis/surroundings.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { WriteReport } from './writes.ts';

export interface Sorted {
  readonly finished: readonly DirtyMark[];
  /** Of indexes that were away, and of units without a vector. */
  readonly unfinished: readonly DirtyMark[];
  /** Of units that could not be analysed, or that the index refused. */
  readonly atFault: readonly DirtyMark[];
}

/** Sorts each mark by the report of its index. */
export function sorted(
  batch: Batch,
  marks: readonly DirtyMark[],
  reportOn: (mark: DirtyMark) => WriteReport,
): Sorted {
  const groups = Map.groupBy(marks, (mark) => {
    const { refused, unfinished } = reportOn(mark);
    if (batch.failed.has(mark.unit_id) || refused.has(mark.unit_id)) return 'atFault';
    return unfinished(mark.unit_id) ? 'unfinished' : 'finished';
  });
  const of = (group: keyof Sorted): readonly DirtyMark[] => groups.get(group) ?? [];
  return { finished: of('finished'), unfinished: of('unfinished'), atFault: of('atFault') };
}

/** Messages whose neighbours are to be written again once they are. */
export function spreadingOf(marks: readonly HeldMark[]): ReadonlySet<string> {
  return new Set(
    idsInPoints(
      marks.filter((mark) => mark.spreads),
      'message',
    ),
  );
}

/** Statements that are marked in one transaction. */
const MOST_DRAWN_OF_PAGE = 500;

/**
 * Marks the statements that were drawn from those of the messages whose readers changed, page by page: who reads all
 * sources of a statement finds it by their words. The marks of the messages must not be cleared before: if this ends
 * early, it is done again with them.
 */
export async function markDrawn(
  { inAccount }: Pick<IndexDependencies, 'inAccount'>,
  accountId: string,
  marks: readonly HeldMark[],
  signal: AbortSignal,
): Promise<void> {
  const messageIds = idsInPoints(
    marks.filter((mark) => mark.readers_changed),
    'message',
  );
  let afterId: string | null = null;
  while (messageIds.length > 0) {
    signal.throwIfAborted();
    const page: { afterId: string | null; limit: number } = { afterId, limit: MOST_DRAWN_OF_PAGE };
    const ids: readonly string[] = await inAccount(accountId, async (stores) => {
      const drawn = await stores.statementSources.drawnPage(messageIds, page);
      await stores.dirtyMarks.add(await stores.units.place('statement', drawn), ['qdrant']);
      return drawn;
    });
    if (ids.length < MOST_DRAWN_OF_PAGE) return;
    afterId = ids.at(-1) ?? null;
  }
}

/**
 * Marks what takes words of the given messages: the messages around them, but those whose points the batch writes, which
 * were read before their neighbours; and the statements that were drawn from messages after them, or around what an
 * assistant said, with whom statements take no words. Of a unit in the batch for its record alone, the point was written
 * before, and is marked as well.
 */
export async function markAround(
  stores: Stores,
  { marks, messages }: Pick<Batch, 'marks' | 'messages'>,
  messageIds: readonly string[],
): Promise<void> {
  if (messageIds.length === 0) return;
  const written = new Set(idsInPoints(marks, 'message'));
  const given = new Set(messageIds);
  const assistants = messages.filter(({ unit }) => given.has(unit.id) && isAssistant(unit.role));
  const beside = await stores.neighbours.around(messageIds);
  const { after, all } = aroundOf(beside, given);
  const answered = aroundOf(
    beside,
    assistants.map(({ unit }) => unit.id),
  );
  const sources = [...new Set([...after, ...answered.all])];
  const drawn = await stores.statementSources.drawnFrom(sources);
  const left = all.filter((id) => !written.has(id));
  const placed = [
    ...(await stores.units.place('message', left)),
    ...(await stores.units.place('statement', drawn)),
  ];
  await stores.dirtyMarks.add(placed, ['qdrant']);
}

/** Marks the units again; answers the marks of units that no longer exist. */
export async function markAgain(
  stores: Stores,
  vanished: readonly DirtyMark[],
): Promise<DirtyMark[]> {
  const unplaced: DirtyMark[] = [];
  for (const unit of ['statement', 'message'] as const) {
    const marks = vanished.filter((mark) => mark.unit === unit);
    if (marks.length === 0) continue;
    const units = await stores.units.place(unit, [...new Set(marks.map((mark) => mark.unit_id))]);
    const there = new Set(units.map(({ unitId }) => unitId));
    unplaced.push(...marks.filter((mark) => !there.has(mark.unit_id)));
    for (const index of INDEX_NAMES) {
      const ids = new Set(marks.filter((m) => m.engine === index).map((m) => m.unit_id));
      await stores.dirtyMarks.add(
        units.filter(({ unitId }) => ids.has(unitId)),
        [index],
      );
    }
  }
  return unplaced;
}
