/** An account with rows of many days, and a retention over it. Rows say in a column what they are, so that a test can ask. */
import { v7 as uuidv7 } from 'uuid';
import {
  USUAL_RETENTION,
  type RetentionKind,
  type RetentionPolicy,
} from '../../../domain/retention/policy.ts';
import { createRetention, type RetentionDeps } from '../../../engine/retention/retention.ts';
import { RetentionStore } from '../../../stores/postgres/retention/retention.store.ts';
import type { Scene } from '../observations/scene.ts';

export const NEVER = new AbortController().signal;
const SQL_NULL = 'null';

/** A scope of the account; answers its id. */
export async function addScope(scene: Scene, account: string, path: string): Promise<string> {
  const id = uuidv7();
  await scene.rows(
    `insert into scopes (account_id, id, path, parent_id)
     select $1, $2, $3, id from scopes where account_id = $1 and path = '/'`,
    [account, id, path],
  );
  return id;
}

/** A budget of extraction. Days are before now; null never. */
export async function addBudget(
  scene: Scene,
  account: string,
  root: string,
  { closed, deadline }: { readonly closed: number | null; readonly deadline: number },
): Promise<string> {
  const id = uuidv7();
  await scene.rows(
    `insert into extraction_budgets (account_id, id, scope_root, request_cap, token_cap, usd_micros_cap, deadline_at,
       input_usd_micros_per_million, output_usd_micros_per_million, closed_at)
     values ($1, $2, $3, 1, 1, 1, now() - make_interval(days => $4), 1, 1, now() - make_interval(days => $5))`,
    [account, id, root, deadline, closed],
  );
  return id;
}

export interface Calls {
  /** What the calls are, in one word: it stands in their trace. */
  readonly what: string;
  readonly role?: string;
  readonly state?: string;
  readonly scope?: string;
  readonly budget?: string;
  readonly campaign?: boolean;
  /** Days since they ended: one call for each. */
  readonly days: readonly number[];
}

/** Calls of the ledger, each of which was reserved a minute before its end. */
export async function addCalls(scene: Scene, account: string, calls: Calls): Promise<void> {
  const { budget, campaign = false, days, role = 'embedder', scope, state = 'success' } = calls;
  const isOpen = state === 'reserved' || state === 'dispatched';
  await scene.rows(
    `insert into provider_attempts (account_id, id, role, provider, model, model_version, state, metered, scope_id,
       budget_id, campaign_id, trace_id, reserved_at, dispatched_at, finished_at, input_tokens)
     select $1, uuidv7(ago), $2::model_role, 'stub', 'm', '1', $3::attempt_state, true, $4::uuid, $5::uuid,
       ${campaign ? 'uuidv7()' : SQL_NULL}, $6 || '/' || day, now() + ago - interval '1 minute',
       case when $3 <> 'reserved' then now() + ago - interval '50 seconds' end,
       ${isOpen ? SQL_NULL : 'now() + ago'}, 10
     from unnest($7::numeric[]) day, lateral (select -day * interval '1 day' as ago) past`,
    [account, role, state, scope ?? null, budget ?? null, calls.what, days],
  );
}

export interface Runs {
  readonly what: string;
  readonly kind: string;
  readonly status: string;
  readonly error?: string;
  readonly target?: string;
  readonly days: readonly number[];
  /** A run of an earlier build does not say when it ended, but when it began. */
  readonly endIsUnsaid?: boolean;
}

/** Runs that were made two minutes before their end. */
export async function addRuns(scene: Scene, account: string, runs: Runs): Promise<void> {
  const { days, endIsUnsaid = false, error, kind, status, target, what } = runs;
  const isOver = !endIsUnsaid && status !== 'pending' && status !== 'running';
  await scene.rows(
    `insert into pipeline_runs (account_id, id, kind, status, target_id, last_error_class, trace_id, created_at,
       dispatched_at, processed_at)
     select $1, uuidv7(ago), $2::run_kind, $3::run_status, $4::uuid, $5::error_class, $6 || '/' || day,
       now() + ago - interval '2 minutes', now() + ago - interval '1 minute', ${isOver ? 'now() + ago' : SQL_NULL}
     from unnest($7::numeric[]) day, lateral (select -day * interval '1 day' as ago) past`,
    [account, kind, status, target ?? null, error ?? null, what, days],
  );
}

