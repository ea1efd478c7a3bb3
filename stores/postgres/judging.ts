/**
 * How transactions come by a judge of texts: who says what is served of a text while holds are in force. A process that writes
 * texts gives one to its pool; the holds that a judge knows are those of one edition of an account.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { JUDGES_NOTHING, type TextJudge } from '../../domain/forgetting/judge.ts';
import type { Queryable } from './queryable.ts';

/** The judges of a process. */
export interface Judges {
  /** The judge of the account that is in memory; one without holds where there is none. No round trip. */
  known(accountId: string): TextJudge;
  /** The judge of the edition; reads the holds in the transaction unless it is in memory. */
  of(tx: Queryable, accountId: string, edition: number): Promise<TextJudge>;
}

const judgesOf = new WeakMap<Queryable, Judges>();
const editionIn = new WeakMap<Queryable, number>();

/** Has the transactions of the pool judge by these. */
export function judgeBy(pool: Queryable, judges: Judges): void {
  judgesOf.set(pool, judges);
}

/** The judges of a pool, or of the pool of a transaction. */
export function judgesIn(db: Queryable): Judges | undefined {
  return judgesOf.get(db);
}

/** The transaction judges by the same as its pool. */
export function inheritJudges(pool: Queryable, tx: Queryable): void {
  const judges = judgesOf.get(pool);
  if (judges !== undefined) judgesOf.set(tx, judges);
}

/** Remembers the edition that the transaction has read while nobody could change it. */
export function readEdition(tx: Queryable, edition: number): void {
  editionIn.set(tx, edition);
}

const editionRow = z.object({ edition: z.number() });

/** The judge by which the transaction may write texts: the edition stays in force until it ends. */
export async function judgeIn(tx: Queryable, accountId: string): Promise<TextJudge> {
  let edition = editionIn.get(tx);
  if (edition === undefined) {
    edition = await tx.oneFirst(
      sql.type(editionRow)`select forget_edition(${accountId}::uuid) as edition`,
    );
    readEdition(tx, edition);
  }
  if (edition === 0) return JUDGES_NOTHING;
  const judges = judgesOf.get(tx);
  if (judges === undefined) throw new TypeError('this process writes no texts: it has no judges');
  return judges.of(tx, accountId, edition);
}
