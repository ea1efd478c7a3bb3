/**
 * The evidence of extraction in a set of scopes: counts of anchors, calls, tokens and statements, and where the
 * ledger and its results disagree. Two queries; nothing of content, and no id but those of scopes.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { TRANSIENT_CLASSES } from '../../../domain/error-class.ts';
import { AccountStore } from '../account-store.ts';

const countsShape = z.record(z.string(), z.number());

const evidenceRow = z.object({
  anchors: z.number(),
  status_counts: countsShape,
  job_attempts: z.number(),
  yield_zero: z.number(),
  yield_one: z.number(),
  yield_multiple: z.number(),
  /** Versions that are not read yet; each of their chunks will have an anchor. */
  unread_documents: z.number(),
  provider_attempts: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  embedding_tokens: z.number(),
  duration_ms: z.number(),
  open_attempts: z.number(),
  unmetered_attempts: z.number(),
  unpriced_attempts: z.number(),
  imported_scopes: z.number(),
  pruned_scopes: z.number(),
  provenance: z.array(
    z.object({
      provider: z.string(),
      model: z.string(),
      model_version: z.string(),
      prompt_version: z.string().nullable(),
      pipeline_version: z.string().nullable(),
      anchors: z.number(),
    }),
  ),
  batches: z.number(),
  batch_anchors: z.number(),
  size_counts: countsShape,
  unreconciled: z.number(),
  statements: z.number(),
  by_kind: countsShape,
  by_state: countsShape,
  by_sensitivity: countsShape,
  by_evidence_level: countsShape,
  by_target_level: countsShape,
});
export type ExtractionEvidenceRow = z.infer<typeof evidenceRow>;

/** How often each value of a column occurs among the statements. */
function distribution(column: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`
    (select coalesce(jsonb_object_agg(value, n), '{}')
      from (select ${column} as value, count(*) as n from statement group by 1) counted)`;
}

/** The rows that everything is counted from. A call that was reserved and never sent does not count. */
function rowsOf(scopeIds: readonly string[]): FragmentSqlToken {
  const ids = sql.array(scopeIds, 'uuid');
  return sql.fragment`
    anchor as materialized (
      select message_id, status, attempt_count, candidate_count, batch_id, extracted_at
      from extraction_anchors where scope_id = any(${ids})
    ), attempt as materialized (
      select state, metered, batch_id, anchor_message_ids, input_tokens, output_tokens, embedding_tokens, usd_micros,
        budget_id, duration_ms, provider, model, model_version, prompt_version, pipeline_version
      from provider_attempts
      where role = 'ingest_extractor' and scope_id = any(${ids})
        and not (state = 'cancelled' and dispatched_at is null)
    ), asked as materialized (
      select distinct batch_id, unnest(anchor_message_ids) as message_id from attempt where batch_id is not null
    ), batch as materialized (
      select batch_id, count(*) as size from asked group by 1
    ), output as materialized (
      select o.message_id, o.knowledge_id, o.batch_id, o.effect
      from run_outputs o where o.message_id in (select message_id from anchor)
    ), statement as materialized (
      select k.kind, k.state, k.sensitivity, k.evidence_level, k.target_level
      from knowledge k where k.id in (select knowledge_id from output where effect <> 'refused')
    ), attributed as (
      -- What says that it came of a call.
      select batch_id, message_id from anchor where extracted_at is not null and batch_id is not null
      union select batch_id, message_id from output where batch_id is not null
    )`;
}

function unreadDocuments(scopeIds: readonly string[]): FragmentSqlToken {
  return sql.fragment`
    (select count(*) from documents d
      join document_versions v on v.account_id = d.account_id and v.document_id = d.id
      where d.scope_id = any(${sql.array(scopeIds, 'uuid')}) and v.parsed_at is null
        and (v.last_error_class is null
          or v.last_error_class::text = any(${sql.array(TRANSIENT_CLASSES, 'text')})))`;
}

const ledgerSums = sql.fragment`
  count(*) as provider_attempts,
  coalesce(sum(input_tokens), 0)::bigint as input_tokens,
  coalesce(sum(output_tokens), 0)::bigint as output_tokens,
  coalesce(sum(embedding_tokens), 0)::bigint as embedding_tokens,
  coalesce(sum(duration_ms), 0)::bigint as duration_ms,
  count(*) filter (where state in ('reserved', 'dispatched')) as open_attempts,
  count(*) filter (where state not in ('reserved', 'dispatched') and not metered) as unmetered_attempts,
  count(*) filter (where metered and budget_id is not null and usd_micros is null) as unpriced_attempts,
  count(*) filter (where batch_id is null or cardinality(anchor_message_ids) = 0) as stray_attempts`;

const anchorSums = sql.fragment`
  count(*) as anchors,
  coalesce(sum(attempt_count), 0)::bigint as job_attempts,
  count(*) filter (where status = 'completed' and candidate_count = 0) as yield_zero,
  count(*) filter (where status = 'completed' and candidate_count = 1) as yield_one,
  count(*) filter (where status = 'completed' and candidate_count > 1) as yield_multiple`;

/** What extraction did in the account, in counts. */
export class ExtractionEvidenceStore extends AccountStore {
  /** Counts what was extracted in the scopes. */
  async read(scopeIds: readonly string[]): Promise<ExtractionEvidenceRow> {
    return this.tx.one(sql.type(evidenceRow)`
      with ${rowsOf(scopeIds)},
      ledger as (select ${ledgerSums} from attempt),
      jobs as (select ${anchorSums} from anchor)
      select jobs.*, ${unreadDocuments(scopeIds)} as unread_documents,
        (select count(*)::integer from scopes s join accounts a on a.id = s.account_id
          where s.id = any(${sql.array(scopeIds, 'uuid')}) and s.created_at <= a.imported_at) as imported_scopes,
        (select count(*)::integer from pruned_scopes p where p.scope_id = any(${sql.array(scopeIds, 'uuid')}))
          as pruned_scopes,
        ledger.provider_attempts, ledger.input_tokens, ledger.output_tokens, ledger.embedding_tokens,
        ledger.duration_ms, ledger.open_attempts, ledger.unmetered_attempts, ledger.unpriced_attempts,
        (select coalesce(jsonb_object_agg(status, n), '{}')
          from (select status, count(*) as n from anchor group by 1) counted) as status_counts,
        (select coalesce(jsonb_agg(to_jsonb(used) order by provider, model, model_version, prompt_version,
            pipeline_version), '[]')
          from (select provider, model, model_version, prompt_version, pipeline_version,
              count(distinct message_id) as anchors
            from attempt left join lateral unnest(anchor_message_ids) as message_id on true
            group by 1, 2, 3, 4, 5) used) as provenance,
        (select count(*) from batch) as batches,
        (select coalesce(sum(size), 0)::bigint from batch) as batch_anchors,
        (select coalesce(jsonb_object_agg(size, n), '{}')
          from (select size, count(*) as n from batch group by 1) counted) as size_counts,
        ledger.stray_attempts + (select count(distinct batch_id)
          from (select batch_id, message_id from attributed except select batch_id, message_id from asked) unknown)
          as unreconciled,
        (select count(*) from statement) as statements,
        ${distribution(sql.fragment`kind`)} as by_kind,
        ${distribution(sql.fragment`state`)} as by_state,
        ${distribution(sql.fragment`sensitivity`)} as by_sensitivity,
        ${distribution(sql.fragment`evidence_level`)} as by_evidence_level,
        ${distribution(sql.fragment`target_level`)} as by_target_level
      from jobs, ledger`);
  }
}
