/**
 * The audit log as chains: its unsealed events are sealed, its sealed ones are read. The service itself may change
 * neither; the function `seal_audit_events` gives places to events that have none, and only at the end of a chain.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import {
  GENESIS,
  type AuditFields,
  type ChainEnd,
  type ChainPoint,
  type SealedEvent,
} from '../../../domain/audit/chain.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount, type Queryable, type TransactionLimits } from '../pool.ts';

/** What is hashed, as texts that no setting of a session, no time zone and no rounding changes. */
const FIELDS = sql.fragment`
  e.account_id::text, e.id::text, e.category::text, e.action, e.actor_kind::text, e.actor_peer_id::text,
  e.credential_id::text, e.resource_type, e.resource_id::text, e.metadata::text,
  encode(e.content_hash, 'hex') as content_hash, extract(epoch from e.occurred_at)::text as occurred_at`;

const fieldsShape = {
  account_id: z.string(),
  id: z.string(),
  category: z.string(),
  action: z.string(),
  actor_kind: z.string(),
  actor_peer_id: z.string().nullable(),
  credential_id: z.string().nullable(),
  resource_type: z.string(),
  resource_id: z.string().nullable(),
  metadata: z.string(),
  content_hash: z.string().nullable(),
  occurred_at: z.string(),
} satisfies Record<keyof AuditFields, z.ZodType>;

