-- Messages of a scope that an index does not show yet: a source search looks at the newest ones.
create index dirty_marks_of_messages_in_points on dirty_marks (account_id, scope_id, marked_at, unit_id)
  where engine = 'qdrant' and unit = 'message';
create index dirty_marks_of_messages_in_records on dirty_marks (account_id, scope_id, marked_at, unit_id)
  where engine = 'meilisearch' and unit = 'message';

-- Who joins a whole session reads also what was said before: the newest 200 of these messages are written to the indexes
-- anew, with that reader. A message with more readers than indexes are told of (64) is found for anybody, so later ones
-- who join change nothing.
create function mark_read_messages(p_account uuid, p_session uuid, p_scope uuid, p_shard smallint) returns void
language plpgsql as $$
begin
  if (select count(*) from (
      select from session_participants p
      where p.account_id = p_account and p.session_id = p_session and p.scope_id = p_scope limit 67) present) > 65 then
    return;
  end if;
  insert into dirty_marks as m (account_id, engine, unit, unit_id, scope_id, shard)
    select p_account, e.engine, 'message', said.id, p_scope, p_shard
    from (
      select w.id from messages w
      where w.account_id = p_account and w.session_id = p_session and w.scope_id = p_scope
      order by w.occurred_at desc, w.recorded_at desc, w.id desc limit 200
    ) said
    cross join unnest(enum_range(null::index_engine)) as e (engine)
    order by e.engine, said.id
    on conflict (account_id, engine, unit, unit_id) do update
    set generation = excluded.generation, available_at = least(m.available_at, clock_timestamp());
end $$;

create or replace function ensure_session(p_account uuid, p_id uuid, p_external_id text, p_shards integer, p_scope uuid, p_speaker uuid, p_vouched boolean, OUT session_id uuid, OUT session_shard smallint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
begin
  select s.id, s.shard into session_id, session_shard
    from sessions s where s.account_id = p_account and s.external_id = p_external_id;
  if session_id is null then
    insert into sessions (account_id, id, external_id, shard)
      values (p_account, p_id, p_external_id, abs(hashtext(p_id::text) % p_shards))
      on conflict on constraint session_id_is_unique_in_account do nothing;
    select s.id, s.shard into session_id, session_shard
      from sessions s where s.account_id = p_account and s.external_id = p_external_id;
    insert into mailboxes (account_id, kind, shard)
      values (p_account, 'ingest', session_shard), (p_account, 'projection', session_shard)
      on conflict do nothing;
  end if;
  perform from session_participants p
    where p.account_id = p_account and p.session_id = ensure_session.session_id and p.scope_id = p_scope
      and p.peer_id = p_speaker and (p.reads_whole_session or not p_vouched);
  if not found then
    insert into session_scopes (account_id, session_id, scope_id) values (p_account, session_id, p_scope)
      on conflict do nothing;
    insert into session_participants as joined (account_id, session_id, scope_id, peer_id, reads_whole_session)
      values (p_account, session_id, p_scope, p_speaker, p_vouched)
      on conflict on constraint session_participants_pkey
      do update set reads_whole_session = joined.reads_whole_session or excluded.reads_whole_session;
    if p_vouched then
      perform mark_read_messages(p_account, session_id, p_scope, session_shard);
    end if;
  end if;
end $function$;
