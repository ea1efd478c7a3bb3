/**
 * What the gates decide on: statements with their sources and the rules in force, read under locks. Locks are
 * per subject, not per claim: later work compares the statements of one subject with each other. Whoever
 * changes statements takes the subjects' locks first, in one order, so that no two can wait for each other.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import {
  KINDS,
  PRECISIONS,
  SENSITIVITIES,
  TARGET_LEVELS,
} from '../../domain/extraction/candidate.ts';
import type { WindowEnd } from '../../domain/extraction/candidate.ts';
import type { PlacedRule } from '../../domain/governance/gates.ts';
import { KNOWLEDGE_STATES } from '../../domain/governance/visibility.ts';
import { CLAIM_MODES } from '../../domain/knowledge/attributes.ts';
import { OPEN_STATES, VERIFICATIONS, type Statement } from '../../domain/knowledge/statement.ts';
import { gateRuleShape, gateRulesInForce } from './gate-rules.store.ts';
import type { Queryable } from './pool.ts';

/** What is known of it is compared in time: an attribute of a peer. */
export interface ClaimedAttribute {
  readonly subjectId: string;
  readonly about: string;
}

export interface KnowledgeSelection {
  /** Peers and scopes that the statements are about. */
  readonly subjectIds: readonly string[];
  /** SHA-256 of the folded texts, hex. */
  readonly hashes: readonly string[];
  /** Attributes whose statements are read as well, wherever they were said. */
  readonly claims: readonly ClaimedAttribute[];
  /** Every scope of the chains of the statements' places. */
  readonly scopeIds: readonly string[];
  /** Statements that may say the same in other words. */
  readonly alikeIds?: readonly string[];
}

export interface KnowledgeState {
  readonly statements: readonly Statement[];
  /** Every scope of the chains of the statements. */
  readonly places: readonly { readonly id: string; readonly path: string }[];
  readonly rules: readonly PlacedRule[];
  readonly automaticConsent: boolean;
  /** ISO 8601 UTC, read under the locks. */
  readonly now: string;
}

const instant = z.string().transform((text) => new Date(text).toISOString());

const sourceShape = z
  .object({
    message_id: z.string(),
    session_id: z.string(),
    scope_id: z.string(),
    speaker_peer_id: z.string(),
    relay_peer_id: z.string().nullable(),
    occurred_at: instant,
    content_hash: z.string(),
    document_id: z.string().nullable(),
  })
  .transform((row) => ({
    messageId: row.message_id,
    sessionId: row.session_id,
    scopeId: row.scope_id,
    speakerId: row.speaker_peer_id,
    relayId: row.relay_peer_id,
    occurredAt: row.occurred_at,
    contentHash: row.content_hash,
    documentId: row.document_id,
  }));

