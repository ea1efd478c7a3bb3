-- A submission is written where its statement stands, at once. A trigger wrote each row a second time, with its three indexes.
-- A change of the statement moves its submissions as before.
drop trigger submissions_are_placed on knowledge_submitters;
drop function place_submissions();
alter table knowledge_submitters
  alter column scope_id set not null,
  alter column state set not null,
  alter column confidence set not null,
  alter column recorded_at set not null;

create or replace function recount_evidence(of_account uuid, ids uuid[]) returns void language plpgsql as $$
begin
  delete from knowledge_attesters where account_id = of_account and knowledge_id = any(ids);
  delete from knowledge_source_scopes where account_id = of_account and knowledge_id = any(ids);
  delete from knowledge_submitters where account_id = of_account and knowledge_id = any(ids);
  insert into knowledge_attesters (account_id, knowledge_id, peer_id, document_id, source_count, last_said_at,
    last_said_hash, last_version, withdrawn)
  select p.account_id, p.knowledge_id, case when v.document_id is null then m.speaker_peer_id end, v.document_id,
    count(*), max(m.occurred_at), (array_agg(m.content_hash order by m.occurred_at desc, m.content_hash desc))[1],
    max(v.version), v.document_id is not null and exists (
      select from document_versions newer
      left join peers uploader on uploader.account_id = newer.account_id and uploader.id = newer.uploader_peer_id
      where newer.account_id = p.account_id and newer.document_id = v.document_id and newer.version > max(v.version)
        and newer.settled_at is not null and (newer.is_withdrawal or uploader.erasing_at is null))
  from provenance p
  join messages m on m.account_id = p.account_id and m.id = p.message_id
  left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
  where p.account_id = of_account and p.knowledge_id = any(ids)
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
  where p.account_id = of_account and p.knowledge_id = any(ids) and peer.id is not null;
  update knowledge k set
    source_count = (select count(*) from provenance p where p.account_id = k.account_id and p.knowledge_id = k.id),
    submitter_count = (select count(*) from knowledge_submitters s
      where s.account_id = k.account_id and s.knowledge_id = k.id),
    corroboration_count = (select count(*) from knowledge_attesters a
      where a.account_id = k.account_id and a.knowledge_id = k.id and not a.withdrawn),
    (first_said_at, first_said_hash, first_attester_id) = (
      select m.occurred_at, m.content_hash, coalesce(v.document_id, m.speaker_peer_id)
      from provenance p
      join messages m on m.account_id = p.account_id and m.id = p.message_id
      left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
      where p.account_id = k.account_id and p.knowledge_id = k.id
      order by 1, 2, 3 limit 1)
  where k.account_id = of_account and k.id = any(ids);
end $$;

-- A foreign key asks once for each row that is written, and locks the row that it finds; all that happens at once in an
-- account then shares the locks of its one row in `accounts` and of its few in `scopes`. The service may delete neither
-- accounts nor scopes, peers, sessions or documents, so what is counted, marked, or written with a row that names the same
-- place by a foreign key of its own needs none.
alter table dirty_marks
  drop constraint dirty_marks_account_id_fkey,
  drop constraint marked_scope_is_in_same_account;
alter table projection_marks
  drop constraint projection_marks_account_id_fkey,
  drop constraint marked_place_is_in_same_account;
alter table projection_work
  drop constraint projection_work_account_id_fkey,
  drop constraint place_of_work_is_in_same_account;
alter table projections
  drop constraint projections_account_id_fkey,
  drop constraint projected_scope_is_in_same_account;
alter table indexed_units drop constraint indexed_unit_scope_is_in_same_account;
alter table scope_units drop constraint counted_scope_is_in_same_account;
alter table scope_terms drop constraint term_scope_is_in_same_account;
alter table entity_mentions drop constraint mentioning_scope_is_in_same_account;
alter table scope_names drop constraint named_scope_is_in_same_account;
alter table statement_words drop constraint worded_scope_is_in_same_account;
alter table scope_words drop constraint listing_scope_is_in_same_account;
alter table scope_word_keys drop constraint keyed_scope_is_in_same_account;
alter table speaker_turns drop constraint turn_speaker_is_in_same_account;
-- The message names the same session, scope and speaker.
alter table extraction_anchors
  drop constraint anchor_scope_is_in_same_account,
  drop constraint anchor_session_is_in_same_account,
  drop constraint anchor_speaker_is_in_same_account;
alter table provider_attempts
  drop constraint provider_attempts_account_id_fkey,
  drop constraint attempt_scope_is_in_same_account;
-- The statement is in the account, and so is its scope.
alter table lifecycle_events
  drop constraint lifecycle_events_account_id_fkey,
  drop constraint lifecycle_scope_is_in_same_account;
alter table gate_decisions drop constraint decided_scope_is_in_same_account;

-- What is counted of the sources of a statement, and which statements came of a message. They go by the same queries as the
-- statement and the message, which are deleted in one place each (`deleteStatements`, `eraseMessages`).
alter table knowledge_attesters
  drop constraint attested_knowledge_is_in_same_account,
  drop constraint attesting_document_is_in_same_account,
  drop constraint attesting_peer_is_in_same_account;
alter table knowledge_source_scopes
  drop constraint scoped_knowledge_is_in_same_account,
  drop constraint source_scope_is_in_same_account;
alter table knowledge_submitters
  drop constraint submitted_knowledge_is_in_same_account,
  drop constraint submitting_peer_is_in_same_account;
alter table run_outputs
  drop constraint output_anchor_is_in_same_account,
  drop constraint output_knowledge_is_in_same_account;
