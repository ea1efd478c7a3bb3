-- What is kept for a time only: ended runs, finished calls of the ledger, decisions of the gates, changes of state, ended
-- tokens. A daily pass deletes it page by page, each page a transaction. The service itself may delete none of it: each
-- function below holds the conditions under which a row goes, and none deletes anything else.

alter type sweep_kind add value 'retention';

-- What a pass deletes, by table.
create type retention_kind as enum (
  'runs', 'attempts', 'usage_days', 'request_days', 'gate_decisions', 'lifecycle_events', 'tokens');

-- Rows that pages have deleted and no audit event has told of yet. A page adds to them in its own transaction, and the
-- transaction that writes the event takes them: whatever dies in between, the next event counts them.
create table retention_tallies (
  account_id uuid not null references accounts (id),
  kind retention_kind not null,
  pruned bigint not null,
  primary key (account_id, kind)
);
call secure_account_table('retention_tallies');
grant select, insert, update, delete on retention_tallies to vouch_app;

-- Scopes of which calls to the extractor are gone from the ledger: their evidence is not whole any more. Written in the
-- transaction that deletes the calls, and never removed. Beside the scopes and not on them, so that a page waits for nobody
-- who writes in one.
create table pruned_scopes (
  account_id uuid not null,
  scope_id uuid not null,
  pruned_at timestamptz not null default now(),
  primary key (account_id, scope_id)
);
call secure_account_table('pruned_scopes');
grant select on pruned_scopes to vouch_app;
grant select, insert on pruned_scopes to vouch_eraser;

-- When a run ended: `processed_at`, or for runs of earlier builds that ended otherwise than complete, when they began.
create index pipeline_runs_ended on pipeline_runs (account_id, (coalesce(processed_at, dispatched_at, created_at)), id)
  where status in ('completed', 'cancelled', 'discarded', 'failed');

-- The least id that is made at that instant: ids are of version 7, so their order is the order in which rows were made.
create function least_id_at(p_at timestamptz) returns uuid
  language sql immutable parallel safe
  return (lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;

-- Begins a page: in the account of the transaction only, at least a day back, and one page of an account at a time, so that
-- passes side by side neither wait in a circle nor count a row twice. Answers the instant before which rows go.
create function begin_retention_page(p_account uuid, p_days integer) returns timestamptz
  language plpgsql as $$
begin
  if p_account is distinct from current_account() then
    raise exception 'rows are pruned in the account of the transaction only';
  end if;
  if p_days is null or p_days < 1 then
    raise exception 'rows are kept for a day at least';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('retention/' || p_account, 0));
  return now() - make_interval(days => p_days);
end $$;

-- The most rows that one page looks at.
create function retention_page_rows(p_limit integer) returns integer
  language sql immutable parallel safe
  return least(greatest(p_limit, 1), 10000);

-- Every function below looks at one page of rows behind (p_at, p_id), deletes those that go, and answers how many did and
-- where the page ended: null after the last page. Rows that stay are passed over once in a pass. The rows are found by
-- their keys (`any(array(...))`, `offset 0`), whatever the planner believes of their number.

