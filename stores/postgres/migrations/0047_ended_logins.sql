-- What ends a login's tokens. `epoch` counts the times that all tokens of a login ended: a token is good in the epoch in
-- which its password was checked. A login that was removed keeps its row, because credentials name it, and nothing of
-- the person: the peer and the e-mail address are free for another login.
alter table logins
  add column epoch integer not null default 0,
  alter column peer_id drop not null,
  alter column email drop not null,
  alter column password_hash drop not null,
  add constraint login_is_whole_or_removed check (num_nonnulls(peer_id, email, password_hash) in (0, 3)),
  add constraint removed_login_is_closed check (peer_id is not null or closed_at is not null);

alter table credentials add column login_epoch integer;
alter table credentials no force row level security;
update credentials set login_epoch = 0 where login_id is not null;
alter table credentials force row level security;
alter table credentials
  add constraint token_has_the_epoch_of_its_login check ((login_epoch is null) = (login_id is null));

-- Lists of keys: tokens, of which every sign-in adds one, are passed over.
create index api_keys_by_id on credentials (account_id, id) where kind = 'api_key';
create index api_keys_by_peer on credentials (account_id, peer_id, id) where kind = 'api_key';
