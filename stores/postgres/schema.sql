-- What the migrations amount to. Printed by bin/schema-dump.ts; do not edit.

-- Extensions

create extension btree_gist;

-- Types

create type actor_kind as enum ('credential', 'cli', 'pipeline', 'operator');
create type attempt_state as enum ('reserved', 'dispatched', 'success', 'error', 'timeout', 'cancelled');
create type audit_category as enum ('lifecycle', 'gate', 'attribution', 'deletion', 'configuration', 'governance', 'observation', 'access');
create type circuit_state as enum ('closed', 'open', 'half_open');
create type claim_mode as enum ('holds', 'ended', 'corrects');
create type confidence_level as enum ('stated_explicitly', 'clearly_implied', 'inferred');
create type consent_mode as enum ('subject_required', 'auto');
create type consent_status as enum ('pending', 'granted', 'denied');
create type credential_kind as enum ('api_key', 'password_token', 'bootstrap_token', 'browser_session');
create type decision_channel as enum ('pipeline', 'human_ui', 'api', 'mcp', 'cli');
create type erasure_mode as enum ('proportionate', 'strict');
create type erasure_state as enum ('accepted', 'running', 'verifying', 'completed');
create type error_class as enum ('request_timeout', 'transport_error', 'provider_rate_limited', 'provider_upstream_error', 'circuit_open', 'internal_error', 'token_budget_exhausted', 'credentials_rejected', 'model_not_found', 'model_not_configured', 'schema_not_enforced', 'source_too_large', 'provider_output_truncated', 'embedding_width_mismatch', 'campaign_cap_exhausted', 'missing_structured_object', 'missing_text_response', 'structured_validation_failed', 'provider_content_filtered', 'extraction_budget_exhausted');
create type evidence_level as enum ('direct', 'indirect');
create type extraction_status as enum ('pending', 'failed', 'completed', 'repairable', 'terminal');
create type forget_kind as enum ('own', 'others');
create type forget_setting as enum ('own', 'all', 'off');
create type forget_state as enum ('open', 'upheld', 'lifted');
create type gate_a_mode as enum ('auto_keep', 'auto_reject', 'human');
create type gate_b_mode as enum ('auto_place', 'human');
create type gate_decision as enum ('keep', 'reject', 'defer', 'place', 'hold', 'provisional', 'withhold', 'await_consent', 'approve', 'edit', 'merge');
create type gate_name as enum ('gate_a', 'gate_b', 'gate_a_b');
create type gate_preset as enum ('strict', 'assisted', 'unattended');
create type grant_effect as enum ('allow', 'deny');
create type index_engine as enum ('qdrant', 'meilisearch');
create type ingest_outcome as enum ('accepted', 'replayed', 'conflict', 'stale');
create type knowledge_state as enum ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale', 'contested', 'superseded', 'expired', 'rejected', 'redacted', 'retracted');
create type mailbox_kind as enum ('ingest', 'projection');
create type model_role as enum ('embedder', 'reranker', 'ingest_extractor', 'dream_reasoner', 'dialectic_agent');
create type output_effect as enum ('created', 'merged', 'refused');
create type overridable_profile as enum ('fast', 'balanced', 'thorough');
create type peer_kind as enum ('human', 'agent');
create type projection_kind as enum ('session_summary', 'peer_profile', 'scope_card', 'entity_card');
create type question_kind as enum ('confirm', 'revalidate', 'consent_upward');
create type question_verdict as enum ('confirm', 'reject', 'unsure', 'skip');
create type question_verification as enum ('verified', 'unverified_channel');
create type retention_kind as enum ('runs', 'attempts', 'usage_days', 'request_days', 'gate_decisions', 'lifecycle_events', 'tokens');
create type review_kind as enum ('gate_a_b', 'gate_b', 'revalidation', 'contest', 'conflict');
create type review_state as enum ('pending', 'escalated', 'awaiting_consent', 'deferred', 'approved', 'rejected', 'merged', 'closed');
create type role_name as enum ('reader', 'member', 'curator', 'account_admin');
create type run_kind as enum ('extraction', 'dream_time', 'revalidation', 'expiry', 'projection_refresh', 'connector_sync', 'import_rebuild', 'reconcile', 'regate', 'contest', 'erasure', 'document', 'campaign', 'portability', 'decision', 'forgetting');
create type run_status as enum ('pending', 'running', 'failed', 'completed', 'cancelled', 'discarded');
create type scheduled_decision_state as enum ('scheduled', 'carried_out', 'undone', 'void');
create type secret_policy as enum ('keep', 'refuse');
create type sensitivity as enum ('public', 'internal', 'personal', 'restricted');
create type statement_kind as enum ('fact', 'preference', 'event', 'relation', 'skill');
create type statement_origin as enum ('extracted', 'imported', 'deduced', 'consolidated', 'edited', 'merged');
create type summary_mode as enum ('model', 'source_extract', 'none', 'unavailable');
create type sweep_kind as enum ('expiry', 'revalidation', 'ageing', 'questions', 'retention');
create type target_level as enum ('peer', 'scope', 'account');
create type time_precision as enum ('year', 'month', 'day', 'time');
create type unit_kind as enum ('message', 'statement');
create type vector_space_state as enum ('building', 'ready');
create type verification as enum ('pending', 'pending_human', 'auto_verified', 'auto_rejected', 'auto_rejected_stale', 'subject_confirmed', 'subject_disputed', 'curator_approved', 'curator_rejected', 'stale', 'sole_source_erased');

-- Composite types

create type observation_place as (place integer, scope_id uuid, speaker_id uuid, session_id uuid, shard smallint, is_joined boolean, audience_id uuid, awaits_audience boolean);
create type sent_observation as (place integer, credential_id uuid, caller_peer_id uuid, is_vouched boolean, scope_path text, scope_ids uuid[], session text, session_id uuid, speaker_key text, speaker_name text, speaker_kind peer_kind, speaker_id uuid, message_id uuid, role text, content_hash bytea, occurred_at timestamp with time zone, occurred_offset_minutes smallint, trace_id text, audit_id uuid, idempotency_id uuid, idempotency_path text, idempotency_key text, request_hash bytea, audience_id uuid, audience_digest bytea, audience_peer_keys text[], audience_peer_ids uuid[], audience_circle_ids uuid[], audience_role text);

-- Sequences

create sequence activity_entries_id_seq as bigint start 1 increment 1;
alter sequence activity_entries_id_seq owner to vouch_owner;
create sequence dirty_mark_generations as bigint start 1000000000 increment 1;
alter sequence dirty_mark_generations owner to vouch_owner;
create sequence forget_editions as bigint start 1 increment 1;
alter sequence forget_editions owner to vouch_owner;
create sequence usage_entries_id_seq as bigint start 1 increment 1;
alter sequence usage_entries_id_seq owner to vouch_owner;

-- Tables

create table accounts (
  id uuid not null,
  key text not null,
  name text not null,
  gate_preset gate_preset default 'strict'::gate_preset not null,
  consent_mode consent_mode default 'subject_required'::consent_mode not null,
  created_at timestamp with time zone default now() not null,
  secret_policy secret_policy default 'keep'::secret_policy not null,
  imported_at timestamp with time zone,
  is_rebuilding boolean default false not null,
  constraint account_key_has_1_to_256_characters CHECK (((char_length(key) >= 1) AND (char_length(key) <= 256))),
  constraint account_key_is_unique UNIQUE (key),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint only_an_imported_account_is_rebuilt CHECK (((NOT is_rebuilding) OR (imported_at IS NOT NULL)))
);
alter table accounts owner to vouch_owner;
alter table accounts enable row level security;
alter table accounts force row level security;

create table activity_entries (
  account_id uuid not null,
  id bigint not null,
  day date not null,
  api_requests bigint default 0 not null,
  ingests bigint default 0 not null,
  recorded bigint default 0 not null,
  messages bigint default 0 not null,
  message_bytes bigint default 0 not null,
  statements bigint default 0 not null,
  statement_bytes bigint default 0 not null,
  version_bytes bigint default 0 not null,
  ledger_rows bigint default 0 not null,
  constraint activity_entries_pkey PRIMARY KEY (account_id, id)
);
alter table activity_entries owner to vouch_owner;
alter table activity_entries enable row level security;
alter table activity_entries force row level security;

create table ask_preferences (
  account_id uuid not null,
  peer_id uuid not null,
  max_per_session smallint not null,
  max_per_day smallint not null,
  paused_until timestamp with time zone,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint ask_preference_is_no_negative_number CHECK (((max_per_session >= 0) AND (max_per_day >= 0))),
  constraint ask_preference_peer_is_in_same_account FOREIGN KEY (account_id, peer_id) REFERENCES peers(account_id, id),
  constraint ask_preferences_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint ask_preferences_pkey PRIMARY KEY (account_id, peer_id)
);
alter table ask_preferences owner to vouch_owner;
alter table ask_preferences enable row level security;
alter table ask_preferences force row level security;

create table audience_members (
  account_id uuid not null,
  audience_id uuid not null,
  principal text not null,
  constraint audience_members_pkey PRIMARY KEY (account_id, audience_id, principal),
  constraint member_audience_is_in_same_account FOREIGN KEY (account_id, audience_id) REFERENCES audiences(account_id, id) ON DELETE CASCADE,
  constraint principal_is_an_id_or_a_role CHECK ((principal ~ '^[0-9a-f-]{36}(/(reader|member|curator|account_admin))?$'::text))
);
alter table audience_members owner to vouch_owner;
alter table audience_members enable row level security;
alter table audience_members force row level security;

create table audiences (
  account_id uuid not null,
  id uuid not null,
  scope_id uuid not null,
  digest bytea,
  constraint audience_digest_is_a_sha256 CHECK ((octet_length(digest) = 32)),
  constraint audience_is_known_once UNIQUE (account_id, scope_id, digest),
  constraint audience_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint audiences_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint audiences_pkey PRIMARY KEY (account_id, id)
);
alter table audiences owner to vouch_owner;
alter table audiences enable row level security;
alter table audiences force row level security;

create table audit_chains (
  account_id uuid not null,
  "position" bigint not null,
  hash bytea not null,
  sealed_at timestamp with time zone default clock_timestamp() not null,
  sealed_until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint audit_chains_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint audit_chains_pkey PRIMARY KEY (account_id),
  constraint chain_end_has_32_bytes CHECK ((octet_length(hash) = 32)),
  constraint chain_end_is_not_before_0 CHECK (("position" >= 0))
);
alter table audit_chains owner to vouch_owner;
alter table audit_chains enable row level security;
alter table audit_chains force row level security;

create table audit_events (
  account_id uuid not null,
  id uuid not null,
  category audit_category not null,
  action text not null,
  actor_kind actor_kind not null,
  actor_peer_id uuid,
  credential_id uuid,
  resource_type text not null,
  resource_id uuid,
  metadata jsonb default '{}'::jsonb not null,
  content_hash bytea,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  chain_position bigint,
  chain_hash bytea,
  constraint audit_action_is_a_code CHECK ((action ~ '^[a-z][a-z0-9_.]{1,63}$'::text)),
  constraint audit_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint audit_events_pkey PRIMARY KEY (account_id, id),
  constraint audit_resource_type_is_a_code CHECK ((resource_type ~ '^[a-z][a-z0-9_]{1,63}$'::text)),
  constraint chain_begins_at_1 CHECK ((chain_position >= 1)),
  constraint chain_hash_has_32_bytes CHECK ((octet_length(chain_hash) = 32)),
  constraint sealed_event_has_position_and_hash CHECK (((chain_position IS NULL) = (chain_hash IS NULL)))
);
alter table audit_events owner to vouch_owner;
alter table audit_events enable row level security;
alter table audit_events force row level security;

create table belief_periods (
  account_id uuid not null,
  id uuid not null,
  knowledge_id uuid not null,
  state knowledge_state not null,
  scope_id uuid not null,
  target_level target_level not null,
  sensitivity sensitivity not null,
  confidence double precision not null,
  relevant_from timestamp with time zone,
  relevant_from_precision time_precision,
  relevant_until timestamp with time zone,
  relevant_until_precision time_precision,
  believed_from timestamp with time zone not null,
  believed_until timestamp with time zone,
  audience_id uuid,
  constraint belief_period_is_not_reversed CHECK ((believed_from <= believed_until)),
  constraint belief_periods_pkey PRIMARY KEY (account_id, id),
  constraint believed_knowledge_is_in_same_account FOREIGN KEY (account_id, knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE,
  constraint believed_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint periods_do_not_overlap EXCLUDE USING gist (account_id WITH =, knowledge_id WITH =, tstzrange(believed_from, believed_until) WITH &&)
);
alter table belief_periods owner to vouch_owner;
alter table belief_periods enable row level security;
alter table belief_periods force row level security;

create table browser_sessions (
  account_id uuid not null,
  credential_id uuid not null,
  last_seen_at timestamp with time zone not null,
  tool_runs jsonb default '[]'::jsonb not null,
  constraint browser_session_credential_is_in_same_account FOREIGN KEY (account_id, credential_id) REFERENCES credentials(account_id, id),
  constraint browser_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint browser_sessions_pkey PRIMARY KEY (account_id, credential_id),
  constraint session_keeps_five_runs_of_tools CHECK (((jsonb_typeof(tool_runs) = 'array'::text) AND (jsonb_array_length(tool_runs) <= 5) AND (octet_length((tool_runs)::text) <= 2048)))
);
alter table browser_sessions owner to vouch_owner;
alter table browser_sessions enable row level security;
alter table browser_sessions force row level security;

create table circle_members (
  account_id uuid not null,
  circle_id uuid not null,
  peer_id uuid not null,
  scope_id uuid not null,
  added_by_peer_id uuid,
  added_at timestamp with time zone default clock_timestamp() not null,
  constraint circle_members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint circle_members_pkey PRIMARY KEY (account_id, circle_id, peer_id),
  constraint member_adder_is_in_same_account FOREIGN KEY (account_id, added_by_peer_id) REFERENCES peers(account_id, id),
  constraint member_circle_is_in_same_account FOREIGN KEY (account_id, circle_id) REFERENCES circles(account_id, id) ON DELETE CASCADE,
  constraint member_peer_is_in_same_account FOREIGN KEY (account_id, peer_id) REFERENCES peers(account_id, id)
);
alter table circle_members owner to vouch_owner;
alter table circle_members enable row level security;
alter table circle_members force row level security;

create table circles (
  account_id uuid not null,
  id uuid not null,
  scope_id uuid not null,
  name text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint circle_name_has_1_to_256_characters CHECK (((char_length(name) >= 1) AND (char_length(name) <= 256))),
  constraint circle_name_is_unique_in_scope UNIQUE (account_id, scope_id, name),
  constraint circle_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint circles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint circles_pkey PRIMARY KEY (account_id, id)
);
alter table circles owner to vouch_owner;
alter table circles enable row level security;
alter table circles force row level security;

create table consents (
  account_id uuid not null,
  id uuid not null,
  knowledge_id uuid not null,
  subject_peer_id uuid not null,
  target_scope_id uuid not null,
  status consent_status default 'pending'::consent_status not null,
  channel decision_channel not null,
  verified boolean default false not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  requested_at timestamp with time zone default now() not null,
  constraint consent_is_asked_once UNIQUE (account_id, knowledge_id, subject_peer_id, target_scope_id),
  constraint consent_knowledge_is_in_same_account FOREIGN KEY (account_id, knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE,
  constraint consent_subject_is_in_same_account FOREIGN KEY (account_id, subject_peer_id) REFERENCES peers(account_id, id),
  constraint consent_target_is_in_same_account FOREIGN KEY (account_id, target_scope_id) REFERENCES scopes(account_id, id),
  constraint consents_pkey PRIMARY KEY (account_id, id),
  constraint decided_consent_has_its_time CHECK (((status = 'pending'::consent_status) = (decided_at IS NULL)))
);
alter table consents owner to vouch_owner;
alter table consents enable row level security;
alter table consents force row level security;

create table credentials (
  account_id uuid not null,
  id uuid not null,
  kind credential_kind not null,
  secret_hash bytea not null,
  peer_id uuid,
  login_id uuid,
  name text,
  pin_path text,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  login_epoch integer,
  suspended_at timestamp with time zone,
  constraint credential_login_is_in_same_account FOREIGN KEY (account_id, login_id) REFERENCES logins(account_id, id),
  constraint credential_peer_is_in_same_account FOREIGN KEY (account_id, peer_id) REFERENCES peers(account_id, id),
  constraint credential_secret_is_a_sha256 CHECK ((octet_length(secret_hash) = 32)),
  constraint credential_secret_is_unique UNIQUE (secret_hash),
  constraint credentials_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint credentials_pkey PRIMARY KEY (account_id, id),
  constraint only_an_api_key_may_lack_a_peer CHECK (((peer_id IS NOT NULL) OR (kind = 'api_key'::credential_kind))),
  constraint only_an_api_key_never_expires CHECK (((expires_at IS NOT NULL) OR (kind = 'api_key'::credential_kind))),
  constraint only_keys_are_suspended CHECK (((suspended_at IS NULL) OR (kind = 'api_key'::credential_kind))),
  constraint only_people_have_a_login CHECK (((login_id IS NULL) = (kind = 'api_key'::credential_kind))),
  constraint token_has_the_epoch_of_its_login CHECK (((login_epoch IS NULL) = (login_id IS NULL)))
);
alter table credentials owner to vouch_owner;
alter table credentials enable row level security;
alter table credentials force row level security;

create table dirty_marks (
  account_id uuid not null,
  engine index_engine not null,
  unit unit_kind not null,
  unit_id uuid not null,
  scope_id uuid not null,
  shard smallint not null,
  generation bigint default nextval('dirty_mark_generations'::regclass) not null,
  overdue boolean default false not null,
  available_at timestamp with time zone default clock_timestamp() not null,
  attempt_count integer default 0 not null,
  marked_at timestamp with time zone default clock_timestamp() not null,
  unheard_attempts smallint default 0 not null,
  spreads boolean default true not null,
  readers_changed boolean default false not null,
  holds bigint[] default '{}'::bigint[] not null,
  held_until timestamp with time zone,
  constraint dirty_marks_pkey PRIMARY KEY (account_id, unit_id, unit, engine)
);
alter table dirty_marks owner to vouch_owner;
alter table dirty_marks enable row level security;
alter table dirty_marks force row level security;

create table document_uploads (
  account_id uuid not null,
  id uuid not null,
  sha256 bytea not null,
  uploader_peer_id uuid,
  began_at timestamp with time zone default clock_timestamp() not null,
  constraint document_uploads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint document_uploads_pkey PRIMARY KEY (account_id, id),
  constraint upload_hash_is_a_sha256 CHECK ((octet_length(sha256) = 32)),
  constraint uploader_is_in_same_account FOREIGN KEY (account_id, uploader_peer_id) REFERENCES peers(account_id, id)
);
alter table document_uploads owner to vouch_owner;
alter table document_uploads enable row level security;
alter table document_uploads force row level security;

create table document_versions (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  version integer not null,
  sha256 bytea,
  byte_size integer,
  media_type text,
  title text,
  occurred_at timestamp with time zone not null,
  occurred_offset_minutes smallint not null,
  uploader_peer_id uuid,
  credential_id uuid,
  trace_id text not null,
  recorded_at timestamp with time zone default clock_timestamp() not null,
  attempt_count integer default 0 not null,
  last_error_class error_class,
  chunk_count integer,
  parsed_at timestamp with time zone,
  settled_at timestamp with time zone,
  is_withdrawal boolean default false not null,
  audience_id uuid,
  constraint document_versions_pkey PRIMARY KEY (account_id, id),
  constraint parsed_version_has_its_chunks CHECK (((parsed_at IS NULL) = (chunk_count IS NULL))),
  constraint settled_version_is_parsed CHECK (((settled_at IS NULL) OR (parsed_at IS NOT NULL))),
  constraint version_audience_is_in_same_account FOREIGN KEY (account_id, audience_id) REFERENCES audiences(account_id, id),
  constraint version_document_is_in_same_account FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, id),
  constraint version_has_an_uploader_unless_it_withdraws CHECK ((is_withdrawal OR (num_nonnulls(uploader_peer_id, credential_id) = 2))),
  constraint version_has_bytes_unless_it_withdraws CHECK ((num_nonnulls(sha256, byte_size, media_type) =
CASE
    WHEN is_withdrawal THEN 0
    ELSE 3
END)),
  constraint version_hash_is_a_sha256 CHECK ((octet_length(sha256) = 32)),
  constraint version_is_at_most_32_mib CHECK (((byte_size >= 1) AND (byte_size <= 33554432))),
  constraint version_number_is_unique_in_document UNIQUE (account_id, document_id, version),
  constraint version_title_has_1_to_256_characters CHECK (((char_length(title) >= 1) AND (char_length(title) <= 256))),
  constraint version_trace_id_is_32_hex CHECK ((trace_id ~ '^[0-9a-f]{32}$'::text)),
  constraint version_uploader_is_in_same_account FOREIGN KEY (account_id, uploader_peer_id) REFERENCES peers(account_id, id),
  constraint withdrawal_has_nothing_to_read CHECK (((NOT is_withdrawal) OR (NOT (chunk_count IS DISTINCT FROM 0))))
);
alter table document_versions owner to vouch_owner;
alter table document_versions enable row level security;
alter table document_versions force row level security;

create table documents (
  account_id uuid not null,
  id uuid not null,
  scope_id uuid not null,
  external_id text,
  unnamed_sha256 bytea,
  created_at timestamp with time zone default now() not null,
  owner_peer_id uuid,
  constraint document_is_known_one_way CHECK ((num_nonnulls(external_id, unnamed_sha256) = 1)),
  constraint document_name_has_1_to_256_characters CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 256))),
  constraint document_name_is_unique_for_its_owner UNIQUE (account_id, scope_id, external_id, owner_peer_id),
  constraint document_owner_is_in_same_account FOREIGN KEY (account_id, owner_peer_id) REFERENCES peers(account_id, id),
  constraint document_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint documents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint documents_pkey PRIMARY KEY (account_id, id),
  constraint unnamed_document_is_unique_for_its_owner UNIQUE (account_id, scope_id, unnamed_sha256, owner_peer_id)
);
alter table documents owner to vouch_owner;
alter table documents enable row level security;
alter table documents force row level security;

create table entity_mentions (
  account_id uuid not null,
  scope_id uuid not null,
  alias text not null,
  is_public boolean not null,
  statement_id uuid not null,
  is_sure boolean not null,
  is_of_subject boolean not null,
  constraint entity_mentions_pkey PRIMARY KEY (account_id, scope_id, alias, is_public, statement_id),
  constraint mentioned_name_has_1_to_128_bytes CHECK (((octet_length(alias) >= 1) AND (octet_length(alias) <= 128)))
);
alter table entity_mentions owner to vouch_owner;
alter table entity_mentions enable row level security;
alter table entity_mentions force row level security;

create table erasure_blobs (
  account_id uuid not null,
  erasure_id uuid not null,
  sha256 bytea not null,
  deleted_at timestamp with time zone,
  constraint blob_erasure_is_in_same_account FOREIGN KEY (account_id, erasure_id) REFERENCES erasure_requests(account_id, id),
  constraint blob_hash_is_a_sha256 CHECK ((octet_length(sha256) = 32)),
  constraint erasure_blobs_pkey PRIMARY KEY (account_id, erasure_id, sha256)
);
alter table erasure_blobs owner to vouch_owner;
alter table erasure_blobs enable row level security;
alter table erasure_blobs force row level security;

create table erasure_requests (
  account_id uuid not null,
  id uuid not null,
  peer_id uuid,
  mode erasure_mode not null,
  state erasure_state default 'accepted'::erasure_state not null,
  access_hash bytea,
  access_until timestamp with time zone,
  erased jsonb default '{}'::jsonb not null,
  requested_at timestamp with time zone default clock_timestamp() not null,
  first_verified_at timestamp with time zone,
  completed_at timestamp with time zone,
  receipt text,
  constraint completed_erasure_has_its_receipt CHECK ((((state = 'completed'::erasure_state) = (receipt IS NOT NULL)) AND ((state = 'completed'::erasure_state) = (completed_at IS NOT NULL)))),
  constraint completed_erasure_names_nobody CHECK (((state = 'completed'::erasure_state) = (peer_id IS NULL))),
  constraint erased_peer_is_in_same_account FOREIGN KEY (account_id, peer_id) REFERENCES peers(account_id, id),
  constraint erasure_access_has_its_end CHECK (((access_hash IS NULL) = (access_until IS NULL))),
  constraint erasure_access_is_a_sha256 CHECK ((octet_length(access_hash) = 32)),
  constraint erasure_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint erasure_requests_pkey PRIMARY KEY (account_id, id)
);
alter table erasure_requests owner to vouch_owner;
alter table erasure_requests enable row level security;
alter table erasure_requests force row level security;

create table erasure_units (
  account_id uuid not null,
  erasure_id uuid not null,
  unit unit_kind not null,
  unit_id uuid not null,
  stays boolean default false not null,
  constraint erasure_units_pkey PRIMARY KEY (account_id, erasure_id, unit, unit_id),
  constraint unit_erasure_is_in_same_account FOREIGN KEY (account_id, erasure_id) REFERENCES erasure_requests(account_id, id)
);
alter table erasure_units owner to vouch_owner;
alter table erasure_units enable row level security;
alter table erasure_units force row level security;

create table extraction_anchors (
  account_id uuid not null,
  message_id uuid not null,
  session_id uuid not null,
  scope_id uuid not null,
  shard smallint not null,
  status extraction_status default 'pending'::extraction_status not null,
  available_at timestamp with time zone default clock_timestamp() not null,
  claim_epoch bigint,
  attempt_count integer default 0 not null,
  last_error_class error_class,
  candidate_count integer,
  batch_id uuid,
  requeue_token uuid,
  extracted_at timestamp with time zone,
  completed_at timestamp with time zone,
  speaker_peer_id uuid not null,
  unsettled_attempts smallint default 0 not null,
  internal_errors smallint default 0 not null,
  failed_at timestamp with time zone,
  constraint anchor_message_is_in_same_account FOREIGN KEY (account_id, message_id) REFERENCES messages(account_id, id) ON DELETE CASCADE,
  constraint anchor_shard_is_not_negative CHECK ((shard >= 0)),
  constraint completed_anchor_has_its_time CHECK (((status = 'completed'::extraction_status) = (completed_at IS NOT NULL))),
  constraint extraction_anchors_pkey PRIMARY KEY (account_id, message_id),
  constraint failed_anchor_has_a_class CHECK (((status = ANY (ARRAY['pending'::extraction_status, 'completed'::extraction_status])) OR (last_error_class IS NOT NULL))),
  constraint unsettled_attempts_are_not_negative CHECK ((unsettled_attempts >= 0))
);
alter table extraction_anchors owner to vouch_owner;
alter table extraction_anchors enable row level security;
alter table extraction_anchors force row level security;

create table extraction_budgets (
  account_id uuid not null,
  id uuid not null,
  scope_root text not null,
  request_cap bigint not null,
  token_cap bigint not null,
  usd_micros_cap bigint not null,
  deadline_at timestamp with time zone not null,
  input_usd_micros_per_million bigint not null,
  output_usd_micros_per_million bigint not null,
  requests_reserved bigint default 0 not null,
  tokens_reserved bigint default 0 not null,
  usd_micros_reserved bigint default 0 not null,
  closed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  scope_root_hash bytea generated always as (text_sha256(scope_root)) stored not null,
  constraint budget_caps_are_positive CHECK ((LEAST(request_cap, token_cap, usd_micros_cap) > 0)),
  constraint budget_rates_are_not_negative CHECK ((LEAST(input_usd_micros_per_million, output_usd_micros_per_million) >= 0)),
  constraint budget_root_is_absolute CHECK (((scope_root = '/'::text) OR ((scope_root ~ '^/'::text) AND (scope_root !~ '/$'::text) AND (scope_root !~ '//'::text)))),
  constraint budget_root_is_unique_in_account UNIQUE (account_id, scope_root_hash),
  constraint extraction_budgets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint extraction_budgets_pkey PRIMARY KEY (account_id, id)
);
alter table extraction_budgets owner to vouch_owner;
alter table extraction_budgets enable row level security;
alter table extraction_budgets force row level security;

create table forget_books (
  account_id uuid not null,
  edition bigint default nextval('forget_editions'::regclass) not null,
  acts forget_setting default 'own'::forget_setting not null,
  sealed_hint_key bytea,
  constraint forget_books_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint forget_books_pkey PRIMARY KEY (account_id),
  constraint hint_key_has_32_bytes CHECK ((octet_length(sealed_hint_key) = 32))
);
alter table forget_books owner to vouch_owner;
alter table forget_books enable row level security;
alter table forget_books force row level security;

create table forget_holds (
  account_id uuid not null,
  id uuid not null,
  scope_id uuid not null,
  requester_peer_id uuid,
  message_id uuid,
  credential_id uuid,
  kind forget_kind not null,
  state forget_state default 'open'::forget_state not null,
  is_acting boolean not null,
  sealed_key bytea not null,
  opened_at timestamp with time zone default clock_timestamp() not null,
  due_at timestamp with time zone not null,
  version integer default 1 not null,
  decided_at timestamp with time zone,
  decided_by uuid,
  constraint decided_hold_has_its_time CHECK (((state = 'open'::forget_state) = (decided_at IS NULL))),
  constraint forget_holds_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint forget_holds_pkey PRIMARY KEY (account_id, id),
  constraint hold_decider_is_in_same_account FOREIGN KEY (account_id, decided_by) REFERENCES peers(account_id, id),
  constraint hold_key_has_32_bytes CHECK ((octet_length(sealed_key) = 32)),
  constraint hold_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint lifted_hold_does_not_act CHECK (((NOT is_acting) OR (state <> 'lifted'::forget_state))),
  constraint request_is_in_same_account FOREIGN KEY (account_id, message_id) REFERENCES messages(account_id, id) ON DELETE SET NULL (message_id),
  constraint requester_is_in_same_account FOREIGN KEY (account_id, requester_peer_id) REFERENCES peers(account_id, id),
  constraint upheld_hold_acts CHECK ((is_acting OR (state <> 'upheld'::forget_state)))
);
alter table forget_holds owner to vouch_owner;
alter table forget_holds enable row level security;
alter table forget_holds force row level security;

create table gate_decisions (
  account_id uuid not null,
  id uuid not null,
  knowledge_id uuid not null,
  review_item_id uuid,
  scope_id uuid not null,
  rule_id uuid,
  gate gate_name not null,
  decision gate_decision not null,
  reason text not null,
  channel decision_channel not null,
  actor_peer_id uuid,
  verified boolean not null,
  from_state knowledge_state,
  to_state knowledge_state not null,
  from_level target_level not null,
  to_level target_level not null,
  statement_hash bytea not null,
  decided_at timestamp with time zone default now() not null,
  constraint decided_knowledge_is_in_same_account FOREIGN KEY (account_id, knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE,
  constraint decided_review_is_in_same_account FOREIGN KEY (account_id, review_item_id) REFERENCES review_items(account_id, id),
  constraint decided_rule_is_in_same_account FOREIGN KEY (account_id, rule_id) REFERENCES gate_rules(account_id, id),
  constraint decision_reason_is_a_code CHECK ((reason ~ '^[a-z][a-z0-9_]{1,63}$'::text)),
  constraint gate_decisions_pkey PRIMARY KEY (account_id, id)
);
alter table gate_decisions owner to vouch_owner;
alter table gate_decisions enable row level security;
alter table gate_decisions force row level security;

create table gate_rules (
  account_id uuid not null,
  id uuid not null,
  scope_id uuid,
  target_level target_level not null,
  sensitivity sensitivity not null,
  gate_a gate_a_mode not null,
  gate_b gate_b_mode not null,
  minimum_evidence_level evidence_level not null,
  minimum_confidence double precision default 0 not null,
  minimum_corroboration integer not null,
  requires_consent boolean default false not null,
  automatic_consent boolean default false not null,
  pending_max_age_hours integer default 168 not null,
  revalidate_after_days integer,
  expires_after_days integer,
  created_at timestamp with time zone default now() not null,
  retired_at timestamp with time zone,
  constraint gate_rule_confidence_is_between_0_and_1 CHECK (((minimum_confidence >= (0)::double precision) AND (minimum_confidence <= (1)::double precision))),
  constraint gate_rule_corroboration_is_positive CHECK ((minimum_corroboration >= 1)),
  constraint gate_rule_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint gate_rules_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint gate_rules_pkey PRIMARY KEY (account_id, id)
);
alter table gate_rules owner to vouch_owner;
alter table gate_rules enable row level security;
alter table gate_rules force row level security;

create table grants (
  account_id uuid not null,
  id uuid not null,
  peer_id uuid,
  credential_id uuid,
  scope_path text not null,
  role role_name not null,
  effect grant_effect default 'allow'::grant_effect not null,
  propagate boolean default true not null,
  granted_by uuid,
  created_at timestamp with time zone default now() not null,
  scope_path_hash bytea generated always as (text_sha256(scope_path)) stored not null,
  constraint grant_credential_is_in_same_account FOREIGN KEY (account_id, credential_id) REFERENCES credentials(account_id, id),
  constraint grant_has_exactly_one_holder CHECK ((num_nonnulls(peer_id, credential_id) = 1)),
  constraint grant_is_given_once UNIQUE NULLS NOT DISTINCT (account_id, peer_id, credential_id, scope_path_hash, role, effect, propagate),
  constraint grant_peer_is_in_same_account FOREIGN KEY (account_id, peer_id) REFERENCES peers(account_id, id),
  constraint grants_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint grants_pkey PRIMARY KEY (account_id, id)
);
alter table grants owner to vouch_owner;
alter table grants enable row level security;
alter table grants force row level security;

create table idempotency_records (
  account_id uuid not null,
  id uuid not null,
  credential_id uuid not null,
  method text not null,
  path text not null,
  key text not null,
  request_hash bytea not null,
  status smallint not null,
  resource_id uuid not null,
  created_at timestamp with time zone default now() not null,
  path_hash bytea generated always as (text_sha256(path)) stored not null,
  constraint idempotency_credential_is_in_same_account FOREIGN KEY (account_id, credential_id) REFERENCES credentials(account_id, id),
  constraint idempotency_key_has_1_to_255_characters CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255))),
  constraint idempotency_key_is_used_once UNIQUE (account_id, credential_id, method, path_hash, key),
  constraint idempotency_records_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint idempotency_records_pkey PRIMARY KEY (account_id, id)
);
alter table idempotency_records owner to vouch_owner;
alter table idempotency_records enable row level security;
alter table idempotency_records force row level security;