const statementShape = z
  .object({
    id: z.string(),
    scope_id: z.string(),
    subject_peer_id: z.string().nullable(),
    subject_scope_id: z.string().nullable(),
    statement: z.string().nullable(),
    statement_hash: z.string(),
    paraphrase_hashes: z.array(z.string()),
    kind: z.enum(KINDS),
    confidence: z.number(),
    evidence_level: z.enum(['direct', 'indirect']),
    sensitivity: z.enum(SENSITIVITIES),
    target_level: z.enum(TARGET_LEVELS),
    state: z.enum(KNOWLEDGE_STATES),
    verification: z.enum(VERIFICATIONS),
    held_scope_id: z.string().nullable(),
    corroboration_count: z.number(),
    previously_refused: z.boolean(),
    expires_at: instant.nullable(),
    revalidate_after: instant.nullable(),
    relevant_from: instant.nullable(),
    relevant_from_precision: z.enum(PRECISIONS).nullable(),
    relevant_until: instant.nullable(),
    relevant_until_precision: z.enum(PRECISIONS).nullable(),
    claim_about: z.string().nullable(),
    claim_value: z.string().nullable(),
    claim_mode: z.enum(CLAIM_MODES).nullable(),
    updated_by_id: z.string().nullable(),
    state_before_update: z.enum(KNOWLEDGE_STATES).nullable(),
    stated_until: instant.nullable(),
    stated_until_precision: z.enum(PRECISIONS).nullable(),
    supersedes_id: z.string().nullable(),
    text_occurred_at: instant,
    text_source_hash: z.string(),
    extracting_provider: z.string(),
    extracting_model: z.string().nullable(),
    extracting_model_version: z.string().nullable(),
    prompt_version: z.string().nullable(),
    pipeline_version: z.string(),
    recorded_at: instant,
    sources: z.array(sourceShape),
  })
  .transform((row): Statement => ({
    id: row.id,
    scopeId: row.scope_id,
    subject:
      row.subject_peer_id === null
        ? { type: 'scope', id: row.subject_scope_id ?? '' }
        : { type: 'peer', id: row.subject_peer_id },
    statementHash: row.statement_hash,
    paraphraseHashes: row.paraphrase_hashes,
    wording: {
      text: row.statement,
      kind: row.kind,
      claim:
        row.claim_about === null || row.claim_mode === null
          ? null
          : { about: row.claim_about, value: row.claim_value, mode: row.claim_mode },
      relevantFrom: windowEnd(row.relevant_from, row.relevant_from_precision),
      relevantUntil: hasEnded(row)
        ? windowEnd(row.stated_until, row.stated_until_precision)
        : windowEnd(row.relevant_until, row.relevant_until_precision),
      occurredAt: row.text_occurred_at,
      sourceHash: row.text_source_hash,
      identity: {
        provider: row.extracting_provider,
        model: row.extracting_model,
        modelVersion: row.extracting_model_version,
        promptVersion: row.prompt_version,
        pipelineVersion: row.pipeline_version,
      },
    },
    confidence: row.confidence,
    evidenceLevel: row.evidence_level,
    sensitivity: row.sensitivity,
    targetLevel: row.target_level,
    state: row.state,
    verification: row.verification,
    heldScopeId: row.held_scope_id,
    corroboration: row.corroboration_count,
    previouslyRefused: row.previously_refused,
    expiresAt: row.expires_at,
    revalidateAfter: row.revalidate_after,
    recordedAt: row.recorded_at,
    update:
      row.updated_by_id === null
        ? null
        : {
            byId: row.updated_by_id,
            ends: hasEnded(row)
              ? windowEnd(row.relevant_until, row.relevant_until_precision)
              : null,
            stateBefore: row.state_before_update ?? row.state,
          },
    supersedesId: row.supersedes_id,
    sources: row.sources,
  }));

/** Whether an update closed the row's window; a superseded row keeps its own. */
function hasEnded(row: {
  readonly updated_by_id: string | null;
  readonly state_before_update: string | null;
}): boolean {
  return row.updated_by_id !== null && row.state_before_update === null;
}

function windowEnd(at: string | null, precision: WindowEnd['precision'] | null): WindowEnd | null {
  return at === null || precision === null ? null : { at, precision };
}

const stateRow = z.object({
  now: z.string(),
  automatic_consent: z.boolean(),
  statements: z.array(statementShape),
  places: z.array(z.object({ id: z.string(), path: z.string() })),
  rules: z.array(gateRuleShape),
});

/**
 * Takes the locks of the subjects, in one order for all, until the transaction ends; and that of the account
 * row against a change of preset, so that a change waits for decisions by the old rules and is seen by every
 * later one. For a CTE or a subquery: answers the number of subjects.
 */
export function subjectLocks(accountId: string, subjectIds: readonly string[]): FragmentSqlToken {
  const keys = subjectIds.map((id) => `${accountId}/${id}`).toSorted();
  return sql.fragment`
    with preset as materialized (
      select a.id from accounts a where a.id = ${accountId}::uuid for key share
    ), locked as materialized (
      select pg_advisory_xact_lock(hashtextextended(key, 0))
      from preset, unnest(${sql.array(keys, 'text')}) as key
    )
    select count(*) from locked`;
}

const recentRow = z.object({ id: z.string(), text: z.string() });
export type RecentStatement = z.infer<typeof recentRow>;

/**
 * Open statements about these subjects that were recorded in the last `withinMs`: no index may show them yet. Read
 * under the subjects' locks.
 */
export function recentStatements(
  tx: Queryable,
  accountId: string,
  subjectIds: readonly string[],
  withinMs: number,
): Promise<readonly RecentStatement[]> {
  // The transaction's own clock: it stands still, so that an index can be searched by it.
  const since = sql.fragment`now() - make_interval(secs => ${withinMs / 1000})`;
  const columns = sql.fragment`select k.id, k.statement as text from knowledge k`;
  const isRecent = sql.fragment`k.account_id = ${accountId}::uuid and k.recorded_at > ${since}
    and k.statement is not null
    and k.state = any(${sql.array([...OPEN_STATES], 'text')}::knowledge_state[])`;
  return tx.any(sql.type(recentRow)`
    ${columns} where ${isRecent} and k.subject_peer_id = any(${sql.array(subjectIds, 'uuid')})
    union all
    ${columns} where ${isRecent} and k.subject_peer_id is null
      and k.subject_scope_id = any(${sql.array(subjectIds, 'uuid')})`);
}

