-- One observation, one round trip, one transaction. The function resolves and stores; who may write where,
-- and what the text of a field may be, was decided before the call.
--
-- Ids come from the caller (UUIDv7), one for each row that may have to be created. Each statement inside
-- has a snapshot of its own, so an insert that lost a race finds the winner's row on the next line.

create type ingest_outcome as enum ('accepted', 'replayed', 'conflict');

create function ensure_scope_chain(p_account uuid, p_paths text[], p_ids uuid[]) returns uuid
  language plpgsql as $$
declare
  found_id uuid;
  parent uuid;
begin
  select s.id into found_id from scopes s where s.account_id = p_account and s.path = p_paths[cardinality(p_paths)];
  if found_id is not null then
    return found_id;
  end if;
  for depth in 1 .. cardinality(p_paths) loop
    insert into scopes (account_id, id, path, parent_id) values (p_account, p_ids[depth], p_paths[depth], parent)
      on conflict on constraint scope_path_is_unique_in_account do nothing;
    select s.id into parent from scopes s where s.account_id = p_account and s.path = p_paths[depth];
  end loop;
  return parent;
end $$;

create function ensure_peer(p_account uuid, p_id uuid, p_key text, p_name text, p_kind peer_kind) returns uuid
  language plpgsql as $$
declare
  found_id uuid;
begin
  select p.id into found_id from peers p where p.account_id = p_account and p.key = p_key;
  if found_id is null then
    insert into peers (account_id, id, key, name, kind) values (p_account, p_id, p_key, p_name, p_kind)
      on conflict on constraint peer_key_is_unique_in_account do nothing;
    select p.id into found_id from peers p where p.account_id = p_account and p.key = p_key;
  end if;
  return found_id;
end $$;

-- The session, its link to the scope and the speaker's participation; a new session brings its mailboxes.
create function ensure_session(
  p_account uuid, p_id uuid, p_external_id text, p_shards integer, p_scope uuid, p_speaker uuid, p_vouched boolean,
  out session_id uuid, out session_shard smallint)
  language plpgsql as $$
begin
  select s.id, s.shard into session_id, session_shard
    from sessions s where s.account_id = p_account and s.external_id = p_external_id;
  if session_id is null then
    insert into sessions (account_id, id, external_id, shard)
      values (p_account, p_id, p_external_id, abs(hashtext(p_id::text) % p_shards))
      on conflict on constraint session_id_is_unique_in_account do nothing;
    select s.id, s.shard into session_id, session_shard
      from sessions s where s.account_id = p_account and s.external_id = p_external_id;
    insert into mailboxes (account_id, kind, shard)
      values (p_account, 'ingest', session_shard), (p_account, 'projection', session_shard)
      on conflict do nothing;
  end if;
  perform from session_participants p
    where p.account_id = p_account and p.session_id = ensure_session.session_id and p.scope_id = p_scope
      and p.peer_id = p_speaker and (p.reads_whole_session or not p_vouched);
  if not found then
    insert into session_scopes (account_id, session_id, scope_id) values (p_account, session_id, p_scope)
      on conflict do nothing;
    insert into session_participants as joined (account_id, session_id, scope_id, peer_id, reads_whole_session)
      values (p_account, session_id, p_scope, p_speaker, p_vouched)
      on conflict on constraint session_participants_pkey
      do update set reads_whole_session = joined.reads_whole_session or excluded.reads_whole_session;
  end if;
end $$;

create function ingest_observation(
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
  insert into extraction_anchors (account_id, message_id, session_id, scope_id, shard)
    values (p_account, p_message_id, v_session, v_scope, shard);
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
