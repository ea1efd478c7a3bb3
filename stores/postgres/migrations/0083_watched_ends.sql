-- Discarded runs wait to be replayed, so readiness counts them as unfinished. Ended ones that stay cancelled are not.
drop index pipeline_runs_unfinished;
create index pipeline_runs_unfinished on pipeline_runs (created_at)
  where status in ('pending', 'running', 'failed', 'discarded');

drop function count_unfinished_runs(integer);
create function count_unfinished_runs(most integer)
  returns table (kind run_kind, status run_status, total integer, oldest_age_seconds integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.kind, r.status, count(*)::integer,
      coalesce(max(extract(epoch from clock_timestamp() - r.created_at)), 0)::integer
    from (
      select w.kind, w.status, w.created_at from pipeline_runs w
      where w.status in ('pending', 'running', 'failed', 'discarded') order by w.created_at limit most
    ) r group by 1, 2;
  end;

-- An erasure that has not ended, whatever became of its runs: runs that failed for good do not hide it, as they would in a
-- count of all runs that ends at a number.
create index pipeline_runs_erasures on pipeline_runs (created_at) where kind = 'erasure' and status <> 'completed';

create function lookup_oldest_erasure() returns timestamptz
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select w.created_at from pipeline_runs w where w.kind = 'erasure' and w.status <> 'completed'
    order by w.created_at limit 1;
  end;

-- Items of the desk that wait for a person although their time has passed, by kind, in the first accounts with open items.
-- An escalated item is one of them: its new time, a day later, is the last. An item that waits for its subject's consent has
-- no time. Contests are looked up by themselves, so that many other items do not hide one. What is read ends at a number,
-- whatever of it counts.
grant select (kind, escalated_at) on review_items to vouch_lookup;

create function count_overdue_reviews(accounts integer, most integer)
  returns table (kind review_kind, total integer, oldest_overdue_seconds integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    with recursive walk (account_id, n) as (
      select (select i.account_id from review_items i
        where i.state in ('pending', 'escalated', 'awaiting_consent', 'deferred') order by i.account_id limit 1), 1
      union all
      select (select i.account_id from review_items i
        where i.state in ('pending', 'escalated', 'awaiting_consent', 'deferred') and i.account_id > walk.account_id
        order by i.account_id limit 1), walk.n + 1
      from walk where walk.n < accounts and walk.account_id is not null
    ), contests as (
      select o.kind, o.state, o.due_at, o.escalated_at
      from walk cross join lateral (
        select i.kind, i.state, i.due_at, i.escalated_at from review_items i
        where i.account_id = walk.account_id and i.kind = 'contest'
          and i.state in ('pending', 'escalated', 'awaiting_consent', 'deferred')
          and i.due_at < clock_timestamp() + interval '1 day'
        order by i.due_at, i.id limit most) o
      limit most
    ), items as (
      select o.kind, o.state, o.due_at, o.escalated_at
      from walk cross join lateral (
        select i.kind, i.state, i.due_at, i.escalated_at from review_items i
        where i.account_id = walk.account_id
          and i.state in ('pending', 'escalated', 'awaiting_consent', 'deferred')
          and i.due_at < clock_timestamp() + interval '1 day'
        order by i.due_at, i.id limit most) o
      limit most
    )
    select l.kind, count(*)::integer,
      max(extract(epoch from clock_timestamp() - least(l.due_at, l.escalated_at)))::integer
    from (select * from contests union all select * from items i where i.kind <> 'contest') l
    where l.state = 'escalated' or (l.state in ('pending', 'deferred') and l.due_at < clock_timestamp())
    group by 1;
  end;

-- Up to where the reconcile has compared the statements of an account with what was made of them.
create table reconcile_places (
  account_id uuid not null primary key,
  -- The next pass begins behind this statement, null at the first.
  after_id uuid,
  constraint reconcile_place_is_of_an_account foreign key (account_id) references accounts (id)
);
call secure_account_table('reconcile_places');
grant select, insert, update, delete on reconcile_places to vouch_app;

-- Hands the new functions to vouch_lookup and lets only vouch_app call them.
do $$
declare f regprocedure;
begin
  grant create on schema public to vouch_lookup;
  foreach f in array array['count_unfinished_runs(integer)', 'lookup_oldest_erasure()',
      'count_overdue_reviews(integer, integer)']::regprocedure[] loop
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to vouch_app', f);
    execute format('alter function %s owner to vouch_lookup', f);
  end loop;
  revoke create on schema public from vouch_lookup;
end $$;
