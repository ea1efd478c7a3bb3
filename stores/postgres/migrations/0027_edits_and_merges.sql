-- What a curator put into other words, or merged into another statement. An edited text keeps the id of the statement
-- that it replaces; that one stands until the new text is placed.
alter table knowledge
  add column replaces_id uuid,
  add column merged_into_id uuid,
  add constraint replaced_knowledge_is_in_same_account foreign key (account_id, replaces_id)
    references knowledge (account_id, id) on delete set null (replaces_id),
  add constraint merged_knowledge_is_in_same_account foreign key (account_id, merged_into_id)
    references knowledge (account_id, id) on delete set null (merged_into_id);

-- Few statements are edited or merged.
create index knowledge_replacing on knowledge (account_id, replaces_id) where replaces_id is not null;
create index knowledge_merged_into on knowledge (account_id, merged_into_id) where merged_into_id is not null;
