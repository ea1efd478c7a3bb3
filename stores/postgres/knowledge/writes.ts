/**
 * The writes of a commit: two SQL queries, however many rows. Rows travel as one JSON document and keep the names
 * of their columns; hashes are hex.
 */
import { sql } from 'slonik';
import {
  BELIEVED_COLUMNS,
  CHANGED_COLUMNS,
  COUNTED_COLUMNS,
  WRITTEN_COLUMNS,
} from '../../../domain/statements/columns.ts';
import type { CountedRow, WrittenRow } from '../../../domain/statements/statement-row.ts';
import { columnsOf } from '../columns.ts';
import { assignmentsOf, recordOf, valuesOf } from '../statement-columns.ts';
import { newSources } from './new-sources.ts';
import type { Queryable } from '../pool.ts';
import { promise } from '../promised.ts';
import { promisedBy, type PassedRow } from '../../../domain/promises/statements.ts';
import { tellSettled } from '../observations/settlements.ts';
import { closeQuestions, newQuestions } from '../questions/writes.ts';

type Row = Readonly<Record<string, unknown>>;

export interface AnchorRecord {
  readonly message_id: string;
  readonly status: 'pending' | 'failed' | 'completed' | 'repairable' | 'terminal';
  /** Until a failed anchor is due again. */
  readonly delay_ms: number;
  readonly attempts: 0 | 1;
  readonly error_class: string | null;
  /** 1 where this service failed and not the provider. */
  readonly own_failures: number;
  readonly candidate_count: number | null;
  readonly batch_id: string | null;
  /** Its statements are part of this commit. */
  readonly extracted: boolean;
}

export interface KnowledgeWrites {
  /** ISO 8601 UTC: the instant of every change of belief. */
  readonly now: string;
  readonly created: readonly (WrittenRow & CountedRow)[];
  readonly updated: readonly WrittenRow[];
  /** Statements whose open period ends: `{knowledge_id, believed_until}`. */
  readonly closed_beliefs: readonly Row[];
  /** Periods that begin, with the instant. */
  readonly periods: readonly Row[];
  /**
   * Messages that statements cite: `{knowledge_id, message_id, wording, span_offset, span_length, is_context}`. Those cited before
   * are not counted again, and stay as they are.
   */
  readonly sources: readonly Row[];
  /** Statements that take over all sources of others: `{knowledge_id, from_id, keeps_wordings}`. */
  readonly inherited: readonly Row[];
  /** Further texts that statements were said in, beside their own: `{knowledge_id, statement_hash}`. */
  readonly paraphrases: readonly Row[];
  readonly transitions: readonly (Row & PassedRow)[];
  /** Items of the review queue that begin, that end, and whose question has changed. */
  readonly openings: readonly Row[];
  readonly closings: readonly Row[];
  readonly revised: readonly Row[];
  readonly decisions: readonly Row[];
  readonly consents: readonly Row[];
  /** Questions to people that end, before others begin: all that are open of some kinds about a statement. */
  readonly questions_closed: readonly Row[];
  readonly questions_opened: readonly Row[];
  readonly outputs: readonly Row[];
  /** Statements that the indexes must be told of: `{unit_id, scope_id}`. */
  readonly marks: readonly Row[];
  readonly shard: number;
  readonly anchors: readonly AnchorRecord[];
}

const createdColumns = [...WRITTEN_COLUMNS, ...COUNTED_COLUMNS];

/** Changes of statements that exist; periods are closed before others can open. */
export async function writeChanges(
  tx: Queryable,
  accountId: string,
  writes: KnowledgeWrites,
): Promise<void> {
  const { now, updated, closed_beliefs: closed } = writes;
  await closeQuestions(tx, accountId, now, writes.questions_closed);
  if (updated.length === 0 && closed.length === 0) return;
  await tx.query(sql.unsafe`
    with closing as (
      update belief_periods p set believed_until = c.believed_until
      from jsonb_to_recordset(${JSON.stringify(closed)}::jsonb) as c (knowledge_id uuid, believed_until timestamptz)
      where p.account_id = ${accountId}::uuid and p.believed_until is null and p.knowledge_id = c.knowledge_id
    )
    update knowledge k set
      ${assignmentsOf(CHANGED_COLUMNS, 'u')},
      row_version = k.row_version + 1, updated_at = ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(updated)}::jsonb) as u (${recordOf(WRITTEN_COLUMNS)})
    where k.account_id = ${accountId}::uuid and k.id = u.id`);
}

