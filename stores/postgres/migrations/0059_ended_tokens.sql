-- Tokens and sessions of people end after hours, and their rows go some time later. What was written with one keeps its id,
-- as the audit log does: it is where the row came from, and nothing can be reached by it.
alter table messages drop constraint message_credential_is_in_same_account;
alter table document_versions drop constraint version_credential_is_in_same_account;
alter table question_deliveries drop constraint delivery_credential_is_in_same_account;

-- Those that are still good are few; those that have ended are found by their age.
drop index credentials_by_login;
create index tokens_by_end on credentials (account_id, login_id, expires_at) where login_id is not null;
grant delete on credentials to vouch_app;

-- An erasure used to make keys of a person's tokens, so that lists of keys showed them.
alter table credentials no force row level security;
alter table grants no force row level security;
alter table idempotency_records no force row level security;
delete from credentials c
where c.kind = 'api_key' and c.name = 'erased' and c.revoked_at is not null
  and not exists (select from grants g where g.account_id = c.account_id and g.credential_id = c.id)
  and not exists (select from idempotency_records i where i.account_id = c.account_id and i.credential_id = c.id);
alter table credentials force row level security;
alter table grants force row level security;
alter table idempotency_records force row level security;
