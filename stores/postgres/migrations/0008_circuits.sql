-- The circuit of a provider, shared by all processes. No row: closed, and nothing failed yet.

create type circuit_state as enum ('closed', 'open', 'half_open');

create table provider_circuits (
  account_id uuid not null references accounts (id),
  role model_role not null,
  provider text not null,
  model text not null,
  state circuit_state not null default 'closed',
  consecutive_failures integer not null default 0,
  -- End of the open time, or of the time that a probe has.
  blocked_until timestamptz,
  probe_owner uuid,
  primary key (account_id, role, provider, model),
  constraint closed_circuit_blocks_nothing check ((state = 'closed') = (blocked_until is null)),
  constraint half_open_circuit_has_its_probe check ((state = 'half_open') = (probe_owner is not null)),
  constraint failure_count_is_not_negative check (consecutive_failures >= 0)
);
call secure_account_table('provider_circuits');

grant select, insert, update on provider_circuits to vouch_app;