/** An instant to the microsecond, as a text that is read back as the same instant. */
const instant = (value: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"+00"')`;

const unsealedRow = z.object({ ...fieldsShape, cursor: z.string() });
const sealedRow = z.object({ ...fieldsShape, position: z.int(), hash: z.string() });
const endRow = z.object({
  position: z.int(),
  hash: z.string(),
  goes_on: z.boolean(),
  unsealed: z.int(),
  oldest_unsealed_seconds: z.int(),
});
const accountRow = z.object({ account_id: z.string(), unsealed_since: z.string() });
const stateRow = z.object({ position: z.int(), hash: z.string(), settled_before: z.string() });

export interface UnsealedPage {
  /** Where the page before ended; null for the first one. */
  readonly after: string | null;
  /**
   * Whether the first page begins with the oldest event there is, and not where sealing has come: for events that
   * appeared among older ones.
   */
  readonly everything: boolean;
  readonly limit: number;
}

export interface SealedPage {
  readonly sealed: number;
  /** Where the next page begins; null when nothing more can be sealed now. */
  readonly next: string | null;
}

const NOTHING_SEALED: SealedPage = { sealed: 0, next: null };

export interface UnsealedAccount {
  readonly accountId: string;
  /** ISO 8601. */
  readonly unsealedSince: string;
}

export interface ChainState extends ChainEnd {
  readonly unsealed: number;
  /** 0 when there are none. */
  readonly oldestUnsealedSeconds: number;
}

/** Where the chain ends, and the instant before which every event of the account is visible to later queries. */
async function stateOf(tx: Queryable, accountId: string) {
  // A transaction of the service that may hold events nobody sees yet has written something, and its events are not
  // older than the transaction. One that has written nothing so far will write events that are newer than this query.
  return tx.one(sql.type(stateRow)`
    select coalesce(c.position, 0) as position, coalesce(encode(c.hash, 'hex'), ${GENESIS.hash}) as hash,
      ${instant(sql.fragment`least(statement_timestamp(), (
        select min(a.xact_start) from pg_stat_activity a
        where a.datname = current_database() and a.backend_xid is not null))`)} as settled_before
    from (values (1)) one left join audit_chains c on c.account_id = ${accountId}::uuid`);
}

/** The chains of all accounts, on a pool. */
export class AuditChainStore extends PoolStore {
  /** Accounts with unsealed events, of those that follow `afterId`, in order; see `UnsealedPage.everything`. */
  async unsealedAccounts(
    afterId: string | null,
    everything: boolean,
    limit: number,
  ): Promise<readonly UnsealedAccount[]> {
    const rows = await this.db.any(sql.type(accountRow)`
      select account_id, unsealed_since from lookup_unsealed_accounts(${afterId}::uuid, ${everything}, ${limit})`);
    return rows.map((row) => ({
      accountId: row.account_id,
      unsealedSince: row.unsealed_since,
    }));
  }

  /**
   * Seals the next events of the account in one transaction: the oldest first, and only those that are older than every
   * open transaction of the service that has written something. `seal` gives their hashes, in order. Seals nothing
   * while somebody else seals the account.
   */
  sealPage(
    accountId: string,
    { after, everything, limit }: UnsealedPage,
    seal: (events: readonly AuditFields[], end: ChainPoint) => readonly string[],
    limits: TransactionLimits,
  ): Promise<SealedPage> {
    const work = async (tx: Queryable): Promise<SealedPage> => {
      const isFree = await tx.oneFirst(sql.type(z.object({ free: z.boolean() }))`
        select pg_try_advisory_xact_lock(hashtextextended(${`audit_chain:${accountId}`}, 0)) as free`);
      if (!isFree) return NOTHING_SEALED;
      const { settled_before: settledBefore, ...end } = await stateOf(tx, accountId);
      const rows = await tx.any(sql.type(unsealedRow)`
        select ${FIELDS}, ${instant(sql.fragment`e.occurred_at`)} as cursor
        from audit_events e
        where e.account_id = ${accountId}::uuid and e.chain_position is null
          and e.occurred_at < ${settledBefore}::timestamptz
          and e.occurred_at >= coalesce(${after}::timestamptz, case when not ${everything} then (
            select c.sealed_until from audit_chains c where c.account_id = ${accountId}::uuid) end, '-infinity')
        order by e.occurred_at, e.id limit ${limit}`);
      const last = rows.at(-1);
      if (last === undefined) return NOTHING_SEALED;
      const hashes = seal(
        rows.map(({ cursor: _cursor, ...fields }) => fields),
        end,
      );
      const ids = rows.map(({ id }) => id);
      const isSealed = await tx.oneFirst(sql.type(z.object({ sealed: z.boolean() }))`
        select seal_audit_events(${end.position}, ${sql.array(ids, 'uuid')}, array(
          select decode(h.hash, 'hex') from unnest(${sql.array(hashes, 'text')}) with ordinality as h (hash, place)
          order by h.place)) as sealed`);
      if (!isSealed) return NOTHING_SEALED;
      return { sealed: rows.length, next: rows.length < limit ? null : last.cursor };
    };
    return withAccount(this.db, accountId, work, limits);
  }

  /** Where the chain of the account ends as the database says, and what is not sealed. */
  end(accountId: string): Promise<ChainState> {
    return withAccount(this.db, accountId, async (tx) => {
      // One query, so that a page that is sealed meanwhile is seen with its end or not at all. Numbers that no chain
      // has come from somebody who changed them; they are shown as the nearest that can be.
      const row = await tx.one(sql.type(endRow)`
        select stored.position, stored.hash, (
            select count(*) from (
              select from audit_events e
              where e.account_id = ${accountId}::uuid and e.chain_position >= stored.position limit 2) ends
          ) > least(stored.position, 1) as goes_on,
          open.total as unsealed, open.age as oldest_unsealed_seconds
        from (
          select least(greatest(coalesce(c.position, 0), 0), ${Number.MAX_SAFE_INTEGER}::bigint) as position,
            coalesce(encode(c.hash, 'hex'), ${GENESIS.hash}) as hash
          from (values (1)) one left join audit_chains c on c.account_id = ${accountId}::uuid) stored
        cross join (
          select count(*) as total,
            greatest(floor(coalesce(extract(epoch from clock_timestamp() - min(e.occurred_at)), 0)), 0)::bigint as age
          from audit_events e where e.account_id = ${accountId}::uuid and e.chain_position is null) open`);
      return {
        position: row.position,
        hash: row.hash,
        goesOn: row.goes_on,
        unsealed: row.unsealed,
        oldestUnsealedSeconds: row.oldest_unsealed_seconds,
      };
    });
  }

  /** Sealed events that follow a place or an event, in order. */
  sealed(
    accountId: string,
    after: ChainPoint | SealedEvent,
    limit: number,
  ): Promise<readonly SealedEvent[]> {
    // Nobody but the database's owner can make two events of one position; both are read then.
    const others =
      'fields' in after
        ? sql.fragment`e.chain_position >= ${after.position}
            and (e.chain_position, e.id) > (${after.position}, ${after.fields.id}::uuid)`
        : sql.fragment`e.chain_position > ${after.position}`;
    return withAccount(this.db, accountId, async (tx) => {
      const rows = await tx.any(sql.type(sealedRow)`
        select ${FIELDS}, least(e.chain_position, ${Number.MAX_SAFE_INTEGER}::bigint) as position,
          coalesce(encode(e.chain_hash, 'hex'), '') as hash
        from audit_events e
        where e.account_id = ${accountId}::uuid and ${others}
        order by e.chain_position, e.id limit ${limit}`);
      return rows.map(({ hash, position, ...fields }) => ({ fields, hash, position }));
    });
  }
}
