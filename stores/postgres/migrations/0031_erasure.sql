-- Erasure of a person: who is being erased, the requests with their receipts, and what was erased until it is verified.

-- Set by the request and never taken back. Afterwards the row stands for nobody: it keeps an id that other rows name, a
-- key that nobody knows, and no name.
alter table peers add column erasing_at timestamptz;

create type erasure_mode as enum ('proportionate', 'strict');
create type erasure_state as enum ('accepted', 'running', 'verifying', 'completed');

-- The id is that of the run. `access_hash` is the SHA-256 of the credential that asked: it may read this one row until
-- `access_until`. `erased` holds counts by closed words. `receipt` is what the person is given: canonical JSON.
create table erasure_requests (
  account_id uuid not null references accounts (id),
  id uuid not null,
  -- Null once the erasure is complete: then nothing leads from the request to a person.
  peer_id uuid,
  mode erasure_mode not null,
  state erasure_state not null default 'accepted',
  access_hash bytea,
  access_until timestamptz,
  erased jsonb not null default '{}',
  requested_at timestamptz not null default clock_timestamp(),
  first_verified_at timestamptz,
  completed_at timestamptz,
  receipt text,
  primary key (account_id, id),
  constraint erased_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id),
  constraint completed_erasure_names_nobody check ((state = 'completed') = (peer_id is null)),
  constraint completed_erasure_has_its_receipt
    check ((state = 'completed') = (receipt is not null) and (state = 'completed') = (completed_at is not null)),
  constraint erasure_access_has_its_end check ((access_hash is null) = (access_until is null)),
  constraint erasure_access_is_a_sha256 check (octet_length(access_hash) = 32)
);
create unique index erasure_requests_open on erasure_requests (account_id, peer_id) where peer_id is not null;
create unique index erasure_requests_by_access on erasure_requests (access_hash) where access_hash is not null;
call secure_account_table('erasure_requests');
grant select, insert, update on erasure_requests to vouch_app;

-- Units of the indexes that the erasure deletes or changes the text of, until the indexes were read back.
create table erasure_units (
  account_id uuid not null,
  erasure_id uuid not null,
  unit unit_kind not null,
  unit_id uuid not null,
  primary key (account_id, erasure_id, unit, unit_id),
  constraint unit_erasure_is_in_same_account foreign key (account_id, erasure_id)
    references erasure_requests (account_id, id)
);
call secure_account_table('erasure_units');
grant select, insert, delete on erasure_units to vouch_app;

-- Bytes of documents that no version has any more.
create table erasure_blobs (
  account_id uuid not null,
  erasure_id uuid not null,
  sha256 bytea not null,
  deleted_at timestamptz,
  primary key (account_id, erasure_id, sha256),
  constraint blob_erasure_is_in_same_account foreign key (account_id, erasure_id)
    references erasure_requests (account_id, id),
  constraint blob_hash_is_a_sha256 check (octet_length(sha256) = 32)
);
create index erasure_blobs_by_hash on erasure_blobs (account_id, sha256);
call secure_account_table('erasure_blobs');
grant select, insert, update, delete on erasure_blobs to vouch_app;

-- The credential of a person who is being erased opens this one row, and nothing else.
create policy lookup_reads on erasure_requests for select to vouch_lookup using (true);
grant select (account_id, id, access_hash, access_until) on erasure_requests to vouch_lookup;
grant create on schema public to vouch_lookup;
create function lookup_erasure(wanted_hash bytea) returns table (account_id uuid, erasure_id uuid)
  language sql stable security definer set search_path = public, pg_temp
begin atomic
  select r.account_id, r.id from erasure_requests r
  where r.access_hash = lookup_erasure.wanted_hash and r.access_until > clock_timestamp();
end;
revoke all on function lookup_erasure(bytea) from public;
grant execute on function lookup_erasure(bytea) to vouch_app;
alter function lookup_erasure(bytea) owner to vouch_lookup;
revoke create on schema public from vouch_lookup;

-- Refuses rows that would name a person who is being erased. The key locks wait for a request that is being written, and
-- a request waits for them: what is let through here commits before the erasure begins.
create function refuse_erasing(p_account uuid, p_peers uuid[]) returns void
  language plpgsql as $$
declare
  v_erasing timestamptz;
begin
  for v_erasing in
    select p.erasing_at from peers p
    where p.account_id = p_account and p.id = any(p_peers) order by p.id for key share
  loop
    if v_erasing is not null then
      raise exception using errcode = 'check_violation', constraint = 'peer_is_not_being_erased',
        message = 'the peer is being erased';
    end if;
  end loop;
