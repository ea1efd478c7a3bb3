/** Keeps the lists of words of scopes at what the statements say whose words are counted (ADR 50). */
import { countsForRanking } from '../../domain/ranking/counted.ts';
import type {
  WordedStatement,
  WordListChanges,
} from '../../stores/postgres/indexes/word-lists.store.ts';
import { createPauses } from '../offload/slices.ts';
import { listedWords } from '../text/word-list.ts';
import type { Batch } from './batch.ts';

/** The words of the counted statements of a batch, by statement. */
export type BatchWords = ReadonlyMap<string, WordedStatement>;

/** Reads the texts, before any transaction. */
export async function readBatchWords({ statements }: Batch): Promise<BatchWords> {
  const read = new Map<string, WordedStatement>();
  const pause = createPauses();
  for (const { unit } of statements) {
    if (!countsForRanking(unit)) continue;
    const { id: statementId, scope_id: scopeId, statement } = unit;
    const words = listedWords(statement);
    if (words.length > 0) read.set(statementId, { statementId, scopeId, words });
    await pause();
  }
  return read;
}

/** The words of the units of a part; units without words lose those that they had. */
export function wordListsOfPart(
  batch: Batch,
  unitIds: ReadonlySet<string>,
  read: BatchWords,
): WordListChanges {
  const ids = [...batch.gone.statement, ...batch.statements.map(({ unit }) => unit.id)].filter(
    (id) => unitIds.has(id),
  );
  return {
    counted: ids.flatMap((id) => read.get(id) ?? []),
    gone: ids.filter((id) => !read.has(id)),
  };
}
