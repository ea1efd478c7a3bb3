-- What a browser session has beside its credential (of kind browser_session, with the hash of its token, its login and its
-- end): when it was last used. A session without a row here opens nothing. Rows are content-free and are deleted when the
-- session ends.
create table browser_sessions (
  account_id uuid not null references accounts (id),
  credential_id uuid not null,
  last_seen_at timestamptz not null,
  primary key (account_id, credential_id),
  constraint browser_session_credential_is_in_same_account
    foreign key (account_id, credential_id) references credentials (account_id, id)
);
create index browser_sessions_by_last_use on browser_sessions (account_id, last_seen_at);
call secure_account_table('browser_sessions');
grant select, insert, update, delete on browser_sessions to vouch_app;