/** Statements, the texts they were said in, and the beliefs that begin. */
const newStatements = sql.fragment`
    created as (
      insert into knowledge (account_id, updated_at, ${columnsOf(createdColumns)})
      select doc.account_id, doc.now, ${valuesOf(createdColumns, 'r')}
      from doc, jsonb_to_recordset(doc.j -> 'created') as r (${recordOf(createdColumns)})
      returning id, scope_id, state, confidence, recorded_at
    ), paraphrased as (
      insert into knowledge_paraphrases (account_id, knowledge_id, statement_hash)
      select doc.account_id, r.knowledge_id, decode(r.statement_hash, 'hex')
      from doc, jsonb_to_recordset(doc.j -> 'paraphrases') as r (knowledge_id uuid, statement_hash text)
      on conflict do nothing
    ), believed as (
      insert into belief_periods (account_id, id, knowledge_id, believed_from, ${columnsOf(BELIEVED_COLUMNS)})
      select doc.account_id, r.id, r.knowledge_id, r.believed_from, ${valuesOf(BELIEVED_COLUMNS, 'r')}
      from doc, jsonb_to_recordset(doc.j -> 'periods') as r (
        id uuid, knowledge_id uuid, believed_from timestamptz, ${recordOf(BELIEVED_COLUMNS)})
    )`;

/** Changes of state, and the items of the review queue that end, change or begin. */
const newItems = sql.fragment`
    passed as (
      insert into lifecycle_events (account_id, id, knowledge_id, scope_id, from_state, to_state, reason, actor_peer_id,
        occurred_at)
      select doc.account_id, r.id, r.knowledge_id, r.scope_id, r.from_state, r.to_state, r.reason, r.actor_peer_id,
        doc.now
      from doc, jsonb_to_recordset(doc.j -> 'transitions') as r (
        id uuid, knowledge_id uuid, scope_id uuid, from_state knowledge_state, to_state knowledge_state, reason text,
        actor_peer_id uuid)
    ), closing as materialized (
      select r.* from doc, jsonb_to_recordset(doc.j -> 'closings') as r (
        knowledge_id uuid, kind review_kind, conflict_knowledge_id uuid, kept_kinds review_kind[], state review_state,
        reason text, decided_by uuid)
    ), closed as (
      update review_items item set
        state = r.state, end_reason = r.reason, decided_by = r.decided_by, decided_at = doc.now,
        version = item.version + 1
      from doc, closing r
      where item.account_id = doc.account_id and item.knowledge_id = r.knowledge_id and item.decided_at is null
        and case when r.kind is null
          then item.conflict_knowledge_id is null and item.kind <> all(r.kept_kinds)
          else item.kind = r.kind and item.conflict_knowledge_id is not distinct from r.conflict_knowledge_id end
      returning item.id, item.knowledge_id, item.kind
    ), opened as (
      insert into review_items as item (account_id, id, knowledge_id, scope_id, subject_peer_id, has_audience, kind,
        reason, conflict_knowledge_id, target_scope_id, target_level, proposed_sensitivity, due_at)
      select doc.account_id, r.id, r.knowledge_id, r.scope_id, r.subject_peer_id, r.has_audience, r.kind, r.reason,
        r.conflict_knowledge_id, r.target_scope_id, r.target_level, r.proposed_sensitivity,
        doc.now + make_interval(hours => r.due_hours)
      from doc, jsonb_to_recordset(doc.j -> 'openings') as r (
        id uuid, knowledge_id uuid, scope_id uuid, subject_peer_id uuid, has_audience boolean, kind review_kind,
        reason text, conflict_knowledge_id uuid, target_scope_id uuid, target_level target_level, proposed_sensitivity sensitivity,
        due_hours integer)
      on conflict (account_id, knowledge_id, kind, coalesce(conflict_knowledge_id, knowledge_id))
        where decided_at is null
      do update set
        scope_id = excluded.scope_id, reason = excluded.reason, target_scope_id = excluded.target_scope_id,
        target_level = excluded.target_level, proposed_sensitivity = excluded.proposed_sensitivity,
        version = item.version + 1, decided_by = null,
        state = case when item.state = 'awaiting_consent' then 'pending' else item.state end
      where (item.scope_id, item.reason, item.target_scope_id, item.target_level, item.proposed_sensitivity)
        is distinct from (excluded.scope_id, excluded.reason, excluded.target_scope_id, excluded.target_level,
          excluded.proposed_sensitivity)
      returning item.id, item.knowledge_id, item.kind
    ), revised as (
      update review_items item set version = item.version + 1
      from doc, jsonb_to_recordset(doc.j -> 'revised') as r (knowledge_id uuid)
      where item.account_id = doc.account_id and item.knowledge_id = r.knowledge_id and item.decided_at is null
        and not exists (select from closing where closing.knowledge_id = r.knowledge_id)
        and not exists (
          select from jsonb_to_recordset(doc.j -> 'openings') as o (knowledge_id uuid)
          where o.knowledge_id = r.knowledge_id)
    )`;

