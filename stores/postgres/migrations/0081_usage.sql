-- What an account used: calls to models, requests, observations and stored bytes, by day. The figures are sums that the
-- service keeps, so that reading them costs the same after a year as after a day.
--
-- Whoever ends a call, records a message or changes a statement adds an entry in the same transaction. Entries are only added,
-- so nobody waits for anybody. Every ten seconds one process folds the entries of an account into the rows of its days, and
-- deletes them, in one transaction. An entry that is committed late is folded late: nothing is passed over, nothing counts twice,
-- and neither the clock nor the numbers of transactions matter. A reader adds the entries that wait to the rows of the days.

-- Calls that have ended, of one statement of SQL and one key. `ledger_rows` counts their rows, those of calls that were never made too.
create table usage_entries (
  account_id uuid not null,
  id bigint generated always as identity,
  day date not null,
  role model_role not null,
  provider text not null,
  model text not null,
  scope_id uuid,
  ledger_rows bigint not null,
  calls bigint not null,
  errors bigint not null,
  unmetered bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  embedding_tokens bigint not null,
  reranker_tokens bigint not null,
  duration_ms bigint not null,
  primary key (account_id, id)
);

-- Everything else that is counted. Numbers are negative for what went.
create table activity_entries (
  account_id uuid not null,
  id bigint generated always as identity,
  -- Of what is counted by day: requests, and what was recorded.
  day date not null,
  api_requests bigint not null default 0,
  ingests bigint not null default 0,
  recorded bigint not null default 0,
  messages bigint not null default 0,
  message_bytes bigint not null default 0,
  statements bigint not null default 0,
  statement_bytes bigint not null default 0,
  version_bytes bigint not null default 0,
  ledger_rows bigint not null default 0,
  primary key (account_id, id)
);

-- Calls by the UTC day of their reservation. A reranker's tokens stand by themselves, because they have a price of their own.
create table usage_days (
  account_id uuid not null,
  day date not null,
  role model_role not null,
  provider text not null,
  model text not null,
  calls bigint not null,
  errors bigint not null,
  unmetered bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  embedding_tokens bigint not null,
  reranker_tokens bigint not null,
  duration_ms bigint not null,
  primary key (account_id, day, role, provider, model)
);

-- The same calls by scope. The scope is null for calls that serve several scopes at once. A table of its own: an account
-- has few models and may have many scopes.
create table usage_scope_days (
  account_id uuid not null,
  day date not null,
  scope_id uuid,
  role model_role not null,
  provider text not null,
  model text not null,
  calls bigint not null,
  errors bigint not null,
  unmetered bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  embedding_tokens bigint not null,
  reranker_tokens bigint not null,
  constraint usage_of_scope_stands_once unique nulls not distinct (account_id, day, scope_id, role, provider, model)
);

-- `ingests`: observations that were accepted. `recorded`: these and the passages of documents.
create table request_days (
  account_id uuid not null,
  day date not null,
  api_requests bigint not null,
  ingests bigint not null,
  recorded bigint not null,
  primary key (account_id, day)
);

-- What the account holds now. `pruned_before`: the first day of which the rows above are still there; null if none went.
create table usage_totals (
  account_id uuid not null primary key,
  messages bigint not null default 0,
  message_bytes bigint not null default 0,
  statements bigint not null default 0,
  statement_bytes bigint not null default 0,
  version_bytes bigint not null default 0,
  ledger_rows bigint not null default 0,
  pruned_before date
);

call secure_account_table('usage_entries');
call secure_account_table('activity_entries');
call secure_account_table('usage_days');
call secure_account_table('usage_scope_days');
call secure_account_table('request_days');
call secure_account_table('usage_totals');
grant select, insert, delete on usage_entries, activity_entries to vouch_app;
grant select, insert, update, delete on usage_days, usage_scope_days, request_days, usage_totals to vouch_app;
-- An erasure deletes messages as this role.
grant insert on activity_entries to vouch_eraser;

create index extraction_anchors_terminal on extraction_anchors (account_id, last_error_class) where status = 'terminal';

