-- A speaker may take back what it said, as a document may: it attests the statement no more, until it says it again.
alter table knowledge_attesters drop constraint only_documents_withdraw;

-- As before, and who took its words back has taken them back still.
create or replace function recount_evidence(of_account uuid, ids uuid[]) returns void language plpgsql as $$
declare
  v_taken_back jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_array(a.knowledge_id, a.peer_id)), '[]') into v_taken_back from knowledge_attesters a
    where a.account_id = of_account and a.knowledge_id = any(ids) and a.withdrawn and a.peer_id is not null;
  delete from knowledge_attesters where account_id = of_account and knowledge_id = any(ids);
  delete from knowledge_source_scopes where account_id = of_account and knowledge_id = any(ids);
  delete from knowledge_submitters where account_id = of_account and knowledge_id = any(ids);
  insert into knowledge_attesters (account_id, knowledge_id, peer_id, document_id, source_count, last_said_at,
    last_said_hash, last_version, withdrawn)
  select p.account_id, p.knowledge_id, case when v.document_id is null then m.speaker_peer_id end, v.document_id,
    count(*), max(said_at(m.occurred_at, m.recorded_at)),
    (array_agg(m.content_hash order by said_at(m.occurred_at, m.recorded_at) desc, m.content_hash desc))[1],
    max(v.version), case when v.document_id is null
      then v_taken_back @> jsonb_build_array(jsonb_build_array(p.knowledge_id,
        case when v.document_id is null then m.speaker_peer_id end)) else exists (
      select from document_versions newer
      left join peers uploader on uploader.account_id = newer.account_id and uploader.id = newer.uploader_peer_id
      where newer.account_id = p.account_id and newer.document_id = v.document_id and newer.version > max(v.version)
        and newer.settled_at is not null and (newer.is_withdrawal or uploader.erasing_at is null)) end
  from provenance p
  join messages m on m.account_id = p.account_id and m.id = p.message_id
  left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
  where p.account_id = of_account and p.knowledge_id = any(ids) and not p.is_context
  group by p.account_id, p.knowledge_id, case when v.document_id is null then m.speaker_peer_id end, v.document_id;
  insert into knowledge_source_scopes (account_id, knowledge_id, scope_id)
  select distinct p.account_id, p.knowledge_id, m.scope_id
  from provenance p join messages m on m.account_id = p.account_id and m.id = p.message_id
  where p.account_id = of_account and p.knowledge_id = any(ids);
  insert into knowledge_submitters (account_id, knowledge_id, peer_id, scope_id, state, confidence, recorded_at)
  select distinct p.account_id, p.knowledge_id, peer.id, k.scope_id, k.state::text, k.confidence, k.recorded_at
  from provenance p
  join knowledge k on k.account_id = p.account_id and k.id = p.knowledge_id
  join messages m on m.account_id = p.account_id and m.id = p.message_id
  cross join lateral (values (m.speaker_peer_id), (m.relay_peer_id)) as peer (id)
  where p.account_id = of_account and p.knowledge_id = any(ids) and peer.id is not null and not p.is_context;
  update knowledge k set
    source_count = (select count(*) from provenance p where p.account_id = k.account_id and p.knowledge_id = k.id),
    submitter_count = (select count(*) from knowledge_submitters s
      where s.account_id = k.account_id and s.knowledge_id = k.id),
    corroboration_count = (select count(*) from knowledge_attesters a
      where a.account_id = k.account_id and a.knowledge_id = k.id and not a.withdrawn),
    (first_said_at, first_said_hash, first_attester_id) = (
      select said_at(m.occurred_at, m.recorded_at), m.content_hash, coalesce(v.document_id, m.speaker_peer_id)
      from provenance p
      join messages m on m.account_id = p.account_id and m.id = p.message_id
      left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
      where p.account_id = k.account_id and p.knowledge_id = k.id and not p.is_context
      order by 1, 2, 3 limit 1)
  where k.account_id = of_account and k.id = any(ids);
end $$;
