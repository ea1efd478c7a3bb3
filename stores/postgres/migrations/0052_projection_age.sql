-- How long the oldest change has waited to be built into projections, over all accounts. Marks become work within a second
-- or two, so of them the first accounts are looked at; work that fails stays, and is found by its age.
create index projection_work_by_age on projection_work (marked_at);
grant select (id, marked_at) on projection_marks to vouch_lookup;
grant select (marked_at) on projection_work to vouch_lookup;

-- Null without any; of marks those of the first accounts that have some, as many as `page`.
do $$ begin grant create on schema public to vouch_lookup; end $$;
create function lookup_oldest_projection_mark(page integer) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    with recursive walk (account_id, n) as (
      select (select m.account_id from projection_marks m order by m.account_id limit 1), 1
      union all
      select (
          select m.account_id from projection_marks m where m.account_id > walk.account_id
          order by m.account_id limit 1),
        walk.n + 1
      from walk where walk.n < page and walk.account_id is not null
    )
    select least(
      (select min(oldest.marked_at) from walk cross join lateral (
        select m.marked_at from projection_marks m where m.account_id = walk.account_id order by m.id limit 1) oldest),
      (select w.marked_at from projection_work w order by w.marked_at limit 1));
  end;
do $$
begin
  revoke all on function lookup_oldest_projection_mark(integer) from public;
  grant execute on function lookup_oldest_projection_mark(integer) to vouch_app;
  alter function lookup_oldest_projection_mark(integer) owner to vouch_lookup;
  revoke create on schema public from vouch_lookup;
end $$;
