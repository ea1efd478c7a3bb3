/** The collections that are kept as Postgres says. They belong to the deployment, so no account is set. */
import { sql } from 'slonik';
import { z } from 'zod';
import {
  VECTOR_SPACE_STATES,
  type KeptSpace,
  type OwnSpace,
} from '../../../domain/models/vector-spaces.ts';
import { PoolStore } from '../pool-store.ts';

const keptSpace = z.object({
  collection: z.string(),
  dimensions: z.number().nullable(),
  state: z.enum(VECTOR_SPACE_STATES),
});

export class VectorSpacesStore extends PoolStore {
  /** Those whose names begin with `prefix`, the one that became ready last first, those that are being filled last. */
  async kept(prefix: string): Promise<readonly KeptSpace[]> {
    return this.db.any(sql.type(keptSpace)`
      select collection, dimensions, state from vector_spaces
      where starts_with(collection, ${prefix})
      order by ready_at desc nulls last, collection`);
  }

  /** About how many statements and messages the deployment holds, as the planner knows it. */
  async unitsToIndex(): Promise<number> {
    return this.db.oneFirst(sql.type(z.object({ units: z.number() }))`
      select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as units from pg_class
      where oid in ('knowledge'::regclass, 'messages'::regclass)`);
  }

  /** Enters a space; one that is known already stays as it is. */
  async enter({ collection, dimensions }: OwnSpace, state: KeptSpace['state']): Promise<void> {
    await this.db.query(sql.unsafe`
      insert into vector_spaces (collection, dimensions, state, ready_at)
      values (${collection}, ${dimensions}, ${state}::vector_space_state,
        case when ${state} = 'ready' then clock_timestamp() end)
      on conflict (collection) do nothing`);
  }

  /** From now on the processes of its embedder read it. */
  async setReady(collection: string): Promise<void> {
    await this.db.query(sql.unsafe`
      update vector_spaces set state = 'ready', ready_at = clock_timestamp()
      where collection = ${collection} and state = 'building'`);
  }

  /** No process writes them from now on. */
  async forget(collections: readonly string[]): Promise<void> {
    await this.db.query(sql.unsafe`
      delete from vector_spaces where collection = any(${sql.array(collections, 'text')})`);
  }

  /**
   * Lets the process fill the space for so long, or longer if it has done so already. False while another process does,
   * or when the space is not known.
   */
  async claim(collection: string, by: string, forMs: number): Promise<boolean> {
    const { rowCount } = await this.db.query(sql.unsafe`
      update vector_spaces
      set claimed_by = ${by}::uuid, claimed_until = clock_timestamp() + make_interval(secs => ${forMs / 1000})
      where collection = ${collection}
        and (claimed_by is null or claimed_by = ${by}::uuid or claimed_until < clock_timestamp())`);
    return rowCount === 1;
  }

  /** Ends the claim of the process. */
  async release(collection: string, by: string): Promise<void> {
    await this.db.query(sql.unsafe`
      update vector_spaces set claimed_by = null, claimed_until = null
      where collection = ${collection} and claimed_by = ${by}::uuid`);
  }
}