end $$;

-- The same for every new row of a table; the argument names the column of the peer.
create function refuse_erasing_row() returns trigger
  language plpgsql as $$
begin
  perform refuse_erasing(new.account_id, array[(to_jsonb(new) ->> tg_argv[0])::uuid]);
  return new;
end $$;
create trigger names_nobody_who_is_being_erased before insert on credentials
  for each row execute function refuse_erasing_row('peer_id');
create trigger names_nobody_who_is_being_erased before insert on logins
  for each row execute function refuse_erasing_row('peer_id');
create trigger names_nobody_who_is_being_erased before insert on grants
  for each row execute function refuse_erasing_row('peer_id');
create trigger names_nobody_who_is_being_erased before insert on document_versions
  for each row execute function refuse_erasing_row('uploader_peer_id');

-- Deletes messages of people who are being erased, and no others. The service itself may delete none.
grant create on schema public to vouch_eraser;
create function erase_messages(p_account uuid, p_ids uuid[]) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_erased integer;
begin
  if p_account is distinct from current_account() then
    raise exception 'messages are erased in the account of the transaction only';
  end if;
  delete from messages m using peers p
    where m.account_id = p_account and m.id = any(p_ids)
      and p.account_id = m.account_id and p.id = m.speaker_peer_id and p.erasing_at is not null;
  get diagnostics v_erased = row_count;
  return v_erased;
end $$;

-- Takes the name of such a person off what that person passed on for others.
create function erase_relays(p_account uuid, p_ids uuid[]) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_erased integer;
begin
  if p_account is distinct from current_account() then
    raise exception 'messages are changed in the account of the transaction only';
  end if;
  update messages m set relay_peer_id = null from peers p
    where m.account_id = p_account and m.id = any(p_ids)
      and p.account_id = m.account_id and p.id = m.relay_peer_id and p.erasing_at is not null;
  get diagnostics v_erased = row_count;
  return v_erased;
end $$;
-- Takes items that go off decisions about statements that stay. Decisions are never changed otherwise.
create function erase_item_links(p_account uuid, p_gone uuid[]) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_erased integer;
begin
  if p_account is distinct from current_account() then
    raise exception 'decisions are changed in the account of the transaction only';
  end if;
  update gate_decisions d set review_item_id = null from review_items item
    where item.account_id = p_account and (item.knowledge_id = any(p_gone) or item.conflict_knowledge_id = any(p_gone))
      and d.account_id = item.account_id and d.review_item_id = item.id and d.knowledge_id <> all(p_gone);
  get diagnostics v_erased = row_count;
  return v_erased;
end $$;

do $$
declare target regprocedure;
begin
  foreach target in array array['erase_messages(uuid, uuid[])'::regprocedure,
      'erase_relays(uuid, uuid[])'::regprocedure, 'erase_item_links(uuid, uuid[])'::regprocedure] loop
    execute format('revoke all on function %s from public', target);
    execute format('grant execute on function %s to vouch_app', target);
    execute format('alter function %s owner to vouch_eraser', target);
  end loop;
end $$;
grant select on gate_decisions, review_items to vouch_eraser;
grant update (review_item_id) on gate_decisions to vouch_eraser;
revoke create on schema public from vouch_eraser;
grant update (relay_peer_id) on messages to vouch_eraser;
grant select on peers to vouch_eraser;

-- What the service deletes and scrubs itself.
grant delete on document_versions, extraction_anchors, logins, session_participants, speaker_turns to vouch_app;
grant update on documents to vouch_app;

-- A page of an erasure looks along these, however large the account is.
drop index messages_by_speaker;
create index messages_by_speaker on messages (account_id, speaker_peer_id, id);
create index messages_by_relay on messages (account_id, relay_peer_id, id) where relay_peer_id is not null;
create index credentials_by_login on credentials (account_id, login_id) where login_id is not null;
create index document_versions_by_uploader on document_versions (account_id, uploader_peer_id);
create index document_versions_by_hash on document_versions (account_id, sha256) where sha256 is not null;
create index knowledge_superseding on knowledge (account_id, supersedes_id) where supersedes_id is not null;
create index gate_decisions_of_item on gate_decisions (account_id, review_item_id) where review_item_id is not null;
create index idempotency_records_of_resource on idempotency_records (account_id, resource_id);

-- As before, and for nobody who is being erased, neither as the speaker nor as the caller.
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
      'message', p_message_id, p_content_hash);

  outcome := 'accepted';
  message_id := p_message_id;
  occurred_at := p_occurred_at;
end $$;
