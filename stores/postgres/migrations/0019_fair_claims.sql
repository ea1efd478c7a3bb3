-- Claims that are fair, count before the work, and wait on the circuit's row instead of their own.

-- `speaker_peer_id` is that of the message, which never changes. `unsettled_attempts` are claims that were counted as
-- attempts before the work and whose outcome is not written: more than the one in hand were lost with their drains.
alter table extraction_anchors
  add column speaker_peer_id uuid,
  add column unsettled_attempts smallint not null default 0,
  add column internal_errors smallint not null default 0,
  add column failed_at timestamptz,
  add constraint anchor_speaker_is_in_same_account foreign key (account_id, speaker_peer_id)
    references peers (account_id, id),
  add constraint unsettled_attempts_are_not_negative check (unsettled_attempts >= 0);

-- The owner reads and writes past row security for the rows that exist.
alter table extraction_anchors no force row level security;
alter table messages no force row level security;
update extraction_anchors a
  set speaker_peer_id = m.speaker_peer_id, failed_at = case when a.status = 'failed' then clock_timestamp() end
  from messages m where m.account_id = a.account_id and m.id = a.message_id;
alter table messages force row level security;
alter table extraction_anchors force row level security;
alter table extraction_anchors alter column speaker_peer_id set not null;

-- What was never tried, by whose turn it is; what failed, by speaker and by when it is due, or since when it waits.
drop index extraction_anchors_in_mailbox;
create index extraction_anchors_by_turn on extraction_anchors
  (account_id, shard, speaker_peer_id, session_id, message_id) where status = 'pending';
create index extraction_anchors_failed on extraction_anchors (account_id, shard, speaker_peer_id, available_at)
  where status = 'failed';
create index extraction_anchors_by_failure on extraction_anchors (account_id, shard, failed_at) where status = 'failed';
create index extraction_anchors_due_in_mailbox on extraction_anchors (account_id, shard, available_at)
  where status in ('pending', 'failed');

-- Whose turn was the last, of the speakers of a mailbox and of the sessions of a speaker who has several.
alter table mailboxes add column turn_speaker_id uuid, add column retry_speaker_id uuid;
create table speaker_turns (
  account_id uuid not null,
  shard smallint not null,
  speaker_peer_id uuid not null,
  session_id uuid not null,
  primary key (account_id, shard, speaker_peer_id),
  constraint turn_speaker_is_in_same_account foreign key (account_id, speaker_peer_id) references peers (account_id, id)
);
call secure_account_table('speaker_turns');
grant select, insert, update on speaker_turns to vouch_app;

-- When it last closed: what failed before that is due at once.
alter table provider_circuits add column closed_at timestamptz;

-- The next turn of a speaker: `p_turn` neighbours of one session after the other, from the session after `p_after` on.
-- Looks at a bounded number of sessions, however many wait. `is_whole`: nothing of the speaker is left.
create function speaker_turn(
  p_account uuid, p_shard integer, p_epoch bigint, p_speaker uuid, p_after uuid, p_most integer, p_turn integer,
  p_busy uuid[], p_taken uuid[], out ids uuid[], out last_session uuid, out is_whole boolean)
  language plpgsql
  -- Each look is one step along an index, also where the table has not been analysed since it grew.
  set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  most_sessions constant integer := 64;
  v_next uuid;
  v_found uuid[];
  v_wrapped boolean := p_after is null;
  v_has_more boolean := false;
begin
  ids := '{}';
  is_whole := false;
  last_session := p_after;
  for visit in 1 .. most_sessions loop
    exit when cardinality(ids) >= p_most;
    if last_session is null then
      select a.session_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.speaker_peer_id = p_speaker and a.status = 'pending'
        order by a.session_id limit 1;
    else
      select a.session_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.speaker_peer_id = p_speaker and a.status = 'pending'
          and a.session_id > last_session
        order by a.session_id limit 1;
    end if;
    if not found then
      is_whole := v_wrapped and not v_has_more;
      exit when v_wrapped;
      v_wrapped := true;
      last_session := null;
      continue;
    end if;
    if v_wrapped and v_next > p_after then
      is_whole := not v_has_more;
      exit;
    end if;
    last_session := v_next;
    continue when v_next = any(p_busy);
    select array_agg(one.message_id order by one.message_id) into v_found from (
      select a.message_id from extraction_anchors a
      where a.account_id = p_account and a.shard = p_shard and a.speaker_peer_id = p_speaker
        and a.session_id = v_next and a.status = 'pending' and a.available_at <= clock_timestamp()
        and (a.claim_epoch is null or a.claim_epoch < p_epoch) and a.message_id <> all(p_taken)
      order by a.message_id limit least(p_turn, p_most - cardinality(ids))) one;
    ids := ids || coalesce(v_found, '{}');
    v_has_more := v_has_more or coalesce(cardinality(v_found), 0) >= p_turn;
  end loop;
