/**
 * Every column of every table: what it holds of a person, and what an erasure makes of it. A test compares it with a
 * migrated database, so that a new column cannot be forgotten. `index-entries.ts` does the same for the search indexes.
 */
import { RULE_COLUMN_NAMES } from '../governance/rule-columns.ts';
import { AUDIT_TABLES } from './registry-audit.ts';
import { ENTITY_TABLES } from './registry-entities.ts';
import { DEPLOYMENT_TABLES } from './registry-deployment.ts';
import { ERASURE_TABLES } from './registry-erasure.ts';
import { CONTEXT_CARD_TABLES } from './registry-context-cards.ts';
import { QUESTION_TABLES } from './registry-questions.ts';
import { SKILL_TABLES } from './registry-skills.ts';
import { STATEMENT_TABLES } from './registry-statements.ts';
import { USAGE_TABLES } from './registry-usage.ts';
import { words, type RegisteredTable } from './registered-table.ts';

export const TABLES: Readonly<Record<string, RegisteredTable>> = {
  ...AUDIT_TABLES,
  ...ENTITY_TABLES,
  ...DEPLOYMENT_TABLES,
  ...ERASURE_TABLES,
  ...CONTEXT_CARD_TABLES,
  ...QUESTION_TABLES,
  ...SKILL_TABLES,
  ...STATEMENT_TABLES,
  ...USAGE_TABLES,
  accounts: {
    content: [],
    id: [],
    neither: words(
      'id key name gate_preset consent_mode created_at secret_policy imported_at is_rebuilding',
    ),
    goes: { stays: 'Nothing of a person.' },
  },
  audience_members: {
    content: [],
    id: words('principal'),
    neither: words('account_id audience_id'),
    goes: { step: 'identity', verifiedBy: 'audience_members.principal' },
  },
  audiences: {
    content: words('digest'),
    id: [],
    neither: words('account_id id scope_id'),
    goes: { step: 'identity', verifiedBy: 'audience_members.principal' },
  },
  browser_sessions: {
    content: [],
    id: words('credential_id'),
    neither: words('account_id last_seen_at tool_runs'),
    goes: { step: 'identity', verifiedBy: 'browser_sessions.credential_id' },
  },
  circle_members: {
    content: [],
    id: words('peer_id added_by_peer_id'),
    neither: words('account_id circle_id scope_id added_at'),
    goes: { step: 'identity', verifiedBy: 'circle_members.peer_id' },
  },
  circles: {
    content: words('name'),
    id: [],
    neither: words('account_id id scope_id created_at'),
    goes: {
      stays:
        'The name that curators gave to a group, as they do to a scope; nobody said it about a member.',
    },
  },
  credentials: {
    content: words('secret_hash name pin_path'),
    id: words('id peer_id login_id'),
    neither: words('account_id kind expires_at revoked_at suspended_at created_at login_epoch'),
    goes: { step: 'identity', verifiedBy: 'credentials.name' },
  },
  dirty_marks: {
    content: [],
    id: words('unit_id'),
    neither: [
      ...words(
        'account_id engine unit scope_id shard generation overdue available_at attempt_count',
      ),
      ...words('marked_at unheard_attempts spreads readers_changed holds held_until'),
    ],
    goes: { step: 'indexes', verifiedBy: 'dirty_marks.unit_id' },
  },
  document_uploads: {
    content: words('sha256'),
    id: words('id uploader_peer_id'),
    neither: words('account_id began_at'),
    goes: { step: 'documents', verifiedBy: 'document_uploads.uploader_peer_id' },
  },
  document_versions: {
    content: words('sha256 title'),
    id: words('id document_id uploader_peer_id credential_id'),
    neither: [
      ...words(
        'account_id version byte_size media_type occurred_at occurred_offset_minutes trace_id',
      ),
      ...words('recorded_at attempt_count last_error_class chunk_count parsed_at settled_at'),
      ...words('is_withdrawal audience_id'),
    ],
    goes: { step: 'documents', verifiedBy: 'document_versions.uploader_peer_id' },
  },
  documents: {
    content: words('external_id unnamed_sha256'),
    id: words('id owner_peer_id'),
    neither: words('account_id scope_id created_at'),
    goes: { step: 'documents', verifiedBy: 'documents.owner_peer_id' },
  },
  extraction_anchors: {
    content: [],
    id: words('message_id session_id speaker_peer_id'),
    neither: [
      ...words(
        'account_id scope_id shard status available_at claim_epoch attempt_count last_error_class',
      ),
      ...words(
        'candidate_count batch_id requeue_token extracted_at completed_at unsettled_attempts',
      ),
      ...words('internal_errors failed_at'),
    ],
    goes: { step: 'anchors', verifiedBy: 'extraction_anchors.speaker_peer_id' },
  },
  extraction_budgets: {
    content: [],
    id: [],
    neither: [
      ...words('account_id id scope_root request_cap token_cap usd_micros_cap deadline_at'),
      ...words('input_usd_micros_per_million output_usd_micros_per_million requests_reserved'),
      ...words('tokens_reserved usd_micros_reserved closed_at created_at scope_root_hash'),
    ],
    goes: { stays: 'Nothing of a person.' },
  },
  gate_rules: {
    content: [],
    id: [],
    neither: [
      ...words('account_id id scope_id created_at retired_at'),
      // The table of these columns admits enumerations, numbers and flags alone.
      ...RULE_COLUMN_NAMES,
    ],
    goes: { stays: 'Nothing of a person.' },
  },
  grants: {
    content: [],
    id: words('id peer_id credential_id granted_by'),
    neither: words('account_id scope_path role effect propagate created_at scope_path_hash'),
    goes: { step: 'identity', verifiedBy: 'grants.peer_id' },
  },
  idempotency_records: {
    content: words('key request_hash'),
    id: words('id credential_id resource_id'),
    neither: words('account_id method path status created_at path_hash'),
    goes: { step: 'identity', verifiedBy: 'idempotency_records.credential_id' },
  },
  indexed_units: {
    content: words('term_ids'),
    id: words('unit_id'),
    neither: words('account_id unit scope_id analyzer_version'),
    goes: { step: 'indexes', verifiedBy: 'indexed_units.unit_id' },
  },
  logins: {
    content: words('email password_hash'),
    id: words('id peer_id'),
    neither: words('account_id closed_at created_at epoch'),
    goes: { step: 'identity', verifiedBy: 'logins.peer_id' },
  },
  mailboxes: {
    content: [],
    id: words('turn_speaker_id retry_speaker_id'),
    neither: words('account_id kind shard epoch awake_until last_rung_at ring_attempts paused'),
    goes: { with: 'speaker_turns' },
  },
  messages: {
    content: words('role content content_hash headings unmasked'),
    id: words('id session_id speaker_peer_id relay_peer_id credential_id document_version_id'),
    neither: [
      ...words(
        'account_id scope_id occurred_at occurred_offset_minutes recorded_at trace_id chunk_index',
      ),
      ...words('audience_id is_served'),
    ],
    goes: { step: 'messages', verifiedBy: 'messages.speaker_peer_id' },
  },
  peers: {
    content: words('key name name_lead key_lead audit_salt'),
    id: words('id'),
    neither: words('account_id kind created_at erasing_at'),
    goes: {
      stays:
        'The end of the erasure gives the row a key that nobody knows, no name and no salt; its id stands for nobody.',
    },
  },
  pruned_scopes: {
    content: [],
    id: [],
    neither: words('account_id scope_id pruned_at'),
    goes: { stays: 'Nothing of a person.' },
  },
  retention_tallies: {
    content: [],
    id: [],
    neither: words('account_id kind pruned'),
    goes: { stays: 'Nothing of a person.' },
  },
  pipeline_runs: {
    content: [],
    id: [],
    neither: [
      ...words('account_id id kind target_id status attempt_count last_error_class trace_id'),
      ...words('dispatched_at processed_at created_at'),
    ],
    goes: { stays: 'Nothing of a person.' },
  },
  provider_attempts: {
    content: [],
    id: words('id anchor_message_ids'),
    neither: [
      ...words(
        'account_id role provider model model_version prompt_version pipeline_version state',
      ),
      ...words(
        'metered batch_id run_id scope_id repair_index mailbox_shard claim_epoch input_tokens',
      ),
      ...words(
        'output_tokens embedding_tokens usd_micros duration_ms error_class trace_id reserved_at',
      ),
      ...words('dispatched_at finished_at budget_id campaign_id reranker_tokens token_day'),
      ...words('worst_input_tokens worst_output_tokens worst_embedding_tokens'),
    ],
    goes: { stays: 'The ledger of calls: ids of messages that are gone, counts and prices.' },
  },
  provider_circuits: {
    content: [],
    id: [],
    neither: [
      ...words(
        'account_id role provider model state consecutive_failures blocked_until probe_owner',
      ),
      ...words('closed_at'),
    ],
    goes: { stays: 'Nothing of a person.' },
  },
  run_outputs: {
    content: [],
    id: words('id message_id knowledge_id'),
    neither: words('account_id batch_id effect recorded_at'),
    goes: { with: 'messages' },
  },
  reconcile_places: {
    content: [],
    id: [],
    neither: words('account_id after_id'),
    goes: { stays: 'Nothing of a person.' },
  },
  retrieval_profiles: {
    content: [],
    id: [],
    neither: words('account_id id profile scope_id strategies deadline_ms rrf_k rerank set_at'),
    goes: { stays: 'Nothing of a person.' },
  },
  schema_migrations: {
    content: [],
    id: [],
    neither: words('name sha256 applied_at'),
    goes: { stays: 'Nothing of a person.' },
  },
  scope_links: {
    content: [],
    id: [],
    neither: words('account_id low_scope_id high_scope_id created_at'),
    goes: { stays: 'Nothing of a person.' },
  },
  scope_terms: {
    content: words('term_id'),
    id: [],
    neither: words('account_id scope_id unit df'),
    goes: { with: 'indexed_units' },
  },
  scope_units: {
    content: [],
    id: [],
    neither: words('account_id scope_id unit units'),
    goes: { stays: 'Nothing of a person.' },
  },
  scopes: {
    content: [],
    id: [],
    neither: words('account_id id path parent_id created_at path_hash name'),
    goes: { stays: 'Nothing of a person.' },
  },
  session_participants: {
    content: [],
    id: words('session_id peer_id'),
    neither: words('account_id scope_id joined_at reads_whole_session'),
    goes: { step: 'sessions', verifiedBy: 'session_participants.peer_id' },
  },
  session_scopes: {
    content: [],
    id: words('session_id'),
    neither: words('account_id scope_id linked_at'),
    goes: { with: 'sessions' },
  },
  sessions: {
    content: words('external_id'),
    id: words('id document_id'),
    neither: words('account_id shard created_at'),
    goes: { with: 'session_participants' },
  },
  sign_in_attempts: {
    content: words('email_hash address_hash'),
    id: words('id'),
    neither: words('succeeded attempted_at'),
    goes: { stays: 'Keyed digests of addresses, forgotten after 15 minutes.' },
  },
  speaker_turns: {
    content: [],
    id: words('speaker_peer_id session_id'),
    neither: words('account_id shard'),
    goes: { step: 'sessions', verifiedBy: 'speaker_turns.speaker_peer_id' },
  },
  token_days: {
    content: [],
    id: [],
    neither: [
      ...words('account_id day role used_input_tokens used_output_tokens used_embedding_tokens'),
      ...words('reserved_input_tokens reserved_output_tokens reserved_embedding_tokens'),
    ],
    goes: { stays: 'Nothing of a person.' },
  },
  sweep_setbacks: {
    content: [],
    id: words('knowledge_id'),
    neither: words('account_id kind attempts next_attempt_at'),
    goes: { with: 'knowledge' },
  },
};
