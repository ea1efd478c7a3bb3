/**
 * The circuits of providers, one row each, changed by single conditional statements: however many processes
 * count, exactly one opens, one probes and one closes. `test/support/circuit-model.ts` says the same rules once more.
 */
import { sql, type QuerySqlToken } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Mailbox } from '../../../domain/actors/names.ts';
import type {
  CircuitKey,
  CircuitReading,
  CircuitRules,
  CircuitStore,
  CircuitTurn,
} from '../../../domain/models/circuit.ts';
import { CIRCUIT_STATES, CLOSED_READING } from '../../../domain/models/circuit.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount, type Queryable } from '../pool.ts';

const readingRow = z.object({
  state: z.enum(CIRCUIT_STATES),
  consecutive_failures: z.number().int(),
  wait_ms: z.number(),
});
const countRow = z.object({ consecutive_failures: z.number().int() });
const shardRow = z.object({ shard: z.number().int() });

const reading = sql.fragment`c.state, c.consecutive_failures,
  coalesce(greatest(0, extract(epoch from c.blocked_until - clock_timestamp()) * 1000), 0)::float8 as wait_ms`;

function toReading(row: z.infer<typeof readingRow>): CircuitReading {
  const { state, consecutive_failures: consecutiveFailures, wait_ms: waitMs } = row;
  return { state, consecutiveFailures, waitMs };
}

function isCircuit({ accountId, role, provider, model }: CircuitKey) {
  return sql.fragment`c.account_id = ${accountId} and c.role = ${role}::model_role
    and c.provider = ${provider} and c.model = ${model}`;
}

/** Whether the outcome of a call counts: while a circuit is not closed, only the outcome of its probe does. */
function speaks(probe: string | null) {
  return probe === null
    ? sql.fragment`c.state = 'closed'`
    : sql.fragment`c.state = 'half_open' and c.probe_owner = ${probe}`;
}

function inMs(ms: number) {
  return sql.fragment`clock_timestamp() + make_interval(secs => ${ms / 1000}::float8)`;
}

/** Counts the failure of an ordinary call. */
function countFailure(
  tx: Queryable,
  key: CircuitKey,
  { failures, openMs }: CircuitRules,
): Promise<CircuitTurn | null> {
  const { accountId, role, provider, model } = key;
  const opensAtOnce = failures <= 1;
  const opens = sql.fragment`(c.consecutive_failures + 1 >= ${failures})`;
  return turn(
    tx,
    sql.type(readingRow)`
      insert into provider_circuits as c
        (account_id, role, provider, model, consecutive_failures, state, blocked_until)
      values (${accountId}, ${role}::model_role, ${provider}, ${model}, 1,
        case when ${opensAtOnce} then 'open'::circuit_state else 'closed' end,
        case when ${opensAtOnce} then ${inMs(openMs)} end)
      on conflict (account_id, role, provider, model) do update set
        consecutive_failures = c.consecutive_failures + 1,
        state = case when ${opens} then 'open'::circuit_state else 'closed' end,
        blocked_until = case when ${opens} then ${inMs(openMs)} end
      where ${speaks(null)}
      returning ${reading}`,
  );
}

/** Ends a probe by opening the circuit again; `failures` is 1 when the probe failed, 0 when it came to nothing. */
function openAgain(
  tx: Queryable,
  key: CircuitKey,
  probe: string,
  failures: 0 | 1,
  { openMs }: CircuitRules,
): Promise<CircuitTurn | null> {
  return turn(
    tx,
    sql.type(readingRow)`
      update provider_circuits c
      set state = 'open', consecutive_failures = c.consecutive_failures + ${failures},
        blocked_until = ${inMs(openMs)}, probe_owner = null
      where ${isCircuit(key)} and ${speaks(probe)}
      returning ${reading}`,
  );
}

/**
 * An answer resets the count of failures in a row; the answer to the probe closes the circuit. The row is locked before
 * the clock is read. A commit that settles a failed anchor locks the row shared, so an anchor that failed before the
 * circuit closed has a time before `closed_at`.
 */
async function noteAnswer(
  tx: Queryable,
  key: CircuitKey,
  probe: string | null,
): Promise<CircuitTurn | null> {
  await tx.query(sql.unsafe`select from provider_circuits c where ${isCircuit(key)} for update`);
  const made = await turn(
    tx,
    sql.type(readingRow)`
      update provider_circuits c
      set state = 'closed', consecutive_failures = 0, blocked_until = null, probe_owner = null,
        closed_at = case when c.state = 'closed' then c.closed_at else clock_timestamp() end
      where ${isCircuit(key)} and c.consecutive_failures > 0 and ${speaks(probe)}
      returning ${reading}`,
  );
  if (made === null || probe === null) return made;
  return { ...made, mailboxes: await waitingMailboxes(tx, key) };
}

async function turn(
  tx: Queryable,
  change: QuerySqlToken<typeof readingRow>,
): Promise<CircuitTurn | null> {
  const row = await tx.maybeOne(change);
  return row === null ? null : { reading: toReading(row), mailboxes: [] };
}

/**
 * The mailboxes in which anchors wait for the extractor. The anchors are not changed, however many wait: a drain
 * compares the time they failed with the time the circuit closed.
 */
async function waitingMailboxes(
  tx: Queryable,
  { accountId, role }: CircuitKey,
): Promise<Mailbox[]> {
  if (role !== 'ingest_extractor') return [];
  const rows = await tx.any(sql.type(shardRow)`
    select m.shard from mailboxes m
    where m.account_id = ${accountId} and m.kind = 'ingest' and exists (
      select from extraction_anchors a
      where a.account_id = m.account_id and a.shard = m.shard and a.status in ('pending', 'failed'))`);
  return rows.map(({ shard }) => ({ accountId, kind: 'ingest', shard }));
}

/** The circuits of all accounts. */
export class CircuitsStore extends PoolStore implements CircuitStore {
  read(key: CircuitKey): Promise<CircuitReading> {
    return withAccount(this.db, key.accountId, async (tx) => {
      const row = await tx.maybeOne(sql.type(readingRow)`
        select ${reading} from provider_circuits c where ${isCircuit(key)}`);
      return row === null ? CLOSED_READING : toReading(row);
    });
  }

  takeProbe(key: CircuitKey, forMs: number): ReturnType<CircuitStore['takeProbe']> {
    return withAccount(this.db, key.accountId, async (tx) => {
      const probe = uuidv7();
      const row = await tx.maybeOne(sql.type(countRow)`
        update provider_circuits c
        set state = 'half_open', probe_owner = ${probe}, blocked_until = ${inMs(forMs)}
        where ${isCircuit(key)} and c.blocked_until <= clock_timestamp()
        returning c.consecutive_failures`);
      return row === null ? null : { probe, consecutiveFailures: row.consecutive_failures };
    });
  }

  failed(key: CircuitKey, probe: string | null, rules: CircuitRules): Promise<CircuitTurn | null> {
    return withAccount(this.db, key.accountId, (tx) =>
      probe === null ? countFailure(tx, key, rules) : openAgain(tx, key, probe, 1, rules),
    );
  }

  answered(key: CircuitKey, probe: string | null): Promise<CircuitTurn | null> {
    return withAccount(this.db, key.accountId, (tx) => noteAnswer(tx, key, probe));
  }

  giveBackProbe(key: CircuitKey, probe: string, rules: CircuitRules): Promise<CircuitTurn | null> {
    return withAccount(this.db, key.accountId, (tx) => openAgain(tx, key, probe, 0, rules));
  }
}
