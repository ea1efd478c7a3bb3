-- What a merge asks of the sources of a statement, counted: whatever their number, it is read and extended row by row.
-- `provenance` stays the list of all sources; `recount_evidence` makes the rest from it.

-- What makes two messages one source: session, speaker, time and content. A second message of the same key is a
-- re-send.
create function source_key(session_id uuid, speaker_peer_id uuid, occurred_at timestamptz, content_hash bytea)
  returns uuid
  language sql immutable parallel safe
  return encode(substring(sha256(
    uuid_send(session_id) || uuid_send(speaker_peer_id) || timestamptz_send(occurred_at) || content_hash) for 16),
    'hex')::uuid;

alter table provenance no force row level security;
alter table messages no force row level security;
alter table provenance add column source_key uuid;
update provenance p
set source_key = source_key(m.session_id, m.speaker_peer_id, m.occurred_at, m.content_hash)
from messages m where m.account_id = p.account_id and m.id = p.message_id;
alter table provenance alter column source_key set not null;
alter table provenance force row level security;
alter table messages force row level security;
-- Whether a source was used before, and which of a statement's sources somebody said.
create index provenance_by_speaker on provenance (account_id, knowledge_id, speaker_peer_id, source_key);

-- How many messages the statement cites, how many peers submitted it, and who said it first: of two at one moment the
-- lower content hash, then the lower id.
alter table knowledge
  add column source_count integer not null default 0,
  add column submitter_count integer not null default 0,
  add column first_attester_id uuid,
  add column first_said_at timestamptz,
  add column first_said_hash bytea,
  add constraint evidence_is_not_negative check (source_count >= 0 and submitter_count >= 0),
  add constraint first_saying_is_known_as_a_whole
    check (num_nonnulls(first_attester_id, first_said_at, first_said_hash) in (0, 3));

-- Whose word a statement is: that of its speakers and documents, each with the number of its sources. There are
-- `corroboration_count` of them.
create table knowledge_attesters (
  account_id uuid not null,
  knowledge_id uuid not null,
  attester_id uuid not null generated always as (coalesce(document_id, peer_id)) stored,
  peer_id uuid,
  document_id uuid,
  source_count integer not null,
  last_said_at timestamptz not null,
  last_said_hash bytea not null,
  -- The newest version of the document that says it.
  last_version integer,
  primary key (account_id, knowledge_id, attester_id),
  constraint attested_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint attesting_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id),
  constraint attesting_document_is_in_same_account foreign key (account_id, document_id)
    references documents (account_id, id),
  constraint attester_is_a_peer_or_a_document check (num_nonnulls(peer_id, document_id) = 1),
  constraint attesting_document_has_its_version check ((document_id is null) = (last_version is null)),
  constraint attester_has_a_source check (source_count > 0)
);
create index knowledge_attesters_by_document on knowledge_attesters (account_id, document_id, knowledge_id)
  where document_id is not null;
call secure_account_table('knowledge_attesters');

-- The scopes in which a statement was said, wherever it was placed since.
create table knowledge_source_scopes (
  account_id uuid not null,
  knowledge_id uuid not null,
  scope_id uuid not null,
  primary key (account_id, knowledge_id, scope_id),
  constraint scoped_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint source_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id)
);
call secure_account_table('knowledge_source_scopes');

grant select, insert, update, delete on knowledge_attesters, knowledge_source_scopes to vouch_app;

-- Counts again what these statements are attested by, from their sources; those without any are left with none. The
-- caller holds the locks of their subjects, and tells the engines where something changed.
create function recount_evidence(of_account uuid, ids uuid[]) returns void
  language plpgsql as $$
begin
  delete from knowledge_attesters where account_id = of_account and knowledge_id = any(ids);
  delete from knowledge_source_scopes where account_id = of_account and knowledge_id = any(ids);
  delete from knowledge_submitters where account_id = of_account and knowledge_id = any(ids);
  insert into knowledge_attesters (account_id, knowledge_id, peer_id, document_id, source_count, last_said_at,
    last_said_hash, last_version)
  select p.account_id, p.knowledge_id, case when v.document_id is null then m.speaker_peer_id end, v.document_id,
    count(*), max(m.occurred_at), (array_agg(m.content_hash order by m.occurred_at desc, m.content_hash desc))[1],
    max(v.version)
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
      where a.account_id = k.account_id and a.knowledge_id = k.id),
    (first_said_at, first_said_hash, first_attester_id) = (
      select m.occurred_at, m.content_hash, coalesce(v.document_id, m.speaker_peer_id)
      from provenance p
      join messages m on m.account_id = p.account_id and m.id = p.message_id
      left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
      where p.account_id = k.account_id and p.knowledge_id = k.id
      order by 1, 2, 3 limit 1)
  where k.account_id = of_account and k.id = any(ids);
end $$;

-- What was there before this migration, account by account.
alter table provenance no force row level security;
alter table messages no force row level security;
alter table knowledge no force row level security;
alter table knowledge_submitters no force row level security;
alter table knowledge_attesters no force row level security;
alter table knowledge_source_scopes no force row level security;
alter table document_versions no force row level security;
do $$
declare
  account uuid;
begin
  for account in select distinct k.account_id from knowledge k loop
    perform recount_evidence(account, array(select k.id from knowledge k where k.account_id = account));
  end loop;
end $$;
alter table knowledge force row level security;
alter table knowledge_submitters force row level security;
alter table knowledge_attesters force row level security;
alter table knowledge_source_scopes force row level security;
alter table document_versions force row level security;
alter table provenance force row level security;
alter table messages force row level security;

-- As before, in a form in which a claim is looked up by its window, whichever end is open.
drop index knowledge_claim_is_open_once;
create unique index knowledge_claim_is_open_once on knowledge
  (account_id, scope_id, statement_hash, (coalesce(subject_peer_id, subject_scope_id)),
    (coalesce(relevant_from, '-infinity')),
    (coalesce(case when updated_by_id is not null and state_before_update is null then stated_until
      else relevant_until end, 'infinity')))
  where state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale', 'contested')
    and not previously_refused;
-- The same text of the same subject, newest first: what was refused or is over among them.
drop index knowledge_by_claim;
create index knowledge_by_text on knowledge
  (account_id, scope_id, statement_hash, (coalesce(subject_peer_id, subject_scope_id)), recorded_at desc);

-- What newer statements of an attribute may change: what stands, and what was updated, each from the newest on.
drop index knowledge_by_claimed_attribute;
create index knowledge_standing_of_attribute on knowledge
  (account_id, subject_peer_id, claim_about, text_occurred_at desc, id)
  where claim_about is not null and updated_by_id is null
    and state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale');
create index knowledge_updated_of_attribute on knowledge
  (account_id, subject_peer_id, claim_about, text_occurred_at desc, id)
  where claim_about is not null and updated_by_id is not null;
create index knowledge_by_update on knowledge (account_id, updated_by_id) where updated_by_id is not null;