/** What is left of runs or calls, by what they are: the days, in order. */
export async function left(
  scene: Scene,
  account: string,
  table: 'pipeline_runs' | 'provider_attempts',
): Promise<Readonly<Record<string, readonly number[]>>> {
  const rows = await scene.rows(
    `select split_part(trace_id, '/', 1) as what, array_agg(split_part(trace_id, '/', 2)::float order by
       split_part(trace_id, '/', 2)::float) as days
     from ${table} where account_id = $1 group by 1`,
    [account],
  );
  return Object.fromEntries(rows.map(({ what, days }) => [String(what), days as number[]]));
}

/** A statement in the state, said in the root. */
export async function addStatement(
  scene: Scene,
  account: string,
  peerId: string,
  state = 'active',
): Promise<string> {
  const id = uuidv7();
  await scene.rows(
    `insert into knowledge (account_id, id, scope_id, subject_peer_id, statement, statement_hash, kind, confidence,
       evidence_level, sensitivity, target_level, state, verification, text_occurred_at, text_source_hash,
       extracting_provider, pipeline_version)
     select $1, $2::uuid, id, $3, 'x' || $2::uuid, sha256(uuid_send($2::uuid)), 'fact', 1, 'direct', 'public', 'peer', $4::knowledge_state,
       'auto_verified', now(), sha256('x'), 'deterministic', 'f5-1' from scopes where account_id = $1 and path = '/'`,
    [account, id, peerId, state],
  );
  return id;
}

/** Decisions and changes of state of a statement, one of each for each day. */
export async function addHistory(
  scene: Scene,
  account: string,
  knowledgeId: string,
  days: readonly number[],
  reason = 'placed',
): Promise<void> {
  await scene.rows(
    `with made as (
       insert into gate_decisions (account_id, id, knowledge_id, scope_id, gate, decision, reason, channel, verified,
         to_state, from_level, to_level, statement_hash, decided_at)
       select $1, uuidv7(ago), $2, s.id, 'gate_a', 'keep', 'rule', 'pipeline', false, 'active', 'peer', 'peer',
         sha256('x'), now() + ago
       from scopes s, unnest($3::numeric[]) day, lateral (select -day * interval '1 day' as ago) past
       where s.account_id = $1 and s.path = '/')
     insert into lifecycle_events (account_id, id, knowledge_id, scope_id, to_state, reason, occurred_at)
     select $1, uuidv7(ago), $2, s.id, 'active', $4, now() + ago
     from scopes s, unnest($3::numeric[]) day, lateral (select -day * interval '1 day' as ago) past
     where s.account_id = $1 and s.path = '/'`,
    [account, knowledgeId, days, reason],
  );
}

/** The retention of the service, with rows of its own store unless the test gives another. */
export function retentionOf(
  scene: Scene,
  policy: Partial<RetentionPolicy> = {},
  changes: Partial<RetentionDeps> = {},
) {
  return createRetention({
    store: new RetentionStore(scene.pool),
    policy: { ...USUAL_RETENTION, ...policy },
    report: (_, error) => {
      throw error;
    },
    rest: async () => {},
    ...changes,
  });
}

/** Turns over the account until it is done; answers the rows by kind. */
export async function prune(
  retention: ReturnType<typeof createRetention>,
  accountId: string,
): Promise<Partial<Record<RetentionKind, number>>> {
  const pruned: Partial<Record<RetentionKind, number>> = {};
  const onPruned = (kind: RetentionKind, rows: number): void => {
    pruned[kind] = (pruned[kind] ?? 0) + rows;
  };
  for (let place = null; ;) {
    const turn = await retention.turn({ accountId, place, signal: NEVER, onPruned });
    if (turn.next === null) return pruned;
    place = turn.next as never;
  }
}

/** What the audit log says was pruned, event by event. */
export async function told(scene: Scene, account: string): Promise<readonly unknown[]> {
  const rows = await scene.rows(
    `select metadata from audit_events where account_id = $1 and action = 'retention.pruned' order by occurred_at, id`,
    [account],
  );
  return rows.map(({ metadata }) => metadata);
}

export const range = (from: number, to: number, step = 1): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step);
