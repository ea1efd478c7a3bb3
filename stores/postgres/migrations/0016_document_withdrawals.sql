-- The withdrawal of a document is a version of it, without bytes: it takes its place in the order of versions,
-- and what is handed in afterwards is a version after it. From here on `settled_at` says that a version took over:
-- what only earlier ones attested has ended, and their chunks leave the search indexes. It stays empty in a version
-- that was replaced before.

alter table document_versions
  alter column sha256 drop not null,
  alter column byte_size drop not null,
  alter column media_type drop not null,
  add column is_withdrawal boolean not null default false,
  add constraint version_has_bytes_unless_it_withdraws
    check (num_nonnulls(sha256, byte_size, media_type) = case when is_withdrawal then 0 else 3 end),
  add constraint withdrawal_has_nothing_to_read check (not is_withdrawal or chunk_count is not distinct from 0);

-- Whether anybody is reading a version is asked by the version.
create index pipeline_runs_by_target on pipeline_runs (account_id, target_id) where target_id is not null;
