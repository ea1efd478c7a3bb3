-- Names in statements. Only what every peer of the scope may read is here: active statements, public or internal (ADR 47).
-- Both tables are derived, and change in the transaction that counts the words of a statement.

-- Which statement mentions which name.
create table entity_mentions (
  account_id uuid not null,
  scope_id uuid not null,
  alias text collate "C" not null,
  is_public boolean not null,
  statement_id uuid not null,
  -- False: one capital at the beginning of a sentence is all that speaks for a name.
  is_sure boolean not null,
  -- The name or the key of the person that the statement is about.
  is_of_subject boolean not null,
  primary key (account_id, scope_id, alias, is_public, statement_id),
  constraint mentioning_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint mentioned_name_has_1_to_128_bytes check (octet_length(alias) between 1 and 128)
);
create index entity_mentions_of_statement on entity_mentions (account_id, statement_id);
call secure_account_table('entity_mentions');

-- Each name that a scope knows, under each of its words, with the number of statements that mention it.
create table scope_names (
  account_id uuid not null,
  scope_id uuid not null,
  word text collate "C" not null,
  alias text collate "C" not null,
  statements integer not null,
  public_statements integer not null,
  sure_statements integer not null,
  sure_public_statements integer not null,
  subject_statements integer not null,
  subject_public_statements integer not null,
  primary key (account_id, scope_id, word, alias),
  constraint named_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint known_name_has_1_to_128_bytes check (octet_length(alias) between 1 and 128),
  constraint word_of_a_name_has_1_to_128_bytes check (octet_length(word) between 1 and 128),
  constraint mention_counts_are_not_negative check (
    least(statements, public_statements, sure_statements, sure_public_statements, subject_statements,
      subject_public_statements) >= 0)
);
create index scope_names_in_public on scope_names (account_id, scope_id, word, alias) where public_statements > 0;
call secure_account_table('scope_names');

grant select, insert, update, delete on entity_mentions, scope_names to vouch_app;
