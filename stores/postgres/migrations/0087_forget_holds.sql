-- Holds: what people asked to be forgotten. Values stand here as keyed hashes only; texts that hold them are served without them
-- (0084). Every change of what holds keep gives the account another edition, which is never given again: whoever judged a
-- text by another edition judges it again before it is written.

create type forget_setting as enum ('own', 'all', 'off');
create type forget_kind as enum ('own', 'others');
create type forget_state as enum ('open', 'upheld', 'lifted');

create sequence forget_editions;
grant usage on sequence forget_editions to vouch_app;

-- One row for each account in which something was ever asked to be forgotten, or the setting was changed.
create table forget_books (
  account_id uuid primary key references accounts (id),
  edition bigint not null default nextval('forget_editions'),
  -- Which requests act before a person has decided: those for one's own values, all, or none.
  acts forget_setting not null default 'own',
  -- The key of the hints, sealed with the key of the deployment; null until the first hold.
  sealed_hint_key bytea,
  constraint hint_key_has_32_bytes check (octet_length(sealed_hint_key) = 32)
);
call secure_account_table('forget_books');
grant select, insert, update on forget_books to vouch_app;

create table forget_holds (
  account_id uuid not null references accounts (id),
  id uuid not null,
  -- It holds at this scope and below.
  scope_id uuid not null,
  -- Who asked; null once erased: what was to be forgotten stays forgotten.
  requester_peer_id uuid,
  -- The request; null where a person redacted a statement with its sources, and once it is erased.
  message_id uuid,
  credential_id uuid,
  kind forget_kind not null,
  state forget_state not null default 'open',
  -- Whether texts are served without its values now.
  is_acting boolean not null,
  sealed_key bytea not null,
  opened_at timestamptz not null default clock_timestamp(),
  -- When a person should have decided. Then it stays as it is, and administrators are asked too.
  due_at timestamptz not null,
  version integer not null default 1,
  decided_at timestamptz,
  decided_by uuid,
  primary key (account_id, id),
  constraint hold_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint requester_is_in_same_account foreign key (account_id, requester_peer_id) references peers (account_id, id),
  constraint hold_decider_is_in_same_account foreign key (account_id, decided_by) references peers (account_id, id),
  constraint request_is_in_same_account foreign key (account_id, message_id) references messages (account_id, id)
    on delete set null (message_id),
  constraint hold_key_has_32_bytes check (octet_length(sealed_key) = 32),
  constraint decided_hold_has_its_time check ((state = 'open') = (decided_at is null)),
  constraint lifted_hold_does_not_act check (not is_acting or state <> 'lifted'),
  constraint upheld_hold_acts check (is_acting or state <> 'upheld')
);
create index forget_holds_acting on forget_holds (account_id, id) where is_acting;
create index forget_holds_by_requester on forget_holds (account_id, requester_peer_id, opened_at);
create index forget_holds_by_credential on forget_holds (account_id, credential_id, opened_at);
create index forget_holds_by_scope on forget_holds (account_id, scope_id, id);
create index forget_holds_to_decide on forget_holds (account_id, scope_id, id) where state = 'open';
create index forget_holds_by_decider on forget_holds (account_id, decided_by) where decided_by is not null;
create unique index request_opens_a_hold_of_each_kind_once on forget_holds (account_id, message_id, kind)
  where message_id is not null;
call secure_account_table('forget_holds');
grant select, insert, update on forget_holds to vouch_app;

create table masked_values (
  account_id uuid not null,
  hold_id uuid not null,
  -- HMAC-SHA-256 of the folded value under the key of the hold.
  hash bytea not null,
  -- 24 bits, the same for equal values of the account: a sieve.
  hint integer not null,
  -- Of a kind that names a person or opens a door: kept from all texts of its scope, not only from those by or about the requester.
  opens_door boolean not null,
  -- More than a plain word: kept from all texts too, once more than the requester asks for it.
  is_specific boolean not null,
  -- When the requester is first known to have said it, or somebody of the requester; null where neither is known. Whoever else
  -- said it before that keeps it from being the requester's own.
  first_said_at timestamptz,
  -- Whether it stood in a statement about the requester.
  is_stated boolean not null,
  primary key (account_id, hold_id, hash),
  constraint value_hold_is_in_same_account foreign key (account_id, hold_id) references forget_holds (account_id, id)
    on delete cascade,
  constraint value_hash_is_a_sha256 check (octet_length(hash) = 32),
  constraint value_hint_has_24_bits check (hint between 0 and 16777215)
);
call secure_account_table('masked_values');
grant select, insert, update on masked_values to vouch_app;

