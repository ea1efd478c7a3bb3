-- What the directory of scopes reads: the scopes below a scope in the order of their names, the sessions of a scope that a
-- peer takes part in, and the grants at a path.
alter table scopes
  -- The last segment of the path; empty for the root. Names of scopes beside each other differ.
  add column name text generated always as (split_part(path, '/', -1)) stored not null;
create index scopes_by_name on scopes (account_id, parent_id, name collate "C");
drop index scopes_by_parent;
create index session_participants_by_peer_and_scope on session_participants (account_id, peer_id, scope_id, session_id);
create index grants_by_path on grants (account_id, scope_path_hash, propagate, created_at);
