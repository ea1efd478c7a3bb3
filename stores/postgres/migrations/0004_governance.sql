-- Gate rules and decisions, review, consent, audit.

create type gate_a_mode as enum ('auto_keep', 'auto_reject', 'human');
create type gate_b_mode as enum ('auto_place', 'human');
create type gate_name as enum ('gate_a', 'gate_b', 'gate_a_b');
create type gate_decision as enum (
  'keep', 'reject', 'defer', 'place', 'hold', 'provisional', 'withhold', 'await_consent', 'approve', 'edit', 'merge');
create type decision_channel as enum ('pipeline', 'human_ui', 'api', 'mcp', 'cli');
create type review_kind as enum ('gate_a_b', 'gate_b', 'revalidation', 'contest', 'conflict');
create type review_state as enum (
  'pending', 'escalated', 'awaiting_consent', 'deferred', 'approved', 'rejected', 'merged');
create type consent_status as enum ('pending', 'granted', 'denied');
create type audit_category as enum (
  'lifecycle', 'gate', 'attribution', 'deletion', 'configuration', 'governance', 'observation', 'access');
create type actor_kind as enum ('credential', 'cli', 'pipeline', 'operator');

-- One cell of the matrix: level x sensitivity, at a scope or (scope_id null) for the whole account.
-- Rules inherit down the scope tree, nearest wins.
create table gate_rules (
  account_id uuid not null references accounts (id),
  id uuid not null,
  scope_id uuid,
  target_level target_level not null,
  sensitivity sensitivity not null,
  gate_a gate_a_mode not null,
  gate_b gate_b_mode not null,
  minimum_evidence_level evidence_level not null,
  minimum_confidence double precision not null default 0,
  minimum_corroboration integer not null,
  requires_consent boolean not null default false,
  automatic_consent boolean not null default false,
  pending_max_age_hours integer not null default 168,
  revalidate_after_days integer,
  expires_after_days integer,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  primary key (account_id, id),
  constraint gate_rule_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint gate_rule_corroboration_is_positive check (minimum_corroboration >= 1),
  constraint gate_rule_confidence_is_between_0_and_1 check (minimum_confidence between 0 and 1)
);
create unique index one_gate_rule_in_force_per_cell on gate_rules (account_id, scope_id, target_level, sensitivity)
  nulls not distinct where retired_at is null;
call secure_account_table('gate_rules');

create table review_items (
  account_id uuid not null,
  id uuid not null,
  knowledge_id uuid not null,
  scope_id uuid not null,
  subject_peer_id uuid,
  kind review_kind not null,
  state review_state not null default 'pending',
  target_scope_id uuid,
  target_level target_level,
  conflict_knowledge_ids uuid[] not null default '{}',
  due_at timestamptz not null,
  escalated_at timestamptz,
  attempt_count integer not null default 0,
  assigned_peer_id uuid,
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint one_review_item_per_statement_and_kind unique (account_id, knowledge_id, kind),
  constraint reviewed_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint reviewed_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint reviewed_subject_is_in_same_account foreign key (account_id, subject_peer_id) references peers (account_id, id),
  constraint review_target_is_in_same_account foreign key (account_id, target_scope_id) references scopes (account_id, id),
  constraint reviewer_is_in_same_account foreign key (account_id, assigned_peer_id) references peers (account_id, id),
  constraint review_decider_is_in_same_account foreign key (account_id, decided_by) references peers (account_id, id),
  constraint decided_review_has_its_time check ((state in ('approved', 'rejected', 'merged')) = (decided_at is not null))
);
create index review_items_open on review_items (account_id, state, due_at)
  where state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
call secure_account_table('review_items');

-- Append-only record f4-1: what a gate, a person or a sweep decided. Holds a hash, never the text.
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
  decided_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint decided_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint decided_review_is_in_same_account foreign key (account_id, review_item_id) references review_items (account_id, id),
  constraint decided_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint decided_rule_is_in_same_account foreign key (account_id, rule_id) references gate_rules (account_id, id),
  constraint decision_reason_is_a_code check (reason ~ '^[a-z][a-z0-9_]{1,63}$')
);
create index gate_decisions_by_knowledge on gate_decisions (account_id, knowledge_id, decided_at);
call secure_account_table('gate_decisions');

create table consents (
  account_id uuid not null,
  id uuid not null,
  knowledge_id uuid not null,
  subject_peer_id uuid not null,
  target_scope_id uuid not null,
  status consent_status not null default 'pending',
  channel decision_channel not null,
  verified boolean not null default false,
  decided_by uuid,
  decided_at timestamptz,
  requested_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint consent_is_asked_once unique (account_id, knowledge_id, subject_peer_id, target_scope_id),
  constraint consent_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint consent_subject_is_in_same_account foreign key (account_id, subject_peer_id) references peers (account_id, id),
  constraint consent_target_is_in_same_account foreign key (account_id, target_scope_id) references scopes (account_id, id),
  constraint decided_consent_has_its_time check ((status = 'pending') = (decided_at is null))
);
call secure_account_table('consents');

-- Append-only. Ids carry no foreign keys, so that erasure cannot break the chain; `transaction_id` lets a
-- sealer take only rows older than every open transaction.
create table audit_events (
  account_id uuid not null references accounts (id),
  id uuid not null,
  category audit_category not null,
  action text not null,
  actor_kind actor_kind not null,
  actor_peer_id uuid,
  credential_id uuid,
  resource_type text not null,
  resource_id uuid,
  metadata jsonb not null default '{}',
  content_hash bytea,
  transaction_id xid8 not null default pg_current_xact_id(),
  occurred_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id),
  constraint audit_action_is_a_code check (action ~ '^[a-z][a-z0-9_.]{1,63}$'),
  constraint audit_resource_type_is_a_code check (resource_type ~ '^[a-z][a-z0-9_]{1,63}$')
);
create index audit_events_by_resource on audit_events (account_id, resource_id, occurred_at);
call secure_account_table('audit_events');

grant select, insert, update on gate_rules, review_items, consents to vouch_app;
grant select, insert on gate_decisions, audit_events to vouch_app;
