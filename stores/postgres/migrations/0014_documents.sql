-- Documents: the second kind of raw observation. A version is immutable and known by the hash of its bytes,
-- which lie in the blob store; a chunk of it is a message, in a session that belongs to the document.

-- A document is known by its name in a scope, or by its first bytes where it has none.
create table documents (
  account_id uuid not null references accounts (id),
  id uuid not null,
  scope_id uuid not null,
  external_id text,
  unnamed_sha256 bytea,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint document_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint document_name_is_unique_in_scope unique (account_id, scope_id, external_id),
  constraint unnamed_document_is_unique_in_scope unique (account_id, scope_id, unnamed_sha256),
  constraint document_is_known_one_way check (num_nonnulls(external_id, unnamed_sha256) = 1),
  constraint document_name_has_1_to_256_characters check (char_length(external_id) between 1 and 256)
);
call secure_account_table('documents');

-- `parsed_at`: its chunks are there, or it was found that there can be none. `settled_at`: besides, what only
-- earlier versions attested has ended.
create table document_versions (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  version integer not null,
  sha256 bytea not null,
  byte_size integer not null,
  media_type text not null,
  title text,
  occurred_at timestamptz not null,
  occurred_offset_minutes smallint not null,
  uploader_peer_id uuid not null,
  credential_id uuid not null,
  trace_id text not null,
  recorded_at timestamptz not null default clock_timestamp(),
  attempt_count integer not null default 0,
  last_error_class error_class,
  chunk_count integer,
  parsed_at timestamptz,
  settled_at timestamptz,
  primary key (account_id, id),
  constraint version_document_is_in_same_account foreign key (account_id, document_id) references documents (account_id, id),
  constraint version_number_is_unique_in_document unique (account_id, document_id, version),
  constraint version_uploader_is_in_same_account foreign key (account_id, uploader_peer_id)
    references peers (account_id, id),
  constraint version_credential_is_in_same_account foreign key (account_id, credential_id)
    references credentials (account_id, id),
  constraint version_hash_is_a_sha256 check (octet_length(sha256) = 32),
  constraint version_is_at_most_32_mib check (byte_size between 1 and 33554432),
  constraint version_title_has_1_to_256_characters check (char_length(title) between 1 and 256),
  constraint version_trace_id_is_32_hex check (trace_id ~ '^[0-9a-f]{32}$'),
  constraint parsed_version_has_its_chunks check ((parsed_at is null) = (chunk_count is null)),
  constraint settled_version_is_parsed check (settled_at is null or parsed_at is not null)
);
call secure_account_table('document_versions');

-- A session of callers has their id; that of a document has none that anybody could name.
alter table sessions
  alter column external_id drop not null,
  add column document_id uuid,
  add constraint session_document_is_in_same_account foreign key (account_id, document_id)
    references documents (account_id, id),
  add constraint document_has_one_session unique (account_id, document_id),
  add constraint session_is_of_callers_or_of_a_document check (num_nonnulls(external_id, document_id) = 1);

-- Headings above a chunk, outermost first, one a line.
alter table messages
  add column document_version_id uuid,
  add column chunk_index integer,
  add column headings text,
  add constraint chunk_version_is_in_same_account foreign key (account_id, document_version_id)
    references document_versions (account_id, id),
  add constraint chunk_has_its_place check ((document_version_id is null) = (chunk_index is null)),
  add constraint only_chunks_have_headings check (headings is null or document_version_id is not null),
  add constraint chunk_stands_once_in_its_version unique (account_id, document_version_id, chunk_index);

grant select, insert on documents, document_versions to vouch_app;
grant update (attempt_count, last_error_class, chunk_count, parsed_at, settled_at) on document_versions to vouch_app;
