-- What an account wants done with an observation that holds a credential. Statements, and what a provider is
-- shown, are masked under either policy.

create type secret_policy as enum ('keep', 'refuse');
alter table accounts add column secret_policy secret_policy not null default 'keep';
