-- The words of a scope, by which a word that nobody wrote like that is repaired (ADR 50). Only what every peer of the scope
-- may read is here: active statements, public or internal. All three tables are derived, and change in the transaction that
-- counts the words of a statement.

-- The words that count for a statement, so that a change or a deletion moves the counts exactly.
create table statement_words (
  account_id uuid not null,
  statement_id uuid not null,
  scope_id uuid not null,
  words text[] not null,
  primary key (account_id, statement_id),
  constraint worded_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id)
);
call secure_account_table('statement_words');

-- Each word of a scope, with the number of statements that hold it.
create table scope_words (
  account_id uuid not null,
  scope_id uuid not null,
  word text collate "C" not null,
  statements integer not null,
  primary key (account_id, scope_id, word),
  constraint listing_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint listed_word_has_1_to_128_bytes check (octet_length(word) between 1 and 128),
  constraint count_of_a_word_is_not_negative check (statements >= 0)
);
call secure_account_table('scope_words');

-- Each word of a scope under the keys that it shares with words that differ by a slip (domain/text/spelling.ts).
create table scope_word_keys (
  account_id uuid not null,
  scope_id uuid not null,
  key text collate "C" not null,
  word text collate "C" not null,
  primary key (account_id, scope_id, key, word),
  constraint keyed_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint key_of_a_word_has_1_to_128_bytes check (octet_length(key) between 1 and 128),
  constraint keyed_word_has_1_to_128_bytes check (octet_length(word) between 1 and 128)
);
call secure_account_table('scope_word_keys');

grant select, insert, update, delete on statement_words, scope_words, scope_word_keys to vouch_app;