create table index_marks (
  engine text not null,
  current uuid,
  pending uuid,
  pending_at timestamp with time zone,
  lost_at timestamp with time zone,
  claimed_until timestamp with time zone,
  constraint index_marks_pkey PRIMARY KEY (engine),
  constraint mark_is_of_an_index CHECK ((engine = ANY (ARRAY['meilisearch'::text, 'qdrant'::text]))),
  constraint pending_mark_has_its_time CHECK (((pending IS NULL) = (pending_at IS NULL)))
);
alter table index_marks owner to vouch_owner;

create table indexed_units (
  account_id uuid not null,
  unit unit_kind not null,
  unit_id uuid not null,
  scope_id uuid not null,
  term_ids bigint[] not null,
  analyzer_version text not null,
  constraint indexed_units_pkey PRIMARY KEY (account_id, unit, unit_id)
);
alter table indexed_units owner to vouch_owner;
alter table indexed_units enable row level security;
alter table indexed_units force row level security;

create table knowledge (
  account_id uuid not null,
  id uuid not null,
  scope_id uuid not null,
  subject_peer_id uuid,
  subject_scope_id uuid,
  statement text,
  statement_hash bytea not null,
  kind statement_kind not null,
  confidence double precision not null,
  evidence_level evidence_level not null,
  sensitivity sensitivity not null,
  target_level target_level not null,
  state knowledge_state not null,
  verification verification not null,
  origin statement_origin default 'extracted'::statement_origin not null,
  held_scope_id uuid,
  corroboration_count integer default 1 not null,
  previously_refused boolean default false not null,
  supersedes_id uuid,
  expires_at timestamp with time zone,
  revalidate_after timestamp with time zone,
  relevant_from timestamp with time zone,
  relevant_from_precision time_precision,
  relevant_until timestamp with time zone,
  relevant_until_precision time_precision,
  text_occurred_at timestamp with time zone not null,
  text_source_hash bytea not null,
  extracting_provider text not null,
  extracting_model text,
  extracting_model_version text,
  prompt_version text,
  pipeline_version text not null,
  embedding_provider text,
  embedding_model text,
  embedding_version text,
  embedding_dimensions integer,
  row_version bigint default 1 not null,
  recorded_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  claim_about text,
  claim_value text,
  claim_mode claim_mode,
  updated_by_id uuid,
  state_before_update knowledge_state,
  stated_until timestamp with time zone,
  stated_until_precision time_precision,
  source_count integer default 0 not null,
  submitter_count integer default 0 not null,
  first_attester_id uuid,
  first_said_at timestamp with time zone,
  first_said_hash bytea,
  shelf text generated always as ((
CASE state
    WHEN 'proposed'::knowledge_state THEN 'proposed'::text
    WHEN 'provisional'::knowledge_state THEN 'provisional'::text
    WHEN 'held'::knowledge_state THEN 'held'::text
    WHEN 'active'::knowledge_state THEN 'active'::text
    WHEN 'needs_revalidation'::knowledge_state THEN 'needs_revalidation'::text
    WHEN 'stale'::knowledge_state THEN 'stale'::text
    WHEN 'contested'::knowledge_state THEN 'contested'::text
    WHEN 'superseded'::knowledge_state THEN 'superseded'::text
    WHEN 'expired'::knowledge_state THEN 'expired'::text
    WHEN 'rejected'::knowledge_state THEN 'rejected'::text
    WHEN 'redacted'::knowledge_state THEN 'redacted'::text
    ELSE 'retracted'::text
END ||
CASE
    WHEN (audience_id IS NOT NULL) THEN '/addressed'::text
    WHEN (sensitivity = 'public'::sensitivity) THEN '/everybody'::text
    WHEN ((sensitivity = 'internal'::sensitivity) OR (subject_peer_id IS NULL) OR (target_level <> 'peer'::target_level)) THEN '/scope'::text
    ELSE '/few'::text
END)) stored not null,
  salience double precision generated always as ((ln((GREATEST(confidence, (0.000000001)::double precision) * ((1)::double precision + ln(((1)::double precision + (corroboration_count)::double precision))))) + ((EXTRACT(epoch FROM (updated_at - '2026-01-01 00:00:00+00'::timestamp with time zone)))::double precision / (2592000)::double precision))) stored not null,
  state_before_contest knowledge_state,
  replaces_id uuid,
  merged_into_id uuid,
  derivation_level integer default 1 not null,
  kind_word text generated always as (
CASE kind
    WHEN 'fact'::statement_kind THEN 'fact'::text
    WHEN 'preference'::statement_kind THEN 'preference'::text
    WHEN 'event'::statement_kind THEN 'event'::text
    WHEN 'relation'::statement_kind THEN 'relation'::text
    ELSE 'skill'::text
END) stored not null,
  attribute text generated always as (split_part(claim_about, ':'::text, 1)) stored,
  confidence_level confidence_level,
  audience_id uuid,
  is_withheld boolean default false not null,
  unmasked jsonb,
  is_served boolean default true not null,
  constraint claim_has_its_mode CHECK (((claim_about IS NULL) = (claim_mode IS NULL))),
  constraint claim_names_an_attribute CHECK ((claim_about ~ '^[a-z_]{1,32}(:[0-9a-f]{64})?$'::text)),
  constraint claim_value_is_a_digest CHECK ((claim_value ~ '^[0-9a-f]{64}$'::text)),
  constraint confidence_is_between_0_and_1 CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
  constraint corroboration_is_not_negative CHECK ((corroboration_count >= 0)),
  constraint derivation_begins_at_messages CHECK ((derivation_level >= 1)),
  constraint evidence_is_not_negative CHECK (((source_count >= 0) AND (submitter_count >= 0))),
  constraint first_saying_is_known_as_a_whole CHECK ((num_nonnulls(first_attester_id, first_said_at, first_said_hash) = ANY (ARRAY[0, 3]))),
  constraint knowledge_audience_is_in_same_account FOREIGN KEY (account_id, audience_id) REFERENCES audiences(account_id, id),
  constraint knowledge_has_exactly_one_subject CHECK ((num_nonnulls(subject_peer_id, subject_scope_id) = 1)),
  constraint knowledge_held_scope_is_in_same_account FOREIGN KEY (account_id, held_scope_id) REFERENCES scopes(account_id, id),
  constraint knowledge_pkey PRIMARY KEY (account_id, id),
  constraint knowledge_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint knowledge_subject_is_in_same_account FOREIGN KEY (account_id, subject_peer_id) REFERENCES peers(account_id, id),
  constraint knowledge_subject_scope_is_in_same_account FOREIGN KEY (account_id, subject_scope_id) REFERENCES scopes(account_id, id),
  constraint merged_knowledge_is_in_same_account FOREIGN KEY (account_id, merged_into_id) REFERENCES knowledge(account_id, id) ON DELETE SET NULL (merged_into_id) DEFERRABLE,
  constraint only_an_update_keeps_what_it_replaced CHECK (((updated_by_id IS NOT NULL) OR ((state_before_update IS NULL) AND (stated_until IS NULL)))),
  constraint only_contested_knows_its_state_before CHECK (((state_before_contest IS NULL) OR (state = 'contested'::knowledge_state))),
  constraint only_withdrawn_or_unserved_knowledge_lacks_its_text CHECK (((statement IS NOT NULL) OR (state = ANY (ARRAY['retracted'::knowledge_state, 'redacted'::knowledge_state])) OR (NOT is_served))),
  constraint replaced_knowledge_is_in_same_account FOREIGN KEY (account_id, replaces_id) REFERENCES knowledge(account_id, id) ON DELETE SET NULL (replaces_id) DEFERRABLE,
  constraint restricted_knowledge_is_never_about_a_scope CHECK (((sensitivity <> 'restricted'::sensitivity) OR (subject_peer_id IS NOT NULL))),
  constraint restricted_knowledge_stays_at_peer_level CHECK (((sensitivity <> 'restricted'::sensitivity) OR (target_level = 'peer'::target_level))),
  constraint stated_end_has_its_precision CHECK (((stated_until IS NULL) = (stated_until_precision IS NULL))),
  constraint statement_that_is_not_served_keeps_what_was_said CHECK ((is_served OR ((unmasked IS NOT NULL) AND (statement IS NULL)))),
  constraint superseded_knowledge_is_in_same_account FOREIGN KEY (account_id, supersedes_id) REFERENCES knowledge(account_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint updating_knowledge_is_in_same_account FOREIGN KEY (account_id, updated_by_id) REFERENCES knowledge(account_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint validity_end_has_its_precision CHECK (((relevant_until IS NULL) = (relevant_until_precision IS NULL))),
  constraint validity_start_has_its_precision CHECK (((relevant_from IS NULL) = (relevant_from_precision IS NULL))),
  constraint validity_window_is_not_empty CHECK ((relevant_from < relevant_until)),
  constraint withdrawn_statement_keeps_no_words CHECK (((unmasked IS NULL) OR (state <> ALL (ARRAY['retracted'::knowledge_state, 'redacted'::knowledge_state])))),
  constraint withheld_statement_is_not_placed CHECK (((NOT is_withheld) OR (state <> ALL (ARRAY['proposed'::knowledge_state, 'provisional'::knowledge_state, 'active'::knowledge_state, 'needs_revalidation'::knowledge_state, 'stale'::knowledge_state]))))
);
alter table knowledge owner to vouch_owner;
alter table knowledge enable row level security;
alter table knowledge force row level security;

create table knowledge_addressees (
  account_id uuid not null,
  knowledge_id uuid not null,
  principal text not null,
  scope_id uuid not null,
  state text not null,
  confidence double precision not null,
  recorded_at timestamp with time zone not null,
  constraint addressed_knowledge_is_in_same_account FOREIGN KEY (account_id, knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE,
  constraint knowledge_addressees_pkey PRIMARY KEY (account_id, knowledge_id, principal)
);
alter table knowledge_addressees owner to vouch_owner;
alter table knowledge_addressees enable row level security;
alter table knowledge_addressees force row level security;

create table knowledge_attesters (
  account_id uuid not null,
  knowledge_id uuid not null,
  attester_id uuid generated always as (COALESCE(document_id, peer_id)) stored not null,
  peer_id uuid,
  document_id uuid,
  source_count integer not null,
  last_said_at timestamp with time zone not null,
  last_said_hash bytea not null,
  last_version integer,
  withdrawn boolean default false not null,
  constraint attester_has_a_source CHECK ((source_count > 0)),
  constraint attester_is_a_peer_or_a_document CHECK ((num_nonnulls(peer_id, document_id) = 1)),
  constraint attesting_document_has_its_version CHECK (((document_id IS NULL) = (last_version IS NULL))),
  constraint knowledge_attesters_pkey PRIMARY KEY (account_id, knowledge_id, attester_id)
);
alter table knowledge_attesters owner to vouch_owner;
alter table knowledge_attesters enable row level security;
alter table knowledge_attesters force row level security;

create table knowledge_paraphrases (
  account_id uuid not null,
  knowledge_id uuid not null,
  statement_hash bytea not null,
  constraint knowledge_paraphrases_pkey PRIMARY KEY (account_id, knowledge_id, statement_hash),
  constraint paraphrase_hash_is_sha256 CHECK ((octet_length(statement_hash) = 32)),
  constraint paraphrased_knowledge_is_in_same_account FOREIGN KEY (account_id, knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE
);
alter table knowledge_paraphrases owner to vouch_owner;
alter table knowledge_paraphrases enable row level security;
alter table knowledge_paraphrases force row level security;

create table knowledge_source_scopes (
  account_id uuid not null,
  knowledge_id uuid not null,
  scope_id uuid not null,
  constraint knowledge_source_scopes_pkey PRIMARY KEY (account_id, knowledge_id, scope_id)
);
alter table knowledge_source_scopes owner to vouch_owner;
alter table knowledge_source_scopes enable row level security;
alter table knowledge_source_scopes force row level security;

create table knowledge_submitters (
  account_id uuid not null,
  knowledge_id uuid not null,
  peer_id uuid not null,
  scope_id uuid not null,
  state text not null,
  confidence double precision not null,
  recorded_at timestamp with time zone not null,
  constraint knowledge_submitters_pkey PRIMARY KEY (account_id, knowledge_id, peer_id)
);
alter table knowledge_submitters owner to vouch_owner;
alter table knowledge_submitters enable row level security;
alter table knowledge_submitters force row level security;

create table lifecycle_events (
  account_id uuid not null,
  id uuid not null,
  knowledge_id uuid not null,
  scope_id uuid not null,
  from_state knowledge_state,
  to_state knowledge_state not null,
  reason text not null,
  actor_peer_id uuid,
  occurred_at timestamp with time zone default now() not null,
  constraint lifecycle_events_pkey PRIMARY KEY (account_id, id),
  constraint lifecycle_knowledge_is_in_same_account FOREIGN KEY (account_id, knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE,
  constraint lifecycle_reason_is_a_code CHECK ((reason ~ '^[a-z][a-z0-9_]{1,63}$'::text))
);
alter table lifecycle_events owner to vouch_owner;
alter table lifecycle_events enable row level security;
alter table lifecycle_events force row level security;

create table logins (
  account_id uuid not null,
  id uuid not null,
  peer_id uuid,
  email text,
  password_hash text,
  closed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  epoch integer default 0 not null,
  constraint login_email_is_lower_case CHECK ((email = lower(email))),
  constraint login_email_is_unique_in_deployment UNIQUE (email),
  constraint login_is_whole_or_removed CHECK ((num_nonnulls(peer_id, email, password_hash) = ANY (ARRAY[0, 3]))),
  constraint login_peer_is_in_same_account FOREIGN KEY (account_id, peer_id) REFERENCES peers(account_id, id),
  constraint logins_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint logins_pkey PRIMARY KEY (account_id, id),
  constraint peer_has_one_login UNIQUE (account_id, peer_id),
  constraint removed_login_is_closed CHECK (((peer_id IS NOT NULL) OR (closed_at IS NOT NULL)))
);
alter table logins owner to vouch_owner;
alter table logins enable row level security;
alter table logins force row level security;

create table mailboxes (
  account_id uuid not null,
  kind mailbox_kind not null,
  shard smallint not null,
  epoch bigint default 0 not null,
  awake_until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  last_rung_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  ring_attempts integer default 0 not null,
  paused boolean default false not null,
  turn_speaker_id uuid,
  retry_speaker_id uuid,
  constraint mailboxes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint mailboxes_pkey PRIMARY KEY (account_id, kind, shard)
);
alter table mailboxes owner to vouch_owner;
alter table mailboxes enable row level security;
alter table mailboxes force row level security;

create table masked_values (
  account_id uuid not null,
  hold_id uuid not null,
  hash bytea not null,
  hint integer not null,
  opens_door boolean not null,
  is_specific boolean not null,
  first_said_at timestamp with time zone,
  is_stated boolean not null,
  constraint masked_values_pkey PRIMARY KEY (account_id, hold_id, hash),
  constraint value_hash_is_a_sha256 CHECK ((octet_length(hash) = 32)),
  constraint value_hint_has_24_bits CHECK (((hint >= 0) AND (hint <= 16777215))),
  constraint value_hold_is_in_same_account FOREIGN KEY (account_id, hold_id) REFERENCES forget_holds(account_id, id) ON DELETE CASCADE
);
alter table masked_values owner to vouch_owner;
alter table masked_values enable row level security;
alter table masked_values force row level security;

create table messages (
  account_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  scope_id uuid not null,
  speaker_peer_id uuid not null,
  relay_peer_id uuid,
  credential_id uuid not null,
  role text not null,
  content text not null,
  content_hash bytea not null,
  occurred_at timestamp with time zone not null,
  occurred_offset_minutes smallint not null,
  recorded_at timestamp with time zone default clock_timestamp() not null,
  trace_id text not null,
  document_version_id uuid,
  chunk_index integer,
  headings text,
  audience_id uuid,
  unmasked text,
  is_served boolean default true not null,
  constraint chunk_has_its_place CHECK (((document_version_id IS NULL) = (chunk_index IS NULL))),
  constraint chunk_stands_once_in_its_version UNIQUE (account_id, document_version_id, chunk_index),
  constraint chunk_version_is_in_same_account FOREIGN KEY (account_id, document_version_id) REFERENCES document_versions(account_id, id),
  constraint message_audience_is_in_same_account FOREIGN KEY (account_id, audience_id) REFERENCES audiences(account_id, id),
  constraint message_content_hash_is_a_sha256 CHECK ((octet_length(content_hash) = 32)),
  constraint message_content_is_at_most_1_mib CHECK ((octet_length(content) <= 1048576)),
  constraint message_offset_is_within_a_day CHECK (((occurred_offset_minutes >= '-1440'::integer) AND (occurred_offset_minutes <= 1440))),
  constraint message_relay_is_in_same_account FOREIGN KEY (account_id, relay_peer_id) REFERENCES peers(account_id, id),
  constraint message_role_has_1_to_256_characters CHECK (((char_length(role) >= 1) AND (char_length(role) <= 256))),
  constraint message_session_is_linked_to_scope FOREIGN KEY (account_id, session_id, scope_id) REFERENCES session_scopes(account_id, session_id, scope_id),
  constraint message_speaker_is_in_same_account FOREIGN KEY (account_id, speaker_peer_id) REFERENCES peers(account_id, id),
  constraint message_that_is_not_served_keeps_what_was_said CHECK ((is_served OR ((unmasked IS NOT NULL) AND (content = ''::text)))),
  constraint message_trace_id_is_32_hex CHECK ((trace_id ~ '^[0-9a-f]{32}$'::text)),
  constraint messages_pkey PRIMARY KEY (account_id, id),
  constraint only_chunks_have_headings CHECK (((headings IS NULL) OR (document_version_id IS NOT NULL))),
  constraint unmasked_message_is_at_most_1_mib CHECK ((octet_length(unmasked) <= 1048576))
);
alter table messages owner to vouch_owner;
alter table messages enable row level security;
alter table messages force row level security;

create table peers (
  account_id uuid not null,
  id uuid not null,
  key text not null,
  name text not null,
  kind peer_kind not null,
  created_at timestamp with time zone default now() not null,
  name_lead text generated always as (name_lead(name)) stored not null,
  key_lead text generated always as (name_lead(key)) stored not null,
  erasing_at timestamp with time zone,
  audit_salt uuid default gen_random_uuid(),
  constraint peer_key_has_1_to_256_characters CHECK (((char_length(key) >= 1) AND (char_length(key) <= 256))),
  constraint peer_key_is_unique_in_account UNIQUE (account_id, key),
  constraint peer_name_has_1_to_256_characters CHECK (((char_length(name) >= 1) AND (char_length(name) <= 256))),
  constraint peers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint peers_pkey PRIMARY KEY (account_id, id)
);
alter table peers owner to vouch_owner;
alter table peers enable row level security;
alter table peers force row level security;

create table pipeline_runs (
  account_id uuid not null,
  id uuid not null,
  kind run_kind not null,
  target_id uuid,
  status run_status default 'pending'::run_status not null,
  attempt_count integer default 0 not null,
  last_error_class error_class,
  trace_id text,
  dispatched_at timestamp with time zone,
  processed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint pipeline_runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint pipeline_runs_pkey PRIMARY KEY (account_id, id)
);
alter table pipeline_runs owner to vouch_owner;
alter table pipeline_runs enable row level security;
alter table pipeline_runs force row level security;

create table projection_marks (
  account_id uuid not null,
  id bigint default nextval('dirty_mark_generations'::regclass) not null,
  kind projection_kind not null,
  scope_id uuid not null,
  target_id uuid not null,
  marked_at timestamp with time zone default clock_timestamp() not null,
  constraint projection_marks_pkey PRIMARY KEY (account_id, id)
);
alter table projection_marks owner to vouch_owner;
alter table projection_marks enable row level security;
alter table projection_marks force row level security;

create table projection_work (
  account_id uuid not null,
  kind projection_kind not null,
  scope_id uuid not null,
  target_id uuid not null,
  generation bigint default nextval('dirty_mark_generations'::regclass) not null,
  marked_at timestamp with time zone not null,
  available_at timestamp with time zone not null,
  attempt_count integer default 0 not null,
  constraint projection_work_pkey PRIMARY KEY (account_id, target_id, scope_id, kind)
);
alter table projection_work owner to vouch_owner;
alter table projection_work enable row level security;
alter table projection_work force row level security;

create table projections (
  account_id uuid not null,
  kind projection_kind not null,
  scope_id uuid not null,
  target_id uuid not null,
  entity text default ''::text not null,
  entity_kind text,
  label text,
  source_ids uuid[] not null,
  source_versions bigint[] not null,
  source_total integer not null,
  said_since timestamp with time zone,
  summary text,
  summary_mode summary_mode not null,
  summary_provider text,
  summary_model text,
  summary_model_version text,
  summary_prompt_version text,
  revision bigint default nextval('dirty_mark_generations'::regclass) not null,
  built_at timestamp with time zone default clock_timestamp() not null,
  summary_due_at timestamp with time zone,
  summary_attempts smallint default 0 not null,
  summary_asked_at timestamp with time zone,
  constraint every_source_has_its_version CHECK ((cardinality(source_ids) = cardinality(source_versions))),
  constraint only_a_made_summary_has_a_text CHECK (((summary IS NOT NULL) = (summary_mode = ANY (ARRAY['model'::summary_mode, 'source_extract'::summary_mode])))),
  constraint only_entity_cards_have_a_name CHECK (((kind = 'entity_card'::projection_kind) = (entity <> ''::text))),
  constraint projected_label_has_at_most_256_characters CHECK ((char_length(label) <= 256)),
  constraint projected_name_has_at_most_128_bytes CHECK ((octet_length(entity) <= 128)),
  constraint projection_has_2_to_32_sources CHECK (((cardinality(source_ids) >= 2) AND (cardinality(source_ids) <= 32))),
  constraint projections_pkey PRIMARY KEY (account_id, kind, scope_id, target_id, entity),
  constraint summary_attempts_are_not_negative CHECK ((summary_attempts >= 0)),
  constraint summary_has_at_most_4800_characters CHECK ((char_length(summary) <= 4800))
);
alter table projections owner to vouch_owner;
alter table projections enable row level security;
alter table projections force row level security;

create table provenance (
  account_id uuid not null,
  knowledge_id uuid not null,
  message_id uuid not null,
  speaker_peer_id uuid not null,
  recorded_at timestamp with time zone default now() not null,
  source_key uuid not null,
  wording text,
  span_offset integer,
  span_length integer,
  is_context boolean default false not null,
  unmasked jsonb,
  constraint provenance_knowledge_is_in_same_account FOREIGN KEY (account_id, knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE,
  constraint provenance_message_is_in_same_account FOREIGN KEY (account_id, message_id) REFERENCES messages(account_id, id),
  constraint provenance_pkey PRIMARY KEY (account_id, knowledge_id, message_id),
  constraint provenance_speaker_is_in_same_account FOREIGN KEY (account_id, speaker_peer_id) REFERENCES peers(account_id, id),
  constraint span_has_both_ends CHECK (((span_offset IS NULL) = (span_length IS NULL))),
  constraint span_is_a_part_of_a_message CHECK (((span_offset >= 0) AND (span_length >= 1))),
  constraint wording_has_at_most_4000_characters CHECK ((char_length(wording) <= 4000))
);
alter table provenance owner to vouch_owner;
alter table provenance enable row level security;
alter table provenance force row level security;

create table provider_attempts (
  account_id uuid not null,
  id uuid not null,
  role model_role not null,
  provider text not null,
  model text not null,
  model_version text not null,
  prompt_version text,
  pipeline_version text,
  state attempt_state not null,
  metered boolean default false not null,
  batch_id uuid,
  run_id uuid,
  scope_id uuid,
  anchor_message_ids uuid[] default '{}'::uuid[] not null,
  repair_index smallint default 0 not null,
  mailbox_shard smallint,
  claim_epoch bigint,
  input_tokens bigint,
  output_tokens bigint,
  embedding_tokens bigint,
  usd_micros bigint,
  duration_ms integer,
  error_class error_class,
  trace_id text,
  reserved_at timestamp with time zone default clock_timestamp() not null,
  dispatched_at timestamp with time zone,
  finished_at timestamp with time zone,
  budget_id uuid,
  worst_input_tokens bigint default 0 not null,
  worst_output_tokens bigint default 0 not null,
  worst_embedding_tokens bigint default 0 not null,
  reranker_tokens bigint,
  campaign_id uuid,
  token_day date,
  constraint attempt_budget_is_in_same_account FOREIGN KEY (account_id, budget_id) REFERENCES extraction_budgets(account_id, id),
  constraint finished_attempt_has_its_time CHECK (((state = ANY (ARRAY['success'::attempt_state, 'error'::attempt_state, 'timeout'::attempt_state, 'cancelled'::attempt_state])) = (finished_at IS NOT NULL))),
  constraint only_a_finished_attempt_failed CHECK (((error_class IS NULL) OR (state = ANY (ARRAY['error'::attempt_state, 'timeout'::attempt_state, 'cancelled'::attempt_state])))),
  constraint provider_attempts_pkey PRIMARY KEY (account_id, id)
);
alter table provider_attempts owner to vouch_owner;
alter table provider_attempts enable row level security;
alter table provider_attempts force row level security;

create table provider_circuits (
  account_id uuid not null,
  role model_role not null,
  provider text not null,
  model text not null,
  state circuit_state default 'closed'::circuit_state not null,
  consecutive_failures integer default 0 not null,
  blocked_until timestamp with time zone,
  probe_owner uuid,
  closed_at timestamp with time zone,
  constraint closed_circuit_blocks_nothing CHECK (((state = 'closed'::circuit_state) = (blocked_until IS NULL))),
  constraint failure_count_is_not_negative CHECK ((consecutive_failures >= 0)),
  constraint half_open_circuit_has_its_probe CHECK (((state = 'half_open'::circuit_state) = (probe_owner IS NOT NULL))),
  constraint provider_circuits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint provider_circuits_pkey PRIMARY KEY (account_id, role, provider, model)
);
alter table provider_circuits owner to vouch_owner;
alter table provider_circuits enable row level security;
alter table provider_circuits force row level security;

create table pruned_scopes (
  account_id uuid not null,
  scope_id uuid not null,
  pruned_at timestamp with time zone default now() not null,
  constraint pruned_scopes_pkey PRIMARY KEY (account_id, scope_id)
);
alter table pruned_scopes owner to vouch_owner;
alter table pruned_scopes enable row level security;
alter table pruned_scopes force row level security;

create table question_deliveries (
  account_id uuid not null,
  id uuid not null,
  question_id uuid not null,
  session_id uuid not null,
  peer_id uuid not null,
  credential_id uuid not null,
  operation text not null,
  delivered_at timestamp with time zone not null,
  verdict question_verdict,
  verification question_verification,
  effect text,
  answered_at timestamp with time zone,
  shown_text_hash bytea,
  shown_text_differs boolean,
  constraint answered_delivery_has_all_of_its_answer CHECK ((num_nonnulls(verdict, verification, effect, answered_at) = ANY (ARRAY[0, 4]))),
  constraint delivered_question_is_in_same_account FOREIGN KEY (account_id, question_id) REFERENCES questions(account_id, id) ON DELETE CASCADE,
  constraint delivery_effect_is_a_code CHECK ((effect ~ '^[a-z][a-z0-9_]{1,63}$'::text)),
  constraint delivery_operation_is_a_code CHECK ((operation ~ '^[a-z][a-z0-9_.]{1,63}$'::text)),
  constraint delivery_peer_is_in_same_account FOREIGN KEY (account_id, peer_id) REFERENCES peers(account_id, id),
  constraint delivery_session_is_in_same_account FOREIGN KEY (account_id, session_id) REFERENCES sessions(account_id, id),
  constraint question_deliveries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint question_deliveries_pkey PRIMARY KEY (account_id, id),
  constraint shown_text_hash_is_a_sha256 CHECK ((octet_length(shown_text_hash) = 32))
);
alter table question_deliveries owner to vouch_owner;
alter table question_deliveries enable row level security;
alter table question_deliveries force row level security;

create table questions (
  account_id uuid not null,
  id uuid not null,
  knowledge_id uuid not null,
  scope_id uuid not null,
  peer_id uuid not null,
  kind question_kind not null,
  target_scope_id uuid,
  statement_hash bytea not null,
  opened_at timestamp with time zone not null,
  deadline_at timestamp with time zone not null,
  skips integer default 0 not null,
  put_off boolean default false not null,
  last_delivered_at timestamp with time zone,
  ended_at timestamp with time zone,
  end_reason text,
  constraint asked_knowledge_is_in_same_account FOREIGN KEY (account_id, knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE,
  constraint asked_peer_is_in_same_account FOREIGN KEY (account_id, peer_id) REFERENCES peers(account_id, id),
  constraint asked_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint asked_target_is_in_same_account FOREIGN KEY (account_id, target_scope_id) REFERENCES scopes(account_id, id),
  constraint ended_question_has_its_reason CHECK (((ended_at IS NULL) = (end_reason IS NULL))),
  constraint question_end_reason_is_a_code CHECK ((end_reason ~ '^[a-z][a-z0-9_]{1,63}$'::text)),
  constraint question_for_consent_has_its_place CHECK (((kind = 'consent_upward'::question_kind) = (target_scope_id IS NOT NULL))),
  constraint question_hash_is_a_sha256 CHECK ((octet_length(statement_hash) = 32)),
  constraint questions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint questions_pkey PRIMARY KEY (account_id, id)
);
alter table questions owner to vouch_owner;
alter table questions enable row level security;
alter table questions force row level security;

create table reconcile_places (
  account_id uuid not null,
  after_id uuid,
  constraint reconcile_place_is_of_an_account FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint reconcile_places_pkey PRIMARY KEY (account_id)
);
alter table reconcile_places owner to vouch_owner;
alter table reconcile_places enable row level security;
alter table reconcile_places force row level security;

create table request_days (
  account_id uuid not null,
  day date not null,
  api_requests bigint not null,
  ingests bigint not null,
  recorded bigint not null,
  constraint request_days_pkey PRIMARY KEY (account_id, day)
);
alter table request_days owner to vouch_owner;
alter table request_days enable row level security;
alter table request_days force row level security;

create table retention_tallies (
  account_id uuid not null,
  kind retention_kind not null,
  pruned bigint not null,
  constraint retention_tallies_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint retention_tallies_pkey PRIMARY KEY (account_id, kind)
);
alter table retention_tallies owner to vouch_owner;
alter table retention_tallies enable row level security;
alter table retention_tallies force row level security;

create table retrieval_profiles (
  account_id uuid not null,
  id uuid not null,
  profile overridable_profile not null,
  scope_id uuid,
  strategies jsonb,
  deadline_ms integer,
  rrf_k integer,
  rerank boolean,
  set_at timestamp with time zone default clock_timestamp() not null,
  constraint one_override_of_a_profile_at_a_place UNIQUE NULLS NOT DISTINCT (account_id, scope_id, profile),
  constraint overridden_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint override_deadline_is_20_ms_to_10_s CHECK (((deadline_ms >= 20) AND (deadline_ms <= 10000))),
  constraint override_rrf_k_is_1_to_1000 CHECK (((rrf_k >= 1) AND (rrf_k <= 1000))),
  constraint override_sets_something CHECK ((num_nonnulls(strategies, deadline_ms, rrf_k, rerank) > 0)),
  constraint override_weighs_strategies_by_name CHECK ((jsonb_typeof(strategies) = 'object'::text)),
  constraint retrieval_profiles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint retrieval_profiles_pkey PRIMARY KEY (account_id, id)
);
alter table retrieval_profiles owner to vouch_owner;
alter table retrieval_profiles enable row level security;
alter table retrieval_profiles force row level security;

create table review_items (
  account_id uuid not null,
  id uuid not null,
  knowledge_id uuid not null,
  scope_id uuid not null,
  subject_peer_id uuid,
  kind review_kind not null,
  state review_state default 'pending'::review_state not null,
  target_scope_id uuid,
  target_level target_level,
  due_at timestamp with time zone not null,
  escalated_at timestamp with time zone,
  attempt_count integer default 0 not null,
  assigned_peer_id uuid,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  reason text not null,
  end_reason text,
  conflict_knowledge_id uuid,
  proposed_sensitivity sensitivity,
  past_ageing boolean default false not null,
  has_audience boolean not null,
  constraint contradicted_knowledge_is_in_same_account FOREIGN KEY (account_id, conflict_knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE,
  constraint ended_review_has_its_time CHECK (((state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])) = (decided_at IS NULL))),
  constraint review_decider_is_in_same_account FOREIGN KEY (account_id, decided_by) REFERENCES peers(account_id, id),
  constraint review_end_reason_is_a_code CHECK ((end_reason ~ '^[a-z][a-z0-9_]{1,63}$'::text)),
  constraint review_items_pkey PRIMARY KEY (account_id, id),
  constraint review_reason_is_a_code CHECK ((reason ~ '^[a-z][a-z0-9_]{1,63}$'::text)),
  constraint review_target_is_in_same_account FOREIGN KEY (account_id, target_scope_id) REFERENCES scopes(account_id, id),
  constraint reviewed_knowledge_is_in_same_account FOREIGN KEY (account_id, knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE,
  constraint reviewed_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint reviewed_subject_is_in_same_account FOREIGN KEY (account_id, subject_peer_id) REFERENCES peers(account_id, id),
  constraint reviewer_is_in_same_account FOREIGN KEY (account_id, assigned_peer_id) REFERENCES peers(account_id, id)
);
alter table review_items owner to vouch_owner;
alter table review_items enable row level security;
alter table review_items force row level security;

create table review_words (
  account_id uuid not null,
  review_item_id uuid not null,
  peer_id uuid not null,
  reason text,
  correction text,
  said_at timestamp with time zone default clock_timestamp() not null,
  constraint review_words_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint review_words_pkey PRIMARY KEY (account_id, review_item_id),
  constraint words_have_at_most_1000_characters CHECK (((char_length(reason) <= 1000) AND (char_length(correction) <= 1000))),
  constraint words_item_is_in_same_account FOREIGN KEY (account_id, review_item_id) REFERENCES review_items(account_id, id) ON DELETE CASCADE,
  constraint words_say_something CHECK (((reason IS NOT NULL) OR (correction IS NOT NULL))),
  constraint words_speaker_is_in_same_account FOREIGN KEY (account_id, peer_id) REFERENCES peers(account_id, id)
);
alter table review_words owner to vouch_owner;
alter table review_words enable row level security;
alter table review_words force row level security;

create table run_outputs (
  account_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  knowledge_id uuid not null,
  batch_id uuid,
  effect output_effect not null,
  recorded_at timestamp with time zone default now() not null,
  constraint run_outputs_pkey PRIMARY KEY (account_id, message_id, id)
);
alter table run_outputs owner to vouch_owner;
alter table run_outputs enable row level security;
alter table run_outputs force row level security;

create table scheduled_decisions (
  account_id uuid not null,
  review_item_id uuid not null,
  run_id uuid not null,
  action text not null,
  version integer not null,
  expires_at timestamp with time zone,
  defer_until timestamp with time zone,
  new_statement text,
  new_sensitivity sensitivity,
  approves_new boolean,
  new_knowledge_id uuid,
  into_knowledge_id uuid,
  decided_by uuid not null,
  credential_id uuid not null,
  decided_at timestamp with time zone default clock_timestamp() not null,
  due_at timestamp with time zone not null,
  state scheduled_decision_state default 'scheduled'::scheduled_decision_state not null,
  nudged_at timestamp with time zone,
  ended_at timestamp with time zone,
  end_reason text,
  constraint ended_decision_has_its_time CHECK (((state = 'scheduled'::scheduled_decision_state) = (ended_at IS NULL))),
  constraint scheduled_action_is_known CHECK ((action = ANY (ARRAY['approve'::text, 'reject'::text, 'defer'::text, 'edit'::text, 'merge'::text]))),
  constraint scheduled_decisions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint scheduled_decisions_pkey PRIMARY KEY (account_id, review_item_id),
  constraint scheduled_end_reason_is_a_code CHECK ((end_reason ~ '^[a-z][a-z0-9_]{1,63}$'::text)),
  constraint scheduled_item_is_in_same_account FOREIGN KEY (account_id, review_item_id) REFERENCES review_items(account_id, id) ON DELETE CASCADE,
  constraint scheduler_is_in_same_account FOREIGN KEY (account_id, decided_by) REFERENCES peers(account_id, id)
);
alter table scheduled_decisions owner to vouch_owner;
alter table scheduled_decisions enable row level security;
alter table scheduled_decisions force row level security;

create table schema_migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);
alter table schema_migrations owner to vouch_owner;

create table scope_links (
  account_id uuid not null,
  low_scope_id uuid not null,
  high_scope_id uuid not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint high_linked_scope_is_in_same_account FOREIGN KEY (account_id, high_scope_id) REFERENCES scopes(account_id, id),
  constraint low_linked_scope_is_in_same_account FOREIGN KEY (account_id, low_scope_id) REFERENCES scopes(account_id, id),
  constraint scope_link_has_two_ends_in_order CHECK ((low_scope_id < high_scope_id)),
  constraint scope_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint scope_links_pkey PRIMARY KEY (account_id, low_scope_id, high_scope_id)
);
alter table scope_links owner to vouch_owner;
alter table scope_links enable row level security;
alter table scope_links force row level security;

create table scope_names (
  account_id uuid not null,
  scope_id uuid not null,
  word text not null,
  alias text not null,
  statements integer not null,
  public_statements integer not null,
  sure_statements integer not null,
  sure_public_statements integer not null,
  subject_statements integer not null,
  subject_public_statements integer not null,
  constraint known_name_has_1_to_128_bytes CHECK (((octet_length(alias) >= 1) AND (octet_length(alias) <= 128))),
  constraint mention_counts_are_not_negative CHECK ((LEAST(statements, public_statements, sure_statements, sure_public_statements, subject_statements, subject_public_statements) >= 0)),
  constraint scope_names_pkey PRIMARY KEY (account_id, scope_id, word, alias),
  constraint word_of_a_name_has_1_to_128_bytes CHECK (((octet_length(word) >= 1) AND (octet_length(word) <= 128)))
);
alter table scope_names owner to vouch_owner;
alter table scope_names enable row level security;
alter table scope_names force row level security;

create table scope_terms (
  account_id uuid not null,
  scope_id uuid not null,
  unit unit_kind not null,
  term_id bigint not null,
  df integer not null,
  constraint document_frequency_is_not_negative CHECK ((df >= 0)),
  constraint scope_terms_pkey PRIMARY KEY (account_id, scope_id, unit, term_id)
);
alter table scope_terms owner to vouch_owner;
alter table scope_terms enable row level security;
alter table scope_terms force row level security;

create table scope_units (
  account_id uuid not null,
  scope_id uuid not null,
  unit unit_kind not null,
  units integer not null,
  constraint scope_units_pkey PRIMARY KEY (account_id, scope_id, unit),
  constraint unit_count_is_not_negative CHECK ((units >= 0))
);
alter table scope_units owner to vouch_owner;
alter table scope_units enable row level security;
alter table scope_units force row level security;

create table scopes (
  account_id uuid not null,
  id uuid not null,
  path text not null,
  parent_id uuid,
  created_at timestamp with time zone default now() not null,
  path_hash bytea generated always as (text_sha256(path)) stored not null,
  name text generated always as (split_part(path, '/'::text, '-1'::integer)) stored not null,
  constraint only_the_root_scope_has_no_parent CHECK (((path = '/'::text) = (parent_id IS NULL))),
  constraint scope_parent_is_in_same_account FOREIGN KEY (account_id, parent_id) REFERENCES scopes(account_id, id) DEFERRABLE,
  constraint scope_path_is_absolute CHECK (((path = '/'::text) OR ((path ~ '^/'::text) AND (path !~ '/$'::text) AND (path !~ '//'::text)))),
  constraint scope_path_is_unique_in_account UNIQUE (account_id, path_hash),
  constraint scopes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint scopes_pkey PRIMARY KEY (account_id, id)
);
alter table scopes owner to vouch_owner;
alter table scopes enable row level security;
alter table scopes force row level security;

create table session_participants (
  account_id uuid not null,
  session_id uuid not null,
  scope_id uuid not null,
  peer_id uuid not null,
  joined_at timestamp with time zone default now() not null,
  reads_whole_session boolean not null,
  constraint participant_peer_is_in_same_account FOREIGN KEY (account_id, peer_id) REFERENCES peers(account_id, id),
  constraint participant_session_is_linked_to_scope FOREIGN KEY (account_id, session_id, scope_id) REFERENCES session_scopes(account_id, session_id, scope_id),
  constraint session_participants_pkey PRIMARY KEY (account_id, session_id, scope_id, peer_id)
);
alter table session_participants owner to vouch_owner;
alter table session_participants enable row level security;
alter table session_participants force row level security;

create table session_scopes (
  account_id uuid not null,
  session_id uuid not null,
  scope_id uuid not null,
  linked_at timestamp with time zone default now() not null,
  constraint linked_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint linked_session_is_in_same_account FOREIGN KEY (account_id, session_id) REFERENCES sessions(account_id, id),
  constraint session_scopes_pkey PRIMARY KEY (account_id, session_id, scope_id)
);
alter table session_scopes owner to vouch_owner;
alter table session_scopes enable row level security;
alter table session_scopes force row level security;

create table sessions (
  account_id uuid not null,
  id uuid not null,
  external_id text,
  shard smallint not null,
  created_at timestamp with time zone default now() not null,
  document_id uuid,
  constraint document_has_one_session UNIQUE (account_id, document_id),
  constraint session_document_is_in_same_account FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, id),
  constraint session_id_has_1_to_256_characters CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 256))),
  constraint session_id_is_unique_in_account UNIQUE (account_id, external_id),
  constraint session_is_of_callers_or_of_a_document CHECK ((num_nonnulls(external_id, document_id) = 1)),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint sessions_pkey PRIMARY KEY (account_id, id)
);
alter table sessions owner to vouch_owner;
alter table sessions enable row level security;
alter table sessions force row level security;

create table sign_in_attempts (
  id uuid not null,
  email_hash bytea not null,
  address_hash bytea not null,
  succeeded boolean not null,
  attempted_at timestamp with time zone default now() not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (id)
);
alter table sign_in_attempts owner to vouch_owner;

create table skill_cards (
  account_id uuid not null,
  id uuid not null,
  scope_id uuid not null,
  skill text not null,
  version integer not null,
  requirement_schema_version text not null,
  description text,
  requirements jsonb not null,
  content_hash bytea not null,
  published_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint skill_card_is_not_retired_before_it_is_published CHECK ((retired_at >= published_at)),
  constraint skill_card_scope_is_in_same_account FOREIGN KEY (account_id, scope_id) REFERENCES scopes(account_id, id),
  constraint skill_card_version_is_given_once UNIQUE (account_id, scope_id, skill, version),
  constraint skill_card_version_is_positive CHECK ((version >= 1)),
  constraint skill_cards_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint skill_cards_pkey PRIMARY KEY (account_id, id),
  constraint skill_content_hash_is_a_sha256 CHECK ((octet_length(content_hash) = 32)),
  constraint skill_is_a_slug CHECK (((skill ~ '^[a-z0-9]+([-_][a-z0-9]+)*$'::text) AND (char_length(skill) <= 64))),
  constraint skill_requirements_are_a_list CHECK ((jsonb_typeof(requirements) = 'array'::text))
);
alter table skill_cards owner to vouch_owner;
alter table skill_cards enable row level security;
alter table skill_cards force row level security;

create table speaker_turns (
  account_id uuid not null,
  shard smallint not null,
  speaker_peer_id uuid not null,
  session_id uuid not null,
  constraint speaker_turns_pkey PRIMARY KEY (account_id, shard, speaker_peer_id)
);
alter table speaker_turns owner to vouch_owner;
alter table speaker_turns enable row level security;
alter table speaker_turns force row level security;

create table sweep_passes (
  kind sweep_kind not null,
  installed_at timestamp with time zone default clock_timestamp() not null,
  completed_at timestamp with time zone,
  failed_accounts integer default 0 not null,
  constraint sweep_passes_pkey PRIMARY KEY (kind)
);
alter table sweep_passes owner to vouch_owner;

create table sweep_setbacks (
  account_id uuid not null,
  kind sweep_kind not null,
  knowledge_id uuid,
  attempts integer default 1 not null,
  next_attempt_at timestamp with time zone not null,
  constraint one_setback_for_each_statement UNIQUE NULLS NOT DISTINCT (account_id, knowledge_id, kind),
  constraint sweep_setbacks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint swept_knowledge_is_in_same_account FOREIGN KEY (account_id, knowledge_id) REFERENCES knowledge(account_id, id) ON DELETE CASCADE
);
alter table sweep_setbacks owner to vouch_owner;
alter table sweep_setbacks enable row level security;
alter table sweep_setbacks force row level security;

create table token_days (
  account_id uuid not null,
  day date not null,
  role text not null,
  used_input_tokens bigint default 0 not null,
  used_output_tokens bigint default 0 not null,
  used_embedding_tokens bigint default 0 not null,
  reserved_input_tokens bigint default 0 not null,
  reserved_output_tokens bigint default 0 not null,
  reserved_embedding_tokens bigint default 0 not null,
  constraint reserved_tokens_are_not_negative CHECK ((LEAST(reserved_input_tokens, reserved_output_tokens, reserved_embedding_tokens) >= 0)),
  constraint token_day_is_of_a_role CHECK ((role = ANY (ARRAY['*'::text, 'embedder'::text, 'reranker'::text, 'ingest_extractor'::text, 'dream_reasoner'::text, 'dialectic_agent'::text]))),
  constraint token_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint token_days_pkey PRIMARY KEY (account_id, day, role)
);
alter table token_days owner to vouch_owner;
alter table token_days enable row level security;
alter table token_days force row level security;

create table usage_days (
  account_id uuid not null,
  day date not null,
  role model_role not null,
  provider text not null,
  model text not null,
  calls bigint not null,
  errors bigint not null,
  unmetered bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  embedding_tokens bigint not null,
  reranker_tokens bigint not null,
  duration_ms bigint not null,
  constraint usage_days_pkey PRIMARY KEY (account_id, day, role, provider, model)
);
alter table usage_days owner to vouch_owner;
alter table usage_days enable row level security;
alter table usage_days force row level security;

create table usage_entries (
  account_id uuid not null,
  id bigint not null,
  day date not null,
  role model_role not null,
  provider text not null,
  model text not null,
  scope_id uuid,
  ledger_rows bigint not null,
  calls bigint not null,
  errors bigint not null,
  unmetered bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  embedding_tokens bigint not null,
  reranker_tokens bigint not null,
  duration_ms bigint not null,
  constraint usage_entries_pkey PRIMARY KEY (account_id, id)
);
alter table usage_entries owner to vouch_owner;
alter table usage_entries enable row level security;
alter table usage_entries force row level security;

create table usage_scope_days (
  account_id uuid not null,
  day date not null,
  scope_id uuid,
  role model_role not null,
  provider text not null,
  model text not null,
  calls bigint not null,
  errors bigint not null,
  unmetered bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  embedding_tokens bigint not null,
  reranker_tokens bigint not null,
  constraint usage_of_scope_stands_once UNIQUE NULLS NOT DISTINCT (account_id, day, scope_id, role, provider, model)
);
alter table usage_scope_days owner to vouch_owner;
alter table usage_scope_days enable row level security;
alter table usage_scope_days force row level security;

create table usage_totals (
  account_id uuid not null,
  messages bigint default 0 not null,
  message_bytes bigint default 0 not null,
  statements bigint default 0 not null,
  statement_bytes bigint default 0 not null,
  version_bytes bigint default 0 not null,
  ledger_rows bigint default 0 not null,
  pruned_before date,
  constraint usage_totals_pkey PRIMARY KEY (account_id)
);
alter table usage_totals owner to vouch_owner;
alter table usage_totals enable row level security;
alter table usage_totals force row level security;

create table vector_spaces (
  collection text not null,
  dimensions integer,
  state vector_space_state not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  ready_at timestamp with time zone,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  constraint claim_of_a_space_has_an_end CHECK (((claimed_by IS NULL) = (claimed_until IS NULL))),
  constraint collection_name_has_1_to_255_characters CHECK (((char_length(collection) >= 1) AND (char_length(collection) <= 255))),
  constraint ready_space_has_its_time CHECK (((state = 'ready'::vector_space_state) = (ready_at IS NOT NULL))),
  constraint vector_spaces_pkey PRIMARY KEY (collection)
);
alter table vector_spaces owner to vouch_owner;


-- Indexes

CREATE INDEX api_keys_by_id ON public.credentials USING btree (account_id, id) WHERE (kind = 'api_key'::credential_kind);
CREATE INDEX api_keys_by_peer ON public.credentials USING btree (account_id, peer_id, id) WHERE (kind = 'api_key'::credential_kind);
CREATE INDEX audience_members_by_principal ON public.audience_members USING btree (account_id, principal, audience_id);
CREATE INDEX audit_events_by_resource ON public.audit_events USING btree (account_id, resource_id, occurred_at);
CREATE UNIQUE INDEX audit_events_in_chain ON public.audit_events USING btree (account_id, chain_position) WHERE (chain_position IS NOT NULL);
CREATE INDEX audit_events_unsealed ON public.audit_events USING btree (account_id, occurred_at, id) WHERE (chain_position IS NULL);
CREATE INDEX belief_periods_addressed ON public.belief_periods USING btree (account_id, scope_id, believed_from DESC) WHERE (audience_id IS NOT NULL);
CREATE INDEX belief_periods_by_knowledge ON public.belief_periods USING btree (account_id, knowledge_id, believed_from);
CREATE INDEX belief_periods_guarded_ended ON public.belief_periods USING btree (account_id, scope_id, believed_from DESC) WHERE ((state = 'active'::knowledge_state) AND (sensitivity = ANY (ARRAY['personal'::sensitivity, 'restricted'::sensitivity])) AND (believed_until IS NOT NULL) AND (audience_id IS NULL));
CREATE INDEX belief_periods_guarded_standing ON public.belief_periods USING btree (account_id, scope_id, believed_from DESC) WHERE ((state = 'active'::knowledge_state) AND (sensitivity = ANY (ARRAY['personal'::sensitivity, 'restricted'::sensitivity])) AND (believed_until IS NULL) AND (audience_id IS NULL));
CREATE INDEX belief_periods_internal_ended ON public.belief_periods USING btree (account_id, scope_id, believed_from DESC) WHERE ((state = 'active'::knowledge_state) AND (sensitivity = 'internal'::sensitivity) AND (believed_until IS NOT NULL) AND (audience_id IS NULL));
CREATE INDEX belief_periods_internal_standing ON public.belief_periods USING btree (account_id, scope_id, believed_from DESC) WHERE ((state = 'active'::knowledge_state) AND (sensitivity = 'internal'::sensitivity) AND (believed_until IS NULL) AND (audience_id IS NULL));
CREATE INDEX belief_periods_provisional ON public.belief_periods USING btree (account_id, scope_id, believed_from DESC) WHERE ((state = 'provisional'::knowledge_state) AND (audience_id IS NULL));
CREATE INDEX belief_periods_public_ended ON public.belief_periods USING btree (account_id, scope_id, believed_from DESC) WHERE ((state = 'active'::knowledge_state) AND (sensitivity = 'public'::sensitivity) AND (believed_until IS NOT NULL) AND (audience_id IS NULL));
CREATE INDEX belief_periods_public_standing ON public.belief_periods USING btree (account_id, scope_id, believed_from DESC) WHERE ((state = 'active'::knowledge_state) AND (sensitivity = 'public'::sensitivity) AND (believed_until IS NULL) AND (audience_id IS NULL));
CREATE INDEX browser_sessions_by_last_use ON public.browser_sessions USING btree (account_id, last_seen_at);
CREATE INDEX circle_members_by_adder ON public.circle_members USING btree (account_id, added_by_peer_id) WHERE (added_by_peer_id IS NOT NULL);
CREATE INDEX circles_of_peer ON public.circle_members USING btree (account_id, peer_id, scope_id, circle_id);
CREATE INDEX consents_of_subject ON public.consents USING btree (account_id, subject_peer_id, id DESC);
CREATE INDEX credentials_by_peer ON public.credentials USING btree (account_id, peer_id);
CREATE INDEX dirty_marks_due ON public.dirty_marks USING btree (available_at);
CREATE INDEX dirty_marks_in_mailbox ON public.dirty_marks USING btree (account_id, shard, available_at);
CREATE INDEX dirty_marks_of_messages_in_points ON public.dirty_marks USING btree (account_id, scope_id, marked_at, unit_id) WHERE ((engine = 'qdrant'::index_engine) AND (unit = 'message'::unit_kind));
CREATE INDEX dirty_marks_of_messages_in_records ON public.dirty_marks USING btree (account_id, scope_id, marked_at, unit_id) WHERE ((engine = 'meilisearch'::index_engine) AND (unit = 'message'::unit_kind));
CREATE INDEX dirty_marks_of_statements ON public.dirty_marks USING btree (account_id, scope_id, marked_at, unit_id) WHERE ((engine = 'meilisearch'::index_engine) AND (unit = 'statement'::unit_kind));
CREATE INDEX dirty_marks_overdue ON public.dirty_marks USING btree (account_id, scope_id, marked_at, unit_id) WHERE ((engine = 'qdrant'::index_engine) AND (unit = 'statement'::unit_kind) AND overdue);
CREATE INDEX document_uploads_by_age ON public.document_uploads USING btree (account_id, began_at, id);
CREATE INDEX document_uploads_of_bytes ON public.document_uploads USING btree (account_id, sha256);
CREATE INDEX document_uploads_of_peer ON public.document_uploads USING btree (account_id, uploader_peer_id) WHERE (uploader_peer_id IS NOT NULL);
CREATE INDEX document_versions_by_hash ON public.document_versions USING btree (account_id, sha256) WHERE (sha256 IS NOT NULL);
CREATE INDEX document_versions_by_uploader ON public.document_versions USING btree (account_id, uploader_peer_id, document_id);
CREATE INDEX documents_by_scope ON public.documents USING btree (account_id, scope_id, id);
CREATE INDEX documents_of_owner ON public.documents USING btree (account_id, owner_peer_id) WHERE (owner_peer_id IS NOT NULL);
CREATE INDEX entity_mentions_of_statement ON public.entity_mentions USING btree (account_id, statement_id);
CREATE INDEX erasure_blobs_by_hash ON public.erasure_blobs USING btree (account_id, sha256);
CREATE UNIQUE INDEX erasure_requests_by_access ON public.erasure_requests USING btree (access_hash) WHERE (access_hash IS NOT NULL);
CREATE UNIQUE INDEX erasure_requests_open ON public.erasure_requests USING btree (account_id, peer_id) WHERE (peer_id IS NOT NULL);
CREATE INDEX extraction_anchors_by_failure ON public.extraction_anchors USING btree (account_id, shard, failed_at) WHERE (status = 'failed'::extraction_status);
CREATE INDEX extraction_anchors_by_scope ON public.extraction_anchors USING btree (account_id, scope_id, message_id);
CREATE INDEX extraction_anchors_by_turn ON public.extraction_anchors USING btree (account_id, shard, speaker_peer_id, session_id, message_id) WHERE (status = 'pending'::extraction_status);
CREATE INDEX extraction_anchors_due_in_mailbox ON public.extraction_anchors USING btree (account_id, shard, available_at) WHERE (status = ANY (ARRAY['pending'::extraction_status, 'failed'::extraction_status]));
CREATE INDEX extraction_anchors_failed ON public.extraction_anchors USING btree (account_id, shard, speaker_peer_id, available_at) WHERE (status = 'failed'::extraction_status);
CREATE INDEX extraction_anchors_held ON public.extraction_anchors USING btree (account_id, shard, claim_epoch) WHERE ((claim_epoch IS NOT NULL) AND (status = ANY (ARRAY['pending'::extraction_status, 'failed'::extraction_status])));
CREATE INDEX extraction_anchors_terminal ON public.extraction_anchors USING btree (account_id, last_error_class) WHERE (status = 'terminal'::extraction_status);
CREATE INDEX extraction_anchors_unfinished ON public.extraction_anchors USING btree (account_id, scope_id, status, message_id) WHERE (status <> 'completed'::extraction_status);
CREATE INDEX extraction_anchors_wait_for_tokens ON public.extraction_anchors USING btree (account_id, available_at) WHERE ((status = 'failed'::extraction_status) AND (last_error_class = 'token_budget_exhausted'::error_class));
CREATE INDEX extraction_anchors_waiting ON public.extraction_anchors USING btree (message_id) WHERE (status = ANY (ARRAY['pending'::extraction_status, 'failed'::extraction_status]));
CREATE INDEX forget_holds_acting ON public.forget_holds USING btree (account_id, id) WHERE is_acting;
CREATE INDEX forget_holds_by_credential ON public.forget_holds USING btree (account_id, credential_id, opened_at);
CREATE INDEX forget_holds_by_decider ON public.forget_holds USING btree (account_id, decided_by) WHERE (decided_by IS NOT NULL);
CREATE INDEX forget_holds_by_requester ON public.forget_holds USING btree (account_id, requester_peer_id, opened_at);
CREATE INDEX forget_holds_by_scope ON public.forget_holds USING btree (account_id, scope_id, id);
CREATE INDEX forget_holds_to_decide ON public.forget_holds USING btree (account_id, scope_id, id) WHERE (state = 'open'::forget_state);
CREATE INDEX gate_decisions_by_knowledge ON public.gate_decisions USING btree (account_id, knowledge_id, decided_at);
CREATE INDEX gate_decisions_of_item ON public.gate_decisions USING btree (account_id, review_item_id) WHERE (review_item_id IS NOT NULL);
CREATE INDEX gate_decisions_withheld ON public.gate_decisions USING btree (account_id) WHERE (decision = 'withhold'::gate_decision);
CREATE INDEX grants_by_credential ON public.grants USING btree (account_id, credential_id) WHERE (credential_id IS NOT NULL);
CREATE INDEX grants_by_path ON public.grants USING btree (account_id, scope_path_hash, propagate, created_at);
CREATE INDEX grants_of_curators ON public.grants USING btree (account_id, scope_path_hash) WHERE ((effect = 'allow'::grant_effect) AND (role = ANY (ARRAY['curator'::role_name, 'account_admin'::role_name])) AND (peer_id IS NOT NULL));
CREATE INDEX idempotency_records_by_age ON public.idempotency_records USING btree (created_at);
CREATE INDEX idempotency_records_of_resource ON public.idempotency_records USING btree (account_id, resource_id);
CREATE INDEX knowledge_addressed_of_attribute ON public.knowledge USING btree (account_id, subject_peer_id, claim_about, text_occurred_at DESC, id) WHERE ((claim_about IS NOT NULL) AND (audience_id IS NOT NULL));
CREATE INDEX knowledge_addressees_listed ON public.knowledge_addressees USING btree (account_id, principal, scope_id, state, confidence DESC, recorded_at DESC, knowledge_id);
CREATE INDEX knowledge_addressees_newest ON public.knowledge_addressees USING btree (account_id, principal, scope_id, state, recorded_at DESC, knowledge_id);
CREATE INDEX knowledge_attesters_by_document ON public.knowledge_attesters USING btree (account_id, document_id, knowledge_id) WHERE (document_id IS NOT NULL);
CREATE INDEX knowledge_by_audience ON public.knowledge USING btree (account_id, audience_id, id) WHERE (audience_id IS NOT NULL);
CREATE INDEX knowledge_by_subject ON public.knowledge USING btree (account_id, subject_peer_id, recorded_at DESC);
CREATE INDEX knowledge_by_text ON public.knowledge USING btree (account_id, scope_id, statement_hash, COALESCE(subject_peer_id, subject_scope_id), audience_id, recorded_at DESC);
CREATE INDEX knowledge_by_update ON public.knowledge USING btree (account_id, updated_by_id) WHERE (updated_by_id IS NOT NULL);
CREATE UNIQUE INDEX knowledge_claim_is_open_once ON public.knowledge USING btree (account_id, scope_id, statement_hash, COALESCE(subject_peer_id, subject_scope_id), COALESCE(relevant_from, '-infinity'::timestamp with time zone), COALESCE(
CASE
    WHEN ((updated_by_id IS NOT NULL) AND (state_before_update IS NULL)) THEN stated_until
    ELSE relevant_until
END, 'infinity'::timestamp with time zone), COALESCE(audience_id, '00000000-0000-0000-0000-000000000000'::uuid)) WHERE ((state = ANY (ARRAY['proposed'::knowledge_state, 'provisional'::knowledge_state, 'held'::knowledge_state, 'active'::knowledge_state, 'needs_revalidation'::knowledge_state, 'stale'::knowledge_state, 'contested'::knowledge_state])) AND (NOT previously_refused));
CREATE INDEX knowledge_expiring ON public.knowledge USING btree (account_id, expires_at, id) WHERE ((expires_at IS NOT NULL) AND (state = ANY (ARRAY['proposed'::knowledge_state, 'provisional'::knowledge_state, 'held'::knowledge_state, 'active'::knowledge_state, 'needs_revalidation'::knowledge_state, 'stale'::knowledge_state])));
CREATE INDEX knowledge_listed ON public.knowledge USING btree (account_id, scope_id, shelf, confidence DESC, recorded_at DESC, id);
CREATE INDEX knowledge_listed_of_subject ON public.knowledge USING btree (account_id, subject_peer_id, scope_id, shelf, confidence DESC, recorded_at DESC, id) WHERE ((sensitivity = ANY (ARRAY['personal'::sensitivity, 'restricted'::sensitivity])) AND (target_level = 'peer'::target_level));
CREATE INDEX knowledge_merged_into ON public.knowledge USING btree (account_id, merged_into_id) WHERE (merged_into_id IS NOT NULL);
CREATE INDEX knowledge_of_attribute_and_audience ON public.knowledge USING btree (account_id, subject_peer_id, claim_about, audience_id, text_occurred_at DESC, id) WHERE ((claim_about IS NOT NULL) AND (audience_id IS NOT NULL));
CREATE INDEX knowledge_of_peer_by_attribute ON public.knowledge USING btree (account_id, subject_peer_id, scope_id, attribute, shelf, recorded_at DESC, id DESC) WHERE ((subject_peer_id IS NOT NULL) AND (attribute IS NOT NULL) AND (state = ANY (ARRAY['active'::knowledge_state, 'needs_revalidation'::knowledge_state, 'stale'::knowledge_state, 'expired'::knowledge_state])));
CREATE INDEX knowledge_of_peer_by_kind ON public.knowledge USING btree (account_id, subject_peer_id, scope_id, kind_word, shelf, recorded_at DESC, id DESC) WHERE ((subject_peer_id IS NOT NULL) AND (state = ANY (ARRAY['active'::knowledge_state, 'needs_revalidation'::knowledge_state, 'stale'::knowledge_state, 'expired'::knowledge_state])));
CREATE INDEX knowledge_of_profile ON public.knowledge USING btree (account_id, subject_peer_id, text_occurred_at DESC, id) WHERE ((split_part(claim_about, ':'::text, 1) = ANY (ARRAY['name'::text, 'pronouns'::text, 'occupation'::text, 'employer'::text, 'residence'::text, 'language'::text, 'time_zone'::text])) AND (updated_by_id IS NULL) AND (state = ANY (ARRAY['active'::knowledge_state, 'provisional'::knowledge_state])));
CREATE INDEX knowledge_of_scope_by_kind ON public.knowledge USING btree (account_id, scope_id, kind_word, shelf, recorded_at DESC, id DESC) WHERE ((subject_peer_id IS NULL) AND (state = ANY (ARRAY['active'::knowledge_state, 'needs_revalidation'::knowledge_state, 'stale'::knowledge_state, 'expired'::knowledge_state])));
CREATE INDEX knowledge_paraphrases_by_text ON public.knowledge_paraphrases USING btree (account_id, statement_hash);
CREATE INDEX knowledge_refused_of_peer ON public.knowledge USING btree (account_id, subject_peer_id, recorded_at DESC) WHERE ((state = ANY (ARRAY['redacted'::knowledge_state, 'rejected'::knowledge_state, 'contested'::knowledge_state])) AND (audience_id IS NULL));
CREATE INDEX knowledge_refused_of_scope ON public.knowledge USING btree (account_id, subject_scope_id, recorded_at DESC) WHERE ((state = ANY (ARRAY['redacted'::knowledge_state, 'rejected'::knowledge_state, 'contested'::knowledge_state])) AND (subject_peer_id IS NULL) AND (audience_id IS NULL));
CREATE INDEX knowledge_refused_to_some_of_peer ON public.knowledge USING btree (account_id, subject_peer_id, recorded_at DESC) WHERE ((state = ANY (ARRAY['redacted'::knowledge_state, 'rejected'::knowledge_state, 'contested'::knowledge_state])) AND (audience_id IS NOT NULL));
CREATE INDEX knowledge_refused_to_some_of_scope ON public.knowledge USING btree (account_id, subject_scope_id, recorded_at DESC) WHERE ((state = ANY (ARRAY['redacted'::knowledge_state, 'rejected'::knowledge_state, 'contested'::knowledge_state])) AND (subject_peer_id IS NULL) AND (audience_id IS NOT NULL));
CREATE INDEX knowledge_replacing ON public.knowledge USING btree (account_id, replaces_id) WHERE (replaces_id IS NOT NULL);
CREATE INDEX knowledge_revalidating ON public.knowledge USING btree (account_id, revalidate_after, id) WHERE ((revalidate_after IS NOT NULL) AND (state = 'active'::knowledge_state));
CREATE INDEX knowledge_salient ON public.knowledge USING btree (account_id, scope_id, shelf, salience DESC, id) WHERE (state = ANY (ARRAY['active'::knowledge_state, 'provisional'::knowledge_state]));
CREATE INDEX knowledge_salient_about_peer ON public.knowledge USING btree (account_id, subject_peer_id, scope_id, salience DESC, id) WHERE (state = ANY (ARRAY['active'::knowledge_state, 'provisional'::knowledge_state]));
CREATE INDEX knowledge_salient_of_subject ON public.knowledge USING btree (account_id, subject_peer_id, scope_id, shelf, salience DESC, id) WHERE ((sensitivity = ANY (ARRAY['personal'::sensitivity, 'restricted'::sensitivity])) AND (target_level = 'peer'::target_level) AND (state = ANY (ARRAY['active'::knowledge_state, 'provisional'::knowledge_state])));
CREATE INDEX knowledge_standing_of_attribute ON public.knowledge USING btree (account_id, subject_peer_id, claim_about, text_occurred_at DESC, id) WHERE ((claim_about IS NOT NULL) AND (updated_by_id IS NULL) AND (audience_id IS NULL) AND (state = ANY (ARRAY['proposed'::knowledge_state, 'provisional'::knowledge_state, 'held'::knowledge_state, 'active'::knowledge_state, 'needs_revalidation'::knowledge_state, 'stale'::knowledge_state])));
CREATE INDEX knowledge_submitters_listed ON public.knowledge_submitters USING btree (account_id, peer_id, scope_id, state, confidence DESC, recorded_at DESC, knowledge_id);
CREATE INDEX knowledge_submitters_newest ON public.knowledge_submitters USING btree (account_id, peer_id, scope_id, state, recorded_at DESC, knowledge_id);
CREATE INDEX knowledge_superseding ON public.knowledge USING btree (account_id, supersedes_id) WHERE (supersedes_id IS NOT NULL);
CREATE INDEX knowledge_updated_of_attribute ON public.knowledge USING btree (account_id, subject_peer_id, claim_about, text_occurred_at DESC, id) WHERE ((claim_about IS NOT NULL) AND (updated_by_id IS NOT NULL) AND (audience_id IS NULL));
CREATE INDEX knowledge_waiting ON public.knowledge USING btree (account_id, id) WHERE (state = ANY (ARRAY['proposed'::knowledge_state, 'provisional'::knowledge_state, 'held'::knowledge_state]));
CREATE INDEX lifecycle_events_by_knowledge ON public.lifecycle_events USING btree (account_id, knowledge_id, occurred_at);
CREATE INDEX messages_by_audience ON public.messages USING btree (account_id, audience_id, id) WHERE (audience_id IS NOT NULL);
CREATE INDEX messages_by_relay ON public.messages USING btree (account_id, relay_peer_id, id) WHERE (relay_peer_id IS NOT NULL);
CREATE INDEX messages_by_session ON public.messages USING btree (account_id, session_id, scope_id, occurred_at, recorded_at, id);
CREATE INDEX messages_by_speaker ON public.messages USING btree (account_id, speaker_peer_id, id);
CREATE UNIQUE INDEX one_gate_rule_in_force_per_cell ON public.gate_rules USING btree (account_id, scope_id, target_level, sensitivity) NULLS NOT DISTINCT WHERE (retired_at IS NULL);
CREATE UNIQUE INDEX one_open_item_per_question ON public.review_items USING btree (account_id, knowledge_id, kind, COALESCE(conflict_knowledge_id, knowledge_id)) WHERE (decided_at IS NULL);
CREATE UNIQUE INDEX one_open_question_of_a_kind ON public.questions USING btree (account_id, knowledge_id, kind, COALESCE(target_scope_id, knowledge_id)) WHERE (ended_at IS NULL);
CREATE INDEX people_by_key ON public.peers USING btree (account_id, key_lead, id) WHERE (kind = 'human'::peer_kind);
CREATE INDEX people_by_name ON public.peers USING btree (account_id, name_lead, id) WHERE (kind = 'human'::peer_kind);
CREATE INDEX pipeline_runs_asked_for ON public.pipeline_runs USING btree (account_id, id) WHERE ((status = 'pending'::run_status) AND (kind <> 'document'::run_kind));
CREATE INDEX pipeline_runs_by_target ON public.pipeline_runs USING btree (account_id, target_id) WHERE (target_id IS NOT NULL);
CREATE INDEX pipeline_runs_cancelled_contests ON public.pipeline_runs USING btree (account_id, dispatched_at) WHERE ((status = 'cancelled'::run_status) AND (kind = 'contest'::run_kind));
CREATE INDEX pipeline_runs_discarded ON public.pipeline_runs USING btree (account_id, dispatched_at) WHERE (status = 'discarded'::run_status);
CREATE INDEX pipeline_runs_ended ON public.pipeline_runs USING btree (account_id, COALESCE(processed_at, dispatched_at, created_at), id) WHERE (status = ANY (ARRAY['completed'::run_status, 'cancelled'::run_status, 'discarded'::run_status, 'failed'::run_status]));
CREATE INDEX pipeline_runs_erasures ON public.pipeline_runs USING btree (created_at) WHERE ((kind = 'erasure'::run_kind) AND (status <> 'completed'::run_status));
CREATE INDEX pipeline_runs_failed ON public.pipeline_runs USING btree (account_id, last_error_class, dispatched_at) WHERE (status = 'failed'::run_status);
CREATE INDEX pipeline_runs_to_reconcile ON public.pipeline_runs USING btree (account_id) WHERE (status = ANY (ARRAY['pending'::run_status, 'running'::run_status, 'failed'::run_status, 'discarded'::run_status]));
CREATE INDEX pipeline_runs_undispatched ON public.pipeline_runs USING btree (created_at) WHERE ((dispatched_at IS NULL) AND (status = 'pending'::run_status));
CREATE INDEX pipeline_runs_unfinished ON public.pipeline_runs USING btree (created_at) WHERE (status = ANY (ARRAY['pending'::run_status, 'running'::run_status, 'failed'::run_status, 'discarded'::run_status]));
CREATE INDEX projection_marks_of_place ON public.projection_marks USING btree (account_id, target_id, scope_id, kind, marked_at);
CREATE INDEX projection_work_by_age ON public.projection_work USING btree (marked_at);
CREATE INDEX projection_work_due ON public.projection_work USING btree (account_id, available_at);
CREATE INDEX projections_by_source ON public.projections USING gin (source_ids);
CREATE INDEX projections_of_session ON public.projections USING btree (account_id, target_id, scope_id) WHERE (kind = 'session_summary'::projection_kind);
CREATE INDEX projections_to_summarise ON public.projections USING btree (account_id, summary_due_at) WHERE (summary_due_at IS NOT NULL);
CREATE INDEX provenance_by_message ON public.provenance USING btree (account_id, message_id);
CREATE INDEX provenance_by_speaker ON public.provenance USING btree (account_id, knowledge_id, speaker_peer_id, source_key) INCLUDE (message_id);
CREATE INDEX provider_attempts_by_scope ON public.provider_attempts USING btree (account_id, scope_id) WHERE (role = 'ingest_extractor'::model_role);
CREATE INDEX provider_attempts_by_time ON public.provider_attempts USING btree (account_id, reserved_at);
CREATE INDEX provider_attempts_recent ON public.provider_attempts USING btree (reserved_at);
CREATE INDEX provider_attempts_unfinished ON public.provider_attempts USING btree (account_id, reserved_at) WHERE (finished_at IS NULL);
CREATE INDEX question_deliveries_by_time ON public.question_deliveries USING btree (account_id, peer_id, delivered_at);
CREATE INDEX question_deliveries_in_session ON public.question_deliveries USING btree (account_id, peer_id, session_id, delivered_at);
CREATE INDEX question_deliveries_of_question ON public.question_deliveries USING btree (account_id, question_id);
CREATE INDEX questions_due ON public.questions USING btree (account_id, deadline_at, id) WHERE (ended_at IS NULL);
CREATE INDEX questions_of_statement ON public.questions USING btree (account_id, knowledge_id);
CREATE INDEX questions_to_ask ON public.questions USING btree (account_id, peer_id, scope_id, deadline_at, id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX request_opens_a_hold_of_each_kind_once ON public.forget_holds USING btree (account_id, message_id, kind) WHERE (message_id IS NOT NULL);
CREATE INDEX review_items_ageing ON public.review_items USING btree (account_id, due_at, id) WHERE ((decided_at IS NULL) AND (NOT past_ageing) AND (state = ANY (ARRAY['pending'::review_state, 'deferred'::review_state, 'escalated'::review_state])));
CREATE INDEX review_items_conflict ON public.review_items USING btree (account_id, due_at, id) WHERE ((kind = 'conflict'::review_kind) AND (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])));
CREATE INDEX review_items_conflict_in_scope ON public.review_items USING btree (account_id, scope_id, due_at, id) WHERE ((kind = 'conflict'::review_kind) AND (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])));
CREATE INDEX review_items_contest ON public.review_items USING btree (account_id, due_at, id) WHERE ((kind = 'contest'::review_kind) AND (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])));
CREATE INDEX review_items_contest_in_scope ON public.review_items USING btree (account_id, scope_id, due_at, id) WHERE ((kind = 'contest'::review_kind) AND (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])));
CREATE INDEX review_items_contradicting ON public.review_items USING btree (account_id, conflict_knowledge_id) WHERE (conflict_knowledge_id IS NOT NULL);
CREATE INDEX review_items_due ON public.review_items USING btree (account_id, due_at, id) WHERE (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state]));
CREATE INDEX review_items_due_in_scope ON public.review_items USING btree (account_id, scope_id, due_at, id) WHERE (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state]));
CREATE INDEX review_items_gate_a_b ON public.review_items USING btree (account_id, due_at, id) WHERE ((kind = 'gate_a_b'::review_kind) AND (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])));
CREATE INDEX review_items_gate_a_b_in_scope ON public.review_items USING btree (account_id, scope_id, due_at, id) WHERE ((kind = 'gate_a_b'::review_kind) AND (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])));
CREATE INDEX review_items_gate_b ON public.review_items USING btree (account_id, due_at, id) WHERE ((kind = 'gate_b'::review_kind) AND (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])));
CREATE INDEX review_items_gate_b_in_scope ON public.review_items USING btree (account_id, scope_id, due_at, id) WHERE ((kind = 'gate_b'::review_kind) AND (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])));
CREATE INDEX review_items_newest ON public.review_items USING btree (account_id, id) WHERE (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state]));
CREATE INDEX review_items_newest_in_scope ON public.review_items USING btree (account_id, scope_id, id) WHERE (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state]));
CREATE INDEX review_items_of_statement ON public.review_items USING btree (account_id, knowledge_id, created_at);
CREATE INDEX review_items_revalidation ON public.review_items USING btree (account_id, due_at, id) WHERE ((kind = 'revalidation'::review_kind) AND (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])));
CREATE INDEX review_items_revalidation_in_scope ON public.review_items USING btree (account_id, scope_id, due_at, id) WHERE ((kind = 'revalidation'::review_kind) AND (state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])));
CREATE INDEX review_words_by_speaker ON public.review_words USING btree (account_id, peer_id);
CREATE INDEX run_outputs_by_knowledge ON public.run_outputs USING btree (account_id, knowledge_id);
CREATE INDEX scheduled_decisions_by_decider ON public.scheduled_decisions USING btree (account_id, decided_by);
CREATE INDEX scheduled_decisions_due ON public.scheduled_decisions USING btree (due_at) WHERE (state = 'scheduled'::scheduled_decision_state);
CREATE INDEX scope_links_by_high ON public.scope_links USING btree (account_id, high_scope_id);
CREATE INDEX scope_names_by_count ON public.scope_names USING btree (account_id, scope_id, statements DESC, alias) WHERE ((word = split_part(alias, ' '::text, 1)) AND (sure_statements > 0) AND (statements > 1));
CREATE INDEX scope_names_in_public ON public.scope_names USING btree (account_id, scope_id, word, alias) WHERE (public_statements > 0);
CREATE INDEX scopes_by_name ON public.scopes USING btree (account_id, parent_id, name COLLATE "C");
CREATE INDEX session_participants_by_joining ON public.session_participants USING btree (account_id, session_id, scope_id, joined_at, peer_id);
CREATE INDEX session_participants_by_peer ON public.session_participants USING btree (account_id, peer_id, session_id, scope_id);
CREATE INDEX session_participants_by_peer_and_scope ON public.session_participants USING btree (account_id, peer_id, scope_id, session_id);
CREATE INDEX session_scopes_by_scope ON public.session_scopes USING btree (account_id, scope_id, session_id);
CREATE INDEX sign_in_attempts_by_address ON public.sign_in_attempts USING btree (address_hash, attempted_at);
CREATE INDEX sign_in_attempts_by_email ON public.sign_in_attempts USING btree (email_hash, attempted_at);
CREATE INDEX sign_in_attempts_by_time ON public.sign_in_attempts USING btree (attempted_at);
CREATE UNIQUE INDEX skill_cards_in_force ON public.skill_cards USING btree (account_id, scope_id, skill) WHERE (retired_at IS NULL);
CREATE INDEX skill_cards_listed ON public.skill_cards USING btree (account_id, scope_id, id DESC);
CREATE INDEX skill_cards_retired ON public.skill_cards USING btree (account_id, scope_id, retired_at, id) WHERE (retired_at IS NOT NULL);
CREATE INDEX sweep_setbacks_due ON public.sweep_setbacks USING btree (account_id, kind, next_attempt_at) WHERE (knowledge_id IS NOT NULL);
CREATE INDEX token_days_by_day ON public.token_days USING btree (day, account_id);
CREATE INDEX tokens_by_end ON public.credentials USING btree (account_id, login_id, expires_at) WHERE (login_id IS NOT NULL);

