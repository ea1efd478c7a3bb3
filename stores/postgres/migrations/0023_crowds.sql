-- Whether runs of a kind wait to begin is asked with each request for one: it must not cost what all unfinished runs of
-- the account amount to.
create index pipeline_runs_waiting on pipeline_runs (account_id, kind, id) where status = 'pending';

-- An extraction is told of the first who came to a session, however many there are.
create index session_participants_by_joining
  on session_participants (account_id, session_id, scope_id, joined_at, peer_id);

-- What a drain gives back is found by what it holds, however much waits beside it.
create index extraction_anchors_held on extraction_anchors (account_id, shard, claim_epoch)
  where claim_epoch is not null and status in ('pending', 'failed');

-- Runs to begin again are found by why they ended, however many ended for good.
create index pipeline_runs_discarded on pipeline_runs (account_id, dispatched_at) where status = 'discarded';
create index pipeline_runs_failed on pipeline_runs (account_id, last_error_class, dispatched_at)
  where status = 'failed';
