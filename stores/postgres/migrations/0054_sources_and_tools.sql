-- What the pages about sources list, the newest first, at a cost that does not grow with what was before: documents and
-- sessions of a scope, messages of a scope by their anchors, documents that a peer uploaded, sessions that it was in. The
-- indexes that are replaced had the same columns in front.
drop index extraction_anchors_by_scope;
create index extraction_anchors_by_scope on extraction_anchors (account_id, scope_id, message_id);
-- Few anchors are here at a time: those that are not completed.
create index extraction_anchors_unfinished on extraction_anchors (account_id, scope_id, status, message_id)
  where status <> 'completed';
drop index document_versions_by_uploader;
create index document_versions_by_uploader on document_versions (account_id, uploader_peer_id, document_id);
drop index session_participants_by_peer;
create index session_participants_by_peer on session_participants (account_id, peer_id, session_id, scope_id);
create index session_scopes_by_scope on session_scopes (account_id, scope_id, session_id);
create index documents_by_scope on documents (account_id, scope_id, id);

-- The last runs of tools in a browser session: tool, time, code and milliseconds; no arguments and no answers.
alter table browser_sessions add column tool_runs jsonb not null default '[]',
  add constraint session_keeps_five_runs_of_tools
    check (jsonb_typeof(tool_runs) = 'array' and jsonb_array_length(tool_runs) <= 5 and octet_length(tool_runs::text) <= 2048);