/** Decisions of the gates and of people, and consents that are asked for or given by policy. */
const newDecisions = sql.fragment`
    decided as (
      insert into gate_decisions (account_id, id, knowledge_id, review_item_id, scope_id, rule_id, gate, decision, reason,
        channel, verified, actor_peer_id, from_state, to_state, from_level, to_level, statement_hash, decided_at)
      select doc.account_id, r.id, r.knowledge_id, coalesce(r.review_item_id, item.id), r.scope_id, r.rule_id, r.gate,
        r.decision, r.reason, r.channel, r.channel <> 'pipeline', r.actor_peer_id, r.from_state, r.to_state,
        r.from_level, r.to_level, decode(r.statement_hash, 'hex'), doc.now
      from doc, jsonb_to_recordset(doc.j -> 'decisions') as r (
        id uuid, knowledge_id uuid, review_item_id uuid, scope_id uuid, rule_id uuid, gate gate_name,
        decision gate_decision, reason text, channel decision_channel, actor_peer_id uuid, from_state knowledge_state,
        to_state knowledge_state, from_level target_level, to_level target_level, statement_hash text)
      left join (select * from opened union all select * from closed) item
        -- What the gates say is about the item that they open or close; a ruling names its item.
        on r.channel = 'pipeline' and item.knowledge_id = r.knowledge_id and item.kind = 'gate_a_b'
    ), consented as (
      insert into consents as asked (account_id, id, knowledge_id, subject_peer_id, target_scope_id, status, channel,
        verified, decided_at)
      select doc.account_id, r.id, r.knowledge_id, r.subject_peer_id, r.target_scope_id, r.status, 'pipeline',
        r.status = 'granted', case when r.status = 'granted' then doc.now end
      from doc, jsonb_to_recordset(doc.j -> 'consents') as r (
        id uuid, knowledge_id uuid, subject_peer_id uuid, target_scope_id uuid, status consent_status)
      on conflict on constraint consent_is_asked_once do update set
        status = excluded.status, channel = 'pipeline', verified = true, decided_at = excluded.decided_at
      where asked.status = 'pending' and excluded.status = 'granted'
    )`;

