-- A window looks back over so many messages of its session, whoever may read them: what others say among themselves must not
-- make a window cost more with each message.
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
        where (e.speaker_peer_id = (p_message).speaker_peer_id
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

-- What is said to some is compared with what was said to the same before, however many others were told the like.
create index knowledge_of_attribute_and_audience on knowledge
  (account_id, subject_peer_id, claim_about, audience_id, text_occurred_at desc, id)
  where claim_about is not null and audience_id is not null;
