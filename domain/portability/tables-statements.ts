/** Tables that travel: statements and what belongs to them; see `tables.ts`. */
import { words } from '../erasure/registered-table.ts';
import { GOVERNANCE_IDENTITY } from '../identities.ts';
import { SAID_COLUMN_NAMES } from '../statements/said.ts';
import { keyedBy, keyedById, keyedByIds, type TravellingTable } from './travelling-table.ts';

/** In order of dependency. */
export const STATEMENT_TABLES = {
  knowledge: keyedById({
    columns: [
      ...words('id scope_id subject_peer_id subject_scope_id statement statement_hash'),
      ...words('confidence evidence_level sensitivity target_level state verification origin'),
      ...words('held_scope_id corroboration_count previously_refused is_withheld supersedes_id'),
      ...words('expires_at revalidate_after relevant_from relevant_from_precision relevant_until'),
      ...words('relevant_until_precision text_occurred_at text_source_hash extracting_provider'),
      ...words('extracting_model extracting_model_version prompt_version pipeline_version'),
      ...words('row_version recorded_at updated_at claim_about claim_value claim_mode'),
      ...words('updated_by_id state_before_update stated_until stated_until_precision'),
      ...words('source_count submitter_count first_attester_id first_said_at first_said_hash'),
      ...words('state_before_contest replaces_id merged_into_id derivation_level audience_id'),
      ...words('unmasked is_served'),
      ...SAID_COLUMN_NAMES,
    ],
    left: {
      embedding_provider: 'default',
      embedding_model: 'default',
      embedding_version: 'default',
      embedding_dimensions: 'default',
      shelf: 'made',
      salience: 'made',
      kind_word: 'made',
      attribute: 'made',
    },
  }),
  belief_periods: keyedById({
    columns: [
      ...words('id knowledge_id state scope_id target_level sensitivity confidence'),
      ...words('relevant_from relevant_from_precision relevant_until relevant_until_precision'),
      ...words('believed_from believed_until audience_id'),
    ],
    references: { audience_id: 'audiences' },
  }),
  provenance: keyedByIds(['knowledge_id', 'message_id'], {
    columns: [
      ...words('knowledge_id message_id speaker_peer_id recorded_at source_key wording'),
      ...words('span_offset span_length is_context unmasked'),
    ],
  }),
  knowledge_submitters: keyedByIds(['knowledge_id', 'peer_id'], {
    columns: words('knowledge_id peer_id scope_id state confidence recorded_at'),
    references: { knowledge_id: 'knowledge', peer_id: 'peers', scope_id: 'scopes' },
  }),
  knowledge_attesters: keyedByIds(['knowledge_id', 'attester_id'], {
    columns: [
      ...words('knowledge_id peer_id document_id source_count last_said_at last_said_hash'),
      ...words('last_version withdrawn'),
    ],
    left: { attester_id: 'made' },
    references: { knowledge_id: 'knowledge', peer_id: 'peers', document_id: 'documents' },
  }),
  knowledge_paraphrases: keyedBy(
    [
      { column: 'knowledge_id', type: 'uuid' },
      { column: 'statement_hash', type: 'bytea' },
    ],
    { columns: words('knowledge_id statement_hash') },
  ),
  knowledge_source_scopes: keyedByIds(['knowledge_id', 'scope_id'], {
    columns: words('knowledge_id scope_id'),
    references: { knowledge_id: 'knowledge', scope_id: 'scopes' },
  }),
  forget_books: keyedBy([], {
    columns: words('acts sealed_hint_key'),
    left: { edition: 'default' },
  }),
  forget_holds: keyedById({
    columns: [
      ...words(
        'id scope_id requester_peer_id message_id kind state is_acting sealed_key opened_at',
      ),
      ...words('due_at version decided_at decided_by'),
    ],
    left: { credential_id: 'default' },
  }),
  masked_values: keyedBy(
    [
      { column: 'hold_id', type: 'uuid' },
      { column: 'hash', type: 'bytea' },
    ],
    { columns: words('hold_id hash hint opens_door is_specific first_said_at is_stated') },
  ),
  review_items: keyedById({
    columns: [
      ...words('id knowledge_id scope_id subject_peer_id kind state target_scope_id target_level'),
      ...words('due_at escalated_at attempt_count assigned_peer_id decided_by decided_at'),
      ...words('created_at version reason end_reason conflict_knowledge_id'),
      ...words('proposed_sensitivity past_ageing has_audience'),
    ],
  }),
  review_words: keyedByIds(['review_item_id'], {
    columns: words('review_item_id peer_id reason correction said_at'),
  }),
  scheduled_decisions: keyedByIds(['review_item_id'], {
    columns: [
      ...words('review_item_id run_id action version expires_at defer_until new_statement'),
      ...words('new_sensitivity approves_new new_knowledge_id into_knowledge_id decided_by'),
      ...words('decided_at due_at state ended_at end_reason'),
    ],
    left: { credential_id: 'archive_credential', nudged_at: 'default' },
  }),
  consents: keyedById({
    columns: [
      ...words('id knowledge_id subject_peer_id target_scope_id status channel verified'),
      ...words('decided_by decided_at requested_at'),
    ],
    references: { decided_by: 'peers' },
  }),
  gate_decisions: keyedById({
    columns: [
      ...words('id knowledge_id review_item_id scope_id rule_id gate decision reason channel'),
      ...words('actor_peer_id verified from_state to_state from_level to_level statement_hash'),
      ...words('decided_at'),
    ],
    references: { scope_id: 'scopes', actor_peer_id: 'peers' },
    marks: { record_version: GOVERNANCE_IDENTITY },
  }),
  lifecycle_events: keyedById({
    columns: words('id knowledge_id scope_id from_state to_state reason actor_peer_id occurred_at'),
    references: { scope_id: 'scopes', actor_peer_id: 'peers' },
  }),
  questions: keyedById({
    columns: [
      ...words('id knowledge_id scope_id peer_id kind target_scope_id statement_hash opened_at'),
      ...words('deadline_at skips put_off last_delivered_at ended_at end_reason'),
    ],
  }),
  question_deliveries: keyedById({
    columns: [
      ...words('id question_id session_id peer_id operation delivered_at verdict verification'),
      ...words('effect answered_at shown_text_hash shown_text_differs'),
    ],
    left: { credential_id: 'archive_credential' },
  }),
  ask_preferences: keyedByIds(['peer_id'], {
    columns: words('peer_id max_per_session max_per_day paused_until updated_at'),
  }),
} as const satisfies Readonly<Record<string, TravellingTable>>;
