-- What is served is what is stored. A hold takes words out of texts: then the columns that everybody reads, and that indexes,
-- models and cards are made of, hold what is left, and `unmasked` what was said. `is_served`: the hold left something of it.
-- Nobody has to remember a hold in order not to show it; who may read what was said asks for it by name.
alter table messages
  add column unmasked text,
  add column is_served boolean not null default true,
  add constraint message_that_is_not_served_keeps_what_was_said check (is_served or (unmasked is not null and content = '')),
  add constraint unmasked_message_is_at_most_1_mib check (octet_length(unmasked) <= 1048576);
alter table knowledge
  add column unmasked jsonb,
  add column is_served boolean not null default true,
  drop constraint only_retracted_or_redacted_knowledge_lacks_its_text,
  add constraint only_withdrawn_or_unserved_knowledge_lacks_its_text
    check (statement is not null or state in ('retracted', 'redacted') or not is_served),
  add constraint statement_that_is_not_served_keeps_what_was_said
    check (is_served or (unmasked is not null and statement is null)),
  add constraint withdrawn_statement_keeps_no_words check (unmasked is null or state not in ('retracted', 'redacted'));
-- Its wording and its span, where they are not those of what is served.
alter table provenance add column unmasked jsonb;

-- Whoever withdraws a statement, or gives it other words, does not have to know that a hold had taken some of them. Other words
-- have another digest; what a hold leaves of words has theirs.
create function drop_unmasked_words() returns trigger language plpgsql as $$
begin
  if new.state in ('retracted', 'redacted') or new.statement_hash <> old.statement_hash then
    new.unmasked := null;
    new.is_served := true;
  end if;
  return new;
end $$;
create trigger unmasked_words_follow_the_statement before update on knowledge
  for each row when (old.unmasked is not null) execute function drop_unmasked_words();

-- Bytes of messages are those of what is served, as those of statements are.
create function enter_changed_message() returns trigger language plpgsql as $$
begin
  insert into activity_entries (account_id, day, message_bytes)
  values (new.account_id, (clock_timestamp() at time zone 'UTC')::date,
    octet_length(new.content) - octet_length(old.content));
  return null;
end $$;
create trigger usage_follows_messages after update of content on messages
  for each row when (octet_length(old.content) is distinct from octet_length(new.content))
  execute function enter_changed_message();

-- Says for messages what is served of them: `{id, text}`, null for nothing. The service itself may not change what was said; with
-- this it can only put it aside, and a text that is again as it was said is put back. Answers how many messages changed.
grant create on schema public to vouch_eraser;
create function serve_messages(p_account uuid, p_texts jsonb) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_changed integer;
begin
  if p_account is distinct from current_account() then
    raise exception 'messages are served in the account of the transaction only';
  end if;
  with said as materialized (
    select m.id, coalesce(m.unmasked, m.content) as original, given.text
    from jsonb_to_recordset(p_texts) as given (id uuid, text text)
    join messages m on m.account_id = p_account and m.id = given.id
    order by m.id for no key update of m
  )
  update messages m set content = coalesce(said.text, ''), is_served = said.text is not null,
      unmasked = case when said.text is distinct from said.original then said.original end
    from said
    where m.account_id = p_account and m.id = said.id
      and (m.content, m.is_served) is distinct from (coalesce(said.text, ''), said.text is not null);
  get diagnostics v_changed = row_count;
  return v_changed;
end $$;
revoke all on function serve_messages(uuid, jsonb) from public;
grant execute on function serve_messages(uuid, jsonb) to vouch_app;
alter function serve_messages(uuid, jsonb) owner to vouch_eraser;
revoke create on schema public from vouch_eraser;
grant update (content, unmasked, is_served) on messages to vouch_eraser;
