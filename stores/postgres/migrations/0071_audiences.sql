-- An audience narrows who reads a message and what is drawn from it: of those who could read it without one, its speaker
-- and relay, and whom the audience names. Equal audiences of a scope are one row, found by a keyed digest of their names.
create table audiences (
  account_id uuid not null references accounts (id),
  id uuid not null,
  scope_id uuid not null,
  -- Null once a name was erased: whoever sends the other names again means another audience.
  digest bytea,
  primary key (account_id, id),
  constraint audience_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint audience_is_known_once unique (account_id, scope_id, digest),
  constraint audience_digest_is_a_sha256 check (octet_length(digest) = 32)
);
call secure_account_table('audiences');
grant select, insert, update on audiences to vouch_app;

-- Whom an audience names. A principal is the id of a peer or of a circle, or a role at the scope of the audience
-- ('<scope>/<role>'), which stands for everybody with that role or a higher one.
create table audience_members (
  account_id uuid not null,
  audience_id uuid not null,
  principal text not null,
  primary key (account_id, audience_id, principal),
  constraint member_audience_is_in_same_account foreign key (account_id, audience_id)
    references audiences (account_id, id) on delete cascade,
  constraint principal_is_an_id_or_a_role check (principal ~ '^[0-9a-f-]{36}(/(reader|member|curator|account_admin))?$')
);
create index audience_members_by_principal on audience_members (account_id, principal, audience_id);
call secure_account_table('audience_members');
grant select, insert, delete on audience_members to vouch_app;

alter table messages
  add column audience_id uuid,
  add constraint message_audience_is_in_same_account foreign key (account_id, audience_id)
    references audiences (account_id, id);
alter table document_versions
  add column audience_id uuid,
  add constraint version_audience_is_in_same_account foreign key (account_id, audience_id)
    references audiences (account_id, id);
alter table knowledge
  add column audience_id uuid,
  add constraint knowledge_audience_is_in_same_account foreign key (account_id, audience_id)
    references audiences (account_id, id);
alter table belief_periods add column audience_id uuid;
create index messages_by_audience on messages (account_id, audience_id, id) where audience_id is not null;
create index knowledge_by_audience on knowledge (account_id, audience_id, id) where audience_id is not null;

-- A statement with an audience lies on a shelf of its own, so that it takes no place of one that more people read.
alter table knowledge alter column shelf set expression as ((
  case state
    when 'proposed' then 'proposed' when 'provisional' then 'provisional' when 'held' then 'held'
    when 'active' then 'active' when 'needs_revalidation' then 'needs_revalidation' when 'stale' then 'stale'
    when 'contested' then 'contested' when 'superseded' then 'superseded' when 'expired' then 'expired'
    when 'rejected' then 'rejected' when 'redacted' then 'redacted' else 'retracted' end
  || case
    when audience_id is not null then '/addressed'
    when sensitivity = 'public' then '/everybody'
    when sensitivity = 'internal' or subject_peer_id is null or target_level <> 'peer' then '/scope'
    else '/few' end));

-- The same for past beliefs.
drop index belief_periods_guarded_ended, belief_periods_guarded_standing, belief_periods_internal_ended,
  belief_periods_internal_standing, belief_periods_provisional, belief_periods_public_ended, belief_periods_public_standing;
create index belief_periods_guarded_ended on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity in ('personal', 'restricted') and believed_until is not null and audience_id is null;
create index belief_periods_guarded_standing on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity in ('personal', 'restricted') and believed_until is null and audience_id is null;
create index belief_periods_internal_ended on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity = 'internal' and believed_until is not null and audience_id is null;
create index belief_periods_internal_standing on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity = 'internal' and believed_until is null and audience_id is null;
create index belief_periods_public_ended on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity = 'public' and believed_until is not null and audience_id is null;
create index belief_periods_public_standing on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity = 'public' and believed_until is null and audience_id is null;
create index belief_periods_provisional on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'provisional' and audience_id is null;

create index belief_periods_addressed on belief_periods (account_id, scope_id, believed_from desc)
  where audience_id is not null;

