-- Mailboxes, runs, the provider ledger, dirty marks and document frequencies.

create type mailbox_kind as enum ('ingest', 'projection');
create type run_kind as enum (
  'extraction', 'dream_time', 'revalidation', 'expiry', 'projection_refresh', 'connector_sync', 'import_rebuild',
  'reconcile', 'regate', 'contest', 'erasure', 'document', 'campaign', 'portability');
create type run_status as enum ('pending', 'running', 'failed', 'completed', 'cancelled', 'discarded');
create type model_role as enum ('embedder', 'reranker', 'ingest_extractor', 'dream_reasoner', 'dialectic_agent');
create type attempt_state as enum ('reserved', 'dispatched', 'success', 'error', 'timeout', 'cancelled');
create type index_engine as enum ('qdrant', 'meilisearch');
create type unit_kind as enum ('message', 'statement');

-- A mailbox is (account, kind, shard). `epoch` fences drains; `awake_until` says that one is looking.
create table mailboxes (
  account_id uuid not null references accounts (id),
  kind mailbox_kind not null,
  shard smallint not null,
  epoch bigint not null default 0,
  awake_until timestamptz not null default '-infinity',
  last_rung_at timestamptz not null default '-infinity',
  ring_attempts integer not null default 0,
  paused boolean not null default false,
  primary key (account_id, kind, shard)
);
call secure_account_table('mailboxes');

-- One row = one workflow, its id built from the row's id.
create table pipeline_runs (
  account_id uuid not null references accounts (id),
  id uuid not null,
  kind run_kind not null,
  target_id uuid,
  status run_status not null default 'pending',
  attempt_count integer not null default 0,
  last_error_class error_class,
  trace_id text,
  dispatched_at timestamptz,
  processed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
create index pipeline_runs_undispatched on pipeline_runs (created_at) where dispatched_at is null and status = 'pending';
create index pipeline_runs_unfinished on pipeline_runs (kind, created_at) where status in ('pending', 'running', 'failed');
call secure_account_table('pipeline_runs');

-- The ledger: a row before every provider call. Budgets, evidence, costs and circuits are read from it.
create table provider_attempts (
  account_id uuid not null references accounts (id),
  id uuid not null,
  role model_role not null,
  provider text not null,
  model text not null,
  model_version text not null,
  prompt_version text,
  pipeline_version text,
  state attempt_state not null,
  metered boolean not null default false,
  batch_id uuid,
  run_id uuid,
  scope_id uuid,
  anchor_message_ids uuid[] not null default '{}',
  repair_index smallint not null default 0,
  mailbox_shard smallint,
  claim_epoch bigint,
  input_tokens bigint,
  output_tokens bigint,
  embedding_tokens bigint,
  usd_micros bigint,
  duration_ms integer,
  error_class error_class,
  trace_id text,
  reserved_at timestamptz not null default clock_timestamp(),
  dispatched_at timestamptz,
  finished_at timestamptz,
  primary key (account_id, id),
  constraint attempt_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint finished_attempt_has_its_time
    check ((state in ('success', 'error', 'timeout', 'cancelled')) = (finished_at is not null)),
  constraint only_a_finished_attempt_failed check (error_class is null or state in ('error', 'timeout', 'cancelled'))
);
create index provider_attempts_by_time on provider_attempts (account_id, reserved_at);
create index provider_attempts_recent on provider_attempts (reserved_at);
create index provider_attempts_open on provider_attempts (account_id, mailbox_shard, claim_epoch)
  where state in ('reserved', 'dispatched');
create index provider_attempts_by_batch on provider_attempts (account_id, batch_id);
call secure_account_table('provider_attempts');

-- What an engine does not show yet. `generation` grows with every change of the unit: a mark is cleared only
-- by whoever wrote that generation. `overdue` says that an anchor completed without the engine's answer.
create table dirty_marks (
  account_id uuid not null references accounts (id),
  engine index_engine not null,
  unit unit_kind not null,
  unit_id uuid not null,
  scope_id uuid not null,
  shard smallint not null,
  generation bigint not null default 1,
  overdue boolean not null default false,
  available_at timestamptz not null default clock_timestamp(),
  attempt_count integer not null default 0,
  marked_at timestamptz not null default clock_timestamp(),
  primary key (account_id, engine, unit, unit_id),
  constraint marked_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id)
);
create index dirty_marks_in_mailbox on dirty_marks (account_id, shard, available_at);
create index dirty_marks_due on dirty_marks (available_at);
create index dirty_marks_overdue on dirty_marks (account_id, scope_id) where overdue;
call secure_account_table('dirty_marks');

-- What is counted for one unit now, so that a change or a deletion moves the frequencies exactly.
create table indexed_units (
  account_id uuid not null,
  unit unit_kind not null,
  unit_id uuid not null,
  scope_id uuid not null,
  term_ids bigint[] not null,
  analyzer_version text not null,
  primary key (account_id, unit, unit_id),
  constraint indexed_unit_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id)
);
call secure_account_table('indexed_units');

create table scope_terms (
  account_id uuid not null,
  scope_id uuid not null,
  unit unit_kind not null,
  term_id bigint not null,
  df integer not null,
  primary key (account_id, scope_id, unit, term_id),
  constraint term_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint document_frequency_is_not_negative check (df >= 0)
);
call secure_account_table('scope_terms');

create table scope_units (
  account_id uuid not null,
  scope_id uuid not null,
  unit unit_kind not null,
  units integer not null,
  primary key (account_id, scope_id, unit),
  constraint counted_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint unit_count_is_not_negative check (units >= 0)
);
call secure_account_table('scope_units');

grant select, insert, update on mailboxes, pipeline_runs, provider_attempts to vouch_app;
grant select, insert, update, delete on dirty_marks, indexed_units, scope_terms, scope_units to vouch_app;
