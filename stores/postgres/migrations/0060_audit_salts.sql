-- Who knows or guesses what a person said could tell by a hash in the audit log, long after the person was erased, that she
-- had said it. Such a hash is taken with a salt of hers, which the erasure removes.
alter table peers add column audit_salt uuid default gen_random_uuid();
grant update (audit_salt) on peers to vouch_app;

create function salted_hash(p_account uuid, p_peer uuid, p_hash bytea) returns bytea language sql
as $$
  select sha256(uuid_send(coalesce(
    (select p.audit_salt from peers p where p.account_id = p_account and p.id = p_peer), gen_random_uuid())) || p_hash)
$$;

create or replace function ingest_observation(
  p_account uuid, p_credential uuid, p_caller_peer uuid, p_vouched boolean,
  p_scope_path text, p_scope_ids uuid[],
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

  v_scope := ensure_scope_chain(p_account, p_scope_path, p_scope_ids);
  v_speaker := case when p_speaker_key is null then p_caller_peer
    else ensure_peer(p_account, p_speaker_id, p_speaker_key, p_speaker_name, p_speaker_kind) end;
  perform refuse_erasing(p_account, array[v_speaker, p_caller_peer]);
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
      'message', p_message_id, salted_hash(p_account, v_speaker, p_content_hash));

  outcome := 'accepted';
  message_id := p_message_id;
  occurred_at := p_occurred_at;
end $$;
