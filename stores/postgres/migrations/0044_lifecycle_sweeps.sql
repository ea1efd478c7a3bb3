-- What the clock changes by itself: statements that expire, statements that somebody should look at again, and items of the
-- review queue that nobody decided in time. Sweeps find what is due through one index for each kind, account by account.
create type sweep_kind as enum ('expiry', 'revalidation', 'ageing');

-- In the words of the queries, so that each is answered by its index alone. The indexes of all accounts together are not
-- needed any more: nothing read them.
drop index knowledge_expiring;
drop index knowledge_revalidating;
create index knowledge_expiring on knowledge (account_id, expires_at, id)
  where expires_at is not null
    and state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale');
create index knowledge_revalidating on knowledge (account_id, revalidate_after, id)
  where revalidate_after is not null and state = 'active';

-- True once the clock has done all that it does about an item. What was approved and waits for consent does not age.
alter table review_items add column past_ageing boolean not null default false;
create index review_items_ageing on review_items (account_id, due_at, id)
  where decided_at is null and not past_ageing and state in ('pending', 'deferred', 'escalated');

-- The last sweep of each kind that came to its end, for readiness. The table belongs to the deployment. Until the first
-- sweep is complete, the time since the installation counts.
create table sweep_passes (
  kind sweep_kind primary key,
  installed_at timestamptz not null default clock_timestamp(),
  completed_at timestamptz,
  failed_accounts integer not null default 0
);
insert into sweep_passes (kind) select unnest(enum_range(null::sweep_kind));
grant select on sweep_passes to vouch_app;
grant update (completed_at, failed_accounts) on sweep_passes to vouch_app;

-- What a sweep has begun and not ended: a page of an account (without a statement), or a statement that failed alone. A row
-- is written before the work, and goes in the transaction of the work. So a page during which a process died is known as
-- such, and a statement that fails each time is left out of the pages and tried at longer and longer intervals.
create table sweep_setbacks (
  account_id uuid not null references accounts (id),
  kind sweep_kind not null,
  knowledge_id uuid,
  attempts integer not null default 1,
  next_attempt_at timestamptz not null,
  constraint swept_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint one_setback_for_each_statement unique nulls not distinct (account_id, knowledge_id, kind)
);
create index sweep_setbacks_due on sweep_setbacks (account_id, kind, next_attempt_at) where knowledge_id is not null;
alter table sweep_setbacks enable row level security;
alter table sweep_setbacks force row level security;
create policy own_account on sweep_setbacks using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on sweep_setbacks to vouch_app;

create policy lookup_reads on sweep_setbacks for select to vouch_lookup using (true);
grant select (knowledge_id) on sweep_setbacks to vouch_lookup;
create policy lookup_reads on knowledge for select to vouch_lookup using (true);
grant select (account_id, id, state, expires_at, revalidate_after) on knowledge to vouch_lookup;
grant select (account_id, id, due_at, decided_at, past_ageing) on review_items to vouch_lookup;

-- The accounts after one of them that have anything a sweep will ever do, in order, and whether some of it is due. It goes
-- from account to account along the indexes: an account with nothing to come costs nothing, any other three look-ups.
create function lookup_accounts_to_sweep(after_id uuid, at timestamptz, page integer)
  returns table (account_id uuid, is_due boolean)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    with recursive walk (id, n) as (
      select after_id, 0
      union all
      select least(
          (select k.account_id from knowledge k
           where k.expires_at is not null
             and k.state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale')
             and k.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by k.account_id, k.expires_at, k.id limit 1),
          (select k.account_id from knowledge k
           where k.revalidate_after is not null and k.state = 'active'
             and k.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by k.account_id, k.revalidate_after, k.id limit 1),
          (select i.account_id from review_items i
           where i.decided_at is null and not i.past_ageing and i.state in ('pending', 'deferred', 'escalated')
             and i.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by i.account_id, i.due_at, i.id limit 1)),
        walk.n + 1
      from walk where walk.n < page and (walk.n = 0 or walk.id is not null)
    )
    select walk.id,
      exists (select from knowledge k
        where k.account_id = walk.id and k.expires_at is not null and k.expires_at <= at
          and k.state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale'))
      or exists (select from knowledge k
        where k.account_id = walk.id and k.revalidate_after is not null and k.revalidate_after <= at
          and k.state = 'active')
      or exists (select from review_items i
        where i.account_id = walk.id and i.decided_at is null and not i.past_ageing
          and i.state in ('pending', 'deferred', 'escalated') and i.due_at <= at)
    from walk where walk.n > 0 and walk.id is not null order by walk.n;
  end;

-- Statements that sweeps set aside, in all accounts, as far as they are counted.
create function count_sweep_setbacks(most integer) returns integer
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select count(*)::integer from (
      select from sweep_setbacks s where s.knowledge_id is not null limit most) counted;
  end;

do $$
begin
  grant create on schema public to vouch_lookup;
  revoke all on function lookup_accounts_to_sweep(uuid, timestamptz, integer) from public;
  grant execute on function lookup_accounts_to_sweep(uuid, timestamptz, integer) to vouch_app;
  alter function lookup_accounts_to_sweep(uuid, timestamptz, integer) owner to vouch_lookup;
  revoke all on function count_sweep_setbacks(integer) from public;
  grant execute on function count_sweep_setbacks(integer) to vouch_app;
  alter function count_sweep_setbacks(integer) owner to vouch_lookup;
  revoke create on schema public from vouch_lookup;
end $$;