end $$;

-- Anchors that were never tried, in fair order: every speaker's turn of a few neighbours, then round again as long
-- as there is room. Moves the turns on.
create function fresh_anchors(
  p_account uuid, p_shard integer, p_epoch bigint, p_most integer, p_turn integer, p_busy uuid[])
  returns uuid[] language plpgsql
  set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  most_speakers constant integer := 128;
  v_last uuid;
  v_next uuid;
  v_taken uuid[] := '{}';
  v_speakers uuid[] := '{}';
  v_turn record;
  v_after uuid;
  v_cursor jsonb := '{}';
  v_hungry uuid[];
  v_share integer;
  v_before integer;
  v_wrapped boolean;
  v_start uuid;
begin
  select m.turn_speaker_id into v_start from mailboxes m
    where m.account_id = p_account and m.kind = 'ingest' and m.shard = p_shard;
  v_last := v_start;
  v_wrapped := v_start is null;
  while cardinality(v_taken) < p_most and cardinality(v_speakers) < most_speakers loop
    if v_last is null then
      select a.speaker_peer_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.status = 'pending'
        order by a.speaker_peer_id limit 1;
    else
      select a.speaker_peer_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.status = 'pending' and a.speaker_peer_id > v_last
        order by a.speaker_peer_id limit 1;
    end if;
    if not found then
      exit when v_wrapped;
      v_wrapped := true;
      v_last := null;
      continue;
    end if;
    exit when v_wrapped and v_next > v_start;
    v_last := v_next;
    v_speakers := v_speakers || v_next;
    select t.session_id into v_after from speaker_turns t
      where t.account_id = p_account and t.shard = p_shard and t.speaker_peer_id = v_next;
    select * into v_turn from speaker_turn(p_account, p_shard, p_epoch, v_next, v_after,
      least(p_turn, p_most - cardinality(v_taken)), p_turn, p_busy, v_taken);
    v_taken := v_taken || v_turn.ids;
    if not v_turn.is_whole then
      v_cursor := v_cursor || jsonb_build_object(v_next, v_turn.last_session);
    end if;
  end loop;

  -- There is room, and every speaker had a turn: those who have more share what is left.
  loop
    v_before := cardinality(v_taken);
    select array_agg(s.id order by s.place) into v_hungry
      from unnest(v_speakers) with ordinality as s (id, place) where v_cursor ? s.id::text;
    exit when v_before >= p_most or v_hungry is null;
    v_share := greatest(p_turn, (p_most - v_before) / cardinality(v_hungry));
    foreach v_next in array v_hungry loop
      exit when cardinality(v_taken) >= p_most;
      select * into v_turn from speaker_turn(p_account, p_shard, p_epoch, v_next, (v_cursor ->> v_next::text)::uuid,
        least(v_share, p_most - cardinality(v_taken)), p_turn, p_busy, v_taken);
      v_taken := v_taken || v_turn.ids;
      v_cursor := v_cursor || jsonb_build_object(v_next, v_turn.last_session);
      if v_turn.is_whole then
        v_speakers := array_remove(v_speakers, v_next);
      end if;
    end loop;
    exit when cardinality(v_taken) = v_before;
  end loop;

  update mailboxes m set turn_speaker_id = v_last
    where m.account_id = p_account and m.kind = 'ingest' and m.shard = p_shard
      and m.turn_speaker_id is distinct from v_last and v_last is not null;
  insert into speaker_turns (account_id, shard, speaker_peer_id, session_id)
    select p_account, p_shard, key::uuid, value::uuid from jsonb_each_text(v_cursor) where value is not null
    order by key
    on conflict (account_id, shard, speaker_peer_id) do update set session_id = excluded.session_id;
  return v_taken;
end $$;

