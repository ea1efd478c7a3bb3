-- Who else could decide a contest: people who are curators or administrators at a place.
create index grants_of_curators on grants (account_id, scope_path_hash)
  where effect = 'allow' and role in ('curator', 'account_admin') and peer_id is not null;

-- What was refused about a subject, the newest first: nobody says it again in other words.
create index knowledge_refused_of_peer on knowledge (account_id, subject_peer_id, recorded_at desc)
  where state in ('redacted', 'rejected', 'contested');
create index knowledge_refused_of_scope on knowledge (account_id, subject_scope_id, recorded_at desc)
  where state in ('redacted', 'rejected', 'contested') and subject_peer_id is null;
