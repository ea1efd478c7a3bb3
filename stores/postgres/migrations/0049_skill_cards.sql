-- What an agent should know before it uses a skill, as curators publish it for a scope and all below it. A version is never
-- changed: publishing enters the next one and retires the one before.
create table skill_cards (
  account_id uuid not null references accounts (id),
  id uuid not null,
  scope_id uuid not null,
  skill text not null,
  version integer not null,
  requirement_schema_version text not null,
  description text,
  requirements jsonb not null,
  -- SHA-256 of description and requirements: equal content makes no new version.
  content_hash bytea not null,
  published_at timestamptz not null,
  retired_at timestamptz,
  primary key (account_id, id),
  constraint skill_card_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint skill_card_version_is_given_once unique (account_id, scope_id, skill, version),
  constraint skill_card_version_is_positive check (version >= 1),
  constraint skill_is_a_slug check (skill ~ '^[a-z0-9]+([-_][a-z0-9]+)*$' and char_length(skill) <= 64),
  constraint skill_requirements_are_a_list check (jsonb_typeof(requirements) = 'array'),
  constraint skill_content_hash_is_a_sha256 check (octet_length(content_hash) = 32),
  constraint skill_card_is_not_retired_before_it_is_published check (retired_at >= published_at)
);
create unique index skill_cards_in_force on skill_cards (account_id, scope_id, skill) where retired_at is null;
create index skill_cards_listed on skill_cards (account_id, scope_id, id desc);
create index skill_cards_retired on skill_cards (account_id, scope_id, retired_at, id) where retired_at is not null;
call secure_account_table('skill_cards');
grant select, insert, update, delete on skill_cards to vouch_app;

-- Statements by what a selector names, the newest first: about a person by kind or by attribute, about a scope by kind.
create index knowledge_of_peer_by_kind on knowledge
  (account_id, subject_peer_id, scope_id, kind, shelf, recorded_at desc, id desc)
  where subject_peer_id is not null and state in ('active', 'needs_revalidation', 'stale', 'expired');
create index knowledge_of_peer_by_attribute on knowledge
  (account_id, subject_peer_id, scope_id, split_part(claim_about, ':', 1), shelf, recorded_at desc, id desc)
  where subject_peer_id is not null and claim_about is not null
    and state in ('active', 'needs_revalidation', 'stale', 'expired');
create index knowledge_of_scope_by_kind on knowledge
  (account_id, scope_id, kind, shelf, recorded_at desc, id desc)
  where subject_peer_id is null and state in ('active', 'needs_revalidation', 'stale', 'expired');