-- Failed anchors that are due, or that failed before `p_wake`: a turn of each speaker, in turn.
create function failed_anchors(
  p_account uuid, p_shard integer, p_epoch bigint, p_most integer, p_turn integer, p_busy uuid[], p_wake timestamptz)
  returns uuid[] language plpgsql
  set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  most_speakers constant integer := 32;
  v_start uuid;
  v_last uuid;
  v_next uuid;
  v_found uuid[];
  v_taken uuid[] := '{}';
  v_wrapped boolean;
begin
  select m.retry_speaker_id into v_start from mailboxes m
    where m.account_id = p_account and m.kind = 'ingest' and m.shard = p_shard;
  v_last := v_start;
  v_wrapped := v_start is null;
  for visit in 1 .. most_speakers loop
    exit when cardinality(v_taken) >= p_most;
    if v_last is null then
      select a.speaker_peer_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.status = 'failed'
        order by a.speaker_peer_id limit 1;
    else
      select a.speaker_peer_id into v_next from extraction_anchors a
        where a.account_id = p_account and a.shard = p_shard and a.status = 'failed' and a.speaker_peer_id > v_last
        order by a.speaker_peer_id limit 1;
    end if;
    if not found then
      exit when v_wrapped;
      v_wrapped := true;
      v_last := null;
      continue;
    end if;
    exit when v_wrapped and v_next > v_start;
    v_last := v_next;
    select array_agg(one.message_id) into v_found from (
      select a.message_id from (
        select w.* from extraction_anchors w
        where w.account_id = p_account and w.shard = p_shard and w.speaker_peer_id = v_next and w.status = 'failed'
        order by w.available_at limit 2 * p_most + cardinality(p_busy)) a
      where (a.available_at <= clock_timestamp() or a.failed_at < p_wake)
        and (a.claim_epoch is null or a.claim_epoch < p_epoch) and a.session_id <> all(p_busy)
      order by a.available_at limit least(p_turn, p_most - cardinality(v_taken))) one;
    v_taken := v_taken || coalesce(v_found, '{}');
  end loop;
  update mailboxes m set retry_speaker_id = v_last
    where m.account_id = p_account and m.kind = 'ingest' and m.shard = p_shard
      and m.retry_speaker_id is distinct from v_last and v_last is not null;
  return v_taken;
end $$;

-- Claims for a drain, bounded in anchors and in the bytes of what they show, and counts an attempt of each. Nothing
-- while the extractor's circuit keeps calls back; one anchor when it is time for a probe of `p_provider`, `p_model`.
-- Of what was lost with earlier drains `p_most_lost`, and one of what was lost more than once, where `p_may_be_alone`;
-- what was lost ten times is terminal. `p_holds`: the drain holds other anchors.
create function claim_anchors(
  p_account uuid, p_shard integer, p_epoch bigint, p_most integer, p_most_failed integer, p_turn integer,
  p_most_lost integer, p_may_be_alone boolean, p_most_attempts integer, p_bytes bigint, p_window integer,
  p_holds boolean, p_busy uuid[], p_provider text, p_model text)
  returns table (message_id uuid, session_id uuid, scope_id uuid, attempt_count integer, extracted_at timestamptz,
    trace_id text, is_chunk boolean, failed boolean, lost_claims integer, bytes bigint)
  language plpgsql
  -- A plan that was made while the table was small serves when it is not: each row by its key.
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_blocked timestamptz;
  v_wake timestamptz;
  v_probes boolean;
  v_ids uuid[];