-- Runs that ended. A run that comes back is not over: one that failed for a while, a contest, an erasure or a rebuild
-- without its end, a decision that is still to be carried out. The runs of a campaign stay.
create function prune_runs(p_account uuid, p_days integer, p_at timestamptz, p_id uuid, p_limit integer)
  returns table (pruned integer, last_at timestamptz, last_id uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select r.id, coalesce(r.processed_at, r.dispatched_at, r.created_at) as at
      from pipeline_runs r
      where r.account_id = p_account and r.status in ('completed', 'cancelled', 'discarded', 'failed')
        and coalesce(r.processed_at, r.dispatched_at, r.created_at) < v_before
        and (coalesce(r.processed_at, r.dispatched_at, r.created_at), r.id)
          > (coalesce(p_at, '-infinity'), coalesce(p_id, '00000000-0000-0000-0000-000000000000'))
      order by coalesce(r.processed_at, r.dispatched_at, r.created_at), r.id limit v_rows
    ), gone as (
      -- The conditions stand here, on the rows as they are when they are deleted.
      delete from pipeline_runs r
      where r.account_id = p_account and r.id = any(array(select page.id from page))
        and coalesce(r.processed_at, r.dispatched_at, r.created_at) < v_before
        and case r.status
          when 'completed' then true
          when 'cancelled' then r.kind not in ('contest', 'erasure', 'import_rebuild')
          when 'discarded' then r.kind not in ('contest', 'erasure', 'import_rebuild')
          when 'failed' then r.kind not in ('contest', 'erasure', 'import_rebuild')
            and (r.last_error_class is null or r.last_error_class not in (
              'request_timeout', 'transport_error', 'provider_rate_limited', 'provider_upstream_error',
              'circuit_open', 'internal_error', 'token_budget_exhausted'))
          else false end
        and r.kind <> 'campaign'
        and not exists (
          select from scheduled_decisions d
          where d.account_id = p_account and d.review_item_id = r.target_id and d.run_id = r.id
            and d.state = 'scheduled' offset 0)
      returning 1
    ), last as (
      select page.at, page.id from page offset v_rows - 1
    )
    select (select count(*)::integer from gone), (select last.at from last), (select last.id from last);
end $$;

-- Finished calls. Those of a campaign stay, and those below the root of an extraction budget until that budget has been
-- closed for as long: by a refusal, or by its deadline, after which nothing opens it again. What a call used was added to
-- its day in the transaction in which it ended (migration 0081), so it is counted whenever its row goes.
create function prune_attempts(p_account uuid, p_days integer, p_at timestamptz, p_id uuid, p_limit integer)
  returns table (pruned integer, last_at timestamptz, last_id uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      -- No call ends before it is reserved.
      select a.id, a.reserved_at as at, a.scope_id, a.budget_id
      from provider_attempts a
      where a.account_id = p_account and a.reserved_at < v_before
        and (a.reserved_at, a.id)
          > (coalesce(p_at, '-infinity'), coalesce(p_id, '00000000-0000-0000-0000-000000000000'))
      order by a.reserved_at, a.id limit v_rows
    ), kept_scope as materialized (
      select s.id from scopes s
      where s.account_id = p_account
        and s.id = any(array(select distinct page.scope_id from page where page.scope_id is not null))
        and exists (
          select from extraction_budgets b
          where b.account_id = p_account
            and b.scope_root_hash = any(array(select text_sha256(root) from unnest(scope_chain(s.path)) root))
            and coalesce(b.closed_at, b.deadline_at) >= v_before offset 0)
    ), kept_budget as materialized (
      select b.id from extraction_budgets b
      where b.account_id = p_account
        and b.id = any(array(select distinct page.budget_id from page where page.budget_id is not null))
        and coalesce(b.closed_at, b.deadline_at) >= v_before
    ), gone as (
      delete from provider_attempts a
      where a.account_id = p_account and a.id = any(array(select page.id from page)) and a.campaign_id is null
        and a.state not in ('reserved', 'dispatched') and a.finished_at < v_before
        and not exists (select from kept_scope where kept_scope.id = a.scope_id)
        and not exists (select from kept_budget where kept_budget.id = a.budget_id)
      returning a.scope_id, a.role
    ), marked as (
      insert into pruned_scopes (account_id, scope_id)
      select distinct p_account, gone.scope_id from gone
      where gone.role = 'ingest_extractor' and gone.scope_id is not null
      on conflict (account_id, scope_id) do nothing
    ), last as (
      select page.at, page.id from page offset v_rows - 1
    )
    select (select count(*)::integer from gone), (select last.at from last), (select last.id from last);
end $$;

