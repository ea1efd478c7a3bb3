-- What context answers from: cards of scopes and of names, profiles of people, summaries of sessions. A row holds the ids and
-- versions of its sources, never their texts; its own texts are a summary, a label and the name that it is about.
create type projection_kind as enum ('session_summary', 'peer_profile', 'scope_card', 'entity_card');
create type summary_mode as enum ('model', 'source_extract', 'none', 'unavailable');

create table projections (
  account_id uuid not null references accounts (id),
  kind projection_kind not null,
  scope_id uuid not null,
  -- The session, the peer, or the scope itself.
  target_id uuid not null,
  -- The name that an entity card is about, folded; empty for the other kinds.
  entity text not null default '',
  entity_kind text,
  label text,
  -- In the order of salience, each with the version that was read.
  source_ids uuid[] not null,
  source_versions bigint[] not null,
  -- How many statements mention the name; of the other kinds, how many sources there are.
  source_total integer not null,
  -- Of a session: when the first of the messages was recorded that the sources were drawn from.
  said_since timestamptz,
  summary text,
  summary_mode summary_mode not null,
  summary_provider text,
  summary_model text,
  summary_model_version text,
  summary_prompt_version text,
  -- Moves with every change of the sources: a summary is kept only for the sources that it was made from.
  revision bigint not null default nextval('dirty_mark_generations'),
  built_at timestamptz not null default clock_timestamp(),
  -- When a summary is to be asked for; null when none is.
  summary_due_at timestamptz,
  summary_attempts smallint not null default 0,
  -- When one was asked for last.
  summary_asked_at timestamptz,
  primary key (account_id, kind, scope_id, target_id, entity),
  constraint projected_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint only_entity_cards_have_a_name check ((kind = 'entity_card') = (entity <> '')),
  constraint projected_name_has_at_most_128_bytes check (octet_length(entity) <= 128),
  constraint projected_label_has_at_most_256_characters check (char_length(label) <= 256),
  constraint summary_has_at_most_4800_characters check (char_length(summary) <= 4800),
  constraint every_source_has_its_version check (cardinality(source_ids) = cardinality(source_versions)),
  constraint projection_has_2_to_32_sources check (cardinality(source_ids) between 2 and 32),
  constraint only_a_made_summary_has_a_text check ((summary is not null) = (summary_mode in ('model', 'source_extract'))),
  constraint summary_attempts_are_not_negative check (summary_attempts >= 0)
);
create index projections_by_source on projections using gin (source_ids);
create index projections_to_summarise on projections (account_id, summary_due_at) where summary_due_at is not null;
create index projections_of_session on projections (account_id, target_id, scope_id) where kind = 'session_summary';

-- What changed. Only added to, so that two transactions which change the same card do not wait for each other.
create table projection_marks (
  account_id uuid not null references accounts (id),
  id bigint not null default nextval('dirty_mark_generations'),
  kind projection_kind not null,
  scope_id uuid not null,
  target_id uuid not null,
  marked_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id),
  constraint marked_place_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id)
);
create index projection_marks_of_place on projection_marks (account_id, target_id, scope_id, kind, marked_at);

-- What is to be built again: the marks of one card, or of all names of a scope, as one row.
create table projection_work (
  account_id uuid not null references accounts (id),
  kind projection_kind not null,
  scope_id uuid not null,
  target_id uuid not null,
  generation bigint not null default nextval('dirty_mark_generations'),
  -- Of the oldest mark.
  marked_at timestamptz not null,
  available_at timestamptz not null,
  attempt_count integer not null default 0,
  primary key (account_id, target_id, scope_id, kind),
  constraint place_of_work_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id)
);
create index projection_work_due on projection_work (account_id, available_at);

do $$
declare name text;
begin
  foreach name in array array['projections', 'projection_marks', 'projection_work'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_account on %I using (account_id = current_account()) with check (account_id = current_account())',
      name);
    execute format('grant select, insert, update, delete on %I to vouch_app', name);
    execute format('create policy lookup_reads on %I for select to vouch_lookup using (true)', name);
    execute format('grant select (account_id) on %I to vouch_lookup', name);
  end loop;
end $$;
grant select (available_at) on projection_work to vouch_lookup;
grant select (summary_due_at) on projections to vouch_lookup;

-- The statements about a person in a scope, the most salient first.
create index knowledge_salient_about_peer on knowledge (account_id, subject_peer_id, scope_id, salience desc, id)
  where state in ('active', 'provisional');
-- The names of a scope, the most mentioned first: one of the rows of each name.
create index scope_names_by_count on scope_names (account_id, scope_id, statements desc, alias)
  where word = split_part(alias, ' ', 1) and sure_statements > 0 and statements > 1;

-- Marks what is made of statements: whoever changes a statement, marks it in the same transaction. Statements that all
-- readers of their scope may read are in cards of the scope; those about a person are in that person's profile.
create function mark_of_statements() returns trigger language plpgsql as $$
begin
  insert into projection_marks (account_id, kind, scope_id, target_id)
  select distinct c.account_id, place.kind, c.scope_id, place.target_id
  from changed c cross join lateral (
    select kind, c.scope_id as target_id from unnest(array['scope_card', 'entity_card']::projection_kind[]) as kind
    where c.shelf in ('active/everybody', 'active/scope')
    union all
    select 'peer_profile', c.subject_peer_id
    where c.subject_peer_id is not null and c.state in ('active', 'provisional')) place;
  return null;
