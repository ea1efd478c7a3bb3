-- Sessions, participation, messages, and the anchors that extraction works through.

create type error_class as enum (
  'request_timeout', 'transport_error', 'provider_rate_limited', 'provider_upstream_error', 'circuit_open',
  'internal_error', 'credentials_rejected', 'model_not_found', 'model_not_configured', 'schema_not_enforced',
  'source_too_large', 'provider_output_truncated', 'embedding_width_mismatch', 'missing_structured_object',
  'missing_text_response', 'structured_validation_failed', 'provider_content_filtered',
  'extraction_budget_exhausted');
create type extraction_status as enum ('pending', 'failed', 'completed', 'repairable', 'terminal');

create table sessions (
  account_id uuid not null references accounts (id),
  id uuid not null,
  external_id text not null,
  -- Which mailbox of the account the session's messages go to: a session stays in one, so its order holds.
  shard smallint not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint session_id_is_unique_in_account unique (account_id, external_id),
  constraint session_id_has_1_to_256_characters check (char_length(external_id) between 1 and 256)
);
call secure_account_table('sessions');

create table session_scopes (
  account_id uuid not null,
  session_id uuid not null,
  scope_id uuid not null,
  linked_at timestamptz not null default now(),
  primary key (account_id, session_id, scope_id),
  constraint linked_session_is_in_same_account foreign key (account_id, session_id) references sessions (account_id, id),
  constraint linked_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id)
);
call secure_account_table('session_scopes');

-- Who was there, per session and scope. A speaker vouched for by a relaying machine reads the whole
-- session in that scope; a person who joined by posting reads what is recorded from `joined_at` on.
create table session_participants (
  account_id uuid not null,
  session_id uuid not null,
  scope_id uuid not null,
  peer_id uuid not null,
  joined_at timestamptz not null default now(),
  reads_whole_session boolean not null,
  primary key (account_id, session_id, scope_id, peer_id),
  constraint participant_session_is_linked_to_scope foreign key (account_id, session_id, scope_id)
    references session_scopes (account_id, session_id, scope_id),
  constraint participant_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id)
);
create index session_participants_by_peer on session_participants (account_id, peer_id);
call secure_account_table('session_participants');

-- Raw observations: immutable source records. `relay_peer_id` is the peer whose credential carried a turn
-- for another speaker; null when the speaker spoke for itself or the credential has no peer.
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
  occurred_at timestamptz not null,
  occurred_offset_minutes smallint not null,
  recorded_at timestamptz not null default clock_timestamp(),
  trace_id text not null,
  primary key (account_id, id),
  constraint message_session_is_linked_to_scope foreign key (account_id, session_id, scope_id)
    references session_scopes (account_id, session_id, scope_id),
  constraint message_speaker_is_in_same_account foreign key (account_id, speaker_peer_id) references peers (account_id, id),
  constraint message_relay_is_in_same_account foreign key (account_id, relay_peer_id) references peers (account_id, id),
  constraint message_credential_is_in_same_account foreign key (account_id, credential_id) references credentials (account_id, id),
  constraint message_content_is_at_most_1_mib check (octet_length(content) <= 1048576),
  constraint message_content_hash_is_a_sha256 check (octet_length(content_hash) = 32),
  constraint message_role_has_1_to_256_characters check (char_length(role) between 1 and 256),
  constraint message_offset_is_within_a_day check (occurred_offset_minutes between -1440 and 1440),
  constraint message_trace_id_is_32_hex check (trace_id ~ '^[0-9a-f]{32}$')
);
create index messages_by_session on messages (account_id, session_id, scope_id, occurred_at, id);
create index messages_by_speaker on messages (account_id, speaker_peer_id);
call secure_account_table('messages');

-- One row per message: the durable extraction job. `claim_epoch` is the fence: effects are written only
-- while the row still carries the epoch of the drain that claimed it.
create table extraction_anchors (
  account_id uuid not null,
  message_id uuid not null,
  session_id uuid not null,
  scope_id uuid not null,
  shard smallint not null,
  status extraction_status not null default 'pending',
  available_at timestamptz not null default clock_timestamp(),
  claim_epoch bigint,
  attempt_count integer not null default 0,
  last_error_class error_class,
  candidate_count integer,
  batch_id uuid,
  requeue_token uuid,
  extracted_at timestamptz,
  completed_at timestamptz,
  primary key (account_id, message_id),
  constraint anchor_message_is_in_same_account foreign key (account_id, message_id)
    references messages (account_id, id) on delete cascade,
  constraint anchor_session_is_in_same_account foreign key (account_id, session_id) references sessions (account_id, id),
  constraint anchor_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint completed_anchor_has_its_time check ((status = 'completed') = (completed_at is not null)),
  constraint failed_anchor_has_a_class check (status in ('pending', 'completed') or last_error_class is not null),
  constraint anchor_shard_is_not_negative check (shard >= 0)
);
-- The mailbox: what a drain claims, in session order.
create index extraction_anchors_in_mailbox on extraction_anchors (account_id, shard, session_id, message_id)
  where status in ('pending', 'failed');
create index extraction_anchors_due on extraction_anchors (available_at) where status in ('pending', 'failed');
call secure_account_table('extraction_anchors');

-- Requests that must not be carried out twice. Keeps ids and hashes, never bodies; the answer is built
-- again from the row that `resource_id` names.
create table idempotency_records (
  account_id uuid not null references accounts (id),
  id uuid not null,
  credential_id uuid not null,
  method text not null,
  path text not null,
  key text not null,
  request_hash bytea not null,
  status smallint not null,
  resource_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint idempotency_key_is_used_once unique (account_id, credential_id, method, path, key),
  constraint idempotency_credential_is_in_same_account foreign key (account_id, credential_id)
    references credentials (account_id, id),
  constraint idempotency_key_has_1_to_255_characters check (char_length(key) between 1 and 255)
);
create index idempotency_records_by_age on idempotency_records (created_at);
call secure_account_table('idempotency_records');

grant select, insert, update on sessions, session_participants, extraction_anchors to vouch_app;
grant select, insert on session_scopes, messages to vouch_app;
grant select, insert, delete on idempotency_records to vouch_app;
grant select, delete on messages to vouch_eraser;