begin
  perform from mailboxes m
    where m.account_id = p_account and m.kind = 'ingest' and m.shard = p_shard and m.epoch = p_epoch;
  if not found then
    return;
  end if;
  select max(c.blocked_until) filter (where c.blocked_until > clock_timestamp()),
      max(coalesce(c.blocked_until, c.closed_at)) filter (where coalesce(c.blocked_until, c.closed_at) <= clock_timestamp()),
      coalesce(bool_or(c.state <> 'closed' and c.provider = p_provider and c.model = p_model), false)
    into v_blocked, v_wake, v_probes
    from provider_circuits c where c.account_id = p_account and c.role = 'ingest_extractor';
  if v_blocked is not null or (v_probes and p_holds) then
    return;
  end if;
  if v_probes then
    -- What never failed probes first: a text that makes every call fail must not be the only probe.
    v_ids := fresh_anchors(p_account, p_shard, p_epoch, 1, 1, p_busy);
    if v_ids = '{}' then
      v_ids := failed_anchors(p_account, p_shard, p_epoch, 1, 1, p_busy, v_wake);
    end if;
  else
    v_ids := failed_anchors(p_account, p_shard, p_epoch, least(p_most, p_most_failed), p_turn, p_busy, v_wake);
    v_ids := v_ids || fresh_anchors(p_account, p_shard, p_epoch, p_most - cardinality(v_ids), p_turn, p_busy);
  end if;
  if v_ids = '{}' then
    return;
  end if;

  -- Said by what it is not, so that the primary key is the only index that fits.
  update extraction_anchors a set status = 'terminal', last_error_class = 'internal_error', claim_epoch = null,
      internal_errors = a.unsettled_attempts, unsettled_attempts = 0
    where a.account_id = p_account and a.message_id = any(v_ids) and a.status not in ('completed', 'repairable', 'terminal')
      and (a.claim_epoch is null or a.claim_epoch < p_epoch) and a.extracted_at is null
      and a.unsettled_attempts >= p_most_attempts;
  return query
    with wanted as (
      select a.message_id, a.session_id, a.unsettled_attempts, a.extracted_at, w.place
      from unnest(v_ids) with ordinality as w (id, place)
      join extraction_anchors a on a.account_id = p_account and a.message_id = w.id
      where a.status not in ('completed', 'repairable', 'terminal')
        and (a.claim_epoch is null or a.claim_epoch < p_epoch)
      for update of a skip locked
    ), sized as (
      select w.*, m.trace_id, m.document_version_id is not null as is_chunk,
        octet_length(m.content) + coalesce(sent.bytes, 0) as bytes,
        case when w.unsettled_attempts = 0 then true
          when w.unsettled_attempts = 1
            then count(*) filter (where w.unsettled_attempts = 1) over by_place <= p_most_lost
          else p_may_be_alone and count(*) filter (where w.unsettled_attempts > 1) over by_place = 1 end as has_room
      from wanted w
      join messages m on m.account_id = p_account and m.id = w.message_id
      -- The messages that the anchor is read with, as `anchors.store.ts` chooses them.
      left join lateral (
        select sum(octet_length(e.content)) as bytes from (
          select e.content from messages e
          where e.account_id = p_account and e.session_id = m.session_id and e.scope_id = m.scope_id
            and e.occurred_at <= m.occurred_at
            and (e.occurred_at, e.recorded_at, e.id) < (m.occurred_at, m.recorded_at, m.id)
            and (e.speaker_peer_id = m.speaker_peer_id or e.relay_peer_id is not distinct from m.speaker_peer_id
              or exists (
                select from session_participants s
                where s.account_id = p_account and s.session_id = e.session_id and s.scope_id = e.scope_id
                  and s.peer_id = m.speaker_peer_id and (s.reads_whole_session or e.recorded_at >= s.joined_at)))
          order by e.occurred_at desc, e.recorded_at desc, e.id desc limit p_window) e
      ) sent on m.document_version_id is null and w.extracted_at is null
      window by_place as (order by w.place)
    ), kept as (
      select s.message_id, s.trace_id, s.is_chunk, s.bytes,
        (s.place = min(s.place) over () and not p_holds) or sum(s.bytes) over (order by s.place) <= p_bytes as fits,
        bool_and(s.has_room) over (partition by s.session_id order by s.place) as keeps_order
      from sized s
    )
    update extraction_anchors a set
        claim_epoch = p_epoch,
        attempt_count = a.attempt_count + case when a.extracted_at is null then 1 else 0 end,
        unsettled_attempts = least(a.unsettled_attempts + 1, 32767),
        -- Should this claim be lost as well, what did not do it goes first.
        available_at = case when a.unsettled_attempts > 0
          then clock_timestamp() + make_interval(secs => least(60, 2 ^ least(a.unsettled_attempts - 1, 6)))
          else a.available_at end
      from kept k
      where a.account_id = p_account and a.message_id = k.message_id and k.fits and k.keeps_order
      returning a.message_id, a.session_id, a.scope_id, a.attempt_count, a.extracted_at, k.trace_id, k.is_chunk,
        a.status = 'failed', a.unsettled_attempts - 1, k.bytes;
end $$;

-- The watch and the sweep: anchors wait on the circuit that keeps them back, and are due once it lets calls through.
grant select (failed_at) on extraction_anchors to vouch_lookup;
grant select (account_id, role, state, blocked_until, closed_at) on provider_circuits to vouch_lookup;
create policy lookup_reads on provider_circuits for select to vouch_lookup using (true);

