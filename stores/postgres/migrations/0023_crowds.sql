-- Whether runs of a kind wait to begin is asked with each request for one: it must not cost what all unfinished runs of
-- the account amount to.
create index pipeline_runs_waiting on pipeline_runs (account_id, kind, id) where status = 'pending';

-- An extraction is told of the first who came to a session, however many there are.
create index session_participants_by_joining
  on session_participants (account_id, session_id, scope_id, joined_at, peer_id);
