-- What each search index was last told by this database. An index that says anything else, or nothing, is of another past:
-- one of the two was emptied, or put back to an earlier day. It is then written anew.

create table index_marks (
  engine text primary key,
  -- The mark that the index holds; null until the first.
  current uuid,
  -- A mark that is being written: the index holds it, or still the one before.
  pending uuid,
  pending_at timestamptz,
  -- Since when the index waits to be written anew.
  lost_at timestamptz,
  claimed_until timestamptz,
  constraint mark_is_of_an_index check (engine in ('meilisearch', 'qdrant')),
  constraint pending_mark_has_its_time check ((pending is null) = (pending_at is null))
);
grant select, insert, update, delete on index_marks to vouch_app;