-- The earliest one of an index says whether any is due, whatever the planner knows of the table.
drop function lookup_mailboxes_with_work(uuid[], mailbox_kind[], integer[]);
create function lookup_mailboxes_with_work(accounts uuid[], kinds mailbox_kind[], shards integer[])
  returns table (account_id uuid, kind mailbox_kind, shard integer)
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    select m.account_id, m.kind, m.shard::integer
    from unnest(accounts, kinds, shards) as asked (account_id, kind, shard)
    join mailboxes m on m.account_id = asked.account_id and m.kind = asked.kind and m.shard = asked.shard
    where case m.kind
      when 'ingest' then not exists (
          select from provider_circuits c
          where c.account_id = m.account_id and c.role = 'ingest_extractor' and c.blocked_until > statement_timestamp())
        and ((
          select a.available_at from extraction_anchors a
          where a.account_id = m.account_id and a.shard = m.shard and a.status in ('pending', 'failed') and (a.claim_epoch is null or a.claim_epoch < m.epoch)
          order by a.available_at limit 1) <= statement_timestamp()
        or (
          select a.failed_at from extraction_anchors a
          where a.account_id = m.account_id and a.shard = m.shard and a.status = 'failed' and (a.claim_epoch is null or a.claim_epoch < m.epoch)
          order by a.failed_at limit 1) < (
          select max(coalesce(c.blocked_until, c.closed_at)) from provider_circuits c
          where c.account_id = m.account_id and c.role = 'ingest_extractor'
            and coalesce(c.blocked_until, c.closed_at) <= statement_timestamp()))
      else exists (
        select from dirty_marks d
        where d.account_id = m.account_id and d.shard = m.shard and d.available_at <= statement_timestamp())
    end;
  end;

drop function lookup_neglected_mailboxes(integer, integer);
create function lookup_neglected_mailboxes(grace_ms integer, page integer)
  returns table (account_id uuid, kind mailbox_kind, shard integer)
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    select m.account_id, m.kind, m.shard::integer
    from mailboxes m
    where m.awake_until <= statement_timestamp() and not m.paused
      and m.last_rung_at < statement_timestamp() - least(interval '2 s' * 2 ^ least(m.ring_attempts, 5), interval '60 s')
      and case m.kind
        when 'ingest' then not exists (
          select from provider_circuits c
          where c.account_id = m.account_id and c.role = 'ingest_extractor' and c.blocked_until > statement_timestamp() - make_interval(secs => grace_ms / 1000.0))
        and ((
          select a.available_at from extraction_anchors a
          where a.account_id = m.account_id and a.shard = m.shard and a.status in ('pending', 'failed')
          order by a.available_at limit 1) <= statement_timestamp() - make_interval(secs => grace_ms / 1000.0)
        or (
          select a.failed_at from extraction_anchors a
          where a.account_id = m.account_id and a.shard = m.shard and a.status = 'failed'
          order by a.failed_at limit 1) < (
          select max(coalesce(c.blocked_until, c.closed_at)) from provider_circuits c
          where c.account_id = m.account_id and c.role = 'ingest_extractor'
            and coalesce(c.blocked_until, c.closed_at) <= statement_timestamp() - make_interval(secs => grace_ms / 1000.0)))
        else exists (
          select from dirty_marks d
          where d.account_id = m.account_id and d.shard = m.shard
            and d.available_at < statement_timestamp() - make_interval(secs => grace_ms / 1000.0))
      end
    order by m.last_rung_at
    limit page;
  end;

