-- Accounts, scopes, peers, logins, credentials, grants.
-- Four roles exist before the first migration (see stores/postgres/provision.ts):
--   vouch_owner   owns every table and runs migrations
--   vouch_app     what the service connects as; owns nothing, bypasses nothing
--   vouch_lookup  owns the functions that look across accounts; cannot log in
--   vouch_eraser  owns the function that deletes messages; cannot log in
-- Every account-owned table has (account_id, id) as key, so that every reference between two of them
-- carries the account and can never cross it.

revoke create on schema public from public;
grant usage on schema public to vouch_app, vouch_lookup, vouch_eraser;

-- The account of the running transaction. An unset or reset setting reads as '' and must match nothing.
create function current_account() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.account_id', true), '')::uuid;

-- Puts one table under forced row security for the account in `app.account_id`.
create procedure secure_account_table(target regclass, account_column name default 'account_id')
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy own_account on %s using (%I = current_account()) with check (%I = current_account())',
    target, account_column, account_column);
end $$;

create type peer_kind as enum ('human', 'agent');
create type role_name as enum ('reader', 'member', 'curator', 'account_admin');
create type grant_effect as enum ('allow', 'deny');
create type credential_kind as enum ('api_key', 'password_token', 'bootstrap_token', 'browser_session');
create type gate_preset as enum ('strict', 'assisted', 'unattended');
create type consent_mode as enum ('subject_required', 'auto');

create table accounts (
  id uuid primary key,
  key text not null,
  name text not null,
  gate_preset gate_preset not null default 'strict',
  consent_mode consent_mode not null default 'subject_required',
  created_at timestamptz not null default now(),
  constraint account_key_is_unique unique (key),
  constraint account_key_has_1_to_256_characters check (char_length(key) between 1 and 256)
);
call secure_account_table('accounts', 'id');

create table scopes (
  account_id uuid not null references accounts (id),
  id uuid not null,
  path text not null,
  parent_id uuid,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint scope_path_is_unique_in_account unique (account_id, path),
  constraint scope_parent_is_in_same_account foreign key (account_id, parent_id) references scopes (account_id, id),
  constraint scope_path_is_absolute check (path = '/' or (path ~ '^/' and path !~ '/$' and path !~ '//')),
  constraint only_the_root_scope_has_no_parent check ((path = '/') = (parent_id is null))
);
call secure_account_table('scopes');

create table peers (
  account_id uuid not null references accounts (id),
  id uuid not null,
  key text not null,
  name text not null,
  kind peer_kind not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint peer_key_is_unique_in_account unique (account_id, key),
  constraint peer_key_has_1_to_256_characters check (char_length(key) between 1 and 256),
  constraint peer_name_has_1_to_256_characters check (char_length(name) between 1 and 256)
);
call secure_account_table('peers');

-- A login is how a person signs in; the person itself is a peer, which agents may have known first.
create table logins (
  account_id uuid not null references accounts (id),
  id uuid not null,
  peer_id uuid not null,
  email text not null,
  password_hash text not null,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint login_email_is_unique_in_deployment unique (email),
  constraint peer_has_one_login unique (account_id, peer_id),
  constraint login_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id),
  constraint login_email_is_lower_case check (email = lower(email))
);
call secure_account_table('logins');

-- Bearer credentials of every kind. Only a SHA-256 of the secret is kept.
create table credentials (
  account_id uuid not null references accounts (id),
  id uuid not null,
  kind credential_kind not null,
  secret_hash bytea not null,
  peer_id uuid,
  login_id uuid,
  name text,
  pin_path text,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint credential_secret_is_unique unique (secret_hash),
  constraint credential_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id),
  constraint credential_login_is_in_same_account foreign key (account_id, login_id) references logins (account_id, id),
  constraint credential_secret_is_a_sha256 check (octet_length(secret_hash) = 32),
  constraint only_people_have_a_login check ((login_id is null) = (kind = 'api_key')),
  constraint only_an_api_key_may_lack_a_peer check (peer_id is not null or kind = 'api_key'),
  constraint only_an_api_key_never_expires check (expires_at is not null or kind = 'api_key')
);
create index credentials_by_peer on credentials (account_id, peer_id);
call secure_account_table('credentials');

-- A grant is held by a peer, or by an API key that has no peer. It names a path, not a scope row:
-- the role at a path does not depend on whether the scope exists yet.
create table grants (
  account_id uuid not null references accounts (id),
  id uuid not null,
  peer_id uuid,
  credential_id uuid,
  scope_path text not null,
  role role_name not null,
  effect grant_effect not null default 'allow',
  propagate boolean not null default true,
  granted_by uuid,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint grant_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id),
  constraint grant_credential_is_in_same_account foreign key (account_id, credential_id) references credentials (account_id, id),
  constraint grant_has_exactly_one_holder check (num_nonnulls(peer_id, credential_id) = 1),
  constraint grant_is_given_once unique nulls not distinct (account_id, peer_id, credential_id, scope_path, role, effect, propagate)
);
create index grants_by_credential on grants (account_id, credential_id) where credential_id is not null;
call secure_account_table('grants');

-- Sign-in attempts of the last minutes, for the two limits. Not account-owned: a failed attempt has no
-- account. E-mail and address are kept as keyed hashes only.
create table sign_in_attempts (
  id uuid primary key,
  email_hash bytea not null,
  address_hash bytea not null,
  succeeded boolean not null,
  attempted_at timestamptz not null default now()
);
create index sign_in_attempts_by_email on sign_in_attempts (email_hash, attempted_at);
create index sign_in_attempts_by_address on sign_in_attempts (address_hash, attempted_at);

grant select, insert, update on accounts, scopes, peers, logins, credentials to vouch_app;
grant select, insert, update, delete on grants, sign_in_attempts to vouch_app;