-- Existing rows first: what the triggers below count begins after them.
alter table provider_attempts no force row level security;
alter table messages no force row level security;
alter table knowledge no force row level security;
alter table document_versions no force row level security;
alter table accounts no force row level security;
alter table usage_days no force row level security;
alter table usage_scope_days no force row level security;
alter table request_days no force row level security;
alter table usage_totals no force row level security;

insert into usage_scope_days (account_id, day, scope_id, role, provider, model, calls, errors, unmetered, input_tokens,
  output_tokens, embedding_tokens, reranker_tokens)
select account_id, (reserved_at at time zone 'UTC')::date,
  case when role in ('ingest_extractor', 'dream_reasoner') then scope_id end, role, provider, model, count(*),
  count(*) filter (where state in ('error', 'timeout')), count(*) filter (where not metered),
  coalesce(sum(input_tokens) filter (where metered), 0), coalesce(sum(output_tokens) filter (where metered), 0),
  coalesce(sum(embedding_tokens) filter (where metered), 0), coalesce(sum(reranker_tokens) filter (where metered), 0)
from provider_attempts where finished_at is not null and dispatched_at is not null
group by 1, 2, 3, 4, 5, 6;
insert into usage_days
select account_id, (reserved_at at time zone 'UTC')::date, role, provider, model, count(*),
  count(*) filter (where state in ('error', 'timeout')), count(*) filter (where not metered),
  coalesce(sum(input_tokens) filter (where metered), 0), coalesce(sum(output_tokens) filter (where metered), 0),
  coalesce(sum(embedding_tokens) filter (where metered), 0), coalesce(sum(reranker_tokens) filter (where metered), 0),
  coalesce(sum(duration_ms), 0)
from provider_attempts where finished_at is not null and dispatched_at is not null
group by 1, 2, 3, 4, 5;
insert into request_days
select m.account_id, (m.recorded_at at time zone 'UTC')::date, 0,
  count(*) filter (where m.document_version_id is null), count(*)
from messages m join accounts a on a.id = m.account_id
where m.recorded_at >= coalesce(a.imported_at, '-infinity')
group by 1, 2;
insert into usage_totals (account_id, messages, message_bytes, statements, statement_bytes, version_bytes, ledger_rows)
select a.id, coalesce(m.n, 0), coalesce(m.bytes, 0), coalesce(k.n, 0), coalesce(k.bytes, 0), coalesce(v.bytes, 0),
  coalesce(p.n, 0)
from accounts a
left join (select account_id, count(*) as n, sum(octet_length(content)) as bytes from messages group by 1) m
  on m.account_id = a.id
left join (select account_id, count(*) as n, sum(octet_length(statement)) as bytes from knowledge group by 1) k
  on k.account_id = a.id
left join (select account_id, sum(byte_size) as bytes from document_versions group by 1) v on v.account_id = a.id
left join (select account_id, count(*) as n from provider_attempts where finished_at is not null group by 1) p
  on p.account_id = a.id;

alter table provider_attempts force row level security;
alter table messages force row level security;
alter table knowledge force row level security;
alter table document_versions force row level security;
alter table accounts force row level security;
alter table usage_days force row level security;
alter table usage_scope_days force row level security;
alter table request_days force row level security;
alter table usage_totals force row level security;

-- A call whose row is made when it has ended. One that was reserved and never dispatched is no call, but a row.
create function enter_finished_attempt() returns trigger language plpgsql as $$
begin
  insert into usage_entries (account_id, day, role, provider, model, scope_id, ledger_rows, calls, errors, unmetered,
    input_tokens, output_tokens, embedding_tokens, reranker_tokens, duration_ms)
  select new.account_id, (new.reserved_at at time zone 'UTC')::date, new.role, new.provider, new.model,
    case when new.role in ('ingest_extractor', 'dream_reasoner') then new.scope_id end, 1,
    was.sent, case when new.state in ('error', 'timeout') then was.sent else 0 end,
    case when new.metered then 0 else was.sent end,
    was.metered * coalesce(new.input_tokens, 0), was.metered * coalesce(new.output_tokens, 0),
    was.metered * coalesce(new.embedding_tokens, 0), was.metered * coalesce(new.reranker_tokens, 0),
    was.sent * coalesce(new.duration_ms, 0)
  from (select (new.dispatched_at is not null)::integer as sent,
    (new.dispatched_at is not null and new.metered)::integer as metered) was;
  return null;