-- Row security

create policy lookup_reads on accounts as permissive for select to vouch_lookup using (true);
create policy own_account on accounts as permissive for all to public using ((id = current_account())) with check ((id = current_account()));
create policy lookup_reads on activity_entries as permissive for select to vouch_lookup using (true);
create policy own_account on activity_entries as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on ask_preferences as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on audience_members as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on audiences as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on audit_chains as permissive for select to vouch_lookup using (true);
create policy own_account on audit_chains as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on audit_events as permissive for select to vouch_lookup using (true);
create policy own_account on audit_events as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on belief_periods as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on browser_sessions as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on circle_members as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on circles as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on consents as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on credentials as permissive for select to vouch_lookup using (true);
create policy own_account on credentials as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on dirty_marks as permissive for select to vouch_lookup using (true);
create policy own_account on dirty_marks as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on document_uploads as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on document_versions as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on documents as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on entity_mentions as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on erasure_blobs as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on erasure_requests as permissive for select to vouch_lookup using (true);
create policy own_account on erasure_requests as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on erasure_units as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on extraction_anchors as permissive for select to vouch_lookup using (true);
create policy own_account on extraction_anchors as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on extraction_budgets as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on forget_books as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on forget_holds as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on gate_decisions as permissive for select to vouch_lookup using (true);
create policy own_account on gate_decisions as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on gate_rules as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on grants as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_forgets on idempotency_records as permissive for delete to vouch_lookup using (true);
create policy lookup_reads on idempotency_records as permissive for select to vouch_lookup using (true);
create policy own_account on idempotency_records as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on indexed_units as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on knowledge as permissive for select to vouch_lookup using (true);
create policy own_account on knowledge as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on knowledge_addressees as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on knowledge_attesters as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on knowledge_paraphrases as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on knowledge_source_scopes as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on knowledge_submitters as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on lifecycle_events as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on logins as permissive for select to vouch_lookup using (true);
create policy own_account on logins as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on mailboxes as permissive for select to vouch_lookup using (true);
create policy lookup_rings on mailboxes as permissive for update to vouch_lookup using (true) with check (true);
create policy own_account on mailboxes as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on masked_values as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on messages as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on peers as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_dispatches on pipeline_runs as permissive for update to vouch_lookup using (true) with check (true);
create policy lookup_reads on pipeline_runs as permissive for select to vouch_lookup using (true);
create policy own_account on pipeline_runs as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on projection_marks as permissive for select to vouch_lookup using (true);
create policy own_account on projection_marks as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on projection_work as permissive for select to vouch_lookup using (true);
create policy own_account on projection_work as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on projections as permissive for select to vouch_lookup using (true);
create policy own_account on projections as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on provenance as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on provider_attempts as permissive for select to vouch_lookup using (true);
create policy own_account on provider_attempts as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on provider_circuits as permissive for select to vouch_lookup using (true);
create policy own_account on provider_circuits as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on pruned_scopes as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on question_deliveries as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on questions as permissive for select to vouch_lookup using (true);
create policy own_account on questions as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on reconcile_places as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on request_days as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on retention_tallies as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on retrieval_profiles as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on review_items as permissive for select to vouch_lookup using (true);
create policy own_account on review_items as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on review_words as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on run_outputs as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_nudges on scheduled_decisions as permissive for update to vouch_lookup using (true);
create policy lookup_reads on scheduled_decisions as permissive for select to vouch_lookup using (true);
create policy own_account on scheduled_decisions as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on scope_links as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on scope_names as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on scope_terms as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on scope_units as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on scopes as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on session_participants as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on session_scopes as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on sessions as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on skill_cards as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on speaker_turns as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on sweep_setbacks as permissive for select to vouch_lookup using (true);
create policy own_account on sweep_setbacks as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on token_days as permissive for select to vouch_lookup using (true);
create policy own_account on token_days as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on usage_days as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy lookup_reads on usage_entries as permissive for select to vouch_lookup using (true);
create policy own_account on usage_entries as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on usage_scope_days as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));
create policy own_account on usage_totals as permissive for all to public using ((account_id = current_account())) with check ((account_id = current_account()));

