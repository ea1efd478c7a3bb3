-- Statements, where they came from, and when they were believed.

create type statement_kind as enum ('fact', 'preference', 'event', 'relation', 'skill');
create type sensitivity as enum ('public', 'internal', 'personal', 'restricted');
create type target_level as enum ('peer', 'scope', 'account');
create type evidence_level as enum ('direct', 'indirect');
create type time_precision as enum ('year', 'month', 'day', 'time');
create type knowledge_state as enum (
  'proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale', 'contested', 'superseded',
  'expired', 'rejected', 'redacted', 'retracted');
create type verification as enum (
  'pending', 'pending_human', 'auto_verified', 'auto_rejected', 'auto_rejected_stale', 'subject_confirmed',
  'subject_disputed', 'curator_approved', 'curator_rejected', 'stale', 'sole_source_erased');
create type statement_origin as enum ('extracted', 'imported', 'deduced', 'consolidated', 'edited', 'merged');
create type output_effect as enum ('created', 'merged', 'refused');

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
  origin statement_origin not null default 'extracted',
  held_scope_id uuid,
  corroboration_count integer not null default 1,
  previously_refused boolean not null default false,
  supersedes_id uuid,
  expires_at timestamptz,
  revalidate_after timestamptz,
  relevant_from timestamptz,
  relevant_from_precision time_precision,
  relevant_until timestamptz,
  relevant_until_precision time_precision,
  -- The source whose wording is kept: the earliest said, ties by content hash.
  text_occurred_at timestamptz not null,
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
  -- Grows with every change; engines refuse a point of a lower version.
  row_version bigint not null default 1,
  recorded_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint knowledge_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint knowledge_subject_is_in_same_account foreign key (account_id, subject_peer_id) references peers (account_id, id),
  constraint knowledge_subject_scope_is_in_same_account foreign key (account_id, subject_scope_id)
    references scopes (account_id, id),
  constraint knowledge_held_scope_is_in_same_account foreign key (account_id, held_scope_id)
    references scopes (account_id, id),
  constraint superseded_knowledge_is_in_same_account foreign key (account_id, supersedes_id)
    references knowledge (account_id, id),
  constraint knowledge_has_exactly_one_subject check (num_nonnulls(subject_peer_id, subject_scope_id) = 1),
  constraint only_retracted_or_redacted_knowledge_lacks_its_text
    check (statement is not null or state in ('retracted', 'redacted')),
  constraint confidence_is_between_0_and_1 check (confidence between 0 and 1),
  constraint restricted_knowledge_stays_at_peer_level check (sensitivity <> 'restricted' or target_level = 'peer'),
  constraint restricted_knowledge_is_never_about_a_scope check (sensitivity <> 'restricted' or subject_peer_id is not null),
  constraint validity_window_is_not_empty check (relevant_from < relevant_until),
  constraint validity_start_has_its_precision check ((relevant_from is null) = (relevant_from_precision is null)),
  constraint validity_end_has_its_precision check ((relevant_until is null) = (relevant_until_precision is null)),
  constraint corroboration_is_not_negative check (corroboration_count >= 0)
);
-- One open row for one claim: same scope, subject, folded text and window (null equals null). A claim that was
-- refused before and is said again by a new source waits beside the refused row.
create unique index knowledge_claim_is_open_once on knowledge
  (account_id, scope_id, subject_peer_id, subject_scope_id, statement_hash, relevant_from, relevant_until)
  nulls not distinct
  where state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale', 'contested')
    and not previously_refused;
create index knowledge_by_claim on knowledge (account_id, scope_id, statement_hash);
create index knowledge_listed on knowledge (account_id, scope_id, state, confidence desc, recorded_at desc, id);
create index knowledge_by_subject on knowledge (account_id, subject_peer_id, recorded_at desc);
create index knowledge_expiring on knowledge (expires_at) where expires_at is not null;
create index knowledge_revalidating on knowledge (revalidate_after) where revalidate_after is not null and state = 'active';
call secure_account_table('knowledge');

-- The speakers of the sources and the peers whose credentials relayed them.
create table knowledge_submitters (
  account_id uuid not null,
  knowledge_id uuid not null,
  peer_id uuid not null,
  primary key (account_id, knowledge_id, peer_id),
  constraint submitted_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint submitting_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id)
);
create index knowledge_submitters_by_peer on knowledge_submitters (account_id, peer_id);
call secure_account_table('knowledge_submitters');

create table provenance (
  account_id uuid not null,
  knowledge_id uuid not null,
  message_id uuid not null,
  speaker_peer_id uuid not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, knowledge_id, message_id),
  constraint provenance_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint provenance_message_is_in_same_account foreign key (account_id, message_id) references messages (account_id, id),
  constraint provenance_speaker_is_in_same_account foreign key (account_id, speaker_peer_id) references peers (account_id, id)
);
create index provenance_by_message on provenance (account_id, message_id);
call secure_account_table('provenance');

-- What one anchor put out, by which batch: the link between statements and the ledger.
create table run_outputs (
  account_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  knowledge_id uuid not null,
  batch_id uuid,
  effect output_effect not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint output_anchor_is_in_same_account foreign key (account_id, message_id)
    references messages (account_id, id) on delete cascade,
  constraint output_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade
);
create index run_outputs_by_message on run_outputs (account_id, message_id);
create index run_outputs_by_knowledge on run_outputs (account_id, knowledge_id);
call secure_account_table('run_outputs');

-- Belief: one row per statement and set of governed values, half-open in time.
create table belief_periods (
  account_id uuid not null,
  id uuid not null,
  knowledge_id uuid not null,
  state knowledge_state not null,
  scope_id uuid not null,
  target_level target_level not null,
  sensitivity sensitivity not null,
  confidence double precision not null,
  relevant_from timestamptz,
  relevant_from_precision time_precision,
  relevant_until timestamptz,
  relevant_until_precision time_precision,
  believed_from timestamptz not null,
  believed_until timestamptz,
  primary key (account_id, id),
  constraint believed_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint believed_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint belief_period_is_not_reversed check (believed_from <= believed_until)
);
create unique index knowledge_is_believed_one_way_at_a_time on belief_periods (account_id, knowledge_id)
  where believed_until is null;
create index belief_periods_by_knowledge on belief_periods (account_id, knowledge_id, believed_from);
call secure_account_table('belief_periods');

create table lifecycle_events (
  account_id uuid not null references accounts (id),
  id uuid not null,
  knowledge_id uuid not null,
  scope_id uuid not null,
  from_state knowledge_state,
  to_state knowledge_state not null,
  reason text not null,
  actor_peer_id uuid,
  occurred_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint lifecycle_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint lifecycle_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint lifecycle_reason_is_a_code check (reason ~ '^[a-z][a-z0-9_]{1,63}$')
);
create index lifecycle_events_by_knowledge on lifecycle_events (account_id, knowledge_id, occurred_at);
call secure_account_table('lifecycle_events');

grant select, insert, update, delete on knowledge, knowledge_submitters, provenance, belief_periods to vouch_app;
grant select, insert, delete on run_outputs to vouch_app;
grant select, insert on lifecycle_events to vouch_app;
