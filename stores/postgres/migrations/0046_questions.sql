-- Questions to the people whom statements are about, asked beside what an agent reads for them in a session.
create type question_kind as enum ('confirm', 'revalidate', 'consent_upward');
create type question_verdict as enum ('confirm', 'reject', 'unsure', 'skip');
create type question_verification as enum ('verified', 'unverified_channel');

-- A question has no text: it is about the statement as long as its hash is this one, and is shown from there.
create table questions (
  account_id uuid not null references accounts (id),
  id uuid not null,
  knowledge_id uuid not null,
  -- Where the statement stands.
  scope_id uuid not null,
  -- Whom the statement is about, and who alone is asked.
  peer_id uuid not null,
  kind question_kind not null,
  -- Where the statement would be shared; of questions for consent.
  target_scope_id uuid,
  statement_hash bytea not null,
  opened_at timestamptz not null,
  deadline_at timestamptz not null,
  -- How often the person did not want to answer.
  skips integer not null default 0,
  -- An answer that nobody can verify has put off the date of the statement.
  put_off boolean not null default false,
  last_delivered_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  primary key (account_id, id),
  constraint question_hash_is_a_sha256 check (octet_length(statement_hash) = 32),
  constraint question_for_consent_has_its_place check ((kind = 'consent_upward') = (target_scope_id is not null)),
  constraint ended_question_has_its_reason check ((ended_at is null) = (end_reason is null)),
  constraint question_end_reason_is_a_code check (end_reason ~ '^[a-z][a-z0-9_]{1,63}$'),
  constraint asked_knowledge_is_in_same_account foreign key (account_id, knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  constraint asked_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint asked_target_is_in_same_account foreign key (account_id, target_scope_id) references scopes (account_id, id),
  constraint asked_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id)
);
create unique index one_open_question_of_a_kind on questions (account_id, knowledge_id, kind,
  coalesce(target_scope_id, knowledge_id)) where ended_at is null;
create index questions_of_statement on questions (account_id, knowledge_id);
create index questions_to_ask on questions (account_id, peer_id, scope_id, deadline_at, id) where ended_at is null;
create index questions_due on questions (account_id, deadline_at, id) where ended_at is null;

-- When and where a question was handed out. Whoever holds the credential, or another one of its peer, may answer.
create table question_deliveries (
  account_id uuid not null references accounts (id),
  id uuid not null,
  question_id uuid not null,
  session_id uuid not null,
  -- The person who is asked, as the question says.
  peer_id uuid not null,
  credential_id uuid not null,
  -- The read that it came with.
  operation text not null,
  delivered_at timestamptz not null,
  verdict question_verdict,
  verification question_verification,
  effect text,
  answered_at timestamptz,
  -- Of the text that was shown in fact, as whoever answers says; the text is not kept.
  shown_text_hash bytea,
  shown_text_differs boolean,
  primary key (account_id, id),
  constraint answered_delivery_has_all_of_its_answer check (
    num_nonnulls(verdict, verification, effect, answered_at) in (0, 4)),
  constraint delivery_operation_is_a_code check (operation ~ '^[a-z][a-z0-9_.]{1,63}$'),
  constraint delivery_effect_is_a_code check (effect ~ '^[a-z][a-z0-9_]{1,63}$'),
  constraint shown_text_hash_is_a_sha256 check (octet_length(shown_text_hash) = 32),
  constraint delivered_question_is_in_same_account foreign key (account_id, question_id)
    references questions (account_id, id) on delete cascade,
  constraint delivery_session_is_in_same_account foreign key (account_id, session_id)
    references sessions (account_id, id),
  constraint delivery_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id),
  constraint delivery_credential_is_in_same_account foreign key (account_id, credential_id)
    references credentials (account_id, id)
);
create index question_deliveries_of_question on question_deliveries (account_id, question_id);
create index question_deliveries_in_session on question_deliveries (account_id, peer_id, session_id, delivered_at);
create index question_deliveries_by_time on question_deliveries (account_id, peer_id, delivered_at);