-- Functions

CREATE OR REPLACE FUNCTION public.address_statement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into knowledge_addressees (account_id, knowledge_id, principal, scope_id, state, confidence, recorded_at)
  select new.account_id, new.id, named.principal, new.scope_id, new.state::text, new.confidence, new.recorded_at
  from (
    select m.principal from audience_members m
    where m.account_id = new.account_id and m.audience_id = new.audience_id
    union
    select new.subject_peer_id::text where new.subject_peer_id is not null
  ) named;
  return null;
end $function$;
alter function address_statement() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.begin_retention_page(p_account uuid, p_days integer)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
begin
  if p_account is distinct from current_account() then
    raise exception 'rows are pruned in the account of the transaction only';
  end if;
  if p_days is null or p_days < 1 then
    raise exception 'rows are kept for a day at least';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('retention/' || p_account, 0));
  return now() - make_interval(days => p_days);
end $function$;
alter function begin_retention_page(uuid,integer) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.budgets_over(p_account uuid, p_path text)
 RETURNS SETOF extraction_budgets
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT held.account_id,
     held.id,
     held.scope_root,
     held.request_cap,
     held.token_cap,
     held.usd_micros_cap,
     held.deadline_at,
     held.input_usd_micros_per_million,
     held.output_usd_micros_per_million,
     held.requests_reserved,
     held.tokens_reserved,
     held.usd_micros_reserved,
     held.closed_at,
     held.created_at,
     held.scope_root_hash
    FROM (unnest(text_hashes(scope_chain(budgets_over.p_path))) link(hash)
      CROSS JOIN LATERAL ( SELECT b.account_id,
             b.id,
             b.scope_root,
             b.request_cap,
             b.token_cap,
             b.usd_micros_cap,
             b.deadline_at,
             b.input_usd_micros_per_million,
             b.output_usd_micros_per_million,
             b.requests_reserved,
             b.tokens_reserved,
             b.usd_micros_reserved,
             b.closed_at,
             b.created_at,
             b.scope_root_hash
            FROM extraction_budgets b
           WHERE ((b.account_id = budgets_over.p_account) AND (b.scope_root_hash = link.hash))
          OFFSET 0) held);
