/** What the database last told each search index. It belongs to the deployment, so no account is set. */
import { sql } from 'slonik';
import { z } from 'zod';
import { PoolStore } from '../pool-store.ts';

const markRow = z.object({
  current: z.string().nullable(),
  pending: z.string().nullable(),
  lost: z.boolean(),
});
export type IndexMark = z.infer<typeof markRow>;
export type MarkedEngine = 'meilisearch' | 'qdrant';

export class IndexMarksStore extends PoolStore {
  async find(engine: MarkedEngine): Promise<IndexMark | null> {
    return this.db.maybeOne(sql.type(markRow)`
      select current, pending, lost_at is not null as lost from index_marks where engine = ${engine}`);
  }

  /**
   * Says that the mark is about to be written. False while another process is about to write one; a process that has been
   * about to for longer than `staleMs` counts as dead.
   */
  async propose(engine: MarkedEngine, mark: string, staleMs: number): Promise<boolean> {
    const { rowCount } = await this.db.query(sql.unsafe`
      insert into index_marks as m (engine, pending, pending_at)
      values (${engine}, ${mark}::uuid, clock_timestamp())
      on conflict (engine) do update set pending = excluded.pending, pending_at = excluded.pending_at
      where m.pending is null or m.pending_at < clock_timestamp() - make_interval(secs => ${staleMs / 1000})`);
    return rowCount > 0;
  }

  /** Says that the index holds the mark. A proposal that another process has replaced changes nothing. */
  async settle(engine: MarkedEngine, mark: string): Promise<void> {
    await this.db.query(sql.unsafe`
      update index_marks set current = pending, pending = null, pending_at = null
      where engine = ${engine} and pending = ${mark}::uuid`);
  }

  /** Says that the index is of another past. */
  async lose(engine: MarkedEngine): Promise<void> {
    await this.db.query(sql.unsafe`
      insert into index_marks as m (engine, lost_at) values (${engine}, clock_timestamp())
      on conflict (engine) do update set lost_at = coalesce(m.lost_at, excluded.lost_at)`);
  }

  /** Says that the indexes were written anew. */
  async found(): Promise<void> {
    await this.db.query(sql.unsafe`update index_marks set lost_at = null, claimed_until = null`);
  }

  /** Lets one process write the lost indexes for so long; it asks again before. False while another does. */
  async claim(forMs: number, isMine: boolean): Promise<boolean> {
    const { rowCount } = await this.db.query(sql.unsafe`
      update index_marks set claimed_until = clock_timestamp() + make_interval(secs => ${forMs / 1000})
      where lost_at is not null and (${isMine} or claimed_until is null or claimed_until < clock_timestamp())`);
    return rowCount > 0;
  }
}
