-- A statement is found by words of its sources, by those who read all of them. Who joins a whole session reads what was
-- said before. So a mark of a message says that its readers changed: once it is written, the statements that were drawn
-- from it are written too, page by page, by the worker and not by the request of the one who joins.
alter table dirty_marks add column readers_changed boolean not null default false;

create or replace function mark_read_messages(p_account uuid, p_session uuid, p_scope uuid, p_shard smallint) returns void
language plpgsql as $$
begin
  if (select count(*) from (
      select from session_participants p
      where p.account_id = p_account and p.session_id = p_session and p.scope_id = p_scope limit 67) present) > 65 then
    return;
  end if;
  insert into dirty_marks as m (account_id, engine, unit, unit_id, scope_id, shard, readers_changed)
    select p_account, e.engine, 'message', said.id, p_scope, p_shard, e.engine = 'qdrant'
    from (
      select w.id from messages w
      where w.account_id = p_account and w.session_id = p_session and w.scope_id = p_scope
      order by w.occurred_at desc, w.recorded_at desc, w.id desc limit 200
    ) said
    cross join unnest(enum_range(null::index_engine)) as e (engine)
    order by e.engine, said.id
    on conflict (account_id, engine, unit, unit_id) do update
    set generation = excluded.generation, available_at = least(m.available_at, clock_timestamp()),
      readers_changed = m.readers_changed or excluded.readers_changed;
end $$;