-- What the extractor's circuit keeps back counts as failed, as each observation says of itself.
drop function count_extraction_anchors();
create function count_extraction_anchors()
  returns table (status extraction_status, claimed boolean, due boolean, total integer, oldest_age_seconds integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select case when blocked.account_id is not null and a.claim_epoch is null then 'failed' else a.status end,
      a.claim_epoch is not null, a.available_at <= statement_timestamp() and blocked.account_id is null,
      count(*)::integer,
      coalesce(max(extract(epoch from statement_timestamp() - uuid_extract_timestamp(a.message_id))), 0)::integer
    from extraction_anchors a
    left join (
      select distinct c.account_id from provider_circuits c
      where c.role = 'ingest_extractor' and c.blocked_until > statement_timestamp()
    ) blocked on blocked.account_id = a.account_id
    where a.status in ('pending', 'failed') group by 1, 2, 3;
  end;

do $$
declare target regprocedure;
begin
  grant create on schema public to vouch_lookup;
  foreach target in array array['lookup_mailboxes_with_work(uuid[], mailbox_kind[], integer[])'::regprocedure,
      'lookup_neglected_mailboxes(integer, integer)'::regprocedure, 'count_extraction_anchors()'::regprocedure] loop
    execute format('revoke all on function %s from public', target);
    execute format('grant execute on function %s to vouch_app', target);
    execute format('alter function %s owner to vouch_lookup', target);
  end loop;
  revoke create on schema public from vouch_lookup;
end $$;

-- As before, with the speaker beside the anchor.
create or replace function ingest_observation(
  p_account uuid, p_credential uuid, p_caller_peer uuid, p_vouched boolean,
  p_scope_paths text[], p_scope_ids uuid[],
  p_session_external_id text, p_session_id uuid, p_shards integer,
  p_speaker_key text, p_speaker_name text, p_speaker_kind peer_kind, p_speaker_id uuid,
  p_message_id uuid, p_role text, p_content text, p_content_hash bytea,
  p_occurred_at timestamptz, p_occurred_offset_minutes integer, p_trace_id text, p_audit_id uuid,
  p_idempotency_id uuid, p_idempotency_path text, p_idempotency_key text, p_request_hash bytea,
  out outcome ingest_outcome, out message_id uuid, out occurred_at timestamptz, out shard smallint)
  language plpgsql as $$
declare
  v_scope uuid;
  v_speaker uuid;
  v_session uuid;
  v_earlier record;
begin
  perform set_config('app.account_id', p_account::text, true);

  if p_idempotency_key is not null then
    insert into idempotency_records (account_id, id, credential_id, method, path, key, request_hash, status, resource_id)
      values (p_account, p_idempotency_id, p_credential, 'POST', p_idempotency_path, p_idempotency_key,
        p_request_hash, 202, p_message_id)
      on conflict on constraint idempotency_key_is_used_once do nothing;
    if not found then
      select i.request_hash, m.id, m.occurred_at, s.shard into v_earlier
        from idempotency_records i
        left join messages m on m.account_id = i.account_id and m.id = i.resource_id
        left join sessions s on s.account_id = m.account_id and s.id = m.session_id
        where i.account_id = p_account and i.credential_id = p_credential and i.method = 'POST'
          and i.path = p_idempotency_path and i.key = p_idempotency_key;
      outcome := case when v_earlier.request_hash = p_request_hash then 'replayed' else 'conflict' end;
      message_id := v_earlier.id;
      occurred_at := v_earlier.occurred_at;
      shard := v_earlier.shard;
      return;
    end if;
  end if;

  v_scope := ensure_scope_chain(p_account, p_scope_paths, p_scope_ids);
  v_speaker := case when p_speaker_key is null then p_caller_peer
    else ensure_peer(p_account, p_speaker_id, p_speaker_key, p_speaker_name, p_speaker_kind) end;
  select e.session_id, e.session_shard into v_session, shard
    from ensure_session(p_account, p_session_id, p_session_external_id, p_shards, v_scope, v_speaker, p_vouched) e;

  insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, relay_peer_id, credential_id, role,
      content, content_hash, occurred_at, occurred_offset_minutes, trace_id)
    values (p_account, p_message_id, v_session, v_scope, v_speaker, nullif(p_caller_peer, v_speaker), p_credential,
      p_role, p_content, p_content_hash, p_occurred_at, p_occurred_offset_minutes, p_trace_id);
  insert into extraction_anchors (account_id, message_id, session_id, scope_id, shard, speaker_peer_id)
    values (p_account, p_message_id, v_session, v_scope, shard, v_speaker);
  insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
    values (p_account, 'qdrant', 'message', p_message_id, v_scope, shard),
      (p_account, 'meilisearch', 'message', p_message_id, v_scope, shard);
  insert into audit_events (account_id, id, category, action, actor_kind, actor_peer_id, credential_id,
      resource_type, resource_id, content_hash)
    values (p_account, p_audit_id, 'observation', 'message.accepted', 'credential', p_caller_peer, p_credential,
      'message', p_message_id, p_content_hash);

  outcome := 'accepted';
  message_id := p_message_id;
  occurred_at := p_occurred_at;
end $$;
