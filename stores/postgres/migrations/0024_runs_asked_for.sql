-- A request for a run looks at the runs that wait. Row security keeps `kind` from being a condition of an index, so the
-- index leaves out the runs of documents, of which very many may wait and which nobody asks for.
drop index pipeline_runs_waiting;
create index pipeline_runs_asked_for on pipeline_runs (account_id, id)
  where status = 'pending' and kind <> 'document';
