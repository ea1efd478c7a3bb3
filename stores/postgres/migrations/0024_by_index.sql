-- A request for a run looks at the runs that wait. Row security keeps `kind` from being a condition of an index, so the
-- index leaves out the runs of documents, of which very many may wait and which nobody asks for.
drop index pipeline_runs_waiting;
create index pipeline_runs_asked_for on pipeline_runs (account_id, id)
  where status = 'pending' and kind <> 'document';

-- What the reader said himself among the sources of a statement, however many others said it too: from the index alone,
-- or the planner takes the primary key, which is narrower, and reads all sources.
drop index provenance_by_speaker;
create index provenance_by_speaker on provenance (account_id, knowledge_id, speaker_peer_id, source_key)
  include (message_id);
