-- Every text that a statement was said in, where there is more than one: what was merged once stays merged, whatever
-- the embedder says later, or whether it answers at all.
create table knowledge_paraphrases (
  account_id uuid not null,
  knowledge_id uuid not null,
  statement_hash bytea not null,
  primary key (account_id, knowledge_id, statement_hash),
  constraint paraphrased_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint paraphrase_hash_is_sha256 check (octet_length(statement_hash) = 32)
);
create index knowledge_paraphrases_by_text on knowledge_paraphrases (account_id, statement_hash);
call secure_account_table('knowledge_paraphrases');
grant select, insert, delete on knowledge_paraphrases to vouch_app;
