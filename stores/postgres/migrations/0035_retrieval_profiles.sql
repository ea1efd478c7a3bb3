-- What operators set in place of the values of a retrieval profile, for a scope or, without one, for the account. Null
-- leaves a value as the profile has it. `strategies` is an object of weights by name.
create type overridable_profile as enum ('fast', 'balanced', 'thorough');

create table retrieval_profiles (
  account_id uuid not null references accounts (id),
  id uuid not null,
  profile overridable_profile not null,
  scope_id uuid,
  strategies jsonb,
  deadline_ms integer,
  rrf_k integer,
  rerank boolean,
  set_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id),
  constraint overridden_scope_is_in_same_account foreign key (account_id, scope_id)
    references scopes (account_id, id),
  constraint one_override_of_a_profile_at_a_place unique nulls not distinct (account_id, scope_id, profile),
  constraint override_sets_something check (num_nonnulls(strategies, deadline_ms, rrf_k, rerank) > 0),
  constraint override_weighs_strategies_by_name check (jsonb_typeof(strategies) = 'object'),
  constraint override_deadline_is_20_ms_to_10_s check (deadline_ms between 20 and 10000),
  constraint override_rrf_k_is_1_to_1000 check (rrf_k between 1 and 1000)
);
call secure_account_table('retrieval_profiles');
grant select, insert, update, delete on retrieval_profiles to vouch_app;