/**
 * CTEs up to `same_text`: statements in these texts or once said in them, and those that may say the same in others,
 * each where it was found through an index.
 */
function sameText(selection: KnowledgeSelection): FragmentSqlToken {
  const { alikeIds = [], hashes } = selection;
  const columns = sql.fragment`select k.account_id, k.id, k.subject_peer_id, k.claim_about`;
  const isAboutThem = sql.fragment`
    coalesce(k.subject_peer_id, k.subject_scope_id) = any(${sql.array(selection.subjectIds, 'uuid')})`;
  const isInThem = sql.fragment`k.scope_id = any(${sql.array(selection.scopeIds, 'uuid')}) and ${isAboutThem}`;
  return sql.fragment`texts as materialized (
      select array(select decode(hash, 'hex') from unnest(${sql.array(hashes, 'text')}) as hash) as hashes
    ), same_text as materialized (
      ${columns} from knowledge k
      where k.statement_hash = any((select hashes from texts)::bytea[]) and ${isInThem}
      union
      ${columns} from knowledge_paraphrases p
      join knowledge k on k.account_id = p.account_id and k.id = p.knowledge_id
      where p.statement_hash = any((select hashes from texts)::bytea[]) and ${isInThem}
      union
      ${columns} from knowledge k where k.id = any(${sql.array(alikeIds, 'uuid')}) and ${isAboutThem}
    )`;
}

/**
 * Locks the statements of these texts and subjects, and those of every attribute that is claimed or that one of
 * them claims, and reads them with the rules of the scopes.
 */
export async function loadKnowledgeState(
  tx: Queryable,
  selection: KnowledgeSelection,
): Promise<KnowledgeState> {
  const { claims, scopeIds } = selection;
  const row = await tx.one(sql.type(stateRow)`
    with recursive ${sameText(selection)}, claimed as materialized (
      select subject_peer_id, claim_about from same_text where claim_about is not null
      union
      select * from unnest(${sql.array(
        claims.map(({ subjectId }) => subjectId),
        'uuid',
      )}, ${sql.array(
        claims.map(({ about }) => about),
        'text',
      )})
    ), wanted as materialized (
      select id from same_text
      union
      -- Row by row through its index, however many statements the account is thought to have.
      select k.id from claimed, lateral (
        select k.id from knowledge k
        where k.subject_peer_id = claimed.subject_peer_id and k.claim_about = claimed.claim_about offset 0
      ) k
    ), known as materialized (
      select k.* from knowledge k where k.id = any(array(select id from wanted)) order by k.id for update
    ), chain as (
      select s.id, s.path, s.parent_id from scopes s where s.id in (select scope_id from known)
      union
      select s.id, s.path, s.parent_id from scopes s join chain on s.id = chain.parent_id
    )
    select
      clock_timestamp() as now,
      (select a.consent_mode = 'auto' from accounts a) as automatic_consent,
      ${gateRulesInForce(scopeIds)} as rules,
      (select coalesce(jsonb_agg(jsonb_build_object('id', chain.id, 'path', chain.path)), '[]') from chain) as places,
      (select coalesce(jsonb_agg(to_jsonb(k) || jsonb_build_object(
          'statement_hash', encode(k.statement_hash, 'hex'),
          'text_source_hash', encode(k.text_source_hash, 'hex'),
          'paraphrase_hashes', (select coalesce(jsonb_agg(encode(p.statement_hash, 'hex') order by p.statement_hash), '[]')
            from knowledge_paraphrases p where p.account_id = k.account_id and p.knowledge_id = k.id),
          'sources', (select coalesce(jsonb_agg(jsonb_build_object(
              'message_id', m.id, 'session_id', m.session_id, 'scope_id', m.scope_id,
              'speaker_peer_id', m.speaker_peer_id, 'relay_peer_id', m.relay_peer_id,
              'occurred_at', m.occurred_at, 'content_hash', encode(m.content_hash, 'hex'),
              'document_id', v.document_id)
              order by m.id), '[]')
            from provenance p
            join messages m on m.account_id = p.account_id and m.id = p.message_id
            left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
            where p.account_id = k.account_id and p.knowledge_id = k.id))), '[]')
        from known k) as statements`);
  const { automatic_consent: automaticConsent, ...state } = row;
  return { ...state, automaticConsent };
}