-- What was used on days that are over for as long, and by which scope: the oldest first, through the key. All of it goes, so
-- a page needs no place. The service may delete these rows.
create function prune_usage_days(p_account uuid, p_days integer, p_at timestamptz, p_id uuid, p_limit integer)
  returns table (pruned integer, last_at timestamptz, last_id uuid)
  language plpgsql as $$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_day constant date := (v_before at time zone 'UTC')::date;
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select u.ctid as place from usage_days u
      where u.account_id = p_account and u.day < v_day order by u.day limit v_rows
    ), scope_page as materialized (
      select u.ctid as place from usage_scope_days u
      where u.account_id = p_account and u.day < v_day order by u.day limit v_rows
    ), gone as (
      delete from usage_days u where u.ctid = any(array(select page.place from page))
        and u.account_id = p_account and u.day < v_day
      returning 1
    ), scope_gone as (
      delete from usage_scope_days u where u.ctid = any(array(select scope_page.place from scope_page))
        and u.account_id = p_account and u.day < v_day
      returning 1
    ), counted as (
      select (select count(*) from gone)::integer as days, (select count(*) from scope_gone)::integer as scope_days
    ), known as (
      insert into usage_totals as t (account_id, pruned_before)
      select p_account, v_day from counted where counted.days + counted.scope_days > 0
      on conflict (account_id) do update set pruned_before = greatest(t.pruned_before, excluded.pruned_before)
    )
    select counted.days + counted.scope_days, v_before,
      case when greatest(counted.days, counted.scope_days) = v_rows then p_account end
    from counted;
end $$;

-- And with them what counted against the daily limits of these days.
grant delete on token_days to vouch_app;
create function prune_request_days(p_account uuid, p_days integer, p_at timestamptz, p_id uuid, p_limit integer)
  returns table (pruned integer, last_at timestamptz, last_id uuid)
  language plpgsql as $$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_day constant date := (v_before at time zone 'UTC')::date;
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select r.day from request_days r
      where r.account_id = p_account and r.day < v_day order by r.day limit v_rows
    ), gone as (
      delete from request_days r
      where r.account_id = p_account and r.day = any(array(select page.day from page))
      returning 1
    ), token_page as materialized (
      select t.day, t.role from token_days t
      where t.account_id = p_account and t.day < v_day order by t.day limit v_rows
    ), tokens_gone as (
      delete from token_days t using token_page
      where t.account_id = p_account and t.day = token_page.day and t.role = token_page.role
      returning 1
    ), counted as (
      select (select count(*) from gone)::integer as days, (select count(*) from tokens_gone)::integer as token_rows
    ), known as (
      insert into usage_totals as t (account_id, pruned_before)
      select p_account, v_day from counted where counted.days > 0
      on conflict (account_id) do update set pruned_before = greatest(t.pruned_before, excluded.pruned_before)
    )
    select counted.days + counted.token_rows, v_before,
      case when greatest(counted.days, counted.token_rows) = v_rows then p_account end
    from counted;
end $$;

-- Decisions of the gates, along their ids.
create function prune_gate_decisions(p_account uuid, p_days integer, p_at timestamptz, p_id uuid, p_limit integer)
  returns table (pruned integer, last_at timestamptz, last_id uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select g.id from gate_decisions g
      where g.account_id = p_account and g.id < least_id_at(v_before)
        and g.id > coalesce(p_id, '00000000-0000-0000-0000-000000000000')
      order by g.id limit v_rows
    ), gone as (
      delete from gate_decisions g
      where g.account_id = p_account and g.id = any(array(select page.id from page)) and g.decided_at < v_before
      returning 1
    ), last as (
      select page.id from page offset v_rows - 1
    )
    select (select count(*)::integer from gone), (select v_before from last), (select last.id from last);
end $$;

