-- Words that 0087 uses: Postgres lets no transaction use a word of a type that it has added itself.
alter type run_kind add value 'forgetting';
-- What was judged by other holds than those in force: it is to be judged again.
alter type ingest_outcome add value 'stale';
