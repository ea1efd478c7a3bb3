-- Everything that looks or marks across accounts. Each function is owned by vouch_lookup, which sees named
-- columns only, and returns ids, numbers, booleans, instants and words of closed lists: never text.

grant select (id, key, gate_preset) on accounts to vouch_lookup;
grant select (account_id, id, secret_hash) on credentials to vouch_lookup;
grant select (account_id, id, email) on logins to vouch_lookup;
grant select on mailboxes to vouch_lookup;
grant update (last_rung_at, ring_attempts) on mailboxes to vouch_lookup;
grant select (account_id, message_id, shard, status, available_at, claim_epoch) on extraction_anchors to vouch_lookup;
grant select (account_id, engine, unit, shard, overdue, available_at, marked_at) on dirty_marks to vouch_lookup;
grant select (account_id, id, kind, status, dispatched_at, created_at) on pipeline_runs to vouch_lookup;
grant update (dispatched_at) on pipeline_runs to vouch_lookup;
grant select (state, metered, error_class, reserved_at) on provider_attempts to vouch_lookup;
grant select (state) on review_items to vouch_lookup;
grant select (decision) on gate_decisions to vouch_lookup;
grant select (account_id, id, created_at) on idempotency_records to vouch_lookup;

do $$
declare target text;
begin
  foreach target in array array['accounts', 'credentials', 'logins', 'mailboxes', 'extraction_anchors', 'dirty_marks',
      'pipeline_runs', 'provider_attempts', 'review_items', 'gate_decisions', 'idempotency_records'] loop
    execute format('create policy lookup_reads on %I for select to vouch_lookup using (true)', target);
  end loop;
end $$;
create policy lookup_rings on mailboxes for update to vouch_lookup using (true) with check (true);
create policy lookup_dispatches on pipeline_runs for update to vouch_lookup using (true) with check (true);
create index gate_decisions_withheld on gate_decisions (account_id) where decision = 'withhold';

