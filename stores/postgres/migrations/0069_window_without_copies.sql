-- The messages that a message is read with: at most `p_most` of those before it in its session and scope, that its speaker
-- could read and whose speakers are not being erased. A message that was sent again says nothing new: of copies with one
-- speaker, time and content the first counts, and a copy of the message itself does not. So that copies crowd nothing out,
-- four times as many are looked at. One query, so that the planner sees through it.
create function window_before(p_message messages, p_most integer)
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
            or exists (
              select from session_participants s
              where s.account_id = e.account_id and s.session_id = e.session_id and s.scope_id = e.scope_id
                and s.peer_id = (p_message).speaker_peer_id
                and (s.reads_whole_session or e.recorded_at >= s.joined_at)))
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

-- Claims for a drain, bounded in anchors and in the bytes of what they show, and counts an attempt of each. Nothing
-- while the extractor's circuit keeps calls back; one anchor when it is time for a probe of `p_provider`, `p_model`.
-- Of what was lost with earlier drains `p_most_lost`, and one of what was lost more than once, where `p_may_be_alone`;
-- what was lost ten times is terminal. `p_holds`: the drain holds other anchors.
create or replace function claim_anchors(
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
      left join lateral (
        select sum(octet_length(e.content)) as bytes from window_before(m, p_window) e
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
