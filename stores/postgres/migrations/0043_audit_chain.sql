-- The audit log as one hash chain per account. Writers append events and wait for nobody; a sealer gives the events of
-- an account their places in its chain, page by page (ADR 51).

-- A transaction id means nothing in the database that a logical backup is restored to, and nothing rests on it.
alter table audit_events drop column transaction_id;

alter table audit_events
  add column chain_position bigint,
  add column chain_hash bytea,
  add constraint sealed_event_has_position_and_hash check ((chain_position is null) = (chain_hash is null)),
  add constraint chain_begins_at_1 check (chain_position >= 1),
  add constraint chain_hash_has_32_bytes check (octet_length(chain_hash) = 32);
create unique index audit_events_in_chain on audit_events (account_id, chain_position)
  where chain_position is not null;
create index audit_events_unsealed on audit_events (account_id, occurred_at, id) where chain_position is null;

-- Where the chain of an account ends: at 0, with a hash of zeros, before anything is sealed. `sealed_until` is the
-- instant up to which the sealer has come: what was sealed before lies there in the index of unsealed events until a
-- vacuum, and is passed over. Events that appear before it are found by a look at everything, once an hour.
create table audit_chains (
  account_id uuid primary key references accounts (id),
  position bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null default clock_timestamp(),
  sealed_until timestamptz not null default '-infinity',
  constraint chain_end_is_not_before_0 check (position >= 0),
  constraint chain_end_has_32_bytes check (octet_length(hash) = 32)
);
call secure_account_table('audit_chains');

-- The service appends events, says nothing of their time, and gives none its place.
revoke insert on audit_events from vouch_app;
grant insert (account_id, id, category, action, actor_kind, actor_peer_id, credential_id, resource_type, resource_id,
  metadata, content_hash) on audit_events to vouch_app;
grant select on audit_chains to vouch_app;

-- Appends unsealed events of the account of the transaction to its chain, in the order given. False, and nothing
-- changed, unless the chain ends at p_after: then somebody else has sealed meanwhile. What is sealed stays as it is.
create function seal_audit_events(p_after bigint, p_ids uuid[], p_hashes bytea[]) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_count integer := cardinality(p_ids);
  v_end bigint;
  v_sealed integer;
  v_until timestamptz;
begin
  if v_count = 0 or v_count <> cardinality(p_hashes) then
    raise exception 'every event that is sealed has one hash';
  end if;
  -- The row makes sealers of one account follow each other.
  insert into audit_chains (account_id, position, hash)
    values (current_account(), 0, decode(repeat('00', 32), 'hex')) on conflict do nothing;
  select c.position into v_end from audit_chains c where c.account_id = current_account() for update;
  if v_end <> p_after then
    return false;
  end if;
  with sealed as (
    update audit_events e set chain_position = p_after + given.place, chain_hash = given.hash
      from unnest(p_ids, p_hashes) with ordinality as given (id, hash, place)
      where e.account_id = current_account() and e.id = given.id and e.chain_position is null
      returning e.occurred_at)
    select count(*), max(s.occurred_at) into v_sealed, v_until from sealed s;
  if v_sealed <> v_count then
    raise exception 'only unsealed events of the account are sealed';
  end if;
  update audit_chains c set position = p_after + v_count, hash = p_hashes[v_count], sealed_at = clock_timestamp(),
      sealed_until = greatest(c.sealed_until, v_until)
    where c.account_id = current_account();
  return true;
end $$;

-- Accounts with unsealed events, in order, with the instant of the oldest one: from where the sealer has come, or of
-- `everything`.
create function lookup_unsealed_accounts(after_id uuid, everything boolean, page integer)
  returns table (account_id uuid, unsealed_since timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select a.id, oldest.occurred_at
    from accounts a
    left join audit_chains c on c.account_id = a.id
    cross join lateral (
      select e.occurred_at from audit_events e
      where e.account_id = a.id and e.chain_position is null
        and e.occurred_at >= case when everything or c.account_id is null then '-infinity' else c.sealed_until end
      order by e.occurred_at limit 1) oldest
    where after_id is null or a.id > after_id
    order by a.id limit page;
  end;

do $$
declare
  target regprocedure;
begin
  grant create on schema public to vouch_eraser, vouch_lookup;
  foreach target in array array['seal_audit_events(bigint, uuid[], bytea[])'::regprocedure,
      'lookup_unsealed_accounts(uuid, boolean, integer)'::regprocedure] loop
    execute format('revoke all on function %s from public', target);
    execute format('grant execute on function %s to vouch_app', target);
  end loop;
  alter function seal_audit_events(bigint, uuid[], bytea[]) owner to vouch_eraser;
  alter function lookup_unsealed_accounts(uuid, boolean, integer) owner to vouch_lookup;
  revoke create on schema public from vouch_eraser, vouch_lookup;
end $$;
grant select (account_id, id, chain_position, occurred_at), update (chain_position, chain_hash) on audit_events to vouch_eraser;
grant select, insert, update on audit_chains to vouch_eraser;
create policy lookup_reads on audit_events for select to vouch_lookup using (true);
grant select (account_id, occurred_at, chain_position) on audit_events to vouch_lookup;
create policy lookup_reads on audit_chains for select to vouch_lookup using (true);
grant select (account_id, sealed_until) on audit_chains to vouch_lookup;