END;
alter function budgets_over(uuid,text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.claim_anchors(p_account uuid, p_shard integer, p_epoch bigint, p_most integer, p_most_failed integer, p_turn integer, p_most_lost integer, p_may_be_alone boolean, p_most_attempts integer, p_bytes bigint, p_window integer, p_holds boolean, p_busy uuid[], p_provider text, p_model text)
 RETURNS TABLE(message_id uuid, session_id uuid, scope_id uuid, attempt_count integer, extracted_at timestamp with time zone, trace_id text, is_chunk boolean, failed boolean, lost_claims integer, bytes bigint)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_blocked timestamptz;
  v_wake timestamptz;
  v_probes boolean;
  v_ids uuid[];
begin
  perform from mailboxes m
    where m.account_id = p_account and m.kind = 'ingest' and m.shard = p_shard and m.epoch = p_epoch;
  if not found then
    return;
  end if;
  select max(c.blocked_until) filter (where c.blocked_until > clock_timestamp()),
      max(coalesce(c.blocked_until, c.closed_at)) filter (where coalesce(c.blocked_until, c.closed_at) <= clock_timestamp()),
      coalesce(bool_or(c.state <> 'closed' and c.provider = p_provider and c.model = p_model), false)
    into v_blocked, v_wake, v_probes
    from provider_circuits c where c.account_id = p_account and c.role = 'ingest_extractor';
  if v_blocked is not null or (v_probes and p_holds) then
    return;
  end if;
  if v_probes then
    -- What never failed probes first: a text that makes every call fail must not be the only probe.
    v_ids := fresh_anchors(p_account, p_shard, p_epoch, 1, 1, p_busy);
    if v_ids = '{}' then
      v_ids := failed_anchors(p_account, p_shard, p_epoch, 1, 1, p_busy, v_wake);
    end if;
  else
    v_ids := failed_anchors(p_account, p_shard, p_epoch, least(p_most, p_most_failed), p_turn, p_busy, v_wake);
    v_ids := v_ids || fresh_anchors(p_account, p_shard, p_epoch, p_most - cardinality(v_ids), p_turn, p_busy);
  end if;
  if v_ids = '{}' then
    return;
  end if;

  -- Said by what it is not, so that the primary key is the only index that fits.
  update extraction_anchors a set status = 'terminal', last_error_class = 'internal_error', claim_epoch = null,
      internal_errors = a.unsettled_attempts, unsettled_attempts = 0
    where a.account_id = p_account and a.message_id = any(v_ids) and a.status not in ('completed', 'repairable', 'terminal')
      and (a.claim_epoch is null or a.claim_epoch < p_epoch) and a.extracted_at is null
      and a.unsettled_attempts >= p_most_attempts;
  return query
    with wanted as (
      select a.message_id, a.session_id, a.unsettled_attempts, a.extracted_at, w.place
      from unnest(v_ids) with ordinality as w (id, place)
      join extraction_anchors a on a.account_id = p_account and a.message_id = w.id
      where a.status not in ('completed', 'repairable', 'terminal')
        and (a.claim_epoch is null or a.claim_epoch < p_epoch)
      for update of a skip locked
    ), sized as (
      select w.*, m.trace_id, m.document_version_id is not null as is_chunk,
        octet_length(m.content) + coalesce(sent.bytes, 0) as bytes,
        case when w.unsettled_attempts = 0 then true
          when w.unsettled_attempts = 1
            then count(*) filter (where w.unsettled_attempts = 1) over by_place <= p_most_lost
          else p_may_be_alone and count(*) filter (where w.unsettled_attempts > 1) over by_place = 1 end as has_room
      from wanted w
      join messages m on m.account_id = p_account and m.id = w.message_id
      left join lateral (
        select sum(octet_length(e.content)) as bytes from window_before(m, p_window) e
      ) sent on m.document_version_id is null and w.extracted_at is null
      window by_place as (order by w.place)
    ), kept as (
      select s.message_id, s.trace_id, s.is_chunk, s.bytes,
        (s.place = min(s.place) over () and not p_holds) or sum(s.bytes) over (order by s.place) <= p_bytes as fits,
        bool_and(s.has_room) over (partition by s.session_id order by s.place) as keeps_order
      from sized s
    )
    update extraction_anchors a set
        claim_epoch = p_epoch,
        attempt_count = a.attempt_count + case when a.extracted_at is null then 1 else 0 end,
        unsettled_attempts = least(a.unsettled_attempts + 1, 32767),
        -- Should this claim be lost as well, what did not do it goes first.
        available_at = case when a.unsettled_attempts > 0
          then clock_timestamp() + make_interval(secs => least(60, 2 ^ least(a.unsettled_attempts - 1, 6)))
          else a.available_at end
      from kept k
      where a.account_id = p_account and a.message_id = k.message_id and k.fits and k.keeps_order
      returning a.message_id, a.session_id, a.scope_id, a.attempt_count, a.extracted_at, k.trace_id, k.is_chunk,
        a.status = 'failed', a.unsettled_attempts - 1, k.bytes;
end $function$;
alter function claim_anchors(uuid,integer,bigint,integer,integer,integer,integer,boolean,integer,bigint,integer,boolean,uuid[],text,text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.claim_for_drains(p_account uuid, p_drains jsonb, p_turn integer, p_most_attempts integer, p_window integer, p_provider text, p_model text)
 RETURNS TABLE(place integer, message_id uuid, session_id uuid, scope_id uuid, attempt_count integer, extracted_at timestamp with time zone, trace_id text, is_chunk boolean, failed boolean, lost_claims integer, bytes bigint)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  perform set_config('app.account_id', p_account::text, true), set_config('plan_cache_mode', 'force_generic_plan', true);
  return query
    select drain.place, taken.*
    from jsonb_to_recordset(p_drains) as drain (
      place integer, shard integer, epoch bigint, most integer, most_failed integer, most_lost integer, may_be_alone boolean,
      bytes bigint, holds boolean, busy uuid[])
    cross join lateral claim_anchors(p_account, drain.shard, drain.epoch, drain.most, drain.most_failed, p_turn,
      drain.most_lost, drain.may_be_alone, p_most_attempts, drain.bytes, p_window, drain.holds, drain.busy, p_provider,
      p_model) as taken;
end $function$;
alter function claim_for_drains(uuid,jsonb,integer,integer,integer,text,text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.count_dirty_marks(most integer)
 RETURNS TABLE(engine index_engine, unit unit_kind, overdue boolean, total integer, oldest_age_seconds integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT d.engine,
     d.unit,
     d.overdue,
     (count(*))::integer AS count,
     (COALESCE(max(EXTRACT(epoch FROM (clock_timestamp() - d.marked_at))), (0)::numeric))::integer AS "coalesce"
    FROM ( SELECT w.engine,
             w.unit,
             w.overdue,
             w.marked_at
            FROM dirty_marks w
           ORDER BY w.available_at
          LIMIT count_dirty_marks.most) d
   GROUP BY d.engine, d.unit, d.overdue;
END;
alter function count_dirty_marks(integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.count_extraction_anchors(most integer)
 RETURNS TABLE(status extraction_status, claimed boolean, due boolean, total integer, oldest_age_seconds integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT
         CASE
             WHEN ((blocked.account_id IS NOT NULL) AND (a.claim_epoch IS NULL)) THEN 'failed'::extraction_status
             ELSE a.status
         END AS status,
     (a.claim_epoch IS NOT NULL),
     ((a.available_at <= statement_timestamp()) AND (blocked.account_id IS NULL)),
     (count(*))::integer AS count,
     (COALESCE(max(EXTRACT(epoch FROM (statement_timestamp() - uuid_extract_timestamp(a.message_id)))), (0)::numeric))::integer AS "coalesce"
    FROM (( SELECT w.account_id,
             w.status,
             w.claim_epoch,
             w.available_at,
             w.message_id
            FROM extraction_anchors w
           WHERE (w.status = ANY (ARRAY['pending'::extraction_status, 'failed'::extraction_status]))
           ORDER BY w.message_id
          LIMIT count_extraction_anchors.most) a
      LEFT JOIN ( SELECT DISTINCT c.account_id
            FROM provider_circuits c
           WHERE ((c.role = 'ingest_extractor'::model_role) AND (c.blocked_until > statement_timestamp()))) blocked ON ((blocked.account_id = a.account_id)))
   GROUP BY
         CASE
             WHEN ((blocked.account_id IS NOT NULL) AND (a.claim_epoch IS NULL)) THEN 'failed'::extraction_status
             ELSE a.status
         END, (a.claim_epoch IS NOT NULL), ((a.available_at <= statement_timestamp()) AND (blocked.account_id IS NULL));
END;
alter function count_extraction_anchors(integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.count_governance(most integer, OUT pending_human_reviews integer, OUT restricted_withheld integer, OUT unattended boolean)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT ( SELECT (count(*))::integer AS count
            FROM ( SELECT
                    FROM review_items r
                   WHERE (r.state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state]))
                  LIMIT count_governance.most) counted) AS count,
     ( SELECT (count(*))::integer AS count
            FROM ( SELECT
                    FROM gate_decisions g
                   WHERE (g.decision = 'withhold'::gate_decision)
                  LIMIT count_governance.most) counted) AS count,
     (EXISTS ( SELECT
            FROM accounts a
           WHERE (a.gate_preset = 'unattended'::gate_preset))) AS "exists";
END;
alter function count_governance(integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.count_imported(p_table text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (
    select from accounts a where a.id = current_account() and a.xmin = pg_current_xact_id()::xid
      and a.imported_at is not null) then
    raise exception 'tables are counted by the transaction that imports an account';
  end if;
  execute format('analyze %I', p_table);
  return true;
end $function$;
alter function count_imported(text) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.count_overdue_reviews(accounts integer, most integer)
 RETURNS TABLE(kind review_kind, total integer, oldest_overdue_seconds integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 WITH RECURSIVE walk(account_id, n) AS (
          SELECT ( SELECT i.account_id
                    FROM review_items i
                   WHERE (i.state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state]))
                   ORDER BY i.account_id
                  LIMIT 1) AS account_id,
             1 AS "?column?"
         UNION ALL
          SELECT ( SELECT i.account_id
                    FROM review_items i
                   WHERE ((i.state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])) AND (i.account_id > walk.account_id))
                   ORDER BY i.account_id
                  LIMIT 1) AS account_id,
             (walk.n + 1)
            FROM walk
           WHERE ((walk.n < count_overdue_reviews.accounts) AND (walk.account_id IS NOT NULL))
         ), contests AS (
          SELECT o.kind,
             o.state,
             o.due_at,
             o.escalated_at
            FROM (walk
              CROSS JOIN LATERAL ( SELECT i.kind,
                     i.state,
                     i.due_at,
                     i.escalated_at
                    FROM review_items i
                   WHERE ((i.account_id = walk.account_id) AND (i.kind = 'contest'::review_kind) AND (i.state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])) AND (i.due_at < (clock_timestamp() + '1 day'::interval)))
                   ORDER BY i.due_at, i.id
                  LIMIT count_overdue_reviews.most) o)
          LIMIT count_overdue_reviews.most
         ), items AS (
          SELECT o.kind,
             o.state,
             o.due_at,
             o.escalated_at
            FROM (walk
              CROSS JOIN LATERAL ( SELECT i.kind,
                     i.state,
                     i.due_at,
                     i.escalated_at
                    FROM review_items i
                   WHERE ((i.account_id = walk.account_id) AND (i.state = ANY (ARRAY['pending'::review_state, 'escalated'::review_state, 'awaiting_consent'::review_state, 'deferred'::review_state])) AND (i.due_at < (clock_timestamp() + '1 day'::interval)))
                   ORDER BY i.due_at, i.id
                  LIMIT count_overdue_reviews.most) o)
          LIMIT count_overdue_reviews.most
         )
  SELECT l.kind,
     (count(*))::integer AS count,
     (max(EXTRACT(epoch FROM (clock_timestamp() - LEAST(l.due_at, l.escalated_at)))))::integer AS max
    FROM ( SELECT contests.kind,
             contests.state,
             contests.due_at,
             contests.escalated_at
            FROM contests
         UNION ALL
          SELECT i.kind,
             i.state,
             i.due_at,
             i.escalated_at
            FROM items i
           WHERE (i.kind <> 'contest'::review_kind)) l
   WHERE ((l.state = 'escalated'::review_state) OR ((l.state = ANY (ARRAY['pending'::review_state, 'deferred'::review_state])) AND (l.due_at < clock_timestamp())))
   GROUP BY l.kind;
END;
alter function count_overdue_reviews(integer,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.count_provider_attempts(since timestamp with time zone, most integer)
 RETURNS TABLE(state attempt_state, metered boolean, error_class error_class, total integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT p.state,
     p.metered,
     p.error_class,
     (count(*))::integer AS count
    FROM ( SELECT w.state,
             w.metered,
             w.error_class
            FROM provider_attempts w
           WHERE (w.reserved_at >= count_provider_attempts.since)
           ORDER BY w.reserved_at DESC
          LIMIT count_provider_attempts.most) p
   GROUP BY p.state, p.metered, p.error_class;
END;
alter function count_provider_attempts(timestamp with time zone,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.count_sweep_setbacks(most integer)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT (count(*))::integer AS count
    FROM ( SELECT
            FROM sweep_setbacks s
           WHERE (s.knowledge_id IS NOT NULL)
          LIMIT count_sweep_setbacks.most) counted;
END;
alter function count_sweep_setbacks(integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.count_unfinished_runs(most integer)
 RETURNS TABLE(kind run_kind, status run_status, total integer, oldest_age_seconds integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT r.kind,
     r.status,
     (count(*))::integer AS count,
     (COALESCE(max(EXTRACT(epoch FROM (clock_timestamp() - r.created_at))), (0)::numeric))::integer AS "coalesce"
    FROM ( SELECT w.kind,
             w.status,
             w.created_at
            FROM pipeline_runs w
           WHERE (w.status = ANY (ARRAY['pending'::run_status, 'running'::run_status, 'failed'::run_status, 'discarded'::run_status]))
           ORDER BY w.created_at
          LIMIT count_unfinished_runs.most) r
   GROUP BY r.kind, r.status;
END;
alter function count_unfinished_runs(integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.counted_tokens(p_attempt provider_attempts)
 RETURNS TABLE(input_tokens bigint, output_tokens bigint, embedding_tokens bigint)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select
    case when p_attempt.metered then coalesce(p_attempt.input_tokens, 0) + coalesce(p_attempt.reranker_tokens, 0)
      when was.sent then p_attempt.worst_input_tokens else 0 end,
    case when p_attempt.metered then coalesce(p_attempt.output_tokens, 0)
      when was.sent then p_attempt.worst_output_tokens else 0 end,
    case when p_attempt.metered then coalesce(p_attempt.embedding_tokens, 0)
      when was.sent then p_attempt.worst_embedding_tokens else 0 end
  from (select p_attempt.finished_at is null or p_attempt.dispatched_at is not null as sent) was
$function$;
alter function counted_tokens(provider_attempts) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.current_account()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.account_id'::text, true), ''::text))::uuid;
alter function current_account() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.drop_unmasked_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state in ('retracted', 'redacted') or new.statement_hash <> old.statement_hash then
    new.unmasked := null;
    new.is_served := true;
  end if;
  return new;
end $function$;
alter function drop_unmasked_words() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.ensure_places(p_account uuid, p_shards integer, p_sent sent_observation[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_places observation_place[];
  v_scope record;
  v_audience record;
  v_joined record;
begin
  for v_scope in
    select distinct on (link.path collate "C") link.path, link.parent, o.scope_ids[link.depth] as id
    from unnest(p_sent) o
    cross join lateral (
      select c.path, c.depth, lag(c.path) over (order by c.depth) as parent
      from unnest(scope_chain(o.scope_path)) with ordinality as c (path, depth)
    ) link
    where scope_at(p_account, link.path) is null
    order by link.path collate "C", o.place
  loop
    insert into scopes (account_id, id, path, parent_id)
      values (p_account, v_scope.id, v_scope.path, scope_at(p_account, v_scope.parent))
      on conflict on constraint scope_path_is_unique_in_account do nothing;
  end loop;

  insert into peers (account_id, id, key, name, kind)
    select distinct on (named.key collate "C") p_account, named.id, named.key, named.name, named.kind
    from (
      select o.speaker_key as key, o.speaker_id as id, o.speaker_name as name, o.speaker_kind as kind, 1 as rank, o.place
      from unnest(p_sent) o where o.speaker_key is not null
      union all
      select n.key, n.id, n.key, 'human', 2, o.place
      from unnest(p_sent) o
      cross join lateral unnest(o.audience_peer_keys, o.audience_peer_ids) as n (key, id)
      where o.audience_digest is not null
    ) named
    where not exists (select from peers p where p.account_id = p_account and p.key = named.key)
    order by named.key collate "C", named.rank, named.place
    on conflict on constraint peer_key_is_unique_in_account do nothing;

  for v_audience in
    select distinct on (at.id, o.audience_digest) at.id as scope_id, o.*
    from unnest(p_sent) o
    cross join lateral (select scope_at(p_account, o.scope_path) as id offset 0) at
    where o.audience_digest is not null
    order by at.id, o.audience_digest, o.place
  loop
    perform intern_audience(p_account, v_audience.audience_id, v_audience.scope_id, v_audience.audience_digest,
      v_audience.audience_peer_keys, v_audience.audience_peer_ids, v_audience.audience_circle_ids,
      v_audience.audience_role);
  end loop;

  with begun as (
    insert into sessions (account_id, id, external_id, shard)
      select distinct on (o.session collate "C") p_account, o.session_id, o.session,
        abs(hashtext(o.session_id::text) % p_shards)
      from unnest(p_sent) o
      where not exists (select from sessions s where s.account_id = p_account and s.external_id = o.session)
      order by o.session collate "C", o.place
      on conflict on constraint session_id_is_unique_in_account do nothing
      returning sessions.shard
  )
  insert into mailboxes (account_id, kind, shard)
    select distinct p_account, kind.name, begun.shard
    from begun cross join (values ('ingest'::mailbox_kind), ('projection')) as kind (name)
    order by kind.name, begun.shard
    on conflict do nothing;

  v_places := array(select at from places_of_observations(p_account, p_sent) at);
  for v_joined in
    select at.session_id, at.scope_id, min(at.shard) as shard, bool_or(o.is_vouched) as is_vouched
    from unnest(p_sent) o join unnest(v_places) at using (place)
    where not at.is_joined
    group by at.session_id, at.scope_id
    order by at.session_id, at.scope_id
  loop
    insert into session_scopes (account_id, session_id, scope_id)
      values (p_account, v_joined.session_id, v_joined.scope_id)
      on conflict do nothing;
    insert into session_participants as joined (account_id, session_id, scope_id, peer_id, reads_whole_session)
      select p_account, v_joined.session_id, v_joined.scope_id, at.speaker_id, bool_or(o.is_vouched)
      from unnest(p_sent) o join unnest(v_places) at using (place)
      where at.session_id = v_joined.session_id and at.scope_id = v_joined.scope_id and not at.is_joined
      group by at.speaker_id
      order by at.speaker_id
      on conflict on constraint session_participants_pkey
      do update set reads_whole_session = joined.reads_whole_session or excluded.reads_whole_session;
    if v_joined.is_vouched then
      perform mark_read_messages(p_account, v_joined.session_id, v_joined.scope_id, v_joined.shard::smallint);
    end if;
  end loop;
end $function$;
alter function ensure_places(uuid,integer,sent_observation[]) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.ensure_scope_chain(p_account uuid, p_path text, p_ids uuid[])
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  found_id uuid := scope_at(p_account, p_path);
  parent uuid;
  link text;
  depth integer := 0;
begin
  if found_id is not null then
    return found_id;
  end if;
  foreach link in array scope_chain(p_path) loop
    depth := depth + 1;
    insert into scopes (account_id, id, path, parent_id) values (p_account, p_ids[depth], link, parent)
      on conflict on constraint scope_path_is_unique_in_account do nothing returning id into found_id;
    parent := coalesce(found_id, scope_at(p_account, link));
  end loop;
  return parent;
end $function$;
alter function ensure_scope_chain(uuid,text,uuid[]) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_attempts(p_account uuid, p_reserved jsonb, p_dispatched uuid[], p_finished jsonb, p_limits jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(attempt_id uuid, refused_by error_class, retry_ms integer, left_ms integer, input_rate bigint, output_rate bigint)
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config('app.account_id', p_account::text, true);

  -- A statement costs its triggers without a row too, and most calls of this function have one of the three to enter.
  if cardinality(p_dispatched) > 0 then
    update provider_attempts a set state = 'dispatched', dispatched_at = clock_timestamp()
      where a.account_id = p_account and a.id = any(p_dispatched) and a.state = 'reserved';
  end if;

  -- A row that a later drain has closed stays closed: its outcome came too late to be counted on.
  if jsonb_array_length(p_finished) > 0 then
    update provider_attempts a
      set state = r.state, metered = r.metered, input_tokens = r.input_tokens, output_tokens = r.output_tokens,
        embedding_tokens = r.embedding_tokens, reranker_tokens = r.reranker_tokens, usd_micros = r.usd_micros,
        duration_ms = r.duration_ms, error_class = r.error_class, finished_at = clock_timestamp()
      from jsonb_to_recordset(p_finished) as r (
        id uuid, state attempt_state, metered boolean, input_tokens bigint, output_tokens bigint,
        embedding_tokens bigint, reranker_tokens bigint, usd_micros bigint, duration_ms integer, error_class error_class)
      where a.account_id = p_account and a.id = r.id and a.state in ('reserved', 'dispatched');
  end if;

  if jsonb_array_length(p_reserved) = 0 then
    return;
  end if;
  return query
    with verdict as materialized (
      select v.* from reserve_attempts(p_account, p_reserved, p_limits) v
    ), entered as (
      insert into provider_attempts (account_id, id, role, provider, model, model_version, prompt_version,
        pipeline_version, state, batch_id, run_id, scope_id, anchor_message_ids, repair_index, mailbox_shard,
        claim_epoch, trace_id, dispatched_at, budget_id, worst_input_tokens, worst_output_tokens,
        worst_embedding_tokens, token_day)
      select p_account, r.id, r.role, r.provider, r.model, r.model_version, r.prompt_version, r.pipeline_version,
        r.state, r.batch_id, r.run_id, r.scope_id, r.anchor_message_ids, r.repair_index, r.mailbox_shard,
        r.claim_epoch, r.trace_id, case r.state when 'dispatched' then clock_timestamp() end, v.budget_id,
        r.worst_input_tokens, r.worst_output_tokens, r.worst_embedding_tokens, v.token_day
      from jsonb_to_recordset(p_reserved) as r (
        id uuid, role model_role, provider text, model text, model_version text, prompt_version text,
        pipeline_version text, state attempt_state, batch_id uuid, run_id uuid, scope_id uuid,
        anchor_message_ids uuid[], repair_index smallint, mailbox_shard smallint, claim_epoch bigint, trace_id text,
        worst_input_tokens bigint, worst_output_tokens bigint, worst_embedding_tokens bigint)
      left join verdict v on v.attempt_id = r.id
      where v.refused_by is null
    )
    select v.attempt_id, v.refused_by, v.retry_ms, v.left_ms, v.input_rate, v.output_rate from verdict v;
end $function$;
alter function enter_attempts(uuid,jsonb,uuid[],jsonb,jsonb) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_changed_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into activity_entries (account_id, day, message_bytes)
  values (new.account_id, (clock_timestamp() at time zone 'UTC')::date,
    octet_length(new.content) - octet_length(old.content));
  return null;
end $function$;
alter function enter_changed_message() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_changed_statement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into activity_entries (account_id, day, statement_bytes)
  values (new.account_id, (clock_timestamp() at time zone 'UTC')::date,
    coalesce(octet_length(new.statement), 0) - coalesce(octet_length(old.statement), 0));
  return null;
end $function$;
alter function enter_changed_statement() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_changed_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into activity_entries (account_id, day, version_bytes)
  values (coalesce(new.account_id, old.account_id), (clock_timestamp() at time zone 'UTC')::date,
    coalesce(new.byte_size, 0) - coalesce(old.byte_size, 0));
  return null;
end $function$;
alter function enter_changed_version() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_counts(p_account uuid, p_requests bigint, p_calls jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_today date := (clock_timestamp() at time zone 'UTC')::date;
begin
  perform set_config('app.account_id', p_account::text, true);
  if p_requests > 0 then
    insert into activity_entries (account_id, day, api_requests) values (p_account, v_today, p_requests);
  end if;
  insert into usage_entries (account_id, day, role, provider, model, scope_id, ledger_rows, calls, errors, unmetered,
    input_tokens, output_tokens, embedding_tokens, reranker_tokens, duration_ms)
  select p_account, v_today, c.role, c.provider, c.model, null, 0, c.calls, c.errors, c.unmetered, 0, 0, 0, 0, c.duration_ms
  from jsonb_to_recordset(p_calls) as c (role model_role, provider text, model text, calls bigint, errors bigint,
    unmetered bigint, duration_ms bigint);
end $function$;
alter function enter_counts(uuid,bigint,jsonb) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_deleted_attempts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into activity_entries (account_id, day, ledger_rows)
  select c.account_id, (clock_timestamp() at time zone 'UTC')::date, -count(*)
  from changed c where c.finished_at is not null group by 1;
  return null;
end $function$;
alter function enter_deleted_attempts() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_deleted_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into activity_entries (account_id, day, messages, message_bytes)
  select account_id, (clock_timestamp() at time zone 'UTC')::date, -count(*), -coalesce(sum(octet_length(content)), 0)
  from changed group by 1;
  return null;
end $function$;
alter function enter_deleted_messages() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_deleted_statements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into activity_entries (account_id, day, statements, statement_bytes)
  select account_id, (clock_timestamp() at time zone 'UTC')::date, -count(*), -coalesce(sum(octet_length(statement)), 0)
  from changed group by 1;
  return null;
end $function$;
alter function enter_deleted_statements() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_ended_attempts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into usage_entries (account_id, day, role, provider, model, scope_id, ledger_rows, calls, errors, unmetered,
    input_tokens, output_tokens, embedding_tokens, reranker_tokens, duration_ms)
  select f.account_id, (f.reserved_at at time zone 'UTC')::date, f.role, f.provider, f.model,
    case when f.role in ('ingest_extractor', 'dream_reasoner') then f.scope_id end, count(*),
    count(f.dispatched_at), count(f.dispatched_at) filter (where f.state in ('error', 'timeout')),
    count(f.dispatched_at) filter (where not f.metered),
    coalesce(sum(f.input_tokens) filter (where f.metered and f.dispatched_at is not null), 0),
    coalesce(sum(f.output_tokens) filter (where f.metered and f.dispatched_at is not null), 0),
    coalesce(sum(f.embedding_tokens) filter (where f.metered and f.dispatched_at is not null), 0),
    coalesce(sum(f.reranker_tokens) filter (where f.metered and f.dispatched_at is not null), 0),
    coalesce(sum(f.duration_ms) filter (where f.dispatched_at is not null), 0)
  from changed f join before b on b.account_id = f.account_id and b.id = f.id
  where f.finished_at is not null and b.finished_at is null
  group by 1, 2, 3, 4, 5, 6;
  return null;
end $function$;
alter function enter_ended_attempts() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_finished_attempt()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into usage_entries (account_id, day, role, provider, model, scope_id, ledger_rows, calls, errors, unmetered,
    input_tokens, output_tokens, embedding_tokens, reranker_tokens, duration_ms)
  select new.account_id, (new.reserved_at at time zone 'UTC')::date, new.role, new.provider, new.model,
    case when new.role in ('ingest_extractor', 'dream_reasoner') then new.scope_id end, 1,
    was.sent, case when new.state in ('error', 'timeout') then was.sent else 0 end,
    case when new.metered then 0 else was.sent end,
    was.metered * coalesce(new.input_tokens, 0), was.metered * coalesce(new.output_tokens, 0),
    was.metered * coalesce(new.embedding_tokens, 0), was.metered * coalesce(new.reranker_tokens, 0),
    was.sent * coalesce(new.duration_ms, 0)
  from (select (new.dispatched_at is not null)::integer as sent,
    (new.dispatched_at is not null and new.metered)::integer as metered) was;
  return null;
end $function$;
alter function enter_finished_attempt() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_new_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into activity_entries (account_id, day, recorded, ingests, messages, message_bytes)
  select m.account_id, (m.recorded_at at time zone 'UTC')::date,
    count(*) filter (where m.recorded_at >= coalesce(a.imported_at, '-infinity')),
    count(*) filter (where m.recorded_at >= coalesce(a.imported_at, '-infinity') and m.document_version_id is null),
    count(*), coalesce(sum(octet_length(m.content)), 0)
  from changed m join accounts a on a.id = m.account_id
  group by 1, 2;
  return null;
end $function$;
alter function enter_new_messages() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.enter_new_statements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into activity_entries (account_id, day, statements, statement_bytes)
  select account_id, (clock_timestamp() at time zone 'UTC')::date, count(*), coalesce(sum(octet_length(statement)), 0)
  from changed group by 1;
  return null;
end $function$;
alter function enter_new_statements() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.erase_item_links(p_account uuid, p_gone uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_erased integer;
begin
  if p_account is distinct from current_account() then
    raise exception 'decisions are changed in the account of the transaction only';
  end if;
  update gate_decisions d set review_item_id = null from review_items item
    where item.account_id = p_account and (item.knowledge_id = any(p_gone) or item.conflict_knowledge_id = any(p_gone))
      and d.account_id = item.account_id and d.review_item_id = item.id and d.knowledge_id <> all(p_gone);
  get diagnostics v_erased = row_count;
  return v_erased;
end $function$;
alter function erase_item_links(uuid,uuid[]) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.erase_messages(p_account uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_erased integer;
begin
  if p_account is distinct from current_account() then
    raise exception 'messages are erased in the account of the transaction only';
  end if;
  delete from messages m using peers p
    where m.account_id = p_account and m.id = any(p_ids)
      and p.account_id = m.account_id and p.id = m.speaker_peer_id and p.erasing_at is not null;
  get diagnostics v_erased = row_count;
  return v_erased;
end $function$;
alter function erase_messages(uuid,uuid[]) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.erase_relays(p_account uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_erased integer;
begin
  if p_account is distinct from current_account() then
    raise exception 'messages are changed in the account of the transaction only';
  end if;
  update messages m set relay_peer_id = null from peers p
    where m.account_id = p_account and m.id = any(p_ids)
      and p.account_id = m.account_id and p.id = m.relay_peer_id and p.erasing_at is not null;
  get diagnostics v_erased = row_count;
  return v_erased;
end $function$;
alter function erase_relays(uuid,uuid[]) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.failed_anchors(p_account uuid, p_shard integer, p_epoch bigint, p_most integer, p_turn integer, p_busy uuid[], p_wake timestamp with time zone)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET enable_sort TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  most_speakers constant integer := 32;
  v_start uuid;
  v_last uuid;
  v_next uuid;
  v_found uuid[];
  v_taken uuid[] := '{}';
  v_wrapped boolean;
begin
  select m.retry_speaker_id into v_start from mailboxes m
    where m.account_id = p_account and m.kind = 'ingest' and m.shard = p_shard;
  v_last := v_start;
  v_wrapped := v_start is null;
  for visit in 1 .. most_speakers loop
    exit when cardinality(v_taken) >= p_most;
    if v_last is null then
      select a.speaker_peer_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.status = 'failed'
        order by a.speaker_peer_id limit 1;
    else
      select a.speaker_peer_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.status = 'failed' and a.speaker_peer_id > v_last
        order by a.speaker_peer_id limit 1;
    end if;
    if not found then
      exit when v_wrapped;
      v_wrapped := true;
      v_last := null;
      continue;
    end if;
    exit when v_wrapped and v_next > v_start;
    v_last := v_next;
    select array_agg(one.message_id) into v_found from (
      select a.message_id from (
        select w.* from extraction_anchors w
        where w.account_id = p_account and w.shard = p_shard and w.speaker_peer_id = v_next and w.status = 'failed'
        order by w.available_at limit 2 * p_most + cardinality(p_busy)) a
      where (a.available_at <= clock_timestamp() or a.failed_at < p_wake)
        and (a.claim_epoch is null or a.claim_epoch < p_epoch) and a.session_id <> all(p_busy)
      order by a.available_at limit least(p_turn, p_most - cardinality(v_taken))) one;
    v_taken := v_taken || coalesce(v_found, '{}');
  end loop;
  update mailboxes m set retry_speaker_id = v_last
    where m.account_id = p_account and m.kind = 'ingest' and m.shard = p_shard
      and m.retry_speaker_id is distinct from v_last and v_last is not null;
  return v_taken;
end $function$;
alter function failed_anchors(uuid,integer,bigint,integer,integer,uuid[],timestamp with time zone) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.forget_edition(p_account uuid)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('forgetting/' || p_account, 0));
  return coalesce((select b.edition from forget_books b where b.account_id = p_account), 0);
end $function$;
alter function forget_edition(uuid) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.forget_idempotency_records(older_than timestamp with time zone, from_time timestamp with time zone, page integer)
 RETURNS TABLE(forgotten integer, reached timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 WITH gone AS (
          DELETE FROM idempotency_records i
           WHERE ((i.created_at < forget_idempotency_records.older_than) AND (i.created_at >= forget_idempotency_records.from_time) AND (i.created_at <= ( SELECT max(oldest.created_at) AS max
                    FROM ( SELECT o.created_at
                            FROM idempotency_records o
                           WHERE ((o.created_at < forget_idempotency_records.older_than) AND (o.created_at >= forget_idempotency_records.from_time))
                           ORDER BY o.created_at
                          LIMIT forget_idempotency_records.page) oldest)))
           RETURNING i.created_at
         )
  SELECT (count(*))::integer AS count,
     COALESCE(max(g.created_at), forget_idempotency_records.from_time) AS "coalesce"
    FROM gone g;
END;
alter function forget_idempotency_records(timestamp with time zone,timestamp with time zone,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.forget_words_about_erased()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from review_words w using review_items item
  where item.account_id = new.account_id and item.knowledge_id = new.id
    and w.account_id = item.account_id and w.review_item_id = item.id;
  return null;
end $function$;
alter function forget_words_about_erased() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.fresh_anchors(p_account uuid, p_shard integer, p_epoch bigint, p_most integer, p_turn integer, p_busy uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET enable_sort TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  most_speakers constant integer := 128;
  v_last uuid;
  v_next uuid;
  v_taken uuid[] := '{}';
  v_speakers uuid[] := '{}';
  v_turn record;
  v_after uuid;
  v_cursor jsonb := '{}';
  v_hungry uuid[];
  v_share integer;
  v_before integer;
  v_wrapped boolean;
  v_start uuid;
begin
  select m.turn_speaker_id into v_start from mailboxes m
    where m.account_id = p_account and m.kind = 'ingest' and m.shard = p_shard;
  v_last := v_start;
  v_wrapped := v_start is null;
  while cardinality(v_taken) < p_most and cardinality(v_speakers) < most_speakers loop
    if v_last is null then
      select a.speaker_peer_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.status = 'pending'
        order by a.speaker_peer_id limit 1;
    else
      select a.speaker_peer_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.status = 'pending' and a.speaker_peer_id > v_last
        order by a.speaker_peer_id limit 1;
    end if;
    if not found then
      exit when v_wrapped;
      v_wrapped := true;
      v_last := null;
      continue;
    end if;
    exit when v_wrapped and v_next > v_start;
    v_last := v_next;
    v_speakers := v_speakers || v_next;
    select t.session_id into v_after from speaker_turns t
      where t.account_id = p_account and t.shard = p_shard and t.speaker_peer_id = v_next;
    select * into v_turn from speaker_turn(p_account, p_shard, p_epoch, v_next, v_after,
      least(p_turn, p_most - cardinality(v_taken)), p_turn, p_busy, v_taken);
    v_taken := v_taken || v_turn.ids;
    if not v_turn.is_whole then
      v_cursor := v_cursor || jsonb_build_object(v_next, v_turn.last_session);
    end if;
  end loop;

  -- There is room, and every speaker had a turn: those who have more share what is left.
  loop
    v_before := cardinality(v_taken);
    select array_agg(s.id order by s.place) into v_hungry
      from unnest(v_speakers) with ordinality as s (id, place) where v_cursor ? s.id::text;
    exit when v_before >= p_most or v_hungry is null;
    v_share := greatest(p_turn, (p_most - v_before) / cardinality(v_hungry));
    foreach v_next in array v_hungry loop
      exit when cardinality(v_taken) >= p_most;
      select * into v_turn from speaker_turn(p_account, p_shard, p_epoch, v_next, (v_cursor ->> v_next::text)::uuid,
        least(v_share, p_most - cardinality(v_taken)), p_turn, p_busy, v_taken);
      v_taken := v_taken || v_turn.ids;
      v_cursor := v_cursor || jsonb_build_object(v_next, v_turn.last_session);
      if v_turn.is_whole then
        v_speakers := array_remove(v_speakers, v_next);
      end if;
    end loop;
    exit when cardinality(v_taken) = v_before;
  end loop;

  update mailboxes m set turn_speaker_id = v_last
    where m.account_id = p_account and m.kind = 'ingest' and m.shard = p_shard
      and m.turn_speaker_id is distinct from v_last and v_last is not null;
  insert into speaker_turns (account_id, shard, speaker_peer_id, session_id)
    select p_account, p_shard, key::uuid, value::uuid from jsonb_each_text(v_cursor) where value is not null
    order by key
    on conflict (account_id, shard, speaker_peer_id) do update set session_id = excluded.session_id;
  return v_taken;
end $function$;
alter function fresh_anchors(uuid,integer,bigint,integer,integer,uuid[]) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.highest_token_shares(p_limits jsonb, p_most integer)
 RETURNS TABLE(role model_role, input_permille integer, output_permille integer, embedding_permille integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT (NULLIF(t.role, '*'::text))::model_role AS "nullif",
     (max(
         CASE
             WHEN (cap.input > (0)::numeric) THEN LEAST((1000000000)::numeric, ceil(((1000.0 * ((t.used_input_tokens + t.reserved_input_tokens))::numeric) / cap.input)))
             ELSE NULL::numeric
         END))::integer AS max,
     (max(
         CASE
             WHEN (cap.output > (0)::numeric) THEN LEAST((1000000000)::numeric, ceil(((1000.0 * ((t.used_output_tokens + t.reserved_output_tokens))::numeric) / cap.output)))
             ELSE NULL::numeric
         END))::integer AS max,
     (max(
         CASE
             WHEN (cap.embedding > (0)::numeric) THEN LEAST((1000000000)::numeric, ceil(((1000.0 * ((t.used_embedding_tokens + t.reserved_embedding_tokens))::numeric) / cap.embedding)))
             ELSE NULL::numeric
         END))::integer AS max
    FROM (( SELECT d.role,
             d.used_input_tokens,
             d.used_output_tokens,
             d.used_embedding_tokens,
             d.reserved_input_tokens,
             d.reserved_output_tokens,
             d.reserved_embedding_tokens
            FROM token_days d
           WHERE (d.day = ((clock_timestamp() AT TIME ZONE 'UTC'::text))::date)
           ORDER BY d.day, d.account_id
          LIMIT highest_token_shares.p_most) t
      CROSS JOIN LATERAL ( SELECT (((highest_token_shares.p_limits -> t.role) ->> 'input_tokens'::text))::numeric AS input,
             (((highest_token_shares.p_limits -> t.role) ->> 'output_tokens'::text))::numeric AS output,
             (((highest_token_shares.p_limits -> t.role) ->> 'embedding_tokens'::text))::numeric AS embedding) cap)
   WHERE (highest_token_shares.p_limits ? t.role)
   GROUP BY t.role;
END;
alter function highest_token_shares(jsonb,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.hold_places_of_messages(p_account uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_held integer;
begin
  if p_account is distinct from current_account() then
    raise exception 'places are held in the account of the transaction only';
  end if;
  perform from session_scopes place
    where place.account_id = p_account and (place.session_id, place.scope_id) in (
      select m.session_id, m.scope_id from messages m where m.account_id = p_account and m.id = any(p_ids))
    order by place.session_id, place.scope_id for update;
  get diagnostics v_held = row_count;
  return v_held;
end $function$;
alter function hold_places_of_messages(uuid,uuid[]) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.import_audit_chain(p_chain jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_written integer;
begin
  if not exists (
    select from accounts a where a.id = current_account() and a.xmin = pg_current_xact_id()::xid
      and a.imported_at is not null) then
    raise exception 'an audit log comes with the account that the same transaction imports';
  end if;
  insert into audit_chains (account_id, position, hash, sealed_at, sealed_until)
  select current_account(), c.position, c.hash, c.sealed_at, c.sealed_until
  from jsonb_populate_record(null::audit_chains, p_chain) c;
  get diagnostics v_written = row_count;
  return v_written;
end $function$;
alter function import_audit_chain(jsonb) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.import_audit_events(p_events jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_written integer;
begin
  if not exists (
    select from accounts a where a.id = current_account() and a.xmin = pg_current_xact_id()::xid
      and a.imported_at is not null)
  or exists (select from audit_chains c where c.account_id = current_account()) then
    raise exception 'an audit log comes with the account that the same transaction imports';
  end if;
  insert into audit_events (account_id, id, category, action, actor_kind, actor_peer_id, credential_id, resource_type,
    resource_id, metadata, content_hash, occurred_at, chain_position, chain_hash)
  select current_account(), e.id, e.category, e.action, e.actor_kind, e.actor_peer_id, e.credential_id, e.resource_type,
    e.resource_id, e.metadata, e.content_hash, e.occurred_at, e.chain_position, e.chain_hash
  from jsonb_populate_recordset(null::audit_events, p_events) e;
  get diagnostics v_written = row_count;
  return v_written;
end $function$;
alter function import_audit_events(jsonb) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.ingest_observations(p_account uuid, p_shards integer, p_observations json, p_contents text[], p_lock_ms integer, p_edition bigint, p_served json)
 RETURNS TABLE(place integer, outcome ingest_outcome, message_id uuid, occurred_at timestamp with time zone, shard smallint)
 LANGUAGE plpgsql
AS $function$
declare
  v_sent sent_observation[];
  v_new sent_observation[];
  v_places observation_place[];
begin
  perform set_config('app.account_id', p_account::text, true), set_config('plan_cache_mode', 'force_generic_plan', true);
  if p_lock_ms is not null then
    perform set_config('lock_timeout', p_lock_ms::text, true);
  end if;
  if forget_edition(p_account) <> p_edition then
    return query select 0, 'stale'::ingest_outcome, null::uuid, null::timestamptz, null::smallint;
    return;
  end if;
  v_sent := array(select o from json_populate_recordset(null::sent_observation, p_observations) o);

  with taken as (
    insert into idempotency_records (account_id, id, credential_id, method, path, key, request_hash, status, resource_id)
      select p_account, o.idempotency_id, o.credential_id, 'POST', o.idempotency_path, o.idempotency_key,
        o.request_hash, 202, o.message_id
      from unnest(v_sent) o
      where o.idempotency_key is not null
      order by o.credential_id, o.idempotency_path collate "C", o.idempotency_key collate "C", o.place
      on conflict on constraint idempotency_key_is_used_once do nothing
      returning idempotency_records.id
  )
  select array_agg(o order by o.place) into v_new
    from unnest(v_sent) o
    where o.idempotency_key is null or o.idempotency_id in (select t.id from taken t);

  if v_new is not null then
    v_places := array(select at from places_of_observations(p_account, v_new) at);
    if exists (
      select from unnest(v_places) at
      where at.scope_id is null or at.speaker_id is null or at.session_id is null or not at.is_joined or at.awaits_audience
    ) then
      perform ensure_places(p_account, p_shards, v_new);
      v_places := array(select at from places_of_observations(p_account, v_new) at);
    end if;
    if exists (select from unnest(v_places) at where at.awaits_audience) then
      raise exception 'an audience was not written';
    end if;
    perform refuse_erasing(p_account, array(
      select at.speaker_id from unnest(v_places) at union select o.caller_peer_id from unnest(v_new) o
      union select p.id from unnest(v_new) o join peers p on p.account_id = p_account and p.key = any(o.audience_peer_keys)));

    return query
      with said as (
        select o.*, at.scope_id as at_scope, at.speaker_id as said_by, at.session_id as at_session, at.shard as at_shard,
          at.audience_id as at_audience
        from unnest(v_new) o join unnest(v_places) at using (place)
        order by o.place
      ), kept as (
        insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, relay_peer_id, credential_id, role,
            content, is_served, unmasked, content_hash, occurred_at, occurred_offset_minutes, trace_id, audience_id)
          select p_account, s.message_id, s.at_session, s.at_scope, s.said_by, nullif(s.caller_peer_id, s.said_by),
            s.credential_id, s.role,
            case when masked.place is null then p_contents[s.place] else coalesce(masked.text, '') end,
            masked.place is null or masked.text is not null,
            case when masked.place is not null then p_contents[s.place] end,
            s.content_hash, s.occurred_at, s.occurred_offset_minutes, s.trace_id, s.at_audience
          from said s
          left join json_to_recordset(p_served) as masked (place integer, text text) on masked.place = s.place
          order by s.place
      ), anchored as (
        insert into extraction_anchors (account_id, message_id, session_id, scope_id, shard, speaker_peer_id)
          select p_account, s.message_id, s.at_session, s.at_scope, s.at_shard, s.said_by from said s
      ), marked as (
        insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
          select p_account, engine.name, 'message', s.message_id, s.at_scope, s.at_shard
          from said s cross join (values ('qdrant'::index_engine), ('meilisearch')) as engine (name)
      ), audited as (
        insert into audit_events (account_id, id, category, action, actor_kind, actor_peer_id, credential_id,
            resource_type, resource_id, content_hash)
          select p_account, s.audit_id, 'observation', 'message.accepted', 'credential', s.caller_peer_id, s.credential_id,
            'message', s.message_id, salted_hash(p_account, s.said_by, s.content_hash)
          from said s
      )
      select s.place, 'accepted'::ingest_outcome, s.message_id, s.occurred_at, s.at_shard from said s;
  end if;

  return query
    select o.place, case when i.request_hash = o.request_hash then 'replayed' else 'conflict' end::ingest_outcome,
      m.id, m.occurred_at, s.shard
    from unnest(v_sent) o
    join idempotency_records i on i.account_id = p_account and i.credential_id = o.credential_id and i.method = 'POST'
      and i.path_hash = text_sha256(o.idempotency_path) and i.key = o.idempotency_key and i.id <> o.idempotency_id
    left join messages m on m.account_id = i.account_id and m.id = i.resource_id
    left join sessions s on s.account_id = m.account_id and s.id = m.session_id
    where o.idempotency_key is not null;
end $function$;
alter function ingest_observations(uuid,integer,json,text[],integer,bigint,json) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.intern_audience(p_account uuid, p_id uuid, p_scope uuid, p_digest bytea, p_peer_keys text[], p_peer_ids uuid[], p_circle_ids uuid[], p_role text)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  v_id uuid;
begin
  insert into peers (account_id, id, key, name, kind)
    select p_account, n.id, n.key, n.key, 'human'
    from unnest(p_peer_keys, p_peer_ids) as n (key, id)
    where not exists (select from peers p where p.account_id = p_account and p.key = n.key)
    order by n.key collate "C"
    on conflict on constraint peer_key_is_unique_in_account do nothing;
  insert into audiences (account_id, id, scope_id, digest) values (p_account, p_id, p_scope, p_digest)
    on conflict on constraint audience_is_known_once do nothing
    returning id into v_id;
  if v_id is null then
    return (select a.id from audiences a
      where a.account_id = p_account and a.scope_id = p_scope and a.digest = p_digest);
  end if;
  insert into audience_members (account_id, audience_id, principal)
    select p_account, v_id, p.id::text from peers p where p.account_id = p_account and p.key = any(p_peer_keys)
    union
    select p_account, v_id, circle.id::text from unnest(p_circle_ids) as circle (id)
    union
    select p_account, v_id, p_scope || '/' || p_role where p_role is not null;
  return v_id;
end $function$;
alter function intern_audience(uuid,uuid,uuid,bytea,text[],uuid[],uuid[],text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.is_addressed(p_account uuid, p_audience uuid, p_peer uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from audience_members m
    where m.account_id = p_account and m.audience_id = p_audience and m.principal = p_peer::text
    union all
    -- From the names of the audience, which are few, to the list of each circle: a peer may be in any number of circles.
    select from audience_members m
    join circle_members c on c.account_id = m.account_id and c.peer_id = p_peer
      and c.circle_id = case when m.principal not like '%/%' then m.principal::uuid end
    where m.account_id = p_account and m.audience_id = p_audience
    union all
    select from audience_members m
    join audiences a on a.account_id = m.account_id and a.id = m.audience_id
    join scopes s on s.account_id = a.account_id and s.id = a.scope_id
    where m.account_id = p_account and m.audience_id = p_audience and m.principal like '%/%'
      and role_of_peer(p_account, p_peer, s.path) >= split_part(m.principal, '/', 2)::role_name)
$function$;
alter function is_addressed(uuid,uuid,uuid) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.least_id_at(p_at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((lpad(to_hex((floor((EXTRACT(epoch FROM p_at) * (1000)::numeric)))::bigint), 12, '0'::text) || '70008000000000000000'::text))::uuid;
alter function least_id_at(timestamp with time zone) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.lookup_account(wanted_key text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT a.id
    FROM accounts a
   WHERE (a.key = lookup_account.wanted_key);
END;
alter function lookup_account(text) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_accounts()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT a.id
    FROM accounts a
   ORDER BY a.id;
END;
alter function lookup_accounts() owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_accounts_after(after_id uuid, page integer)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT a.id
    FROM accounts a
   WHERE ((lookup_accounts_after.after_id IS NULL) OR (a.id > lookup_accounts_after.after_id))
   ORDER BY a.id
  LIMIT lookup_accounts_after.page;
END;
alter function lookup_accounts_after(uuid,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_accounts_to_project(after_id uuid, page integer)
 RETURNS TABLE(account_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 WITH RECURSIVE walk(id, n) AS (
          SELECT lookup_accounts_to_project.after_id AS after_id,
             0 AS "?column?"
         UNION ALL
          SELECT LEAST(( SELECT m.account_id
                    FROM projection_marks m
                   WHERE (m.account_id > COALESCE(walk_1.id, '00000000-0000-0000-0000-000000000000'::uuid))
                   ORDER BY m.account_id
                  LIMIT 1), ( SELECT w.account_id
                    FROM projection_work w
                   WHERE ((w.account_id > COALESCE(walk_1.id, '00000000-0000-0000-0000-000000000000'::uuid)) AND (w.available_at <= statement_timestamp()))
                   ORDER BY w.account_id
                  LIMIT 1), ( SELECT p.account_id
                    FROM projections p
                   WHERE ((p.summary_due_at IS NOT NULL) AND (p.summary_due_at <= statement_timestamp()) AND (p.account_id > COALESCE(walk_1.id, '00000000-0000-0000-0000-000000000000'::uuid)))
                   ORDER BY p.account_id
                  LIMIT 1)) AS "least",
             (walk_1.n + 1)
            FROM walk walk_1
           WHERE ((walk_1.n < lookup_accounts_to_project.page) AND ((walk_1.n = 0) OR (walk_1.id IS NOT NULL)))
         )
  SELECT walk.id
    FROM walk
   WHERE ((walk.n > 0) AND (walk.id IS NOT NULL))
   ORDER BY walk.n;
END;
alter function lookup_accounts_to_project(uuid,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_accounts_to_sweep(after_id uuid, at timestamp with time zone, page integer)
 RETURNS TABLE(account_id uuid, is_due boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 WITH RECURSIVE walk(id, n) AS (
          SELECT lookup_accounts_to_sweep.after_id AS after_id,
             0 AS "?column?"
         UNION ALL
          SELECT LEAST(( SELECT k.account_id
                    FROM knowledge k
                   WHERE ((k.expires_at IS NOT NULL) AND (k.state = ANY (ARRAY['proposed'::knowledge_state, 'provisional'::knowledge_state, 'held'::knowledge_state, 'active'::knowledge_state, 'needs_revalidation'::knowledge_state, 'stale'::knowledge_state])) AND (k.account_id > COALESCE(walk_1.id, '00000000-0000-0000-0000-000000000000'::uuid)))
                   ORDER BY k.account_id, k.expires_at, k.id
                  LIMIT 1), ( SELECT k.account_id
                    FROM knowledge k
                   WHERE ((k.revalidate_after IS NOT NULL) AND (k.state = 'active'::knowledge_state) AND (k.account_id > COALESCE(walk_1.id, '00000000-0000-0000-0000-000000000000'::uuid)))
                   ORDER BY k.account_id, k.revalidate_after, k.id
                  LIMIT 1), ( SELECT i.account_id
                    FROM review_items i
                   WHERE ((i.decided_at IS NULL) AND (NOT i.past_ageing) AND (i.state = ANY (ARRAY['pending'::review_state, 'deferred'::review_state, 'escalated'::review_state])) AND (i.account_id > COALESCE(walk_1.id, '00000000-0000-0000-0000-000000000000'::uuid)))
                   ORDER BY i.account_id, i.due_at, i.id
                  LIMIT 1), ( SELECT q.account_id
                    FROM questions q
                   WHERE ((q.ended_at IS NULL) AND (q.account_id > COALESCE(walk_1.id, '00000000-0000-0000-0000-000000000000'::uuid)))
                   ORDER BY q.account_id, q.deadline_at, q.id
                  LIMIT 1)) AS "least",
             (walk_1.n + 1)
            FROM walk walk_1
           WHERE ((walk_1.n < lookup_accounts_to_sweep.page) AND ((walk_1.n = 0) OR (walk_1.id IS NOT NULL)))
         )
  SELECT walk.id,
     ((EXISTS ( SELECT
            FROM knowledge k
           WHERE ((k.account_id = walk.id) AND (k.expires_at IS NOT NULL) AND (k.expires_at <= lookup_accounts_to_sweep.at) AND (k.state = ANY (ARRAY['proposed'::knowledge_state, 'provisional'::knowledge_state, 'held'::knowledge_state, 'active'::knowledge_state, 'needs_revalidation'::knowledge_state, 'stale'::knowledge_state]))))) OR (EXISTS ( SELECT
            FROM knowledge k
           WHERE ((k.account_id = walk.id) AND (k.revalidate_after IS NOT NULL) AND (k.revalidate_after <= lookup_accounts_to_sweep.at) AND (k.state = 'active'::knowledge_state)))) OR (EXISTS ( SELECT
            FROM review_items i
           WHERE ((i.account_id = walk.id) AND (i.decided_at IS NULL) AND (NOT i.past_ageing) AND (i.state = ANY (ARRAY['pending'::review_state, 'deferred'::review_state, 'escalated'::review_state])) AND (i.due_at <= lookup_accounts_to_sweep.at)))) OR (EXISTS ( SELECT
            FROM questions q
           WHERE ((q.account_id = walk.id) AND (q.ended_at IS NULL) AND (q.deadline_at <= lookup_accounts_to_sweep.at)))))
    FROM walk
   WHERE ((walk.n > 0) AND (walk.id IS NOT NULL))
   ORDER BY walk.n;
END;
alter function lookup_accounts_to_sweep(uuid,timestamp with time zone,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_accounts_with_usage(after_id uuid, page integer)
 RETURNS TABLE(account_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 WITH RECURSIVE walk(id, n) AS (
          SELECT lookup_accounts_with_usage.after_id AS after_id,
             0 AS "?column?"
         UNION ALL
          SELECT LEAST(( SELECT u.account_id
                    FROM usage_entries u
                   WHERE (u.account_id > COALESCE(walk_1.id, '00000000-0000-0000-0000-000000000000'::uuid))
                   ORDER BY u.account_id
                  LIMIT 1), ( SELECT a.account_id
                    FROM activity_entries a
                   WHERE (a.account_id > COALESCE(walk_1.id, '00000000-0000-0000-0000-000000000000'::uuid))
                   ORDER BY a.account_id
                  LIMIT 1)) AS "least",
             (walk_1.n + 1)
            FROM walk walk_1
           WHERE ((walk_1.n < lookup_accounts_with_usage.page) AND ((walk_1.n = 0) OR (walk_1.id IS NOT NULL)))
         )
  SELECT walk.id
    FROM walk
   WHERE ((walk.n > 0) AND (walk.id IS NOT NULL))
   ORDER BY walk.n;
END;
alter function lookup_accounts_with_usage(uuid,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_credential(wanted_hash bytea)
 RETURNS TABLE(account_id uuid, credential_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT c.account_id,
     c.id
    FROM credentials c
   WHERE (c.secret_hash = lookup_credential.wanted_hash);
END;
alter function lookup_credential(bytea) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_erasure(wanted_hash bytea)
 RETURNS TABLE(account_id uuid, erasure_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT r.account_id,
     r.id
    FROM erasure_requests r
   WHERE ((r.access_hash = lookup_erasure.wanted_hash) AND (r.access_until > clock_timestamp()));
END;
alter function lookup_erasure(bytea) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_login(wanted_email text)
 RETURNS TABLE(account_id uuid, login_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT l.account_id,
     l.id
    FROM logins l
   WHERE (l.email = lookup_login.wanted_email);
END;
alter function lookup_login(text) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_mailbox_looks(accounts uuid[], kinds mailbox_kind[], shards integer[])
 RETURNS TABLE(account_id uuid, kind mailbox_kind, shard integer, awake boolean, epoch integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT m.account_id,
     m.kind,
     (m.shard)::integer AS shard,
     (m.awake_until > clock_timestamp()),
     (m.epoch)::integer AS epoch
    FROM (UNNEST(lookup_mailbox_looks.accounts, lookup_mailbox_looks.kinds, lookup_mailbox_looks.shards) asked(account_id, kind, shard)
      JOIN mailboxes m ON (((m.account_id = asked.account_id) AND (m.kind = asked.kind) AND (m.shard = asked.shard))));
END;
alter function lookup_mailbox_looks(uuid[],mailbox_kind[],integer[]) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_mailboxes_with_work(accounts uuid[], kinds mailbox_kind[], shards integer[])
 RETURNS TABLE(account_id uuid, kind mailbox_kind, shard integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT m.account_id,
     m.kind,
     (m.shard)::integer AS shard
    FROM (UNNEST(lookup_mailboxes_with_work.accounts, lookup_mailboxes_with_work.kinds, lookup_mailboxes_with_work.shards) asked(account_id, kind, shard)
      JOIN mailboxes m ON (((m.account_id = asked.account_id) AND (m.kind = asked.kind) AND (m.shard = asked.shard))))
   WHERE
         CASE m.kind
             WHEN 'ingest'::mailbox_kind THEN ((NOT (EXISTS ( SELECT
                FROM provider_circuits c
               WHERE ((c.account_id = m.account_id) AND (c.role = 'ingest_extractor'::model_role) AND (c.blocked_until > statement_timestamp()))))) AND ((( SELECT a.available_at
                FROM extraction_anchors a
               WHERE ((a.account_id = m.account_id) AND (a.shard = m.shard) AND (a.status = ANY (ARRAY['pending'::extraction_status, 'failed'::extraction_status])) AND ((a.claim_epoch IS NULL) OR (a.claim_epoch < m.epoch)))
               ORDER BY a.available_at
              LIMIT 1) <= statement_timestamp()) OR (( SELECT a.failed_at
                FROM extraction_anchors a
               WHERE ((a.account_id = m.account_id) AND (a.shard = m.shard) AND (a.status = 'failed'::extraction_status) AND ((a.claim_epoch IS NULL) OR (a.claim_epoch < m.epoch)))
               ORDER BY a.failed_at
              LIMIT 1) < ( SELECT max(COALESCE(c.blocked_until, c.closed_at)) AS max
                FROM provider_circuits c
               WHERE ((c.account_id = m.account_id) AND (c.role = 'ingest_extractor'::model_role) AND (COALESCE(c.blocked_until, c.closed_at) <= statement_timestamp()))))))
             ELSE (EXISTS ( SELECT
                FROM dirty_marks d
               WHERE ((d.account_id = m.account_id) AND (d.shard = m.shard) AND (d.available_at <= statement_timestamp()))))
         END;
END;
alter function lookup_mailboxes_with_work(uuid[],mailbox_kind[],integer[]) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_neglected_mailboxes(grace_ms integer, page integer)
 RETURNS TABLE(account_id uuid, kind mailbox_kind, shard integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT m.account_id,
     m.kind,
     (m.shard)::integer AS shard
    FROM mailboxes m
   WHERE ((m.awake_until <= statement_timestamp()) AND (NOT m.paused) AND (m.last_rung_at < (statement_timestamp() - LEAST(('00:00:02'::interval * ((2)::double precision ^ (LEAST(m.ring_attempts, 5))::double precision)), '00:01:00'::interval))) AND
         CASE m.kind
             WHEN 'ingest'::mailbox_kind THEN ((NOT (EXISTS ( SELECT
                FROM provider_circuits c
               WHERE ((c.account_id = m.account_id) AND (c.role = 'ingest_extractor'::model_role) AND (c.blocked_until > (statement_timestamp() - make_interval(secs => (((lookup_neglected_mailboxes.grace_ms)::numeric / 1000.0))::double precision))))))) AND ((( SELECT a.available_at
                FROM extraction_anchors a
               WHERE ((a.account_id = m.account_id) AND (a.shard = m.shard) AND (a.status = ANY (ARRAY['pending'::extraction_status, 'failed'::extraction_status])))
               ORDER BY a.available_at
              LIMIT 1) <= (statement_timestamp() - make_interval(secs => (((lookup_neglected_mailboxes.grace_ms)::numeric / 1000.0))::double precision))) OR (( SELECT a.failed_at
                FROM extraction_anchors a
               WHERE ((a.account_id = m.account_id) AND (a.shard = m.shard) AND (a.status = 'failed'::extraction_status))
               ORDER BY a.failed_at
              LIMIT 1) < ( SELECT max(COALESCE(c.blocked_until, c.closed_at)) AS max
                FROM provider_circuits c
               WHERE ((c.account_id = m.account_id) AND (c.role = 'ingest_extractor'::model_role) AND (COALESCE(c.blocked_until, c.closed_at) <= (statement_timestamp() - make_interval(secs => (((lookup_neglected_mailboxes.grace_ms)::numeric / 1000.0))::double precision))))))))
             ELSE (EXISTS ( SELECT
                FROM dirty_marks d
               WHERE ((d.account_id = m.account_id) AND (d.shard = m.shard) AND (d.available_at < (statement_timestamp() - make_interval(secs => (((lookup_neglected_mailboxes.grace_ms)::numeric / 1000.0))::double precision))))))
         END)
   ORDER BY m.last_rung_at
  LIMIT lookup_neglected_mailboxes.page;
END;
alter function lookup_neglected_mailboxes(integer,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_oldest_erasure()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT w.created_at
    FROM pipeline_runs w
   WHERE ((w.kind = 'erasure'::run_kind) AND (w.status <> 'completed'::run_status))
   ORDER BY w.created_at
  LIMIT 1;
END;
alter function lookup_oldest_erasure() owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_oldest_projection_mark(page integer)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 WITH RECURSIVE walk(account_id, n) AS (
          SELECT ( SELECT m.account_id
                    FROM projection_marks m
                   ORDER BY m.account_id
                  LIMIT 1) AS account_id,
             1 AS "?column?"
         UNION ALL
          SELECT ( SELECT m.account_id
                    FROM projection_marks m
                   WHERE (m.account_id > walk.account_id)
                   ORDER BY m.account_id
                  LIMIT 1) AS account_id,
             (walk.n + 1)
            FROM walk
           WHERE ((walk.n < lookup_oldest_projection_mark.page) AND (walk.account_id IS NOT NULL))
         )
  SELECT LEAST(( SELECT min(oldest.marked_at) AS min
            FROM (walk
              CROSS JOIN LATERAL ( SELECT m.marked_at
                    FROM projection_marks m
                   WHERE (m.account_id = walk.account_id)
                   ORDER BY m.id
                  LIMIT 1) oldest)), ( SELECT w.marked_at
            FROM projection_work w
           ORDER BY w.marked_at
          LIMIT 1)) AS "least";
END;
alter function lookup_oldest_projection_mark(integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_undispatched_runs(page integer)
 RETURNS TABLE(account_id uuid, run_id uuid, kind run_kind)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT r.account_id,
     r.id,
     r.kind
    FROM pipeline_runs r
   WHERE ((r.dispatched_at IS NULL) AND (r.status = 'pending'::run_status))
   ORDER BY r.created_at
  LIMIT lookup_undispatched_runs.page;
END;
alter function lookup_undispatched_runs(integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.lookup_unsealed_accounts(after_id uuid, everything boolean, page integer)
 RETURNS TABLE(account_id uuid, unsealed_since timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT a.id,
     oldest.occurred_at
    FROM ((accounts a
      LEFT JOIN audit_chains c ON ((c.account_id = a.id)))
      CROSS JOIN LATERAL ( SELECT e.occurred_at
            FROM audit_events e
           WHERE ((e.account_id = a.id) AND (e.chain_position IS NULL) AND (e.occurred_at >=
                 CASE
                     WHEN (lookup_unsealed_accounts.everything OR (c.account_id IS NULL)) THEN '-infinity'::timestamp with time zone
                     ELSE c.sealed_until
                 END))
           ORDER BY e.occurred_at
          LIMIT 1) oldest)
   WHERE ((lookup_unsealed_accounts.after_id IS NULL) OR (a.id > lookup_unsealed_accounts.after_id))
   ORDER BY a.id
  LIMIT lookup_unsealed_accounts.page;
END;
alter function lookup_unsealed_accounts(uuid,boolean,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.mark_dispatched(wanted_account uuid, wanted_run uuid)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE pipeline_runs r SET dispatched_at = clock_timestamp()
   WHERE ((r.account_id = mark_dispatched.wanted_account) AND (r.id = mark_dispatched.wanted_run) AND (r.dispatched_at IS NULL))
   RETURNING true;
END;
alter function mark_dispatched(uuid,uuid) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.mark_of_changed_statements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with changed as (
    select version.* from before was join after became on became.account_id = was.account_id and became.id = was.id
    cross join lateral (
      select was.account_id, was.id, was.scope_id, was.shelf, was.state, was.subject_peer_id
      union
      select became.account_id, became.id, became.scope_id, became.shelf, became.state, became.subject_peer_id) version
    where (was.row_version, was.scope_id, was.shelf, was.salience, was.expires_at, was.statement, was.source_count,
        was.submitter_count)
      is distinct from (became.row_version, became.scope_id, became.shelf, became.salience, became.expires_at, became.statement,
        became.source_count, became.submitter_count)
  )
  insert into projection_marks (account_id, kind, scope_id, target_id)
  select distinct c.account_id, place.kind, place.scope_id, place.target_id
  from changed c cross join lateral (
    select kind, c.scope_id, c.scope_id as target_id
    from unnest(array['scope_card', 'entity_card']::projection_kind[]) as kind
    where c.shelf in ('active/everybody', 'active/scope')
    union all
    select 'peer_profile', c.scope_id, c.subject_peer_id
    where c.subject_peer_id is not null and c.state in ('active', 'provisional')
    union all
    -- A summary of a session leaves out statements of more sources.
    select 'session_summary', m.scope_id, m.session_id
    from (
      select p.message_id from provenance p
      where p.account_id = c.account_id and p.knowledge_id = c.id limit 65) cited
    join messages m on m.account_id = c.account_id and m.id = cited.message_id
    where c.shelf in ('active/everybody', 'active/scope')) place;
  return null;
end $function$;
alter function mark_of_changed_statements() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.mark_of_mentions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into projection_marks (account_id, kind, scope_id, target_id)
  select distinct c.account_id, 'entity_card'::projection_kind, c.scope_id, c.scope_id from changed c;
  return null;
end $function$;
alter function mark_of_mentions() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.mark_of_sources()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into projection_marks (account_id, kind, scope_id, target_id)
  select distinct c.account_id, 'session_summary'::projection_kind, m.scope_id, m.session_id
  from changed c join messages m on m.account_id = c.account_id and m.id = c.message_id
  where not exists (
    select from knowledge k where k.account_id = c.account_id and k.id = c.knowledge_id
      and k.shelf not in ('active/everybody', 'active/scope'));
  return null;
end $function$;
alter function mark_of_sources() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.mark_of_statements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into projection_marks (account_id, kind, scope_id, target_id)
  select distinct c.account_id, place.kind, c.scope_id, place.target_id
  from changed c cross join lateral (
    select kind, c.scope_id as target_id from unnest(array['scope_card', 'entity_card']::projection_kind[]) as kind
    where c.shelf in ('active/everybody', 'active/scope')
    union all
    select 'peer_profile', c.subject_peer_id
    where c.subject_peer_id is not null and c.state in ('active', 'provisional')) place;
  return null;
end $function$;
alter function mark_of_statements() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.mark_read_messages(p_account uuid, p_session uuid, p_scope uuid, p_shard smallint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if (select count(*) from (
      select from session_participants p
      where p.account_id = p_account and p.session_id = p_session and p.scope_id = p_scope limit 67) present) > 65 then
    return;
  end if;
  insert into dirty_marks as m (account_id, engine, unit, unit_id, scope_id, shard, readers_changed)
    select p_account, e.engine, 'message', said.id, p_scope, p_shard, e.engine = 'qdrant'
    from (
      select w.id from messages w
      where w.account_id = p_account and w.session_id = p_session and w.scope_id = p_scope
      order by w.occurred_at desc, w.recorded_at desc, w.id desc limit 200
    ) said
    cross join unnest(enum_range(null::index_engine)) as e (engine)
    order by e.engine, said.id
    on conflict (account_id, engine, unit, unit_id) do update
    set generation = excluded.generation, available_at = least(m.available_at, clock_timestamp()),
      readers_changed = m.readers_changed or excluded.readers_changed;
end $function$;
alter function mark_read_messages(uuid,uuid,uuid,smallint) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.mark_rung(wanted_account uuid, wanted_kind mailbox_kind, wanted_shard integer)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE mailboxes m SET last_rung_at = clock_timestamp(), ring_attempts = (m.ring_attempts + 1)
   WHERE ((m.account_id = mark_rung.wanted_account) AND (m.kind = mark_rung.wanted_kind) AND (m.shard = mark_rung.wanted_shard) AND (m.last_rung_at < (clock_timestamp() - LEAST(('00:00:02'::interval * ((2)::double precision ^ (LEAST(m.ring_attempts, 5))::double precision)), '00:01:00'::interval))))
   RETURNING true;
END;
alter function mark_rung(uuid,mailbox_kind,integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.move_addressees()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update knowledge_addressees a
    set scope_id = new.scope_id, state = new.state::text, confidence = new.confidence, recorded_at = new.recorded_at
    where a.account_id = new.account_id and a.knowledge_id = new.id;
  return null;
end $function$;
alter function move_addressees() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.move_submissions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update knowledge_submitters s
    set scope_id = new.scope_id, state = new.state::text, confidence = new.confidence, recorded_at = new.recorded_at
    where s.account_id = new.account_id and s.knowledge_id = new.id;
  return null;
end $function$;
alter function move_submissions() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.name_lead(p_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT CASE WHEN (of_name.words[1] >= ('฀'::text COLLATE "C")) THEN "left"(of_name.words[1], 2) ELSE concat_ws(' '::text, of_name.words[1], of_name.words[2]) END AS concat_ws FROM (SELECT text_words(name_lead.p_name) AS words) of_name);
alter function name_lead(text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.nudge_overdue_decisions(page integer)
 RETURNS TABLE(account_id uuid, run_id uuid)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 WITH overdue AS MATERIALIZED (
          SELECT d_1.account_id,
             d_1.review_item_id
            FROM scheduled_decisions d_1
           WHERE ((d_1.state = 'scheduled'::scheduled_decision_state) AND (d_1.due_at < (clock_timestamp() - '00:01:00'::interval)) AND ((d_1.nudged_at IS NULL) OR (d_1.nudged_at < (clock_timestamp() - '00:01:00'::interval))))
           ORDER BY d_1.due_at
          LIMIT nudge_overdue_decisions.page
          FOR UPDATE OF d_1 SKIP LOCKED
         )
  UPDATE scheduled_decisions d SET nudged_at = clock_timestamp()
    FROM overdue
   WHERE ((d.account_id = overdue.account_id) AND (d.review_item_id = overdue.review_item_id))
   RETURNING d.account_id,
     d.run_id;
END;
alter function nudge_overdue_decisions(integer) owner to vouch_lookup;

CREATE OR REPLACE FUNCTION public.open_token_day(p_account uuid, p_day date, p_roles text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_missing text[];
begin
  insert into token_days (account_id, day, role) values (p_account, p_day, '*') on conflict do nothing;
  perform from token_days t where t.account_id = p_account and t.day = p_day and t.role = '*' for update;
  select array_agg(wanted.role) into v_missing from unnest(p_roles) as wanted (role)
    where not exists (select from token_days t
      where t.account_id = p_account and t.day = p_day and t.role = wanted.role);
  if v_missing is null then
    return;
  end if;
  with began as (
    insert into token_days as t (account_id, day, role, used_input_tokens, used_output_tokens, used_embedding_tokens)
    select p_account, p_day, missing.role, coalesce(sum(c.input_tokens), 0), coalesce(sum(c.output_tokens), 0),
      coalesce(sum(c.embedding_tokens), 0)
    from unnest(v_missing) as missing (role)
    left join lateral (
      select counted.* from provider_attempts a cross join lateral counted_tokens(a) counted
      where a.account_id = p_account and a.reserved_at >= p_day::timestamp at time zone 'UTC'
        and a.reserved_at < (p_day + 1)::timestamp at time zone 'UTC' and a.role::text = missing.role
    ) c on true
    group by missing.role
    returning t.used_input_tokens, t.used_output_tokens, t.used_embedding_tokens
  )
  update token_days t set
    used_input_tokens = t.used_input_tokens + began.input,
    used_output_tokens = t.used_output_tokens + began.output,
    used_embedding_tokens = t.used_embedding_tokens + began.embedding
  from (select sum(used_input_tokens) as input, sum(used_output_tokens) as output, sum(used_embedding_tokens) as embedding
    from began) began
  where t.account_id = p_account and t.day = p_day and t.role = '*';
end $function$;
alter function open_token_day(uuid,date,text[]) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.places_of_observations(p_account uuid, p_sent sent_observation[])
 RETURNS SETOF observation_place
 LANGUAGE sql
 STABLE
AS $function$
  select o.place, at.scope_id, at.speaker_id, at.session_id,
    (select s.shard from sessions s where s.account_id = p_account and s.id = at.session_id),
    exists (
      select from session_participants p
      where p.account_id = p_account and p.session_id = at.session_id and p.scope_id = at.scope_id
        and p.peer_id = at.speaker_id and (p.reads_whole_session or not o.is_vouched)),
    case when o.audience_digest is not null then (
      select a.id from audiences a
      where a.account_id = p_account and a.scope_id = at.scope_id and a.digest = o.audience_digest) end,
    o.audience_digest is not null and not exists (
      select from audiences a
      where a.account_id = p_account and a.scope_id = at.scope_id and a.digest = o.audience_digest)
  from unnest(p_sent) o
  cross join lateral (
    select scope_at(p_account, o.scope_path) as scope_id,
      case when o.speaker_key is null then o.caller_peer_id
        else (select p.id from peers p where p.account_id = p_account and p.key = o.speaker_key) end as speaker_id,
      (select s.id from sessions s where s.account_id = p_account and s.external_id = o.session) as session_id
    offset 0
  ) at
$function$;
alter function places_of_observations(uuid,sent_observation[]) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.prune_attempts(p_account uuid, p_days integer, p_at timestamp with time zone, p_id uuid, p_limit integer)
 RETURNS TABLE(pruned integer, last_at timestamp with time zone, last_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      -- No call ends before it is reserved.
      select a.id, a.reserved_at as at, a.scope_id, a.budget_id
      from provider_attempts a
      where a.account_id = p_account and a.reserved_at < v_before
        and (a.reserved_at, a.id)
          > (coalesce(p_at, '-infinity'), coalesce(p_id, '00000000-0000-0000-0000-000000000000'))
      order by a.reserved_at, a.id limit v_rows
    ), kept_scope as materialized (
      select s.id from scopes s
      where s.account_id = p_account
        and s.id = any(array(select distinct page.scope_id from page where page.scope_id is not null))
        and exists (
          select from extraction_budgets b
          where b.account_id = p_account
            and b.scope_root_hash = any(array(select text_sha256(root) from unnest(scope_chain(s.path)) root))
            and coalesce(b.closed_at, b.deadline_at) >= v_before offset 0)
    ), kept_budget as materialized (
      select b.id from extraction_budgets b
      where b.account_id = p_account
        and b.id = any(array(select distinct page.budget_id from page where page.budget_id is not null))
        and coalesce(b.closed_at, b.deadline_at) >= v_before
    ), gone as (
      delete from provider_attempts a
      where a.account_id = p_account and a.id = any(array(select page.id from page)) and a.campaign_id is null
        and a.state not in ('reserved', 'dispatched') and a.finished_at < v_before
        and not exists (select from kept_scope where kept_scope.id = a.scope_id)
        and not exists (select from kept_budget where kept_budget.id = a.budget_id)
      returning a.scope_id, a.role
    ), marked as (
      insert into pruned_scopes (account_id, scope_id)
      select distinct p_account, gone.scope_id from gone
      where gone.role = 'ingest_extractor' and gone.scope_id is not null
      on conflict (account_id, scope_id) do nothing
    ), last as (
      select page.at, page.id from page offset v_rows - 1
    )
    select (select count(*)::integer from gone), (select last.at from last), (select last.id from last);
end $function$;
alter function prune_attempts(uuid,integer,timestamp with time zone,uuid,integer) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.prune_gate_decisions(p_account uuid, p_days integer, p_at timestamp with time zone, p_id uuid, p_limit integer)
 RETURNS TABLE(pruned integer, last_at timestamp with time zone, last_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select g.id from gate_decisions g
      where g.account_id = p_account and g.id < least_id_at(v_before)
        and g.id > coalesce(p_id, '00000000-0000-0000-0000-000000000000')
      order by g.id limit v_rows
    ), gone as (
      delete from gate_decisions g
      where g.account_id = p_account and g.id = any(array(select page.id from page)) and g.decided_at < v_before
      returning 1
    ), last as (
      select page.id from page offset v_rows - 1
    )
    select (select count(*)::integer from gone), (select v_before from last), (select last.id from last);
end $function$;
alter function prune_gate_decisions(uuid,integer,timestamp with time zone,uuid,integer) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.prune_lifecycle_events(p_account uuid, p_days integer, p_at timestamp with time zone, p_id uuid, p_limit integer)
 RETURNS TABLE(pruned integer, last_at timestamp with time zone, last_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select e.id from lifecycle_events e
      where e.account_id = p_account and e.id < least_id_at(v_before)
        and e.id > coalesce(p_id, '00000000-0000-0000-0000-000000000000')
      order by e.id limit v_rows
    ), gone as (
      delete from lifecycle_events e
      where e.account_id = p_account and e.id = any(array(select page.id from page)) and e.occurred_at < v_before
        and not (e.reason = 'document_revised' and exists (
          select from knowledge k
          where k.account_id = p_account and k.id = e.knowledge_id and k.state = 'superseded' offset 0))
      returning 1
    ), last as (
      select page.id from page offset v_rows - 1
    )
    select (select count(*)::integer from gone), (select v_before from last), (select last.id from last);
end $function$;
alter function prune_lifecycle_events(uuid,integer,timestamp with time zone,uuid,integer) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.prune_request_days(p_account uuid, p_days integer, p_at timestamp with time zone, p_id uuid, p_limit integer)
 RETURNS TABLE(pruned integer, last_at timestamp with time zone, last_id uuid)
 LANGUAGE plpgsql
AS $function$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_day constant date := (v_before at time zone 'UTC')::date;
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select r.day from request_days r
      where r.account_id = p_account and r.day < v_day order by r.day limit v_rows
    ), gone as (
      delete from request_days r
      where r.account_id = p_account and r.day = any(array(select page.day from page))
      returning 1
    ), token_page as materialized (
      select t.day, t.role from token_days t
      where t.account_id = p_account and t.day < v_day order by t.day limit v_rows
    ), tokens_gone as (
      delete from token_days t using token_page
      where t.account_id = p_account and t.day = token_page.day and t.role = token_page.role
      returning 1
    ), counted as (
      select (select count(*) from gone)::integer as days, (select count(*) from tokens_gone)::integer as token_rows
    ), known as (
      insert into usage_totals as t (account_id, pruned_before)
      select p_account, v_day from counted where counted.days > 0
      on conflict (account_id) do update set pruned_before = greatest(t.pruned_before, excluded.pruned_before)
    )
    select counted.days + counted.token_rows, v_before,
      case when greatest(counted.days, counted.token_rows) = v_rows then p_account end
    from counted;
end $function$;
alter function prune_request_days(uuid,integer,timestamp with time zone,uuid,integer) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.prune_runs(p_account uuid, p_days integer, p_at timestamp with time zone, p_id uuid, p_limit integer)
 RETURNS TABLE(pruned integer, last_at timestamp with time zone, last_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select r.id, coalesce(r.processed_at, r.dispatched_at, r.created_at) as at
      from pipeline_runs r
      where r.account_id = p_account and r.status in ('completed', 'cancelled', 'discarded', 'failed')
        and coalesce(r.processed_at, r.dispatched_at, r.created_at) < v_before
        and (coalesce(r.processed_at, r.dispatched_at, r.created_at), r.id)
          > (coalesce(p_at, '-infinity'), coalesce(p_id, '00000000-0000-0000-0000-000000000000'))
      order by coalesce(r.processed_at, r.dispatched_at, r.created_at), r.id limit v_rows
    ), gone as (
      -- The conditions stand here, on the rows as they are when they are deleted.
      delete from pipeline_runs r
      where r.account_id = p_account and r.id = any(array(select page.id from page))
        and coalesce(r.processed_at, r.dispatched_at, r.created_at) < v_before
        and case r.status
          when 'completed' then true
          when 'cancelled' then r.kind not in ('contest', 'erasure', 'import_rebuild')
          when 'discarded' then r.kind not in ('contest', 'erasure', 'import_rebuild')
          when 'failed' then r.kind not in ('contest', 'erasure', 'import_rebuild')
            and (r.last_error_class is null or r.last_error_class not in (
              'request_timeout', 'transport_error', 'provider_rate_limited', 'provider_upstream_error',
              'circuit_open', 'internal_error', 'token_budget_exhausted'))
          else false end
        and r.kind <> 'campaign'
        and not exists (
          select from scheduled_decisions d
          where d.account_id = p_account and d.review_item_id = r.target_id and d.run_id = r.id
            and d.state = 'scheduled' offset 0)
      returning 1
    ), last as (
      select page.at, page.id from page offset v_rows - 1
    )
    select (select count(*)::integer from gone), (select last.at from last), (select last.id from last);
end $function$;
alter function prune_runs(uuid,integer,timestamp with time zone,uuid,integer) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.prune_tokens(p_account uuid, p_days integer, p_at timestamp with time zone, p_id uuid, p_limit integer)
 RETURNS TABLE(pruned integer, last_at timestamp with time zone, last_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select c.id from credentials c
      where c.account_id = p_account and c.id < least_id_at(v_before)
        and c.id > coalesce(p_id, '00000000-0000-0000-0000-000000000000')
      order by c.id limit v_rows
    ), over as materialized (
      select c.id from credentials c
      where c.account_id = p_account and c.id = any(array(select page.id from page))
        and c.kind <> 'api_key' and least(c.expires_at, c.revoked_at) < v_before
        and not exists (
          select from grants g where g.account_id = p_account and g.credential_id = c.id offset 0)
        and not exists (
          select from idempotency_records i where i.account_id = p_account and i.credential_id = c.id offset 0)
        and not exists (
          select from question_deliveries d
          join questions q on q.account_id = d.account_id and q.id = d.question_id
          where d.account_id = p_account and d.peer_id = c.peer_id and d.credential_id = c.id
            and d.delivered_at between c.created_at and c.expires_at and q.ended_at is null offset 0)
    ), browsed as (
      delete from browser_sessions b
      where b.account_id = p_account and b.credential_id = any(array(select over.id from over))
    ), gone as (
      delete from credentials c
      where c.account_id = p_account and c.id = any(array(select over.id from over)) and c.kind <> 'api_key'
      returning 1
    ), last as (
      select page.id from page offset v_rows - 1
    )
    select (select count(*)::integer from gone), (select v_before from last), (select last.id from last);
end $function$;
alter function prune_tokens(uuid,integer,timestamp with time zone,uuid,integer) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.prune_usage_days(p_account uuid, p_days integer, p_at timestamp with time zone, p_id uuid, p_limit integer)
 RETURNS TABLE(pruned integer, last_at timestamp with time zone, last_id uuid)
 LANGUAGE plpgsql
AS $function$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_day constant date := (v_before at time zone 'UTC')::date;
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select u.ctid as place from usage_days u
      where u.account_id = p_account and u.day < v_day order by u.day limit v_rows
    ), scope_page as materialized (
      select u.ctid as place from usage_scope_days u
      where u.account_id = p_account and u.day < v_day order by u.day limit v_rows
    ), gone as (
      delete from usage_days u where u.ctid = any(array(select page.place from page))
        and u.account_id = p_account and u.day < v_day
      returning 1
    ), scope_gone as (
      delete from usage_scope_days u where u.ctid = any(array(select scope_page.place from scope_page))
        and u.account_id = p_account and u.day < v_day
      returning 1
    ), counted as (
      select (select count(*) from gone)::integer as days, (select count(*) from scope_gone)::integer as scope_days
    ), known as (
      insert into usage_totals as t (account_id, pruned_before)
      select p_account, v_day from counted where counted.days + counted.scope_days > 0
      on conflict (account_id) do update set pruned_before = greatest(t.pruned_before, excluded.pruned_before)
    )
    select counted.days + counted.scope_days, v_before,
      case when greatest(counted.days, counted.scope_days) = v_rows then p_account end
    from counted;
end $function$;
alter function prune_usage_days(uuid,integer,timestamp with time zone,uuid,integer) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.recount_evidence(of_account uuid, ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_taken_back jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_array(a.knowledge_id, a.peer_id)), '[]') into v_taken_back from knowledge_attesters a
    where a.account_id = of_account and a.knowledge_id = any(ids) and a.withdrawn and a.peer_id is not null;
  delete from knowledge_attesters where account_id = of_account and knowledge_id = any(ids);
  delete from knowledge_source_scopes where account_id = of_account and knowledge_id = any(ids);
  delete from knowledge_submitters where account_id = of_account and knowledge_id = any(ids);
  insert into knowledge_attesters (account_id, knowledge_id, peer_id, document_id, source_count, last_said_at,
    last_said_hash, last_version, withdrawn)
  select p.account_id, p.knowledge_id, case when v.document_id is null then m.speaker_peer_id end, v.document_id,
    count(*), max(said_at(m.occurred_at, m.recorded_at)),
    (array_agg(m.content_hash order by said_at(m.occurred_at, m.recorded_at) desc, m.content_hash desc))[1],
    max(v.version), case when v.document_id is null
      then v_taken_back @> jsonb_build_array(jsonb_build_array(p.knowledge_id,
        case when v.document_id is null then m.speaker_peer_id end)) else exists (
      select from document_versions newer
      left join peers uploader on uploader.account_id = newer.account_id and uploader.id = newer.uploader_peer_id
      where newer.account_id = p.account_id and newer.document_id = v.document_id and newer.version > max(v.version)
        and newer.settled_at is not null and (newer.is_withdrawal or uploader.erasing_at is null)) end
  from provenance p
  join messages m on m.account_id = p.account_id and m.id = p.message_id
  left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
  where p.account_id = of_account and p.knowledge_id = any(ids) and not p.is_context
  group by p.account_id, p.knowledge_id, case when v.document_id is null then m.speaker_peer_id end, v.document_id;
  insert into knowledge_source_scopes (account_id, knowledge_id, scope_id)
  select distinct p.account_id, p.knowledge_id, m.scope_id
  from provenance p join messages m on m.account_id = p.account_id and m.id = p.message_id
  where p.account_id = of_account and p.knowledge_id = any(ids);
  insert into knowledge_submitters (account_id, knowledge_id, peer_id, scope_id, state, confidence, recorded_at)
  select distinct p.account_id, p.knowledge_id, peer.id, k.scope_id, k.state::text, k.confidence, k.recorded_at
  from provenance p
  join knowledge k on k.account_id = p.account_id and k.id = p.knowledge_id
  join messages m on m.account_id = p.account_id and m.id = p.message_id
  cross join lateral (values (m.speaker_peer_id), (m.relay_peer_id)) as peer (id)
  where p.account_id = of_account and p.knowledge_id = any(ids) and peer.id is not null and not p.is_context;
  update knowledge k set
    source_count = (select count(*) from provenance p where p.account_id = k.account_id and p.knowledge_id = k.id),
    submitter_count = (select count(*) from knowledge_submitters s
      where s.account_id = k.account_id and s.knowledge_id = k.id),
    corroboration_count = (select count(*) from knowledge_attesters a
      where a.account_id = k.account_id and a.knowledge_id = k.id and not a.withdrawn),
    (first_said_at, first_said_hash, first_attester_id) = (
      select said_at(m.occurred_at, m.recorded_at), m.content_hash, coalesce(v.document_id, m.speaker_peer_id)
      from provenance p
      join messages m on m.account_id = p.account_id and m.id = p.message_id
      left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
      where p.account_id = k.account_id and p.knowledge_id = k.id and not p.is_context
      order by 1, 2, 3 limit 1)
  where k.account_id = of_account and k.id = any(ids);
end $function$;
alter function recount_evidence(uuid,uuid[]) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.refuse_erasing(p_account uuid, p_peers uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_erasing timestamptz;
begin
  for v_erasing in
    select p.erasing_at from peers p
    where p.account_id = p_account and p.id = any(p_peers) order by p.id for key share
  loop
    if v_erasing is not null then
      raise exception using errcode = 'check_violation', constraint = 'peer_is_not_being_erased',
        message = 'the peer is being erased';
    end if;
  end loop;
end $function$;
alter function refuse_erasing(uuid,uuid[]) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.refuse_erasing_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refuse_erasing(new.account_id, array[(to_jsonb(new) ->> tg_argv[0])::uuid]);
  return new;
end $function$;
alter function refuse_erasing_row() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.reserve_attempts(p_account uuid, p_reserved jsonb, p_limits jsonb)
 RETURNS TABLE(attempt_id uuid, budget_id uuid, token_day date, refused_by error_class, retry_ms integer, left_ms integer, input_rate bigint, output_rate bigint)
 LANGUAGE plpgsql
AS $function$
declare
  v_day date := (clock_timestamp() at time zone 'UTC')::date;
  v_limited text[];
  v_governing uuid[];
  v_locked uuid[];
  v_call record;
  v_budget extraction_budgets;
  v_reached text;
begin
  if p_limits is not null then
    select array_agg(distinct r.role) into v_limited
      from jsonb_to_recordset(p_reserved) as r (role text, worst_input_tokens bigint, worst_output_tokens bigint,
        worst_embedding_tokens bigint)
      where (p_limits ? r.role or p_limits ? '*')
        and r.worst_input_tokens + r.worst_output_tokens + r.worst_embedding_tokens > 0;
    if v_limited is not null then
      perform open_token_day(p_account, v_day, case when p_limits ? '*'
        then array['embedder', 'reranker', 'ingest_extractor', 'dream_reasoner', 'dialectic_agent'] else v_limited end);
    end if;
  end if;

  if exists (select from extraction_budgets b where b.account_id = p_account) then
    select array_agg(distinct b.id) into v_governing
      from jsonb_to_recordset(p_reserved) as r (role model_role, scope_id uuid)
      left join scopes s on s.account_id = p_account and s.id = r.scope_id
      cross join lateral budgets_over(p_account, coalesce(s.path, '/')) b
      where r.role = 'ingest_extractor';
    select array_agg(held.id) into v_locked from (
      select b.id from extraction_budgets b
      where b.account_id = p_account and b.id = any(v_governing)
      order by b.id for update) as held;
  end if;

  if v_limited is null and v_locked is null then
    return;
  end if;

  for v_call in
    select r.*, r.role = any(v_limited)
        and r.worst_input_tokens + r.worst_output_tokens + r.worst_embedding_tokens > 0 as is_limited,
      nearest.id as budget_id
    from jsonb_to_recordset(p_reserved) as r (id uuid, role text, scope_id uuid, is_check boolean,
      worst_input_tokens bigint, worst_output_tokens bigint, worst_embedding_tokens bigint)
    left join scopes s on s.account_id = p_account and s.id = r.scope_id
    left join lateral (
      select b.id from budgets_over(p_account, coalesce(s.path, '/')) b
      where b.id = any(v_locked)
      order by char_length(b.scope_root) desc limit 1) as nearest on r.role = 'ingest_extractor'
    order by r.id
  loop
    attempt_id := v_call.id;
    budget_id := null;
    token_day := null;
    refused_by := null;
    retry_ms := null;
    left_ms := null;
    input_rate := null;
    output_rate := null;

    -- Without embeddings nothing is found, and without judgements all is found in a worse order; a check is asked for.
    if v_call.is_limited and v_call.role not in ('embedder', 'reranker') and not v_call.is_check then
      v_reached := token_limit_reached(p_account, v_day, p_limits, v_call.role, v_call.worst_input_tokens,
        v_call.worst_output_tokens, v_call.worst_embedding_tokens);
      if v_reached is not null then
        refused_by := 'token_budget_exhausted';
        -- At midnight not all at once.
        retry_ms := case v_reached when 'held' then 5000 else 60000 * random() + 1000 * extract(epoch from
          (v_day + 1)::timestamp at time zone 'UTC' - clock_timestamp()) end;
        return next;
        continue;
      end if;
    end if;

    if v_call.budget_id is not null then
      update extraction_budgets b set
          requests_reserved = b.requests_reserved + 1,
          tokens_reserved = b.tokens_reserved + v_call.worst_input_tokens + v_call.worst_output_tokens,
          usd_micros_reserved = b.usd_micros_reserved + usd_micros_of(v_call.worst_input_tokens,
            v_call.worst_output_tokens, b.input_usd_micros_per_million, b.output_usd_micros_per_million)
        where b.account_id = p_account and b.id = v_call.budget_id
          and b.closed_at is null and b.deadline_at > clock_timestamp()
          and b.requests_reserved + 1 <= b.request_cap
          and b.tokens_reserved + v_call.worst_input_tokens + v_call.worst_output_tokens <= b.token_cap
          and b.usd_micros_reserved + usd_micros_of(v_call.worst_input_tokens, v_call.worst_output_tokens,
            b.input_usd_micros_per_million, b.output_usd_micros_per_million) <= b.usd_micros_cap
        returning b.* into v_budget;
      if not found then
        update extraction_budgets b set closed_at = clock_timestamp()
          where b.account_id = p_account and b.id = v_call.budget_id and b.closed_at is null;
        refused_by := 'extraction_budget_exhausted';
        return next;
        continue;
      end if;
      budget_id := v_call.budget_id;
      -- As far as a timer reaches.
      left_ms := greatest(0, least(2147483647, floor(extract(epoch from v_budget.deadline_at - clock_timestamp()) * 1000)));
      input_rate := v_budget.input_usd_micros_per_million;
      output_rate := v_budget.output_usd_micros_per_million;
    end if;

    if v_call.is_limited then
      update token_days t set
          reserved_input_tokens = t.reserved_input_tokens + v_call.worst_input_tokens,
          reserved_output_tokens = t.reserved_output_tokens + v_call.worst_output_tokens,
          reserved_embedding_tokens = t.reserved_embedding_tokens + v_call.worst_embedding_tokens
        where t.account_id = p_account and t.day = v_day and t.role in ('*', v_call.role);
      token_day := v_day;
    end if;
    if v_call.is_limited or budget_id is not null then
      return next;
    end if;
  end loop;
end $function$;
alter function reserve_attempts(uuid,jsonb,jsonb) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.retention_page_rows(p_limit integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN LEAST(GREATEST(p_limit, 1), 10000);
alter function retention_page_rows(integer) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.role_of_peer(p_account uuid, p_peer uuid, p_path text)
 RETURNS role_name
 LANGUAGE sql
 STABLE
AS $function$
  select case when bool_and(g.effect = 'allow') then max(g.role) end
  from grants g
  where g.account_id = p_account and g.peer_id = p_peer
    and (g.scope_path = p_path or g.propagate and (g.scope_path = '/' or starts_with(p_path, g.scope_path || '/')))
$function$;
alter function role_of_peer(uuid,uuid,text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.said_at(occurred_at timestamp with time zone, recorded_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when occurred_at - recorded_at > interval '1 day' then recorded_at::timestamptz(3) else occurred_at end
$function$;
alter function said_at(timestamp with time zone,timestamp with time zone) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.salted_hash(p_account uuid, p_peer uuid, p_hash bytea)
 RETURNS bytea
 LANGUAGE sql
AS $function$
  select sha256(uuid_send(coalesce(
    (select p.audit_salt from peers p where p.account_id = p_account and p.id = p_peer), gen_random_uuid())) || p_hash)
$function$;
alter function salted_hash(uuid,uuid,bytea) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.scope_at(p_account uuid, p_path text)
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (SELECT s.id FROM scopes s WHERE ((s.account_id = scope_at.p_account) AND (s.path_hash = text_sha256(scope_at.p_path))));
alter function scope_at(uuid,text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.scope_chain(p_path text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT CASE steps.place WHEN 1 THEN '/'::text ELSE string_agg(steps.step, '/'::text) OVER (ORDER BY steps.place) END AS string_agg FROM unnest(('{""}'::text[] || string_to_array(ltrim(scope_chain.p_path, '/'::text), '/'::text))) WITH ORDINALITY steps(step, place) ORDER BY steps.place);
alter function scope_chain(text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.seal_audit_events(p_after bigint, p_ids uuid[], p_hashes bytea[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_count integer := cardinality(p_ids);
  v_end bigint;
  v_sealed integer;
  v_until timestamptz;
begin
  if v_count = 0 or v_count <> cardinality(p_hashes) then
    raise exception 'every event that is sealed has one hash';
  end if;
  -- The row makes sealers of one account follow each other.
  insert into audit_chains (account_id, position, hash)
    values (current_account(), 0, decode(repeat('00', 32), 'hex')) on conflict do nothing;
  select c.position into v_end from audit_chains c where c.account_id = current_account() for update;
  if v_end <> p_after then
    return false;
  end if;
  with sealed as (
    update audit_events e set chain_position = p_after + given.place, chain_hash = given.hash
      from unnest(p_ids, p_hashes) with ordinality as given (id, hash, place)
      where e.account_id = current_account() and e.id = given.id and e.chain_position is null
      returning e.occurred_at)
    select count(*), max(s.occurred_at) into v_sealed, v_until from sealed s;
  if v_sealed <> v_count then
    raise exception 'only unsealed events of the account are sealed';
  end if;
  update audit_chains c set position = p_after + v_count, hash = p_hashes[v_count], sealed_at = clock_timestamp(),
      sealed_until = greatest(c.sealed_until, v_until)
    where c.account_id = current_account();
  return true;
end $function$;
alter function seal_audit_events(bigint,uuid[],bytea[]) owner to vouch_eraser;

CREATE OR REPLACE PROCEDURE public.secure_account_table(IN target regclass, IN account_column name DEFAULT 'account_id'::name)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy own_account on %s using (%I = current_account()) with check (%I = current_account())',
    target, account_column, account_column);
end $procedure$;
alter procedure secure_account_table(regclass,name) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.serve_messages(p_account uuid, p_texts jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_changed integer;
begin
  if p_account is distinct from current_account() then
    raise exception 'messages are served in the account of the transaction only';
  end if;
  with said as materialized (
    select m.id, coalesce(m.unmasked, m.content) as original, given.text
    from jsonb_to_recordset(p_texts) as given (id uuid, text text)
    join messages m on m.account_id = p_account and m.id = given.id
    order by m.id for no key update of m
  )
  update messages m set content = coalesce(said.text, ''), is_served = said.text is not null,
      unmasked = case when said.text is distinct from said.original then said.original end
    from said
    where m.account_id = p_account and m.id = said.id
      and (m.content, m.is_served) is distinct from (coalesce(said.text, ''), said.text is not null);
  get diagnostics v_changed = row_count;
  return v_changed;
end $function$;
alter function serve_messages(uuid,jsonb) owner to vouch_eraser;

CREATE OR REPLACE FUNCTION public.settle_token_days()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from ended where ended.token_day is not null) then
    return null;
  end if;
  -- By its key, whatever the statistics say: the table grows by a few rows a day and account.
  perform from token_days t
    where t.role = '*'
      and t.account_id = any(array(select distinct ended.account_id from ended))
      and t.day = any(array(select distinct ended.token_day from ended
        where ended.token_day is not null and ended.finished_at is not null))
    order by t.account_id, t.day for update;
  update token_days t set
      used_input_tokens = t.used_input_tokens + s.used_input,
      used_output_tokens = t.used_output_tokens + s.used_output,
      used_embedding_tokens = t.used_embedding_tokens + s.used_embedding,
      reserved_input_tokens = t.reserved_input_tokens - s.worst_input,
      reserved_output_tokens = t.reserved_output_tokens - s.worst_output,
      reserved_embedding_tokens = t.reserved_embedding_tokens - s.worst_embedding
    from (
      select e.account_id, e.token_day, part.role, sum(c.input_tokens) as used_input, sum(c.output_tokens) as used_output,
        sum(c.embedding_tokens) as used_embedding, sum(e.worst_input_tokens) as worst_input,
        sum(e.worst_output_tokens) as worst_output, sum(e.worst_embedding_tokens) as worst_embedding
      from (select ended.* from ended join begun on begun.account_id = ended.account_id and begun.id = ended.id
        where begun.finished_at is null and ended.finished_at is not null and ended.token_day is not null) e
      cross join lateral counted_tokens(e::provider_attempts) c
      cross join lateral (values ('*'), (e.role::text)) as part (role)
      group by 1, 2, 3
    ) s
    where t.account_id = s.account_id and t.day = s.token_day and t.role = s.role;
  return null;
end $function$;
alter function settle_token_days() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.source_key(session_id uuid, speaker_peer_id uuid, occurred_at timestamp with time zone, content_hash bytea)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (encode(SUBSTRING(sha256((((uuid_send(session_id) || uuid_send(speaker_peer_id)) || timestamptz_send(occurred_at)) || content_hash)) FROM 1 FOR 16), 'hex'::text))::uuid;
alter function source_key(uuid,uuid,timestamp with time zone,bytea) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.speaker_turn(p_account uuid, p_shard integer, p_epoch bigint, p_speaker uuid, p_after uuid, p_most integer, p_turn integer, p_busy uuid[], p_taken uuid[], OUT ids uuid[], OUT last_session uuid, OUT is_whole boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_sort TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  most_sessions constant integer := 64;
  v_next uuid;
  v_found uuid[];
  v_wrapped boolean := p_after is null;
  v_has_more boolean := false;
begin
  ids := '{}';
  is_whole := false;
  last_session := p_after;
  for visit in 1 .. most_sessions loop
    exit when cardinality(ids) >= p_most;
    if last_session is null then
      select a.session_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.speaker_peer_id = p_speaker and a.status = 'pending'
        order by a.session_id limit 1;
    else
      select a.session_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.speaker_peer_id = p_speaker and a.status = 'pending'
          and a.session_id > last_session
        order by a.session_id limit 1;
    end if;
    if not found then
      is_whole := v_wrapped and not v_has_more;
      exit when v_wrapped;
      v_wrapped := true;
      last_session := null;
      continue;
    end if;
    if v_wrapped and v_next > p_after then
      is_whole := not v_has_more;
      exit;
    end if;
    last_session := v_next;
    continue when v_next = any(p_busy);
    select array_agg(one.message_id order by one.message_id) into v_found from (
      select a.message_id from extraction_anchors a
      where a.account_id = p_account and a.shard = p_shard and a.speaker_peer_id = p_speaker
        and a.session_id = v_next and a.status = 'pending' and a.available_at <= clock_timestamp()
        and (a.claim_epoch is null or a.claim_epoch < p_epoch) and a.message_id <> all(p_taken)
      order by a.message_id limit least(p_turn, p_most - cardinality(ids))) one;
    ids := ids || coalesce(v_found, '{}');
    v_has_more := v_has_more or coalesce(cardinality(v_found), 0) >= p_turn;
  end loop;
end $function$;
alter function speaker_turn(uuid,integer,bigint,uuid,uuid,integer,integer,uuid[],uuid[]) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.take_scope_of_circle()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select c.scope_id into new.scope_id from circles c where c.account_id = new.account_id and c.id = new.circle_id;
  return new;
end $function$;
alter function take_scope_of_circle() owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.text_hashes(p_texts text[])
 RETURNS bytea[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT text_sha256(one.one) AS text_sha256 FROM unnest(text_hashes.p_texts) one(one));
alter function text_hashes(text[]) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.text_leads(p_text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(WITH word AS (SELECT words.one, lead(words.one) OVER (ORDER BY words.place) AS following FROM unnest(text_words(text_leads.p_text)) WITH ORDINALITY words(one, place)) SELECT word.one FROM word UNION SELECT ((word.one || ' '::text) || word.following) FROM word WHERE (word.following IS NOT NULL) UNION SELECT substr(word.one, place.place, widths.width) AS substr FROM word, LATERAL generate_series(1, char_length(word.one)) place(place), (VALUES (1), (2)) widths(width) WHERE (word.one >= ('฀'::text COLLATE "C")));
alter function text_leads(text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.text_sha256(p_text text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN sha256(convert_to(p_text, 'UTF8'::name));
alter function text_sha256(text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.text_words(p_text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN array_remove(regexp_split_to_array((regexp_replace(lower((p_text COLLATE pg_c_utf8)), '([\u0e00-\U0010ffff]+)'::text, ' \1 '::text, 'g'::text) COLLATE pg_c_utf8), '[^[:alnum:]]+'::text), ''::text);
alter function text_words(text) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.token_limit_reached(p_account uuid, p_day date, p_limits jsonb, p_role text, p_input bigint, p_output bigint, p_embedding bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when bool_or(m.used + m.worst > cap.tokens) then 'used'
    when bool_or(m.used + m.reserved + m.worst > cap.tokens) then 'held' end
  from unnest(array['*', p_role]) as part (role)
  left join token_days t on t.account_id = p_account and t.day = p_day and t.role = part.role
  cross join lateral (values
    ('input_tokens', coalesce(t.used_input_tokens, 0), coalesce(t.reserved_input_tokens, 0), p_input),
    ('output_tokens', coalesce(t.used_output_tokens, 0), coalesce(t.reserved_output_tokens, 0), p_output),
    ('embedding_tokens', coalesce(t.used_embedding_tokens, 0), coalesce(t.reserved_embedding_tokens, 0), p_embedding)
  ) as m (metric, used, reserved, worst)
  cross join lateral (
    select (p_limits -> part.role ->> m.metric)::numeric
      * case when p_role = 'dream_reasoner' and part.role = '*' then 0.8 else 1 end as tokens
  ) cap
  where m.worst > 0
$function$;
alter function token_limit_reached(uuid,date,jsonb,text,bigint,bigint,bigint) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.usd_micros_of(p_input bigint, p_output bigint, p_input_rate bigint, p_output_rate bigint)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ceil(((((p_input)::numeric * (p_input_rate)::numeric) + ((p_output)::numeric * (p_output_rate)::numeric)) / (1000000)::numeric));
alter function usd_micros_of(bigint,bigint,bigint,bigint) owner to vouch_owner;

CREATE OR REPLACE FUNCTION public.window_before(p_message messages, p_most integer)
 RETURNS TABLE(id uuid, content text, place bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select e.id, e.content, row_number() over (order by e.occurred_at, e.recorded_at, e.id)
  from (
    select near.* from (
      select near.id, near.content, near.occurred_at, near.recorded_at, near.speaker_peer_id, near.content_hash,
        row_number() over (partition by near.occurred_at, near.speaker_peer_id, near.content_hash
          order by near.recorded_at, near.id) as copy
      from (
        select e.id, e.content, e.occurred_at, e.recorded_at, e.speaker_peer_id, e.content_hash
        from (
          select e.* from messages e
          where e.account_id = (p_message).account_id and e.session_id = (p_message).session_id
            and e.scope_id = (p_message).scope_id and e.occurred_at <= (p_message).occurred_at
            and (e.occurred_at, e.recorded_at, e.id)
              < ((p_message).occurred_at, (p_message).recorded_at, (p_message).id)
          order by e.occurred_at desc, e.recorded_at desc, e.id desc limit p_most * 40
        ) e
        where e.is_served and (e.speaker_peer_id = (p_message).speaker_peer_id
            or e.relay_peer_id is not distinct from (p_message).speaker_peer_id
            or (e.audience_id is null or is_addressed(e.account_id, e.audience_id, (p_message).speaker_peer_id))
              and exists (
              select from session_participants s
              where s.account_id = e.account_id and s.session_id = e.session_id and s.scope_id = e.scope_id
                and s.peer_id = (p_message).speaker_peer_id
                and (s.reads_whole_session or e.recorded_at >= s.joined_at)))
          and (e.audience_id is null or e.audience_id = (p_message).audience_id
            and ((p_message).relay_peer_id is null or (p_message).relay_peer_id in (e.relay_peer_id, e.speaker_peer_id)))
          and (select erased.erasing_at from peers erased
            where erased.account_id = e.account_id and erased.id = e.speaker_peer_id) is null
        order by e.occurred_at desc, e.recorded_at desc, e.id desc limit p_most * 4
      ) near
    ) near
    where near.copy = 1
      and (near.occurred_at, near.speaker_peer_id, near.content_hash)
        <> ((p_message).occurred_at, (p_message).speaker_peer_id, (p_message).content_hash)
    order by near.occurred_at desc, near.recorded_at desc, near.id desc limit p_most
  ) e
$function$;
alter function window_before(messages,integer) owner to vouch_owner;


-- Triggers

CREATE TRIGGER is_added_by_nobody_who_is_being_erased BEFORE INSERT ON public.circle_members FOR EACH ROW EXECUTE FUNCTION refuse_erasing_row('added_by_peer_id');
CREATE TRIGGER is_at_the_scope_of_its_circle BEFORE INSERT ON public.circle_members FOR EACH ROW EXECUTE FUNCTION take_scope_of_circle();
CREATE TRIGGER names_nobody_who_is_being_erased BEFORE INSERT ON public.circle_members FOR EACH ROW EXECUTE FUNCTION refuse_erasing_row('peer_id');
CREATE TRIGGER names_nobody_who_is_being_erased BEFORE INSERT ON public.credentials FOR EACH ROW EXECUTE FUNCTION refuse_erasing_row('peer_id');
CREATE TRIGGER names_nobody_who_is_being_erased BEFORE INSERT ON public.document_versions FOR EACH ROW EXECUTE FUNCTION refuse_erasing_row('uploader_peer_id');
CREATE TRIGGER usage_follows_versions AFTER INSERT OR DELETE OR UPDATE OF byte_size ON public.document_versions FOR EACH ROW EXECUTE FUNCTION enter_changed_version();
CREATE TRIGGER projections_follow_ended_mentions AFTER DELETE ON public.entity_mentions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_of_mentions();
CREATE TRIGGER projections_follow_new_mentions AFTER INSERT ON public.entity_mentions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_of_mentions();
CREATE TRIGGER names_nobody_who_is_being_erased BEFORE INSERT ON public.grants FOR EACH ROW EXECUTE FUNCTION refuse_erasing_row('peer_id');
CREATE TRIGGER addressees_begin_with_their_statement AFTER INSERT ON public.knowledge FOR EACH ROW WHEN ((new.audience_id IS NOT NULL)) EXECUTE FUNCTION address_statement();
CREATE TRIGGER addressees_follow_their_statement AFTER UPDATE OF scope_id, state, confidence, recorded_at, audience_id ON public.knowledge FOR EACH ROW WHEN ((((old.audience_id IS NOT NULL) OR (new.audience_id IS NOT NULL)) AND ((((old.scope_id IS DISTINCT FROM new.scope_id) OR (old.state IS DISTINCT FROM new.state)) OR (old.confidence IS DISTINCT FROM new.confidence)) OR (old.recorded_at IS DISTINCT FROM new.recorded_at)))) EXECUTE FUNCTION move_addressees();
CREATE TRIGGER projections_follow_ended_statements AFTER DELETE ON public.knowledge REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_of_statements();
CREATE TRIGGER projections_follow_new_statements AFTER INSERT ON public.knowledge REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_of_statements();
CREATE TRIGGER projections_follow_statements AFTER UPDATE ON public.knowledge REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION mark_of_changed_statements();
CREATE TRIGGER submissions_follow_their_statement AFTER UPDATE OF scope_id, state, confidence, recorded_at ON public.knowledge FOR EACH ROW WHEN (((((old.scope_id IS DISTINCT FROM new.scope_id) OR (old.state IS DISTINCT FROM new.state)) OR (old.confidence IS DISTINCT FROM new.confidence)) OR (old.recorded_at IS DISTINCT FROM new.recorded_at))) EXECUTE FUNCTION move_submissions();
CREATE TRIGGER takes_its_words_along AFTER UPDATE OF statement ON public.knowledge FOR EACH ROW WHEN (((old.statement IS NOT NULL) AND (new.statement IS NULL))) EXECUTE FUNCTION forget_words_about_erased();
CREATE TRIGGER unmasked_words_follow_the_statement BEFORE UPDATE ON public.knowledge FOR EACH ROW WHEN ((old.unmasked IS NOT NULL)) EXECUTE FUNCTION drop_unmasked_words();
CREATE TRIGGER usage_follows_deleted_statements AFTER DELETE ON public.knowledge REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION enter_deleted_statements();
CREATE TRIGGER usage_follows_new_statements AFTER INSERT ON public.knowledge REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION enter_new_statements();
CREATE TRIGGER usage_follows_statements AFTER UPDATE OF statement ON public.knowledge FOR EACH ROW WHEN ((octet_length(old.statement) IS DISTINCT FROM octet_length(new.statement))) EXECUTE FUNCTION enter_changed_statement();
CREATE TRIGGER names_nobody_who_is_being_erased BEFORE INSERT ON public.logins FOR EACH ROW EXECUTE FUNCTION refuse_erasing_row('peer_id');
CREATE TRIGGER usage_follows_deleted_messages AFTER DELETE ON public.messages REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION enter_deleted_messages();
CREATE TRIGGER usage_follows_messages AFTER UPDATE OF content ON public.messages FOR EACH ROW WHEN ((octet_length(old.content) IS DISTINCT FROM octet_length(new.content))) EXECUTE FUNCTION enter_changed_message();
CREATE TRIGGER usage_follows_new_messages AFTER INSERT ON public.messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION enter_new_messages();
CREATE TRIGGER projections_follow_ended_sources AFTER DELETE ON public.provenance REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_of_sources();
CREATE TRIGGER projections_follow_new_sources AFTER INSERT ON public.provenance REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_of_sources();
CREATE TRIGGER ended_calls_are_settled AFTER UPDATE ON public.provider_attempts REFERENCING OLD TABLE AS begun NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION settle_token_days();
CREATE TRIGGER usage_follows_attempts AFTER UPDATE ON public.provider_attempts REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION enter_ended_attempts();
CREATE TRIGGER usage_follows_deleted_attempts AFTER DELETE ON public.provider_attempts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION enter_deleted_attempts();
CREATE TRIGGER usage_follows_new_attempts AFTER INSERT ON public.provider_attempts FOR EACH ROW WHEN ((new.finished_at IS NOT NULL)) EXECUTE FUNCTION enter_finished_attempt();
CREATE TRIGGER is_said_by_nobody_who_is_being_erased BEFORE INSERT ON public.review_words FOR EACH ROW EXECUTE FUNCTION refuse_erasing_row('peer_id');
CREATE TRIGGER is_decided_by_nobody_who_is_being_erased BEFORE INSERT ON public.scheduled_decisions FOR EACH ROW EXECUTE FUNCTION refuse_erasing_row('decided_by');

-- Rights

grant select on column accounts.gate_preset to vouch_lookup;
grant select on column accounts.id to vouch_eraser;
grant select on column accounts.id to vouch_lookup;
grant select on column accounts.imported_at to vouch_eraser;
grant select on column accounts.key to vouch_lookup;
grant select on column accounts.xmin to vouch_eraser;
grant select on column activity_entries.account_id to vouch_lookup;
grant select on column audit_chains.account_id to vouch_lookup;
grant select on column audit_chains.sealed_until to vouch_lookup;
grant insert on column audit_events.account_id to vouch_app;
grant select on column audit_events.account_id to vouch_eraser;
grant select on column audit_events.account_id to vouch_lookup;
grant insert on column audit_events.action to vouch_app;
grant insert on column audit_events.actor_kind to vouch_app;
grant insert on column audit_events.actor_peer_id to vouch_app;
grant insert on column audit_events.category to vouch_app;
grant update on column audit_events.chain_hash to vouch_eraser;
grant select on column audit_events.chain_position to vouch_lookup;
grant select, update on column audit_events.chain_position to vouch_eraser;
grant insert on column audit_events.content_hash to vouch_app;
grant insert on column audit_events.credential_id to vouch_app;
grant insert on column audit_events.id to vouch_app;
grant select on column audit_events.id to vouch_eraser;
grant insert on column audit_events.metadata to vouch_app;
grant select on column audit_events.occurred_at to vouch_eraser;
grant select on column audit_events.occurred_at to vouch_lookup;
grant insert on column audit_events.resource_id to vouch_app;
grant insert on column audit_events.resource_type to vouch_app;
grant update on column circle_members.added_by_peer_id to vouch_app;
grant select on column credentials.account_id to vouch_lookup;
grant select on column credentials.id to vouch_lookup;
grant select on column credentials.secret_hash to vouch_lookup;
grant select on column dirty_marks.account_id to vouch_lookup;
grant select on column dirty_marks.available_at to vouch_lookup;
grant select on column dirty_marks.engine to vouch_lookup;
grant select on column dirty_marks.marked_at to vouch_lookup;
grant select on column dirty_marks.overdue to vouch_lookup;
grant select on column dirty_marks.shard to vouch_lookup;
grant select on column dirty_marks.unit to vouch_lookup;
grant update on column document_uploads.uploader_peer_id to vouch_app;
grant update on column document_versions.attempt_count to vouch_app;
grant update on column document_versions.chunk_count to vouch_app;
grant update on column document_versions.credential_id to vouch_app;
grant update on column document_versions.last_error_class to vouch_app;
grant update on column document_versions.parsed_at to vouch_app;
grant update on column document_versions.settled_at to vouch_app;
grant update on column document_versions.uploader_peer_id to vouch_app;
grant select on column erasure_requests.access_hash to vouch_lookup;
grant select on column erasure_requests.access_until to vouch_lookup;
grant select on column erasure_requests.account_id to vouch_lookup;
grant select on column erasure_requests.id to vouch_lookup;
grant update on column erasure_units.stays to vouch_app;
grant select on column extraction_anchors.account_id to vouch_lookup;
grant select on column extraction_anchors.available_at to vouch_lookup;
grant select on column extraction_anchors.claim_epoch to vouch_lookup;
grant select on column extraction_anchors.failed_at to vouch_lookup;
grant select on column extraction_anchors.message_id to vouch_lookup;
grant select on column extraction_anchors.shard to vouch_lookup;
grant select on column extraction_anchors.status to vouch_lookup;
grant select on column gate_decisions.decision to vouch_lookup;
grant update on column gate_decisions.review_item_id to vouch_eraser;
grant select on column idempotency_records.account_id to vouch_lookup;
grant select on column idempotency_records.created_at to vouch_lookup;
grant select on column idempotency_records.id to vouch_lookup;
grant select on column knowledge.account_id to vouch_lookup;
grant select on column knowledge.expires_at to vouch_lookup;
grant select on column knowledge.id to vouch_lookup;
grant select on column knowledge.revalidate_after to vouch_lookup;
grant select on column knowledge.state to vouch_lookup;
grant select on column logins.account_id to vouch_lookup;
grant select on column logins.email to vouch_lookup;
grant select on column logins.id to vouch_lookup;
grant update on column mailboxes.last_rung_at to vouch_lookup;
grant update on column mailboxes.ring_attempts to vouch_lookup;
grant update on column messages.content to vouch_eraser;
grant update on column messages.is_served to vouch_eraser;
grant update on column messages.relay_peer_id to vouch_eraser;
grant update on column messages.unmasked to vouch_eraser;
grant update on column peers.audit_salt to vouch_app;
grant select on column pipeline_runs.account_id to vouch_lookup;
grant select on column pipeline_runs.created_at to vouch_lookup;
grant select, update on column pipeline_runs.dispatched_at to vouch_lookup;
grant select on column pipeline_runs.id to vouch_lookup;
grant select on column pipeline_runs.kind to vouch_lookup;
grant select on column pipeline_runs.status to vouch_lookup;
grant select on column projection_marks.account_id to vouch_lookup;
grant select on column projection_marks.id to vouch_lookup;
grant select on column projection_marks.marked_at to vouch_lookup;
grant select on column projection_work.account_id to vouch_lookup;
grant select on column projection_work.available_at to vouch_lookup;
grant select on column projection_work.marked_at to vouch_lookup;
grant select on column projections.account_id to vouch_lookup;
grant select on column projections.summary_due_at to vouch_lookup;
grant select on column provider_attempts.error_class to vouch_lookup;
grant select on column provider_attempts.metered to vouch_lookup;
grant select on column provider_attempts.reserved_at to vouch_lookup;
grant select on column provider_attempts.state to vouch_lookup;
grant select on column provider_circuits.account_id to vouch_lookup;
grant select on column provider_circuits.blocked_until to vouch_lookup;
grant select on column provider_circuits.closed_at to vouch_lookup;
grant select on column provider_circuits.role to vouch_lookup;
grant select on column provider_circuits.state to vouch_lookup;
grant select on column questions.account_id to vouch_lookup;
grant select on column questions.deadline_at to vouch_lookup;
grant select on column questions.ended_at to vouch_lookup;
grant select on column questions.id to vouch_lookup;
grant select on column review_items.account_id to vouch_lookup;
grant select on column review_items.decided_at to vouch_lookup;
grant select on column review_items.due_at to vouch_lookup;
grant select on column review_items.escalated_at to vouch_lookup;
grant select on column review_items.id to vouch_lookup;
grant select on column review_items.kind to vouch_lookup;
grant select on column review_items.past_ageing to vouch_lookup;
grant select on column review_items.state to vouch_lookup;
grant select on column scheduled_decisions.account_id to vouch_lookup;
grant select on column scheduled_decisions.due_at to vouch_lookup;
grant select, update on column scheduled_decisions.nudged_at to vouch_lookup;
grant select on column scheduled_decisions.review_item_id to vouch_lookup;
grant select on column scheduled_decisions.run_id to vouch_lookup;
grant select on column scheduled_decisions.state to vouch_lookup;
grant update on column session_scopes.linked_at to vouch_eraser;
grant update on column sweep_passes.completed_at to vouch_app;
grant update on column sweep_passes.failed_accounts to vouch_app;
grant select on column sweep_setbacks.knowledge_id to vouch_lookup;
grant select on column token_days.account_id to vouch_lookup;
grant select on column token_days.day to vouch_lookup;
grant select on column token_days.reserved_embedding_tokens to vouch_lookup;
grant select on column token_days.reserved_input_tokens to vouch_lookup;
grant select on column token_days.reserved_output_tokens to vouch_lookup;
grant select on column token_days.role to vouch_lookup;
grant select on column token_days.used_embedding_tokens to vouch_lookup;
grant select on column token_days.used_input_tokens to vouch_lookup;
grant select on column token_days.used_output_tokens to vouch_lookup;
grant select on column usage_entries.account_id to vouch_lookup;
grant execute on routine address_statement() to public;
grant execute on routine begin_retention_page(uuid,integer) to public;
grant execute on routine budgets_over(uuid,text) to public;
grant execute on routine claim_anchors(uuid,integer,bigint,integer,integer,integer,integer,boolean,integer,bigint,integer,boolean,uuid[],text,text) to public;
grant execute on routine claim_for_drains(uuid,jsonb,integer,integer,integer,text,text) to public;
grant execute on routine count_dirty_marks(integer) to vouch_app;
grant execute on routine count_extraction_anchors(integer) to vouch_app;
grant execute on routine count_governance(integer) to vouch_app;
grant execute on routine count_imported(text) to vouch_app;
grant execute on routine count_overdue_reviews(integer,integer) to vouch_app;
grant execute on routine count_provider_attempts(timestamp with time zone,integer) to vouch_app;
grant execute on routine count_sweep_setbacks(integer) to vouch_app;
grant execute on routine count_unfinished_runs(integer) to vouch_app;
grant execute on routine counted_tokens(provider_attempts) to public;
grant execute on routine current_account() to public;
grant execute on routine drop_unmasked_words() to public;
grant execute on routine ensure_places(uuid,integer,sent_observation[]) to public;
grant execute on routine ensure_scope_chain(uuid,text,uuid[]) to public;
grant execute on routine enter_attempts(uuid,jsonb,uuid[],jsonb,jsonb) to public;
grant execute on routine enter_changed_message() to public;
grant execute on routine enter_changed_statement() to public;
grant execute on routine enter_changed_version() to public;
grant execute on routine enter_counts(uuid,bigint,jsonb) to public;
grant execute on routine enter_deleted_attempts() to public;
grant execute on routine enter_deleted_messages() to public;
grant execute on routine enter_deleted_statements() to public;
grant execute on routine enter_ended_attempts() to public;
grant execute on routine enter_finished_attempt() to public;
grant execute on routine enter_new_messages() to public;
grant execute on routine enter_new_statements() to public;
grant execute on routine erase_item_links(uuid,uuid[]) to vouch_app;
grant execute on routine erase_messages(uuid,uuid[]) to vouch_app;
grant execute on routine erase_relays(uuid,uuid[]) to vouch_app;
grant execute on routine failed_anchors(uuid,integer,bigint,integer,integer,uuid[],timestamp with time zone) to public;
grant execute on routine forget_edition(uuid) to public;
grant execute on routine forget_idempotency_records(timestamp with time zone,timestamp with time zone,integer) to vouch_app;
grant execute on routine forget_words_about_erased() to public;
grant execute on routine fresh_anchors(uuid,integer,bigint,integer,integer,uuid[]) to public;
grant execute on routine highest_token_shares(jsonb,integer) to vouch_app;
grant execute on routine hold_places_of_messages(uuid,uuid[]) to vouch_app;
grant execute on routine import_audit_chain(jsonb) to vouch_app;
grant execute on routine import_audit_events(jsonb) to vouch_app;
grant execute on routine ingest_observations(uuid,integer,json,text[],integer,bigint,json) to public;
grant execute on routine intern_audience(uuid,uuid,uuid,bytea,text[],uuid[],uuid[],text) to public;
grant execute on routine is_addressed(uuid,uuid,uuid) to public;
grant execute on routine least_id_at(timestamp with time zone) to public;
grant execute on routine lookup_account(text) to vouch_app;
grant execute on routine lookup_accounts() to vouch_app;
grant execute on routine lookup_accounts_after(uuid,integer) to vouch_app;
grant execute on routine lookup_accounts_to_project(uuid,integer) to vouch_app;
grant execute on routine lookup_accounts_to_sweep(uuid,timestamp with time zone,integer) to vouch_app;
grant execute on routine lookup_accounts_with_usage(uuid,integer) to vouch_app;
grant execute on routine lookup_credential(bytea) to vouch_app;
grant execute on routine lookup_erasure(bytea) to vouch_app;
grant execute on routine lookup_login(text) to vouch_app;
grant execute on routine lookup_mailbox_looks(uuid[],mailbox_kind[],integer[]) to vouch_app;
grant execute on routine lookup_mailboxes_with_work(uuid[],mailbox_kind[],integer[]) to vouch_app;
grant execute on routine lookup_neglected_mailboxes(integer,integer) to vouch_app;
grant execute on routine lookup_oldest_erasure() to vouch_app;
grant execute on routine lookup_oldest_projection_mark(integer) to vouch_app;
grant execute on routine lookup_undispatched_runs(integer) to vouch_app;
grant execute on routine lookup_unsealed_accounts(uuid,boolean,integer) to vouch_app;
grant execute on routine mark_dispatched(uuid,uuid) to vouch_app;
grant execute on routine mark_of_changed_statements() to public;
grant execute on routine mark_of_mentions() to public;
grant execute on routine mark_of_sources() to public;
grant execute on routine mark_of_statements() to public;
grant execute on routine mark_read_messages(uuid,uuid,uuid,smallint) to public;
grant execute on routine mark_rung(uuid,mailbox_kind,integer) to vouch_app;
grant execute on routine move_addressees() to public;
grant execute on routine move_submissions() to public;
grant execute on routine name_lead(text) to public;
grant execute on routine nudge_overdue_decisions(integer) to vouch_app;
grant execute on routine open_token_day(uuid,date,text[]) to public;
grant execute on routine places_of_observations(uuid,sent_observation[]) to public;
grant execute on routine prune_attempts(uuid,integer,timestamp with time zone,uuid,integer) to vouch_app;
grant execute on routine prune_gate_decisions(uuid,integer,timestamp with time zone,uuid,integer) to vouch_app;
grant execute on routine prune_lifecycle_events(uuid,integer,timestamp with time zone,uuid,integer) to vouch_app;
grant execute on routine prune_request_days(uuid,integer,timestamp with time zone,uuid,integer) to public;
grant execute on routine prune_runs(uuid,integer,timestamp with time zone,uuid,integer) to vouch_app;
grant execute on routine prune_tokens(uuid,integer,timestamp with time zone,uuid,integer) to vouch_app;
grant execute on routine prune_usage_days(uuid,integer,timestamp with time zone,uuid,integer) to public;
grant execute on routine recount_evidence(uuid,uuid[]) to public;
grant execute on routine refuse_erasing(uuid,uuid[]) to public;
grant execute on routine refuse_erasing_row() to public;
grant execute on routine reserve_attempts(uuid,jsonb,jsonb) to public;
grant execute on routine retention_page_rows(integer) to public;
grant execute on routine role_of_peer(uuid,uuid,text) to public;
grant execute on routine said_at(timestamp with time zone,timestamp with time zone) to public;
grant execute on routine salted_hash(uuid,uuid,bytea) to public;
grant execute on routine scope_at(uuid,text) to public;
grant execute on routine scope_chain(text) to public;
grant execute on routine seal_audit_events(bigint,uuid[],bytea[]) to vouch_app;
grant execute on routine secure_account_table(regclass,name) to public;
grant execute on routine serve_messages(uuid,jsonb) to vouch_app;
grant execute on routine settle_token_days() to public;
grant execute on routine source_key(uuid,uuid,timestamp with time zone,bytea) to public;
grant execute on routine speaker_turn(uuid,integer,bigint,uuid,uuid,integer,integer,uuid[],uuid[]) to public;
grant execute on routine take_scope_of_circle() to public;
grant execute on routine text_hashes(text[]) to public;
grant execute on routine text_leads(text) to public;
grant execute on routine text_sha256(text) to public;
grant execute on routine text_words(text) to public;
grant execute on routine token_limit_reached(uuid,date,jsonb,text,bigint,bigint,bigint) to public;
grant execute on routine usd_micros_of(bigint,bigint,bigint,bigint) to public;
grant execute on routine window_before(messages,integer) to public;
grant usage on schema public to public;
grant usage on schema public to vouch_app;
grant usage on schema public to vouch_eraser;
grant usage on schema public to vouch_lookup;
grant usage on sequence dirty_mark_generations to vouch_app;
grant usage on sequence forget_editions to vouch_app;
grant insert, select, update on table accounts to vouch_app;
grant maintain on table accounts to vouch_eraser;
grant delete, insert, select on table activity_entries to vouch_app;
grant insert on table activity_entries to vouch_eraser;
grant delete, insert, select, update on table ask_preferences to vouch_app;
grant maintain on table ask_preferences to vouch_eraser;
grant delete, insert, select on table audience_members to vouch_app;
grant maintain on table audience_members to vouch_eraser;
grant insert, select, update on table audiences to vouch_app;
grant maintain on table audiences to vouch_eraser;
grant insert, maintain, select, update on table audit_chains to vouch_eraser;
grant select on table audit_chains to vouch_app;
grant insert, maintain on table audit_events to vouch_eraser;
grant select on table audit_events to vouch_app;
grant delete, insert, select, update on table belief_periods to vouch_app;
grant maintain on table belief_periods to vouch_eraser;
grant delete, insert, select, update on table browser_sessions to vouch_app;
grant delete, select on table browser_sessions to vouch_eraser;
grant delete, insert, select on table circle_members to vouch_app;
grant maintain on table circle_members to vouch_eraser;
grant delete, insert, select on table circles to vouch_app;
grant maintain on table circles to vouch_eraser;
grant insert, select, update on table consents to vouch_app;
grant maintain on table consents to vouch_eraser;
grant delete, insert, select, update on table credentials to vouch_app;
grant delete, select on table credentials to vouch_eraser;
grant delete, insert, select, update on table dirty_marks to vouch_app;
grant delete, insert, select on table document_uploads to vouch_app;
grant delete, insert, select on table document_versions to vouch_app;
grant maintain on table document_versions to vouch_eraser;
grant insert, select, update on table documents to vouch_app;
grant maintain on table documents to vouch_eraser;
grant delete, insert, select, update on table entity_mentions to vouch_app;
grant delete, insert, select, update on table erasure_blobs to vouch_app;
grant insert, select, update on table erasure_requests to vouch_app;
grant maintain on table erasure_requests to vouch_eraser;
grant delete, insert, select on table erasure_units to vouch_app;
grant delete, insert, select, update on table extraction_anchors to vouch_app;
grant maintain on table extraction_anchors to vouch_eraser;
grant insert, select, update on table extraction_budgets to vouch_app;
grant maintain, select on table extraction_budgets to vouch_eraser;
grant insert, select, update on table forget_books to vouch_app;
grant insert, select, update on table forget_holds to vouch_app;
grant delete, maintain, select on table gate_decisions to vouch_eraser;
grant insert, select on table gate_decisions to vouch_app;
grant insert, select, update on table gate_rules to vouch_app;
grant maintain on table gate_rules to vouch_eraser;
grant delete, insert, select, update on table grants to vouch_app;
grant maintain, select on table grants to vouch_eraser;
grant delete on table idempotency_records to vouch_lookup;
grant delete, insert, select on table idempotency_records to vouch_app;
grant select on table idempotency_records to vouch_eraser;
grant delete, insert, select, update on table index_marks to vouch_app;
grant delete, insert, select, update on table indexed_units to vouch_app;
grant delete, insert, select, update on table knowledge to vouch_app;
grant maintain, select on table knowledge to vouch_eraser;
grant delete, insert, select, update on table knowledge_addressees to vouch_app;
grant delete, insert, select, update on table knowledge_attesters to vouch_app;
grant maintain on table knowledge_attesters to vouch_eraser;
grant delete, insert, select on table knowledge_paraphrases to vouch_app;
grant maintain on table knowledge_paraphrases to vouch_eraser;
grant delete, insert, select, update on table knowledge_source_scopes to vouch_app;
grant maintain on table knowledge_source_scopes to vouch_eraser;
grant delete, insert, select, update on table knowledge_submitters to vouch_app;
grant maintain on table knowledge_submitters to vouch_eraser;
grant delete, maintain, select on table lifecycle_events to vouch_eraser;
grant insert, select on table lifecycle_events to vouch_app;
grant delete, insert, select, update on table logins to vouch_app;
grant insert, select, update on table mailboxes to vouch_app;
grant select on table mailboxes to vouch_lookup;
grant insert, select, update on table masked_values to vouch_app;
grant delete, maintain, select on table messages to vouch_eraser;
grant insert, select on table messages to vouch_app;
grant insert, select, update on table peers to vouch_app;
grant maintain, select on table peers to vouch_eraser;
grant delete, select on table pipeline_runs to vouch_eraser;
grant insert, select, update on table pipeline_runs to vouch_app;
grant delete, insert, select, update on table projection_marks to vouch_app;
grant delete, insert, select, update on table projection_work to vouch_app;
grant delete, insert, select, update on table projections to vouch_app;
grant delete, insert, select, update on table provenance to vouch_app;
grant maintain on table provenance to vouch_eraser;
grant delete, select on table provider_attempts to vouch_eraser;
grant insert, select, update on table provider_attempts to vouch_app;
grant insert, select, update on table provider_circuits to vouch_app;
grant insert, select on table pruned_scopes to vouch_eraser;
grant select on table pruned_scopes to vouch_app;
grant delete, insert, select, update on table question_deliveries to vouch_app;
grant maintain, select on table question_deliveries to vouch_eraser;
grant delete, insert, select, update on table questions to vouch_app;
grant maintain, select on table questions to vouch_eraser;
grant delete, insert, select, update on table reconcile_places to vouch_app;
grant delete, insert, select, update on table request_days to vouch_app;
grant delete, insert, select, update on table retention_tallies to vouch_app;
grant delete, insert, select, update on table retrieval_profiles to vouch_app;
grant maintain on table retrieval_profiles to vouch_eraser;
grant insert, select, update on table review_items to vouch_app;
grant maintain, select on table review_items to vouch_eraser;
grant delete, insert, select, update on table review_words to vouch_app;
grant maintain on table review_words to vouch_eraser;
grant delete, insert, select on table run_outputs to vouch_app;
grant delete, insert, select, update on table scheduled_decisions to vouch_app;
grant maintain, select on table scheduled_decisions to vouch_eraser;
grant select on table schema_migrations to vouch_app;
grant delete, insert, select on table scope_links to vouch_app;
grant maintain on table scope_links to vouch_eraser;
grant delete, insert, select, update on table scope_names to vouch_app;
grant delete, insert, select, update on table scope_terms to vouch_app;
grant delete, insert, select, update on table scope_units to vouch_app;
grant insert, select, update on table scopes to vouch_app;
grant maintain, select on table scopes to vouch_eraser;
grant delete, insert, select, update on table session_participants to vouch_app;
grant maintain on table session_participants to vouch_eraser;
grant insert, select on table session_scopes to vouch_app;
grant maintain, select on table session_scopes to vouch_eraser;
grant insert, select, update on table sessions to vouch_app;
grant maintain on table sessions to vouch_eraser;
grant delete, insert, select, update on table sign_in_attempts to vouch_app;
grant delete, insert, select, update on table skill_cards to vouch_app;
grant maintain on table skill_cards to vouch_eraser;
grant delete, insert, select, update on table speaker_turns to vouch_app;
grant select on table sweep_passes to vouch_app;
grant delete, insert, select, update on table sweep_setbacks to vouch_app;
grant delete, insert, select, update on table token_days to vouch_app;
grant delete, insert, select, update on table usage_days to vouch_app;
grant delete, insert, select on table usage_entries to vouch_app;
grant delete, insert, select, update on table usage_scope_days to vouch_app;
grant delete, insert, select, update on table usage_totals to vouch_app;
grant delete, insert, select, update on table vector_spaces to vouch_app;