-- Changes of state, along their ids. That a document ended a statement stays while it is ended: a later version of the
-- document that says it again brings it back.
create function prune_lifecycle_events(p_account uuid, p_days integer, p_at timestamptz, p_id uuid, p_limit integer)
  returns table (pruned integer, last_at timestamptz, last_id uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select e.id from lifecycle_events e
      where e.account_id = p_account and e.id < least_id_at(v_before)
        and e.id > coalesce(p_id, '00000000-0000-0000-0000-000000000000')
      order by e.id limit v_rows
    ), gone as (
      delete from lifecycle_events e
      where e.account_id = p_account and e.id = any(array(select page.id from page)) and e.occurred_at < v_before
        and not (e.reason = 'document_revised' and exists (
          select from knowledge k
          where k.account_id = p_account and k.id = e.knowledge_id and k.state = 'superseded' offset 0))
      returning 1
    ), last as (
      select page.id from page offset v_rows - 1
    )
    select (select count(*)::integer from gone), (select v_before from last), (select last.id from last);
end $$;

-- Tokens and sessions of people that ended, along their ids. One stays while a row needs it: a grant, a request that may
-- be repeated, an open question that was put to it. What was written with one keeps its id, as the audit log does. Keys
-- stay.
create function prune_tokens(p_account uuid, p_days integer, p_at timestamptz, p_id uuid, p_limit integer)
  returns table (pruned integer, last_at timestamptz, last_id uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_before constant timestamptz := begin_retention_page(p_account, p_days);
  v_rows constant integer := retention_page_rows(p_limit);
begin
  return query
    with page as materialized (
      select c.id from credentials c
      where c.account_id = p_account and c.id < least_id_at(v_before)
        and c.id > coalesce(p_id, '00000000-0000-0000-0000-000000000000')
      order by c.id limit v_rows
    ), over as materialized (
      select c.id from credentials c
      where c.account_id = p_account and c.id = any(array(select page.id from page))
        and c.kind <> 'api_key' and least(c.expires_at, c.revoked_at) < v_before
        and not exists (
          select from grants g where g.account_id = p_account and g.credential_id = c.id offset 0)
        and not exists (
          select from idempotency_records i where i.account_id = p_account and i.credential_id = c.id offset 0)
        and not exists (
          select from question_deliveries d
          join questions q on q.account_id = d.account_id and q.id = d.question_id
          where d.account_id = p_account and d.peer_id = c.peer_id and d.credential_id = c.id
            and d.delivered_at between c.created_at and c.expires_at and q.ended_at is null offset 0)
    ), browsed as (
      delete from browser_sessions b
      where b.account_id = p_account and b.credential_id = any(array(select over.id from over))
    ), gone as (
      delete from credentials c
      where c.account_id = p_account and c.id = any(array(select over.id from over)) and c.kind <> 'api_key'
      returning 1
    ), last as (
      select page.id from page offset v_rows - 1
    )
    select (select count(*)::integer from gone), (select v_before from last), (select last.id from last);
end $$;

grant select, delete on pipeline_runs, provider_attempts, gate_decisions, lifecycle_events, credentials,
  browser_sessions to vouch_eraser;
grant select on extraction_budgets, scopes, scheduled_decisions, knowledge, grants, idempotency_records,
  question_deliveries, questions to vouch_eraser;

do $$
declare
  target regprocedure;
begin
  grant create on schema public to vouch_eraser;
  foreach target in array array[
      'prune_runs(uuid, integer, timestamptz, uuid, integer)',
      'prune_attempts(uuid, integer, timestamptz, uuid, integer)',
      'prune_gate_decisions(uuid, integer, timestamptz, uuid, integer)',
      'prune_lifecycle_events(uuid, integer, timestamptz, uuid, integer)',
      'prune_tokens(uuid, integer, timestamptz, uuid, integer)']::regprocedure[] loop
    execute format('revoke all on function %s from public', target);
    execute format('grant execute on function %s to vouch_app', target);
    execute format('alter function %s owner to vouch_eraser', target);
  end loop;
  revoke create on schema public from vouch_eraser;
end $$;
