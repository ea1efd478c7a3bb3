/** Statements, and what belongs to them. */
import { SAID_COLUMN_NAMES } from '../statements/said.ts';
import { words, type RegisteredTable } from './registered-table.ts';

export const STATEMENT_TABLES: Readonly<Record<string, RegisteredTable>> = {
  belief_periods: {
    content: [],
    id: words('id knowledge_id'),
    neither: [
      ...words('account_id state scope_id target_level sensitivity confidence relevant_from'),
      ...words('relevant_from_precision relevant_until relevant_until_precision believed_from'),
      ...words('believed_until audience_id'),
    ],
    goes: { with: 'knowledge' },
  },
  gate_decisions: {
    content: words('statement_hash'),
    id: words('id knowledge_id review_item_id actor_peer_id'),
    neither: [
      ...words(
        'account_id scope_id rule_id gate decision reason channel verified from_state to_state',
      ),
      ...words('from_level to_level decided_at'),
    ],
    goes: { with: 'knowledge' },
  },
  knowledge: {
    content: [
      ...words('statement statement_hash text_source_hash claim_about claim_value first_said_hash'),
      ...words('attribute unmasked'),
    ],
    id: [
      ...words('id subject_peer_id supersedes_id updated_by_id first_attester_id replaces_id'),
      ...words('merged_into_id'),
    ],
    neither: [
      ...words('account_id scope_id subject_scope_id confidence evidence_level sensitivity'),
      ...SAID_COLUMN_NAMES,
      ...words('target_level state verification origin held_scope_id corroboration_count'),
      ...words(
        'previously_refused is_withheld expires_at revalidate_after relevant_from relevant_from_precision',
      ),
      ...words('relevant_until relevant_until_precision text_occurred_at extracting_provider'),
      ...words('extracting_model extracting_model_version prompt_version pipeline_version'),
      ...words(
        'embedding_provider embedding_model embedding_version embedding_dimensions row_version',
      ),
      ...words('recorded_at updated_at claim_mode state_before_update stated_until'),
      ...words('stated_until_precision source_count submitter_count first_said_at shelf salience'),
      ...words('state_before_contest derivation_level kind_word audience_id is_served'),
    ],
    goes: { step: 'statements', verifiedBy: 'knowledge.subject_peer_id' },
  },
  knowledge_addressees: {
    content: [],
    id: words('knowledge_id principal'),
    neither: words('account_id scope_id state confidence recorded_at'),
    goes: { step: 'identity', verifiedBy: 'knowledge_addressees.principal' },
  },
  knowledge_attesters: {
    content: words('last_said_hash'),
    id: words('knowledge_id attester_id peer_id document_id'),
    neither: words('account_id source_count last_said_at last_version withdrawn'),
    goes: { with: 'provenance' },
  },
  knowledge_paraphrases: {
    content: words('statement_hash'),
    id: words('knowledge_id'),
    neither: words('account_id'),
    goes: { with: 'provenance' },
  },
  knowledge_source_scopes: {
    content: [],
    id: words('knowledge_id'),
    neither: words('account_id scope_id'),
    goes: { with: 'provenance' },
  },
  knowledge_submitters: {
    content: [],
    id: words('knowledge_id peer_id'),
    neither: words('account_id scope_id state confidence recorded_at'),
    goes: { step: 'relays', verifiedBy: 'knowledge_submitters.peer_id' },
  },
  lifecycle_events: {
    content: [],
    id: words('id knowledge_id actor_peer_id'),
    neither: words('account_id scope_id from_state to_state reason occurred_at'),
    goes: { with: 'knowledge' },
  },
  provenance: {
    content: words('source_key wording unmasked'),
    id: words('knowledge_id message_id speaker_peer_id'),
    neither: words('account_id recorded_at span_offset span_length is_context'),
    goes: { step: 'messages', verifiedBy: 'provenance.message_id' },
  },
  forget_books: {
    content: [],
    id: [],
    neither: words('account_id edition acts sealed_hint_key'),
    goes: { stays: 'Nothing of a person.' },
  },
  forget_holds: {
    content: [],
    id: words('id requester_peer_id message_id credential_id decided_by'),
    neither: [
      ...words('account_id scope_id kind state is_acting sealed_key opened_at due_at version'),
      ...words('decided_at'),
    ],
    goes: { step: 'identity', verifiedBy: 'forget_holds.requester_peer_id' },
  },
  masked_values: {
    content: words('hash hint'),
    id: words('hold_id'),
    neither: words('account_id opens_door is_specific first_said_at is_stated'),
    goes: {
      stays: 'What was to be forgotten stays forgotten: hashes that nobody can read it from.',
    },
  },
  review_items: {
    content: [],
    id: [
      ...words('id knowledge_id subject_peer_id assigned_peer_id decided_by conflict_knowledge_id'),
    ],
    neither: [
      ...words('account_id scope_id kind state target_scope_id target_level due_at escalated_at'),
      ...words(
        'attempt_count decided_at created_at version reason end_reason proposed_sensitivity past_ageing has_audience',
      ),
    ],
    goes: { with: 'knowledge' },
  },
  review_words: {
    content: words('reason correction'),
    id: words('review_item_id peer_id'),
    neither: words('account_id said_at'),
    goes: { step: 'identity', verifiedBy: 'review_words.peer_id' },
  },
  scheduled_decisions: {
    content: words('new_statement'),
    id: [
      ...words('review_item_id run_id new_knowledge_id into_knowledge_id decided_by credential_id'),
    ],
    neither: [
      ...words('account_id action version expires_at defer_until new_sensitivity approves_new'),
      ...words('decided_at due_at state nudged_at ended_at end_reason'),
    ],
    goes: { step: 'identity', verifiedBy: 'scheduled_decisions.decided_by' },
  },
  consents: {
    content: [],
    id: words('id knowledge_id subject_peer_id decided_by'),
    neither: words('account_id target_scope_id status channel verified decided_at requested_at'),
    goes: { step: 'statements', verifiedBy: 'consents.subject_peer_id' },
  },
};