create function lookup_credential(wanted_hash bytea) returns table (account_id uuid, credential_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic select c.account_id, c.id from credentials c where c.secret_hash = wanted_hash; end;

create function lookup_login(wanted_email text) returns table (account_id uuid, login_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic select l.account_id, l.id from logins l where l.email = wanted_email; end;

create function lookup_account(wanted_key text) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic select a.id from accounts a where a.key = wanted_key; end;

create function lookup_accounts() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic select a.id from accounts a order by a.id; end;

-- Which of these mailboxes a drain is looking at. Asked after a commit, never before it.
create function lookup_awake_mailboxes(accounts uuid[], kinds mailbox_kind[], shards integer[])
  returns table (account_id uuid, kind mailbox_kind, shard integer)
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    select m.account_id, m.kind, m.shard::integer
    from unnest(accounts, kinds, shards) as asked (account_id, kind, shard)
    join mailboxes m on m.account_id = asked.account_id and m.kind = asked.kind and m.shard = asked.shard
    where m.awake_until > clock_timestamp();
  end;

-- Of these mailboxes, the ones with work that is due and that no current drain holds. Asked for all lingering
-- drains of a process at once, many times a second.
create function lookup_mailboxes_with_work(accounts uuid[], kinds mailbox_kind[], shards integer[])
  returns table (account_id uuid, kind mailbox_kind, shard integer)
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    select m.account_id, m.kind, m.shard::integer
    from unnest(accounts, kinds, shards) as asked (account_id, kind, shard)
    join mailboxes m on m.account_id = asked.account_id and m.kind = asked.kind and m.shard = asked.shard
    where case m.kind
      when 'ingest' then exists (
        select from extraction_anchors a
        where a.account_id = m.account_id and a.shard = m.shard and a.status in ('pending', 'failed')
          and a.available_at <= clock_timestamp() and (a.claim_epoch is null or a.claim_epoch < m.epoch))
      else exists (
        select from dirty_marks d
        where d.account_id = m.account_id and d.shard = m.shard and d.available_at <= clock_timestamp())
    end;
  end;

-- Mailboxes that hold work due for `grace_ms` or longer and that nobody looks at.
create function lookup_neglected_mailboxes(grace_ms integer, page integer)
  returns table (account_id uuid, kind mailbox_kind, shard integer)
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    select m.account_id, m.kind, m.shard::integer
    from mailboxes m
    where m.awake_until <= clock_timestamp() and not m.paused
      and m.last_rung_at < clock_timestamp() - least(interval '2 s' * 2 ^ least(m.ring_attempts, 5), interval '60 s')
      and case m.kind
        when 'ingest' then exists (
          select from extraction_anchors a
          where a.account_id = m.account_id and a.shard = m.shard and a.status in ('pending', 'failed')
            and a.available_at < clock_timestamp() - make_interval(secs => grace_ms / 1000.0))
        else exists (
          select from dirty_marks d
          where d.account_id = m.account_id and d.shard = m.shard
            and d.available_at < clock_timestamp() - make_interval(secs => grace_ms / 1000.0))
      end
    order by m.last_rung_at
    limit page;
  end;

-- True for exactly one of several processes that see the same neglected mailbox; backs off to a minute.
create function mark_rung(wanted_account uuid, wanted_kind mailbox_kind, wanted_shard integer) returns boolean
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    update mailboxes m set last_rung_at = clock_timestamp(), ring_attempts = m.ring_attempts + 1
    where m.account_id = wanted_account and m.kind = wanted_kind and m.shard = wanted_shard
      and m.last_rung_at < clock_timestamp() - least(interval '2 s' * 2 ^ least(m.ring_attempts, 5), interval '60 s')
    returning true;
  end;

create function lookup_undispatched_runs(page integer) returns table (account_id uuid, run_id uuid, kind run_kind)
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    select r.account_id, r.id, r.kind from pipeline_runs r
    where r.dispatched_at is null and r.status = 'pending' order by r.created_at limit page;
  end;

create function mark_dispatched(wanted_account uuid, wanted_run uuid) returns boolean
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    update pipeline_runs r set dispatched_at = clock_timestamp()
    where r.account_id = wanted_account and r.id = wanted_run and r.dispatched_at is null
    returning true;
  end;

-- Counts for readiness.
create function count_extraction_anchors()
  returns table (status extraction_status, claimed boolean, due boolean, total integer, oldest_age_seconds integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select a.status, a.claim_epoch is not null, a.available_at <= clock_timestamp(), count(*)::integer,
      coalesce(max(extract(epoch from clock_timestamp() - uuid_extract_timestamp(a.message_id))), 0)::integer
    from extraction_anchors a where a.status in ('pending', 'failed') group by 1, 2, 3;
  end;

create function count_dirty_marks()
  returns table (engine index_engine, unit unit_kind, overdue boolean, total integer, oldest_age_seconds integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select d.engine, d.unit, d.overdue, count(*)::integer,
      coalesce(max(extract(epoch from clock_timestamp() - d.marked_at)), 0)::integer
    from dirty_marks d group by 1, 2, 3;
  end;

create function count_unfinished_runs()
  returns table (kind run_kind, status run_status, total integer, oldest_age_seconds integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.kind, r.status, count(*)::integer,
      coalesce(max(extract(epoch from clock_timestamp() - r.created_at)), 0)::integer
    from pipeline_runs r where r.status in ('pending', 'running', 'failed') group by 1, 2;
  end;

create function count_provider_attempts(since timestamptz)
  returns table (state attempt_state, metered boolean, error_class error_class, total integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select p.state, p.metered, p.error_class, count(*)::integer
    from provider_attempts p where p.reserved_at >= since group by 1, 2, 3;
  end;

create function count_governance(out pending_human_reviews integer, out restricted_withheld integer,
    out unattended boolean)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select
      (select count(*)::integer from review_items r
        where r.state in ('pending', 'escalated', 'awaiting_consent', 'deferred')),
      (select count(*)::integer from gate_decisions g where g.decision = 'withhold'),
      exists (select from accounts a where a.gate_preset = 'unattended');
  end;

create function lookup_expired_idempotency_records(older_than timestamptz, page integer)
  returns table (account_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select i.account_id, i.id from idempotency_records i where i.created_at < older_than
    order by i.created_at limit page;
  end;

-- Hands each function above to vouch_lookup and lets only vouch_app call it.
do $$
declare f regprocedure;
begin
  execute 'grant create on schema public to vouch_lookup';
  for f in select p.oid::regprocedure from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prosecdef loop
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to vouch_app', f);
    execute format('alter function %s owner to vouch_lookup', f);
  end loop;
  execute 'revoke create on schema public from vouch_lookup';
end $$;