end $$;

create function mark_of_changed_statements() returns trigger language plpgsql as $$
begin
  with changed as (
    select version.* from before was join after became on became.account_id = was.account_id and became.id = was.id
    cross join lateral (
      select was.account_id, was.id, was.scope_id, was.shelf, was.state, was.subject_peer_id
      union
      select became.account_id, became.id, became.scope_id, became.shelf, became.state, became.subject_peer_id) version
    where (was.row_version, was.scope_id, was.shelf, was.salience, was.expires_at, was.statement, was.source_count,
        was.submitter_count)
      is distinct from (became.row_version, became.scope_id, became.shelf, became.salience, became.expires_at, became.statement,
        became.source_count, became.submitter_count)
  )
  insert into projection_marks (account_id, kind, scope_id, target_id)
  select distinct c.account_id, place.kind, place.scope_id, place.target_id
  from changed c cross join lateral (
    select kind, c.scope_id, c.scope_id as target_id
    from unnest(array['scope_card', 'entity_card']::projection_kind[]) as kind
    where c.shelf in ('active/everybody', 'active/scope')
    union all
    select 'peer_profile', c.scope_id, c.subject_peer_id
    where c.subject_peer_id is not null and c.state in ('active', 'provisional')
    union all
    -- A summary of a session leaves out statements of more sources.
    select 'session_summary', m.scope_id, m.session_id
    from (
      select p.message_id from provenance p
      where p.account_id = c.account_id and p.knowledge_id = c.id limit 65) cited
    join messages m on m.account_id = c.account_id and m.id = cited.message_id
    where c.shelf in ('active/everybody', 'active/scope')) place;
  return null;
end $$;

create function mark_of_sources() returns trigger language plpgsql as $$
begin
  insert into projection_marks (account_id, kind, scope_id, target_id)
  select distinct c.account_id, 'session_summary'::projection_kind, m.scope_id, m.session_id
  from changed c join messages m on m.account_id = c.account_id and m.id = c.message_id
  where not exists (
    select from knowledge k where k.account_id = c.account_id and k.id = c.knowledge_id
      and k.shelf not in ('active/everybody', 'active/scope'));
  return null;
end $$;

create function mark_of_mentions() returns trigger language plpgsql as $$
begin
  insert into projection_marks (account_id, kind, scope_id, target_id)
  select distinct c.account_id, 'entity_card'::projection_kind, c.scope_id, c.scope_id from changed c;
  return null;
end $$;

create trigger projections_follow_new_statements after insert on knowledge
  referencing new table as changed for each statement execute function mark_of_statements();
create trigger projections_follow_ended_statements after delete on knowledge
  referencing old table as changed for each statement execute function mark_of_statements();
create trigger projections_follow_statements after update on knowledge
  referencing old table as before new table as after for each statement execute function mark_of_changed_statements();
create trigger projections_follow_new_sources after insert on provenance
  referencing new table as changed for each statement execute function mark_of_sources();
create trigger projections_follow_ended_sources after delete on provenance
  referencing old table as changed for each statement execute function mark_of_sources();
create trigger projections_follow_new_mentions after insert on entity_mentions
  referencing new table as changed for each statement execute function mark_of_mentions();
create trigger projections_follow_ended_mentions after delete on entity_mentions
  referencing old table as changed for each statement execute function mark_of_mentions();

-- The accounts that follow `after_id` in which something is due to be built or summarised.
do $$ begin grant create on schema public to vouch_lookup; end $$;
create function lookup_accounts_to_project(after_id uuid, page integer) returns table (account_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    with recursive walk (id, n) as (
      select after_id, 0
      union all
      select least(
          (select m.account_id from projection_marks m
           where m.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by m.account_id limit 1),
          (select w.account_id from projection_work w
           where w.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
             and w.available_at <= statement_timestamp()
           order by w.account_id limit 1),
          (select p.account_id from projections p
           where p.summary_due_at is not null and p.summary_due_at <= statement_timestamp()
             and p.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by p.account_id limit 1)),
        walk.n + 1
      from walk where walk.n < page and (walk.n = 0 or walk.id is not null)
    )
    select walk.id from walk where walk.n > 0 and walk.id is not null order by walk.n;
  end;
do $$
begin
  revoke all on function lookup_accounts_to_project(uuid, integer) from public;
  grant execute on function lookup_accounts_to_project(uuid, integer) to vouch_app;
  alter function lookup_accounts_to_project(uuid, integer) owner to vouch_lookup;
  revoke create on schema public from vouch_lookup;
end $$;

-- Statements that stand already: each of their places is built once. Their sessions follow with their next change.
alter table knowledge no force row level security;
alter table projection_marks no force row level security;
insert into projection_marks (account_id, kind, scope_id, target_id)
select distinct k.account_id, place.kind, k.scope_id, place.target_id
from knowledge k cross join lateral (
  select kind, k.scope_id as target_id from unnest(array['scope_card', 'entity_card']::projection_kind[]) as kind
  where k.shelf in ('active/everybody', 'active/scope')
  union all
  select 'peer_profile', k.subject_peer_id
  where k.subject_peer_id is not null and k.state in ('active', 'provisional')) place;
alter table knowledge force row level security;
alter table projection_marks force row level security;