end $$;

-- Calls that ended with this statement.
create function enter_ended_attempts() returns trigger language plpgsql as $$
begin
  insert into usage_entries (account_id, day, role, provider, model, scope_id, ledger_rows, calls, errors, unmetered,
    input_tokens, output_tokens, embedding_tokens, reranker_tokens, duration_ms)
  select f.account_id, (f.reserved_at at time zone 'UTC')::date, f.role, f.provider, f.model,
    case when f.role in ('ingest_extractor', 'dream_reasoner') then f.scope_id end, count(*),
    count(f.dispatched_at), count(f.dispatched_at) filter (where f.state in ('error', 'timeout')),
    count(f.dispatched_at) filter (where not f.metered),
    coalesce(sum(f.input_tokens) filter (where f.metered and f.dispatched_at is not null), 0),
    coalesce(sum(f.output_tokens) filter (where f.metered and f.dispatched_at is not null), 0),
    coalesce(sum(f.embedding_tokens) filter (where f.metered and f.dispatched_at is not null), 0),
    coalesce(sum(f.reranker_tokens) filter (where f.metered and f.dispatched_at is not null), 0),
    coalesce(sum(f.duration_ms) filter (where f.dispatched_at is not null), 0)
  from changed f join before b on b.account_id = f.account_id and b.id = f.id
  where f.finished_at is not null and b.finished_at is null
  group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;

-- Only the number of rows goes: what the calls used is in the rows of their days, and goes with these.
create function enter_deleted_attempts() returns trigger language plpgsql as $$
begin
  insert into activity_entries (account_id, day, ledger_rows)
  select c.account_id, (clock_timestamp() at time zone 'UTC')::date, -count(*)
  from changed c where c.finished_at is not null group by 1;
  return null;
end $$;

-- By row: nearly every call is entered before it ends, and none of these costs anything here.
create trigger usage_follows_new_attempts after insert on provider_attempts
  for each row when (new.finished_at is not null) execute function enter_finished_attempt();
create trigger usage_follows_attempts after update on provider_attempts
  referencing old table as before new table as changed for each statement execute function enter_ended_attempts();
create trigger usage_follows_deleted_attempts after delete on provider_attempts
  referencing old table as changed for each statement execute function enter_deleted_attempts();

-- What came with an archive is held, but was recorded elsewhere.
create function enter_new_messages() returns trigger language plpgsql as $$
begin
  insert into activity_entries (account_id, day, recorded, ingests, messages, message_bytes)
  select m.account_id, (m.recorded_at at time zone 'UTC')::date,
    count(*) filter (where m.recorded_at >= coalesce(a.imported_at, '-infinity')),
    count(*) filter (where m.recorded_at >= coalesce(a.imported_at, '-infinity') and m.document_version_id is null),
    count(*), coalesce(sum(octet_length(m.content)), 0)
  from changed m join accounts a on a.id = m.account_id
  group by 1, 2;
  return null;
end $$;
create trigger usage_follows_new_messages after insert on messages
  referencing new table as changed for each statement execute function enter_new_messages();

create function enter_deleted_messages() returns trigger language plpgsql as $$
begin
  insert into activity_entries (account_id, day, messages, message_bytes)
  select account_id, (clock_timestamp() at time zone 'UTC')::date, -count(*), -coalesce(sum(octet_length(content)), 0)
  from changed group by 1;
  return null;
end $$;
create trigger usage_follows_deleted_messages after delete on messages
  referencing old table as changed for each statement execute function enter_deleted_messages();

