-- A document no longer attests what only its earlier versions said. It stays among the sources, and counts no more.
alter table knowledge_attesters
  add column withdrawn boolean not null default false,
  add constraint only_documents_withdraw check (not withdrawn or document_id is not null);

-- Counts again what these statements are attested by, from their sources; those without any are left with none. The
-- caller holds the locks of their subjects, and tells the engines where something changed.
create or replace function recount_evidence(of_account uuid, ids uuid[]) returns void
  language plpgsql as $$
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
      where newer.account_id = p.account_id and newer.document_id = v.document_id and newer.version > max(v.version)
        and newer.settled_at is not null)
  from provenance p
  join messages m on m.account_id = p.account_id and m.id = p.message_id
  left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
  where p.account_id = of_account and p.knowledge_id = any(ids)
  group by p.account_id, p.knowledge_id, case when v.document_id is null then m.speaker_peer_id end, v.document_id;
  insert into knowledge_source_scopes (account_id, knowledge_id, scope_id)
  select distinct p.account_id, p.knowledge_id, m.scope_id
  from provenance p join messages m on m.account_id = p.account_id and m.id = p.message_id
  where p.account_id = of_account and p.knowledge_id = any(ids);
  insert into knowledge_submitters (account_id, knowledge_id, peer_id)
  select distinct p.account_id, p.knowledge_id, peer.id
  from provenance p
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

-- What was withdrawn before this migration.
alter table knowledge_attesters no force row level security;
alter table document_versions no force row level security;
alter table knowledge no force row level security;
with gone as (
  update knowledge_attesters a set withdrawn = true
  where a.document_id is not null and exists (
    select from document_versions newer
    where newer.account_id = a.account_id and newer.document_id = a.document_id and newer.version > a.last_version
      and newer.settled_at is not null)
  returning a.account_id, a.knowledge_id
)
update knowledge k set corroboration_count = k.corroboration_count - lost.n
from (select account_id, knowledge_id, count(*)::integer as n from gone group by 1, 2) lost
where k.account_id = lost.account_id and k.id = lost.knowledge_id and k.corroboration_count >= lost.n;
alter table knowledge force row level security;
alter table document_versions force row level security;
alter table knowledge_attesters force row level security;