-- The edition, read after every transaction that changes it has ended: until this transaction ends none can change it.
create function forget_edition(p_account uuid) returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('forgetting/' || p_account, 0));
  return coalesce((select b.edition from forget_books b where b.account_id = p_account), 0);
end $$;

-- As before; for a text that holds keep something of, `p_served` says what is served: `{place, text}`, null for nothing. Whoever
-- judged by another edition than the one in force is answered `stale`, and nothing is written.
drop function ingest_observations(uuid, integer, json, text[], integer);
create function ingest_observations(
    p_account uuid, p_shards integer, p_observations json, p_contents text[], p_lock_ms integer, p_edition bigint, p_served json)
  returns table (place integer, outcome ingest_outcome, message_id uuid, occurred_at timestamptz, shard smallint)
  language plpgsql as $$
declare
  v_sent sent_observation[];
  v_new sent_observation[];
  v_places observation_place[];
begin
  perform set_config('app.account_id', p_account::text, true), set_config('plan_cache_mode', 'force_generic_plan', true);
  if p_lock_ms is not null then
    perform set_config('lock_timeout', p_lock_ms::text, true);
  end if;
  if forget_edition(p_account) <> p_edition then
    return query select 0, 'stale'::ingest_outcome, null::uuid, null::timestamptz, null::smallint;
    return;
  end if;
  v_sent := array(select o from json_populate_recordset(null::sent_observation, p_observations) o);

  with taken as (
    insert into idempotency_records (account_id, id, credential_id, method, path, key, request_hash, status, resource_id)
      select p_account, o.idempotency_id, o.credential_id, 'POST', o.idempotency_path, o.idempotency_key,
        o.request_hash, 202, o.message_id
      from unnest(v_sent) o
      where o.idempotency_key is not null
      order by o.credential_id, o.idempotency_path collate "C", o.idempotency_key collate "C", o.place
      on conflict on constraint idempotency_key_is_used_once do nothing
      returning idempotency_records.id
  )
  select array_agg(o order by o.place) into v_new
    from unnest(v_sent) o
    where o.idempotency_key is null or o.idempotency_id in (select t.id from taken t);

  if v_new is not null then
    v_places := array(select at from places_of_observations(p_account, v_new) at);
    if exists (
      select from unnest(v_places) at
      where at.scope_id is null or at.speaker_id is null or at.session_id is null or not at.is_joined or at.awaits_audience
    ) then
      perform ensure_places(p_account, p_shards, v_new);
      v_places := array(select at from places_of_observations(p_account, v_new) at);
    end if;
    if exists (select from unnest(v_places) at where at.awaits_audience) then
      raise exception 'an audience was not written';
    end if;
    perform refuse_erasing(p_account, array(
      select at.speaker_id from unnest(v_places) at union select o.caller_peer_id from unnest(v_new) o
      union select p.id from unnest(v_new) o join peers p on p.account_id = p_account and p.key = any(o.audience_peer_keys)));

    return query
      with said as (
        select o.*, at.scope_id as at_scope, at.speaker_id as said_by, at.session_id as at_session, at.shard as at_shard,
          at.audience_id as at_audience
        from unnest(v_new) o join unnest(v_places) at using (place)
        order by o.place
      ), kept as (
        insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, relay_peer_id, credential_id, role,
            content, is_served, unmasked, content_hash, occurred_at, occurred_offset_minutes, trace_id, audience_id)
          select p_account, s.message_id, s.at_session, s.at_scope, s.said_by, nullif(s.caller_peer_id, s.said_by),
            s.credential_id, s.role,
            case when masked.place is null then p_contents[s.place] else coalesce(masked.text, '') end,
            masked.place is null or masked.text is not null,
            case when masked.place is not null then p_contents[s.place] end,
            s.content_hash, s.occurred_at, s.occurred_offset_minutes, s.trace_id, s.at_audience
          from said s
          left join json_to_recordset(p_served) as masked (place integer, text text) on masked.place = s.place
          order by s.place
      ), anchored as (
        insert into extraction_anchors (account_id, message_id, session_id, scope_id, shard, speaker_peer_id)
          select p_account, s.message_id, s.at_session, s.at_scope, s.at_shard, s.said_by from said s
      ), marked as (
        insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
          select p_account, engine.name, 'message', s.message_id, s.at_scope, s.at_shard
          from said s cross join (values ('qdrant'::index_engine), ('meilisearch')) as engine (name)
      ), audited as (
        insert into audit_events (account_id, id, category, action, actor_kind, actor_peer_id, credential_id,
            resource_type, resource_id, content_hash)
          select p_account, s.audit_id, 'observation', 'message.accepted', 'credential', s.caller_peer_id, s.credential_id,
            'message', s.message_id, salted_hash(p_account, s.said_by, s.content_hash)
          from said s
      )
      select s.place, 'accepted'::ingest_outcome, s.message_id, s.occurred_at, s.at_shard from said s;
  end if;

  return query
    select o.place, case when i.request_hash = o.request_hash then 'replayed' else 'conflict' end::ingest_outcome,
      m.id, m.occurred_at, s.shard
    from unnest(v_sent) o
    join idempotency_records i on i.account_id = p_account and i.credential_id = o.credential_id and i.method = 'POST'
      and i.path_hash = text_sha256(o.idempotency_path) and i.key = o.idempotency_key and i.id <> o.idempotency_id
    left join messages m on m.account_id = i.account_id and m.id = i.resource_id
    left join sessions s on s.account_id = m.account_id and s.id = m.session_id
    where o.idempotency_key is not null;
