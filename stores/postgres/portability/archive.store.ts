/** What an archive needs of an account beside its rows: whether it may be made, and what an import has to enter. */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { TRANSIENT_CLASSES } from '../../../domain/error-class.ts';
import { AccountStore } from '../account-store.ts';
import { refusalOf } from '../errors.ts';
import { SHARDS } from '../actors/shards.ts';

const obstaclesRow = z.object({
  key: z.string(),
  open_erasures: z.number(),
  oldest_unsealed_seconds: z.number(),
});
export type ArchiveObstacles = z.infer<typeof obstaclesRow>;

const blobRow = z.object({ sha256: z.string() });
const chainRow = z.object({ count: z.number(), head: z.string() });
const countRow = z.object({ count: z.number() });
const instantRow = z.object({ at: z.string() });
const lockRow = z.object({ free: z.boolean() });
const presentRow = z.object({ present: z.boolean() });

/** Times that an index has heard of a unit and refused it, after which the account does not wait for it. */
const REFUSED_FOR_GOOD = 5;

/** Runs of exports and imports that hold the lock of their session have no workflow. */
const KIND = sql.fragment`'portability'::run_kind`;

/** Archives of the account. */
export class ArchiveStore extends AccountStore {
  /** Makes the times of this transaction read alike everywhere, and lets it wait for files and blobs. */
  async prepare(): Promise<void> {
    await this.tx.query(sql.unsafe`
      select set_config('timezone', 'UTC', true), set_config('idle_in_transaction_session_timeout', '0', true)`);
  }

  /** Takes the lock of the account's export until the transaction ends; false while another one holds it. */
  lock(): Promise<boolean> {
    return this.tx.oneFirst(sql.type(lockRow)`
      select pg_try_advisory_xact_lock(hashtextextended(${`portability:${this.accountId}`}, 0)) as free`);
  }

  /** What may stand against an export. */
  obstacles(): Promise<ArchiveObstacles> {
    return this.tx.one(sql.type(obstaclesRow)`
      select a.key, (
          select count(*)::integer from erasure_requests r where r.account_id = a.id and r.state <> 'completed'
        ) as open_erasures, (
          select greatest(floor(coalesce(extract(epoch from clock_timestamp() - min(e.occurred_at)), 0)), 0)::integer
          from audit_events e where e.account_id = a.id and e.chain_position is null) as oldest_unsealed_seconds
      from accounts a where a.id = ${this.accountId}::uuid`);
  }

  /** The end of the audit chain. */
  chain(): Promise<z.infer<typeof chainRow>> {
    return this.tx.one(sql.type(chainRow)`
      select coalesce(c.position, 0) as count, coalesce(encode(c.hash, 'hex'), repeat('0', 64)) as head
      from (values (1)) one left join audit_chains c on c.account_id = ${this.accountId}::uuid`);
  }

  /** The hashes of the originals that follow one, in order. */
  async blobsAfter(sha256: string, limit: number): Promise<readonly string[]> {
    const rows = await this.tx.any(sql.type(blobRow)`
      select distinct encode(v.sha256, 'hex') as sha256 from document_versions v
      where v.account_id = ${this.accountId}::uuid and v.sha256 > decode(${sha256}, 'hex')
      order by 1 limit ${limit}`);
    return rows.map((row) => row.sha256);
  }

  /**
   * Enters the run of an export. Whoever holds the lock knows that every other open run is of a process that has died;
   * those end as cancelled. The run has no workflow, so it counts as handed over.
   */
  async enterRun(traceId: string): Promise<string> {
    const id = uuidv7();
    await this.tx.query(sql.unsafe`
      with dead as (
        update pipeline_runs set status = 'cancelled', processed_at = clock_timestamp()
        where account_id = ${this.accountId}::uuid and kind = ${KIND} and status in ('pending', 'running'))
      insert into pipeline_runs (account_id, id, kind, status, attempt_count, trace_id, dispatched_at)
      values (${this.accountId}::uuid, ${id}::uuid, ${KIND}, 'running', 1, ${traceId}, clock_timestamp())`);
    return id;
  }

  /** Whether the account is in the database. */
  isPresent(): Promise<boolean> {
    return this.tx.oneFirst(sql.type(presentRow)`
      select exists (select from accounts a where a.id = ${this.accountId}::uuid) as present`);
  }

