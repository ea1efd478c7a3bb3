-- The collections of Qdrant that are kept as Postgres says: every process writes each unit to all of them, and a process
-- reads the one of its own embedder once that is ready. A collection that is being filled is `building`. The table belongs
-- to the deployment. `claimed_by` is a random id of the process that fills the collection, for as long as its claim lasts.
create type vector_space_state as enum ('building', 'ready');

create table vector_spaces (
  collection text primary key,
  dimensions integer,
  state vector_space_state not null,
  created_at timestamptz not null default clock_timestamp(),
  ready_at timestamptz,
  claimed_by uuid,
  claimed_until timestamptz,
  constraint collection_name_has_1_to_255_characters check (char_length(collection) between 1 and 255),
  constraint ready_space_has_its_time check ((state = 'ready') = (ready_at is not null)),
  constraint claim_of_a_space_has_an_end check ((claimed_by is null) = (claimed_until is null))
);
grant select, insert, update, delete on vector_spaces to vouch_app;
