-- Observations are recorded by the group: one call, one transaction and one set of rows for what several requests of an
-- account sent at the same time, or for the items of one request (ADR 68).

drop function ingest_observation(
  uuid, uuid, uuid, boolean, text, uuid[], text, uuid, integer, text, text, peer_kind, uuid, uuid, text, text, bytea,
  timestamptz, integer, text, uuid, uuid, text, text, bytea);
drop function ensure_session(uuid, uuid, text, integer, uuid, uuid, boolean);
drop function ensure_peer(uuid, uuid, text, text, peer_kind);

-- One observation as it was sent, without its content. Ids are for the rows that may have to be created.
create type sent_observation as (
  place integer,
  credential_id uuid, caller_peer_id uuid, is_vouched boolean,
  scope_path text, scope_ids uuid[],
  session text, session_id uuid,
  speaker_key text, speaker_name text, speaker_kind peer_kind, speaker_id uuid,
  message_id uuid, role text, content_hash bytea, occurred_at timestamptz, occurred_offset_minutes smallint,
  trace_id text, audit_id uuid,
  idempotency_id uuid, idempotency_path text, idempotency_key text, request_hash bytea
);

-- Where an observation belongs. Ids are null for what does not exist yet.
create type observation_place as (
  place integer, scope_id uuid, speaker_id uuid, session_id uuid, shard smallint,
  -- Whether its speaker takes part in the session there already, with at least the rights that it gives.
  is_joined boolean
);

create function places_of_observations(p_account uuid, p_sent sent_observation[]) returns setof observation_place
  language sql stable as $$
  select o.place, at.scope_id, at.speaker_id, at.session_id,
    (select s.shard from sessions s where s.account_id = p_account and s.id = at.session_id),
    exists (
      select from session_participants p
      where p.account_id = p_account and p.session_id = at.session_id and p.scope_id = at.scope_id
        and p.peer_id = at.speaker_id and (p.reads_whole_session or not o.is_vouched))
  from unnest(p_sent) o
  cross join lateral (
    select scope_at(p_account, o.scope_path) as scope_id,
      case when o.speaker_key is null then o.caller_peer_id
        else (select p.id from peers p where p.account_id = p_account and p.key = o.speaker_key) end as speaker_id,
      (select s.id from sessions s where s.account_id = p_account and s.external_id = o.session) as session_id
    offset 0
  ) at
$$;

-- Creates what the observations need and the account has not yet. What two transactions may both create is created in one
-- order, so that neither waits for the other's end while the other waits for it.
create function ensure_places(p_account uuid, p_shards integer, p_sent sent_observation[]) returns void
  language plpgsql as $$
declare
  v_places observation_place[];
  v_scope record;
  v_joined record;
begin
  for v_scope in
    select distinct on (link.path collate "C") link.path, link.parent, o.scope_ids[link.depth] as id
    from unnest(p_sent) o
    cross join lateral (
      select c.path, c.depth, lag(c.path) over (order by c.depth) as parent
      from unnest(scope_chain(o.scope_path)) with ordinality as c (path, depth)
    ) link
    where scope_at(p_account, link.path) is null
    order by link.path collate "C", o.place
  loop
    insert into scopes (account_id, id, path, parent_id)
      values (p_account, v_scope.id, v_scope.path, scope_at(p_account, v_scope.parent))
      on conflict on constraint scope_path_is_unique_in_account do nothing;
  end loop;

  insert into peers (account_id, id, key, name, kind)
    select distinct on (o.speaker_key collate "C") p_account, o.speaker_id, o.speaker_key, o.speaker_name, o.speaker_kind
    from unnest(p_sent) o
    where o.speaker_key is not null
      and not exists (select from peers p where p.account_id = p_account and p.key = o.speaker_key)
    order by o.speaker_key collate "C", o.place
    on conflict on constraint peer_key_is_unique_in_account do nothing;

  with begun as (
    insert into sessions (account_id, id, external_id, shard)
      select distinct on (o.session collate "C") p_account, o.session_id, o.session,
        abs(hashtext(o.session_id::text) % p_shards)
      from unnest(p_sent) o
      where not exists (select from sessions s where s.account_id = p_account and s.external_id = o.session)
      order by o.session collate "C", o.place
      on conflict on constraint session_id_is_unique_in_account do nothing
      returning sessions.shard
  )
  insert into mailboxes (account_id, kind, shard)
    select distinct p_account, kind.name, begun.shard
    from begun cross join (values ('ingest'::mailbox_kind), ('projection')) as kind (name)
    order by kind.name, begun.shard
    on conflict do nothing;

  v_places := array(select at from places_of_observations(p_account, p_sent) at);
  for v_joined in
    select at.session_id, at.scope_id, min(at.shard) as shard, bool_or(o.is_vouched) as is_vouched
    from unnest(p_sent) o join unnest(v_places) at using (place)
    where not at.is_joined
    group by at.session_id, at.scope_id
    order by at.session_id, at.scope_id
  loop
    insert into session_scopes (account_id, session_id, scope_id)
      values (p_account, v_joined.session_id, v_joined.scope_id)
      on conflict do nothing;
    insert into session_participants as joined (account_id, session_id, scope_id, peer_id, reads_whole_session)
      select p_account, v_joined.session_id, v_joined.scope_id, at.speaker_id, bool_or(o.is_vouched)
      from unnest(p_sent) o join unnest(v_places) at using (place)
      where at.session_id = v_joined.session_id and at.scope_id = v_joined.scope_id and not at.is_joined
      group by at.speaker_id
      order by at.speaker_id
      on conflict on constraint session_participants_pkey
      do update set reads_whole_session = joined.reads_whole_session or excluded.reads_whole_session;
    if v_joined.is_vouched then
      perform mark_read_messages(p_account, v_joined.session_id, v_joined.scope_id, v_joined.shard::smallint);
    end if;
  end loop;
end $$;

-- Records observations of one account, or finds the first answers to their idempotency keys: one row for each of them. An
-- observation that cannot be recorded ends the whole call. `p_contents` has the contents by place, from 1. A lock that is
-- not free within `p_lock_ms` ends the call too; null: every lock is waited for.
create function ingest_observations(
  p_account uuid, p_shards integer, p_observations json, p_contents text[], p_lock_ms integer)
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
      where at.scope_id is null or at.speaker_id is null or at.session_id is null or not at.is_joined
    ) then
      perform ensure_places(p_account, p_shards, v_new);
      v_places := array(select at from places_of_observations(p_account, v_new) at);
    end if;
    perform refuse_erasing(p_account, array(
      select at.speaker_id from unnest(v_places) at union select o.caller_peer_id from unnest(v_new) o));

    return query
      with said as (
        select o.*, at.scope_id as at_scope, at.speaker_id as said_by, at.session_id as at_session, at.shard as at_shard
        from unnest(v_new) o join unnest(v_places) at using (place)
        order by o.place
      ), kept as (
        insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, relay_peer_id, credential_id, role,
            content, content_hash, occurred_at, occurred_offset_minutes, trace_id)
          select p_account, s.message_id, s.at_session, s.at_scope, s.said_by, nullif(s.caller_peer_id, s.said_by),
            s.credential_id, s.role, p_contents[s.place], s.content_hash, s.occurred_at, s.occurred_offset_minutes,
            s.trace_id
          from said s
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