end $$;

-- As before, without messages of which nothing is served: they stand in no conversation.
create or replace function window_before(p_message messages, p_most integer)
  returns table (id uuid, content text, place bigint) language sql stable as $$
  select e.id, e.content, row_number() over (order by e.occurred_at, e.recorded_at, e.id)
  from (
    select near.* from (
      select near.id, near.content, near.occurred_at, near.recorded_at, near.speaker_peer_id, near.content_hash,
        row_number() over (partition by near.occurred_at, near.speaker_peer_id, near.content_hash
          order by near.recorded_at, near.id) as copy
      from (
        select e.id, e.content, e.occurred_at, e.recorded_at, e.speaker_peer_id, e.content_hash
        from (
          select e.* from messages e
          where e.account_id = (p_message).account_id and e.session_id = (p_message).session_id
            and e.scope_id = (p_message).scope_id and e.occurred_at <= (p_message).occurred_at
            and (e.occurred_at, e.recorded_at, e.id)
              < ((p_message).occurred_at, (p_message).recorded_at, (p_message).id)
          order by e.occurred_at desc, e.recorded_at desc, e.id desc limit p_most * 40
        ) e
        where e.is_served and (e.speaker_peer_id = (p_message).speaker_peer_id
            or e.relay_peer_id is not distinct from (p_message).speaker_peer_id
            or (e.audience_id is null or is_addressed(e.account_id, e.audience_id, (p_message).speaker_peer_id))
              and exists (
              select from session_participants s
              where s.account_id = e.account_id and s.session_id = e.session_id and s.scope_id = e.scope_id
                and s.peer_id = (p_message).speaker_peer_id
                and (s.reads_whole_session or e.recorded_at >= s.joined_at)))
          and (e.audience_id is null or e.audience_id = (p_message).audience_id
            and ((p_message).relay_peer_id is null or (p_message).relay_peer_id in (e.relay_peer_id, e.speaker_peer_id)))
          and (select erased.erasing_at from peers erased
            where erased.account_id = e.account_id and erased.id = e.speaker_peer_id) is null
        order by e.occurred_at desc, e.recorded_at desc, e.id desc limit p_most * 4
      ) near
    ) near
    where near.copy = 1
      and (near.occurred_at, near.speaker_peer_id, near.content_hash)
        <> ((p_message).occurred_at, (p_message).speaker_peer_id, (p_message).content_hash)
    order by near.occurred_at desc, near.recorded_at desc, near.id desc limit p_most
  ) e
$$;