-- The same words about the same subject under two audiences are two statements.
drop index knowledge_claim_is_open_once;
create unique index knowledge_claim_is_open_once on knowledge (account_id, scope_id, statement_hash,
    coalesce(subject_peer_id, subject_scope_id), coalesce(relevant_from, '-infinity'),
    coalesce(case when updated_by_id is not null and state_before_update is null then stated_until else relevant_until end,
      'infinity'), coalesce(audience_id, '00000000-0000-0000-0000-000000000000'))
  where state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale', 'contested')
    and not previously_refused;

-- A commit finds what was said in a text, about an attribute, or refused by these, those for all apart from those for some.
drop index knowledge_by_text;
create index knowledge_by_text on knowledge
  (account_id, scope_id, statement_hash, coalesce(subject_peer_id, subject_scope_id), audience_id, recorded_at desc);
drop index knowledge_standing_of_attribute, knowledge_updated_of_attribute, knowledge_refused_of_peer,
  knowledge_refused_of_scope;
create index knowledge_standing_of_attribute on knowledge
  (account_id, subject_peer_id, claim_about, text_occurred_at desc, id)
  where claim_about is not null and updated_by_id is null and audience_id is null
    and state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale');
create index knowledge_updated_of_attribute on knowledge
  (account_id, subject_peer_id, claim_about, text_occurred_at desc, id)
  where claim_about is not null and updated_by_id is not null and audience_id is null;
create index knowledge_addressed_of_attribute on knowledge
  (account_id, subject_peer_id, claim_about, text_occurred_at desc, id)
  where claim_about is not null and audience_id is not null;
create index knowledge_refused_of_peer on knowledge (account_id, subject_peer_id, recorded_at desc)
  where state in ('redacted', 'rejected', 'contested') and audience_id is null;
create index knowledge_refused_of_scope on knowledge (account_id, subject_scope_id, recorded_at desc)
  where state in ('redacted', 'rejected', 'contested') and subject_peer_id is null and audience_id is null;
create index knowledge_refused_to_some_of_peer on knowledge (account_id, subject_peer_id, recorded_at desc)
  where state in ('redacted', 'rejected', 'contested') and audience_id is not null;
create index knowledge_refused_to_some_of_scope on knowledge (account_id, subject_scope_id, recorded_at desc)
  where state in ('redacted', 'rejected', 'contested') and subject_peer_id is null and audience_id is not null;

-- Whom the statements with an audience are addressed to, each where it stands: the people about whom they are among them.
-- A list of what somebody may read walks along it, as it does along the submitters.
create table knowledge_addressees (
  account_id uuid not null,
  knowledge_id uuid not null,
  principal text not null,
  scope_id uuid not null,
  state text not null,
  confidence double precision not null,
  recorded_at timestamptz not null,
  primary key (account_id, knowledge_id, principal),
  constraint addressed_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade
);
create index knowledge_addressees_listed on knowledge_addressees
  (account_id, principal, scope_id, state, confidence desc, recorded_at desc, knowledge_id);
create index knowledge_addressees_newest on knowledge_addressees
  (account_id, principal, scope_id, state, recorded_at desc, knowledge_id);
call secure_account_table('knowledge_addressees');
grant select, insert, update, delete on knowledge_addressees to vouch_app;

create function address_statement() returns trigger language plpgsql as $$
begin
  insert into knowledge_addressees (account_id, knowledge_id, principal, scope_id, state, confidence, recorded_at)
  select new.account_id, new.id, named.principal, new.scope_id, new.state::text, new.confidence, new.recorded_at
  from (
    select m.principal from audience_members m
    where m.account_id = new.account_id and m.audience_id = new.audience_id
    union
    select new.subject_peer_id::text where new.subject_peer_id is not null
  ) named;
  return null;
end $$;
create trigger addressees_begin_with_their_statement after insert on knowledge for each row
  when (new.audience_id is not null) execute function address_statement();

create function move_addressees() returns trigger language plpgsql as $$
begin
  update knowledge_addressees a
    set scope_id = new.scope_id, state = new.state::text, confidence = new.confidence, recorded_at = new.recorded_at
    where a.account_id = new.account_id and a.knowledge_id = new.id;
  return null;
end $$;
-- A statement that was placed for more readers keeps its addressees: they read what it said before.
create trigger addressees_follow_their_statement after update of scope_id, state, confidence, recorded_at, audience_id
  on knowledge for each row
  when ((old.audience_id is not null or new.audience_id is not null)
    and (old.scope_id, old.state, old.confidence, old.recorded_at)
      is distinct from (new.scope_id, new.state, new.confidence, new.recorded_at))
  execute function move_addressees();