-- How often a person wants to be asked; a person without a row as often as the service asks anybody.
create table ask_preferences (
  account_id uuid not null references accounts (id),
  peer_id uuid not null,
  max_per_session smallint not null,
  max_per_day smallint not null,
  paused_until timestamptz,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (account_id, peer_id),
  constraint ask_preference_is_no_negative_number check (max_per_session >= 0 and max_per_day >= 0),
  constraint ask_preference_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id)
);

do $$
declare name text;
begin
  foreach name in array array['questions', 'question_deliveries', 'ask_preferences'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_account on %I using (account_id = current_account()) with check (account_id = current_account())',
      name);
    execute format('grant select, insert, update, delete on %I to vouch_app', name);
  end loop;
end $$;

create policy lookup_reads on questions for select to vouch_lookup using (true);
grant select (account_id, id, deadline_at, ended_at) on questions to vouch_lookup;

-- Questions that nobody answered in time are a further kind of sweep. A type takes a new word only in a transaction of its
-- own, so it is made anew.
alter type sweep_kind rename to sweep_kind_before;
create type sweep_kind as enum ('expiry', 'revalidation', 'ageing', 'questions');
alter table sweep_passes alter column kind type sweep_kind using kind::text::sweep_kind;
alter table sweep_setbacks alter column kind type sweep_kind using kind::text::sweep_kind;
drop type sweep_kind_before;
insert into sweep_passes (kind) values ('questions');

do $$
begin
  grant create on schema public to vouch_lookup;
  drop function lookup_accounts_to_sweep(uuid, timestamptz, integer);
end $$;
create function lookup_accounts_to_sweep(after_id uuid, at timestamptz, page integer)
  returns table (account_id uuid, is_due boolean)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    with recursive walk (id, n) as (
      select after_id, 0
      union all
      select least(
          (select k.account_id from knowledge k
           where k.expires_at is not null
             and k.state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale')
             and k.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by k.account_id, k.expires_at, k.id limit 1),
          (select k.account_id from knowledge k
           where k.revalidate_after is not null and k.state = 'active'
             and k.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by k.account_id, k.revalidate_after, k.id limit 1),
          (select i.account_id from review_items i
           where i.decided_at is null and not i.past_ageing and i.state in ('pending', 'deferred', 'escalated')
             and i.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by i.account_id, i.due_at, i.id limit 1),
          (select q.account_id from questions q
           where q.ended_at is null
             and q.account_id > coalesce(walk.id, '00000000-0000-0000-0000-000000000000')
           order by q.account_id, q.deadline_at, q.id limit 1)),
        walk.n + 1
      from walk where walk.n < page and (walk.n = 0 or walk.id is not null)
    )
    select walk.id,
      exists (select from knowledge k
        where k.account_id = walk.id and k.expires_at is not null and k.expires_at <= at
          and k.state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale'))
      or exists (select from knowledge k
        where k.account_id = walk.id and k.revalidate_after is not null and k.revalidate_after <= at
          and k.state = 'active')
      or exists (select from review_items i
        where i.account_id = walk.id and i.decided_at is null and not i.past_ageing
          and i.state in ('pending', 'deferred', 'escalated') and i.due_at <= at)
      or exists (select from questions q
        where q.account_id = walk.id and q.ended_at is null and q.deadline_at <= at)
    from walk where walk.n > 0 and walk.id is not null order by walk.n;
  end;
do $$
begin
  revoke all on function lookup_accounts_to_sweep(uuid, timestamptz, integer) from public;
  grant execute on function lookup_accounts_to_sweep(uuid, timestamptz, integer) to vouch_app;
  alter function lookup_accounts_to_sweep(uuid, timestamptz, integer) owner to vouch_lookup;
  revoke create on schema public from vouch_lookup;
end $$;