create function enter_new_statements() returns trigger language plpgsql as $$
begin
  insert into activity_entries (account_id, day, statements, statement_bytes)
  select account_id, (clock_timestamp() at time zone 'UTC')::date, count(*), coalesce(sum(octet_length(statement)), 0)
  from changed group by 1;
  return null;
end $$;
create trigger usage_follows_new_statements after insert on knowledge
  referencing new table as changed for each statement execute function enter_new_statements();

create function enter_deleted_statements() returns trigger language plpgsql as $$
begin
  insert into activity_entries (account_id, day, statements, statement_bytes)
  select account_id, (clock_timestamp() at time zone 'UTC')::date, -count(*), -coalesce(sum(octet_length(statement)), 0)
  from changed group by 1;
  return null;
end $$;
create trigger usage_follows_deleted_statements after delete on knowledge
  referencing old table as changed for each statement execute function enter_deleted_statements();

-- A text changes seldom: when people redact or edit it.
create function enter_changed_statement() returns trigger language plpgsql as $$
begin
  insert into activity_entries (account_id, day, statement_bytes)
  values (new.account_id, (clock_timestamp() at time zone 'UTC')::date,
    coalesce(octet_length(new.statement), 0) - coalesce(octet_length(old.statement), 0));
  return null;
end $$;
create trigger usage_follows_statements after update of statement on knowledge
  for each row when (octet_length(old.statement) is distinct from octet_length(new.statement))
  execute function enter_changed_statement();

create function enter_changed_version() returns trigger language plpgsql as $$
begin
  insert into activity_entries (account_id, day, version_bytes)
  values (coalesce(new.account_id, old.account_id), (clock_timestamp() at time zone 'UTC')::date,
    coalesce(new.byte_size, 0) - coalesce(old.byte_size, 0));
  return null;
end $$;
create trigger usage_follows_versions after insert or update of byte_size or delete on document_versions
  for each row execute function enter_changed_version();

-- Counts of a process: requests, and calls that have no row. One round trip.
create function enter_counts(p_account uuid, p_requests bigint, p_calls jsonb) returns void
  language plpgsql as $$
declare
  v_today date := (clock_timestamp() at time zone 'UTC')::date;
begin
  perform set_config('app.account_id', p_account::text, true);
  if p_requests > 0 then
    insert into activity_entries (account_id, day, api_requests) values (p_account, v_today, p_requests);
  end if;
  insert into usage_entries (account_id, day, role, provider, model, scope_id, ledger_rows, calls, errors, unmetered,
    input_tokens, output_tokens, embedding_tokens, reranker_tokens, duration_ms)
  select p_account, v_today, c.role, c.provider, c.model, null, 0, c.calls, c.errors, c.unmetered, 0, 0, 0, 0, c.duration_ms
  from jsonb_to_recordset(p_calls) as c (role model_role, provider text, model text, calls bigint, errors bigint,
    unmetered bigint, duration_ms bigint);
end $$;

-- The accounts that follow `after_id` of which entries wait, in order.
create policy lookup_reads on usage_entries for select to vouch_lookup using (true);
create policy lookup_reads on activity_entries for select to vouch_lookup using (true);
grant select (account_id) on usage_entries, activity_entries to vouch_lookup;
do $$ begin grant create on schema public to vouch_lookup; end $$;
create function lookup_accounts_with_usage(after_id uuid, page integer) returns table (account_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    with recursive walk (id, n) as (
      select after_id, 0
      union all
      select least(
          (select u.account_id from usage_entries u
           where u.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by u.account_id limit 1),
          (select a.account_id from activity_entries a
           where a.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by a.account_id limit 1)),
        walk.n + 1
      from walk where walk.n < page and (walk.n = 0 or walk.id is not null)
    )
    select walk.id from walk where walk.n > 0 and walk.id is not null order by walk.n;
  end;
do $$
begin
  revoke all on function lookup_accounts_with_usage(uuid, integer) from public;
  grant execute on function lookup_accounts_with_usage(uuid, integer) to vouch_app;
  alter function lookup_accounts_with_usage(uuid, integer) owner to vouch_lookup;
  revoke create on schema public from vouch_lookup;
end $$;