/** The link from anchors to statements, and what the indexes must be told of. */
const newOutputs = sql.fragment`
    put_out as (
      insert into run_outputs (account_id, id, message_id, knowledge_id, batch_id, effect)
      select doc.account_id, r.id, r.message_id, r.knowledge_id, r.batch_id, r.effect
      from doc, jsonb_to_recordset(doc.j -> 'outputs') as r (
        id uuid, message_id uuid, knowledge_id uuid, batch_id uuid, effect output_effect)
    ), marked as (
      insert into dirty_marks as mark (account_id, engine, unit, unit_id, scope_id, shard)
      select doc.account_id, engine, 'statement', r.unit_id, r.scope_id, doc.shard
      from doc, jsonb_to_recordset(doc.j -> 'marks') as r (unit_id uuid, scope_id uuid),
        unnest(enum_range(null::index_engine)) as engine
      order by engine, r.unit_id
      on conflict (account_id, engine, unit, unit_id) do update set
        generation = excluded.generation, scope_id = excluded.scope_id, available_at = excluded.available_at,
        marked_at = excluded.marked_at
    )`;

/**
 * Until when a circuit keeps the account's extractor back; read only when an anchor failed. Because of the lock, a
 * circuit that closes waits for this commit and then wakes its anchors, or else this commit sees it closed.
 */
const extractorCircuit = sql.fragment`
    circuit as materialized (
      select c.blocked_until from doc, provider_circuits c
      where c.account_id = doc.account_id and c.role = 'ingest_extractor' and c.state <> 'closed'
      for share of c
    ), blocked as (
      select max(blocked_until) as until from circuit where blocked_until > clock_timestamp()
    )`;

/**
 * A pending anchor was extracted and keeps its claim until it is indexed; all others give it back. No failed
 * anchor waits longer than its circuit keeps calls back. An anchor that a circuit kept back waits at most 250 ms
 * if the circuit has closed since: by then every process reads the circuit again.
 */
const settledAnchors = sql.fragment`
    update extraction_anchors a set
      status = r.status,
      available_at = case when r.status = 'failed'
        then least(clock_timestamp() + make_interval(secs => r.delay_ms / 1000.0), case r.error_class
          when 'circuit_open' then coalesce((select until from blocked), clock_timestamp() + interval '250 ms')
          else (select until from blocked) end)
        else a.available_at end,
      -- The claim had counted the attempt, and so had those of lost drains.
      attempt_count = a.attempt_count - a.unsettled_attempts + r.attempts,
      unsettled_attempts = 0,
      internal_errors = a.internal_errors + r.own_failures,
      failed_at = case when r.status = 'failed' then clock_timestamp() end,
      last_error_class = r.error_class,
      candidate_count = coalesce(r.candidate_count, a.candidate_count),
      batch_id = coalesce(r.batch_id, a.batch_id),
      extracted_at = case when r.extracted then clock_timestamp() else a.extracted_at end,
      completed_at = case when r.status = 'completed' then clock_timestamp() end,
      claim_epoch = case when r.status = 'pending' then a.claim_epoch end
    from doc, jsonb_to_recordset(doc.j -> 'anchors') as r (
      message_id uuid, status extraction_status, delay_ms integer, attempts integer, error_class error_class,
      own_failures integer, candidate_count integer, batch_id uuid, extracted boolean)
    where a.account_id = doc.account_id and a.message_id = r.message_id
    returning a.account_id, a.status`;

/** Everything that is new, and what became of the anchors. Foreign keys are checked when all rows are there. */
export async function writeNew(
  tx: Queryable,
  accountId: string,
  writes: KnowledgeWrites,
): Promise<void> {
  const { now, shard, updated: _updated, closed_beliefs: _closed, ...written } = writes;
  const { questions_closed: _ended, ...rows } = written;
  for (const promised of written.transitions.flatMap((passed) => promisedBy(passed) ?? [])) {
    promise(tx, promised);
  }
  await tx.query(sql.unsafe`
    with doc as materialized (
      select ${accountId}::uuid as account_id, ${now}::timestamptz as now, ${shard}::smallint as shard,
        ${JSON.stringify(rows)}::jsonb as j
    ),
    ${newStatements},
    ${newSources},
    ${newItems},
    ${newDecisions},
    ${newQuestions},
    ${newOutputs},
    ${extractorCircuit},
    settled as (${settledAnchors})
    select ${tellSettled(sql.fragment`told.account_id`)} from (
      select distinct account_id from settled where status in ('completed', 'repairable', 'terminal')) told`);
}