  /**
   * The account comes out of an archive and answers nobody until its indexes are written. Answers why the database refuses
   * the row, or null.
   */
  insertAccount(line: string): Promise<string | null> {
    return refusalOf(() =>
      this.tx.query(sql.unsafe`
        insert into accounts (id, key, name, gate_preset, consent_mode, created_at, secret_policy, imported_at, is_rebuilding)
        select r.id, r.key, r.name, r.gate_preset, r.consent_mode, r.created_at, r.secret_policy, clock_timestamp(), true
        from jsonb_populate_record(null::accounts, ${line}::jsonb) r`),
    );
  }

  /** The credential that stands for all that rows name: revoked, with a secret that nobody knows. */
  async insertCredential(): Promise<string> {
    const id = uuidv7();
    await this.tx.query(sql.unsafe`
      insert into credentials (account_id, id, kind, secret_hash, name, revoked_at)
      values (${this.accountId}::uuid, ${id}::uuid, 'api_key', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
        'archive', clock_timestamp())`);
    return id;
  }

  /** Now, by the clock of the database. */
  instant(): Promise<string> {
    return this.tx.oneFirst(sql.type(instantRow)`select clock_timestamp() as at`);
  }

  /** Units that were marked up to then and that Qdrant does not have, up to 1,000. Nobody waits for what it refuses. */
  waitingForQdrant(until: string): Promise<number> {
    return this.tx.oneFirst(sql.type(countRow)`
      select count(*)::integer as count from (
        select from dirty_marks m
        where m.account_id = ${this.accountId}::uuid and m.engine = 'qdrant'
          and m.marked_at <= ${until}::timestamptz and m.attempt_count - m.unheard_attempts < ${REFUSED_FOR_GOOD}
        limit 1000) waiting`);
  }

  /** Whether this archive was imported with a list whose promises were not all repeated: nothing will open the account. */
  awaitsPromises(digest: string): Promise<boolean> {
    return this.tx.oneFirst(sql.type(presentRow)`
      select exists (
        select from accounts a where a.id = ${this.accountId}::uuid and a.is_rebuilding
          and not exists (
            select from pipeline_runs r where r.account_id = a.id and r.kind = 'import_rebuild')
          and exists (
            select from audit_events e
            where e.account_id = a.id and e.resource_id = a.id and e.action = 'account.imported'
              and e.metadata ->> 'manifest_sha256' = ${digest})) as present`);
  }

  /** The account answers from now on. */
  async openAccount(): Promise<void> {
    await this.tx.query(sql.unsafe`
      update accounts set is_rebuilding = false where id = ${this.accountId}::uuid`);
  }

  /** Whether a row names a mailbox that this build does not have, or a run by an id that no workflow may have. */
  hasStrangeWork(): Promise<boolean> {
    return this.tx.oneFirst(sql.type(presentRow)`
      select exists (select from sessions s where s.account_id = ${this.accountId}::uuid
          and s.shard not between 0 and ${SHARDS - 1})
        or exists (select from extraction_anchors a where a.account_id = ${this.accountId}::uuid
          and a.shard not between 0 and ${SHARDS - 1})
        or exists (select from scheduled_decisions d where d.account_id = ${this.accountId}::uuid
          and uuid_extract_version(d.run_id) is distinct from 7) as present`);
  }

  /**
   * Enters what has to go on: mailboxes, and the runs of documents that are not settled, of contests that are open and of
   * decisions that are scheduled. A decision keeps the id of its run.
   */
  async enterWork(traceId: string): Promise<void> {
    const account = sql.fragment`${this.accountId}::uuid`;
    await this.tx.query(sql.unsafe`
      insert into mailboxes (account_id, kind, shard)
      select ${account}, kind, shard from unnest(enum_range(null::mailbox_kind)) kind
      cross join generate_series(0, ${SHARDS - 1}) shard`);
    await this.tx.query(sql.unsafe`
      insert into pipeline_runs (account_id, id, kind, target_id, trace_id)
      select ${account}, uuidv7(), 'document'::run_kind, v.id, ${traceId}
      from document_versions v
      where v.account_id = ${account} and v.settled_at is null
        and (v.parsed_at is not null or v.last_error_class is null
          or v.last_error_class::text = any(${sql.array(TRANSIENT_CLASSES, 'text')}))
        and not exists (
        select from document_versions later
        where later.account_id = v.account_id and later.document_id = v.document_id and later.version > v.version)
      union all
      select ${account}, uuidv7(), 'contest'::run_kind, i.id, ${traceId}
      from review_items i where i.account_id = ${account} and i.kind = 'contest' and i.decided_at is null
      union all
      select ${account}, d.run_id, 'decision'::run_kind, d.review_item_id, ${traceId}
      from scheduled_decisions d where d.account_id = ${account} and d.state = 'scheduled'`);
  }
}