-- The strongest role of the peer at the path by its own grants, null without one: any deny that applies wins.
create function role_of_peer(p_account uuid, p_peer uuid, p_path text) returns role_name language sql stable as $$
  select case when bool_and(g.effect = 'allow') then max(g.role) end
  from grants g
  where g.account_id = p_account and g.peer_id = p_peer
    and (g.scope_path = p_path or g.propagate and (g.scope_path = '/' or starts_with(p_path, g.scope_path || '/')))
$$;

-- Whether the audience names the peer: by itself, in a circle, or by its role at the scope of the audience.
create function is_addressed(p_account uuid, p_audience uuid, p_peer uuid) returns boolean language sql stable as $$
  select exists (
    select from audience_members m
    where m.account_id = p_account and m.audience_id = p_audience and m.principal = p_peer::text
    union all
    -- From the names of the audience, which are few, to the list of each circle: a peer may be in any number of circles.
    select from audience_members m
    join circle_members c on c.account_id = m.account_id and c.peer_id = p_peer
      and c.circle_id = case when m.principal not like '%/%' then m.principal::uuid end
    where m.account_id = p_account and m.audience_id = p_audience
    union all
    select from audience_members m
    join audiences a on a.account_id = m.account_id and a.id = m.audience_id
    join scopes s on s.account_id = a.account_id and s.id = a.scope_id
    where m.account_id = p_account and m.audience_id = p_audience and m.principal like '%/%'
      and role_of_peer(p_account, p_peer, s.path) >= split_part(m.principal, '/', 2)::role_name)
$$;

