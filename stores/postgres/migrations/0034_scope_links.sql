-- Links between scopes, for reads that ask for them. A link has no direction: the lower id stands first.
create table scope_links (
  account_id uuid not null references accounts (id),
  low_scope_id uuid not null,
  high_scope_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, low_scope_id, high_scope_id),
  constraint low_linked_scope_is_in_same_account foreign key (account_id, low_scope_id)
    references scopes (account_id, id),
  constraint high_linked_scope_is_in_same_account foreign key (account_id, high_scope_id)
    references scopes (account_id, id),
  constraint scope_link_has_two_ends_in_order check (low_scope_id < high_scope_id)
);
create index scope_links_by_high on scope_links (account_id, high_scope_id);
call secure_account_table('scope_links');
grant select, insert, delete on scope_links to vouch_app;
