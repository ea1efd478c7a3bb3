-- Whether runs of a kind wait to begin is asked with each request for one: it must not cost what all unfinished runs of
-- the account amount to.
create index pipeline_runs_waiting on pipeline_runs (account_id, kind, id) where status = 'pending';
