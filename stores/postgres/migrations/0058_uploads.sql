-- Bytes outside the database always have a row that leads to them: the version that names them, or the upload that has not
-- come to its end. The row is there before the bytes are, and goes with the transaction of the version.
create table document_uploads (
  account_id uuid not null references accounts (id),
  id uuid not null,
  sha256 bytea not null,
  -- Null once the uploader is erased: nothing may come of the upload any more.
  uploader_peer_id uuid,
  began_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id),
  constraint upload_hash_is_a_sha256 check (octet_length(sha256) = 32),
  constraint uploader_is_in_same_account foreign key (account_id, uploader_peer_id) references peers (account_id, id)
);
call secure_account_table('document_uploads');
create index document_uploads_of_bytes on document_uploads (account_id, sha256);
create index document_uploads_by_age on document_uploads (account_id, began_at, id);
create index document_uploads_of_peer on document_uploads (account_id, uploader_peer_id) where uploader_peer_id is not null;
grant select, insert, delete, update (uploader_peer_id) on document_uploads to vouch_app;

-- A document belongs to who uploads it: others' bytes, and others' names for theirs, are documents of their own. Where
-- several had uploaded versions of one, it is the one whose version was the last.
alter table documents no force row level security;
alter table document_versions no force row level security;
alter table documents
  add column owner_peer_id uuid,
  add constraint document_owner_is_in_same_account foreign key (account_id, owner_peer_id) references peers (account_id, id);
update documents d set owner_peer_id = (
  select v.uploader_peer_id from document_versions v
  where v.account_id = d.account_id and v.document_id = d.id and v.uploader_peer_id is not null
  order by v.is_withdrawal, v.version desc limit 1);
alter table documents
  drop constraint document_name_is_unique_in_scope,
  drop constraint unnamed_document_is_unique_in_scope,
  add constraint document_name_is_unique_for_its_owner unique (account_id, scope_id, external_id, owner_peer_id),
  add constraint unnamed_document_is_unique_for_its_owner unique (account_id, scope_id, unnamed_sha256, owner_peer_id);
create index documents_of_owner on documents (account_id, owner_peer_id) where owner_peer_id is not null;
alter table documents force row level security;
alter table document_versions force row level security;