-- A message is read with those before it that its own readers may read: those for everybody of the session, and those of
-- its own audience that its speaker could read and its relay passed on.
create or replace function window_before(p_message messages, p_most integer)
  returns table (id uuid, content text, place bigint) language sql stable as $$
  select e.id, e.content, row_number() over (order by e.occurred_at, e.recorded_at, e.id)
  from (
    select near.* from (
      select near.id, near.content, near.occurred_at, near.recorded_at, near.speaker_peer_id, near.content_hash,
        row_number() over (partition by near.occurred_at, near.speaker_peer_id, near.content_hash
          order by near.recorded_at, near.id) as copy
      from (
        select e.id, e.content, e.occurred_at, e.recorded_at, e.speaker_peer_id, e.content_hash from messages e
        where e.account_id = (p_message).account_id and e.session_id = (p_message).session_id
          and e.scope_id = (p_message).scope_id and e.occurred_at <= (p_message).occurred_at
          and (e.occurred_at, e.recorded_at, e.id)
            < ((p_message).occurred_at, (p_message).recorded_at, (p_message).id)
          and (e.speaker_peer_id = (p_message).speaker_peer_id
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

-- An audience travels with its observation: circles by their ids, peers by their keys with ids for those that are new.
alter type sent_observation add attribute audience_id uuid;
alter type sent_observation add attribute audience_digest bytea;
alter type sent_observation add attribute audience_peer_keys text[];
alter type sent_observation add attribute audience_peer_ids uuid[];
alter type sent_observation add attribute audience_circle_ids uuid[];
alter type sent_observation add attribute audience_role text;
alter type observation_place add attribute audience_id uuid;
-- Whether it has an audience that its scope does not know yet.
alter type observation_place add attribute awaits_audience boolean;


create or replace function places_of_observations(p_account uuid, p_sent sent_observation[])
  returns setof observation_place language sql stable as $$
  select o.place, at.scope_id, at.speaker_id, at.session_id,
    (select s.shard from sessions s where s.account_id = p_account and s.id = at.session_id),
    exists (
      select from session_participants p
      where p.account_id = p_account and p.session_id = at.session_id and p.scope_id = at.scope_id
        and p.peer_id = at.speaker_id and (p.reads_whole_session or not o.is_vouched)),
    case when o.audience_digest is not null then (
      select a.id from audiences a
      where a.account_id = p_account and a.scope_id = at.scope_id and a.digest = o.audience_digest) end,
    o.audience_digest is not null and not exists (
      select from audiences a
      where a.account_id = p_account and a.scope_id = at.scope_id and a.digest = o.audience_digest)
  from unnest(p_sent) o
  cross join lateral (
    select scope_at(p_account, o.scope_path) as scope_id,
      case when o.speaker_key is null then o.caller_peer_id
        else (select p.id from peers p where p.account_id = p_account and p.key = o.speaker_key) end as speaker_id,
      (select s.id from sessions s where s.account_id = p_account and s.external_id = o.session) as session_id
    offset 0
  ) at
$$;

-- The audience of these names at the scope. Whoever sends them first writes it; peers that it names and the account does not
-- know are made.
create function intern_audience(p_account uuid, p_id uuid, p_scope uuid, p_digest bytea, p_peer_keys text[],
  p_peer_ids uuid[], p_circle_ids uuid[], p_role text) returns uuid language plpgsql as $$
declare
  v_id uuid;
begin
  insert into peers (account_id, id, key, name, kind)
    select p_account, n.id, n.key, n.key, 'human'
    from unnest(p_peer_keys, p_peer_ids) as n (key, id)
    where not exists (select from peers p where p.account_id = p_account and p.key = n.key)
    order by n.key collate "C"
    on conflict on constraint peer_key_is_unique_in_account do nothing;
  insert into audiences (account_id, id, scope_id, digest) values (p_account, p_id, p_scope, p_digest)
    on conflict on constraint audience_is_known_once do nothing
    returning id into v_id;
  if v_id is null then
    return (select a.id from audiences a
      where a.account_id = p_account and a.scope_id = p_scope and a.digest = p_digest);
  end if;
  insert into audience_members (account_id, audience_id, principal)
    select p_account, v_id, p.id::text from peers p where p.account_id = p_account and p.key = any(p_peer_keys)
    union
    select p_account, v_id, circle.id::text from unnest(p_circle_ids) as circle (id)
    union
    select p_account, v_id, p_scope || '/' || p_role where p_role is not null;
  return v_id;
end $$;

create or replace function ensure_places(p_account uuid, p_shards integer, p_sent sent_observation[])
 RETURNS void
 LANGUAGE plpgsql
AS $$
declare
  v_places observation_place[];
  v_scope record;
  v_audience record;
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
    select distinct on (named.key collate "C") p_account, named.id, named.key, named.name, named.kind
    from (
      select o.speaker_key as key, o.speaker_id as id, o.speaker_name as name, o.speaker_kind as kind, 1 as rank, o.place
      from unnest(p_sent) o where o.speaker_key is not null
      union all
      select n.key, n.id, n.key, 'human', 2, o.place
      from unnest(p_sent) o
      cross join lateral unnest(o.audience_peer_keys, o.audience_peer_ids) as n (key, id)
      where o.audience_digest is not null
    ) named
    where not exists (select from peers p where p.account_id = p_account and p.key = named.key)
    order by named.key collate "C", named.rank, named.place
    on conflict on constraint peer_key_is_unique_in_account do nothing;

  for v_audience in
    select distinct on (at.id, o.audience_digest) at.id as scope_id, o.*
    from unnest(p_sent) o
    cross join lateral (select scope_at(p_account, o.scope_path) as id offset 0) at
    where o.audience_digest is not null
    order by at.id, o.audience_digest, o.place
  loop
    perform intern_audience(p_account, v_audience.audience_id, v_audience.scope_id, v_audience.audience_digest,
      v_audience.audience_peer_keys, v_audience.audience_peer_ids, v_audience.audience_circle_ids,
      v_audience.audience_role);
  end loop;

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

create or replace function ingest_observations(p_account uuid, p_shards integer, p_observations json, p_contents text[], p_lock_ms integer)
 RETURNS TABLE(place integer, outcome ingest_outcome, message_id uuid, occurred_at timestamp with time zone, shard smallint)
 LANGUAGE plpgsql
AS $$
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
            content, content_hash, occurred_at, occurred_offset_minutes, trace_id, audience_id)
          select p_account, s.message_id, s.at_session, s.at_scope, s.said_by, nullif(s.caller_peer_id, s.said_by),
            s.credential_id, s.role, p_contents[s.place], s.content_hash, s.occurred_at, s.occurred_offset_minutes,
            s.trace_id, s.at_audience
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
