-- Look-ups whose cost does not grow with an account: paths by their hash, subtrees by parent, people by the words
-- their names begin with, listings along indexes. Sizes that a caller may reach are no longer entries of an index.

-- Any text as 32 bytes: an entry of a btree holds 2,704 bytes at most, a path may have 16 KiB. `convert_to` counts as
-- stable for encodings that can be redefined; UTF8 cannot.
create function text_sha256(p_text text) returns bytea
  language sql immutable strict parallel safe
  return sha256(convert_to(p_text, 'UTF8'));

-- The hashes of some texts, to compare an indexed hash with any of them.
create function text_hashes(p_texts text[]) returns bytea[]
  language sql immutable strict parallel safe
  return array(select text_sha256(one) from unnest(p_texts) as one);

-- Scopes: found by the hash of their path, and below each other by their parent.
alter table scopes
  add column path_hash bytea not null generated always as (text_sha256(path)) stored,
  drop constraint scope_path_is_unique_in_account,
  add constraint scope_path_is_unique_in_account unique (account_id, path_hash);
create index scopes_by_parent on scopes (account_id, parent_id);

alter table grants
  add column scope_path_hash bytea not null generated always as (text_sha256(scope_path)) stored,
  drop constraint grant_is_given_once,
  add constraint grant_is_given_once
    unique nulls not distinct (account_id, peer_id, credential_id, scope_path_hash, role, effect, propagate);

alter table extraction_budgets
  add column scope_root_hash bytea not null generated always as (text_sha256(scope_root)) stored,
  drop constraint budget_root_is_unique_in_account,
  add constraint budget_root_is_unique_in_account unique (account_id, scope_root_hash);

alter table idempotency_records
  add column path_hash bytea not null generated always as (text_sha256(path)) stored,
  drop constraint idempotency_key_is_used_once,
  add constraint idempotency_key_is_used_once unique (account_id, credential_id, method, path_hash, key);

-- The scope at the path, or null.
create function scope_at(p_account uuid, p_path text) returns uuid
  language sql stable
  return (select s.id from scopes s where s.account_id = p_account and s.path_hash = text_sha256(p_path));

create or replace function ensure_scope_chain(p_account uuid, p_paths text[], p_ids uuid[]) returns uuid
  language plpgsql as $$
declare
  found_id uuid := scope_at(p_account, p_paths[cardinality(p_paths)]);
  parent uuid;
begin
  if found_id is not null then
    return found_id;
  end if;
  for depth in 1 .. cardinality(p_paths) loop
    insert into scopes (account_id, id, path, parent_id) values (p_account, p_ids[depth], p_paths[depth], parent)
      on conflict on constraint scope_path_is_unique_in_account do nothing;
    parent := scope_at(p_account, p_paths[depth]);
  end loop;
  return parent;
end $$;

-- Those of the budgets that govern the path, in no order. The hashes are rows to join with: row security lets no
-- function of another row's values into the conditions of an index.
create function budgets_over(p_account uuid, p_path text) returns setof extraction_budgets
  language sql stable
  begin atomic
    select held.* from unnest(text_hashes(scope_chain(p_path))) as link (hash)
    cross join lateral (
      select b.* from extraction_budgets b where b.account_id = p_account and b.scope_root_hash = link.hash offset 0
    ) held;
  end;

-- As before, with the budgets of a path found by the hashes of its chain.
create or replace function reserve_budgets(p_account uuid, p_reserved jsonb)
  returns table (attempt_id uuid, budget_id uuid, allowed boolean, left_ms integer, input_rate bigint, output_rate bigint)
  language plpgsql as $$
declare
  v_governing uuid[];
  v_locked uuid[];
  v_call record;
  v_budget extraction_budgets;
begin
  if not exists (select from extraction_budgets b where b.account_id = p_account) then
    return;
  end if;

  select array_agg(distinct b.id) into v_governing
    from jsonb_to_recordset(p_reserved) as r (role model_role, scope_id uuid)
    left join scopes s on s.account_id = p_account and s.id = r.scope_id
    cross join lateral budgets_over(p_account, coalesce(s.path, '/')) b
    where r.role = 'ingest_extractor';

  -- Locked in one order, so that rounds side by side wait for each other and never in a circle.
  select array_agg(held.id) into v_locked from (
    select b.id from extraction_budgets b
    where b.account_id = p_account and b.id = any(v_governing)
    order by b.id for update) as held;

  for v_call in
    select r.id, r.worst_input_tokens, r.worst_output_tokens, nearest.id as budget_id
    from jsonb_to_recordset(p_reserved) as r (
      id uuid, role model_role, scope_id uuid, worst_input_tokens bigint, worst_output_tokens bigint)
    left join scopes s on s.account_id = p_account and s.id = r.scope_id
    cross join lateral (
      select b.id from budgets_over(p_account, coalesce(s.path, '/')) b
      where b.id = any(v_locked)
      order by char_length(b.scope_root) desc limit 1) as nearest
    where r.role = 'ingest_extractor'
    order by r.id
  loop
    update extraction_budgets b set
        requests_reserved = b.requests_reserved + 1,
        tokens_reserved = b.tokens_reserved + v_call.worst_input_tokens + v_call.worst_output_tokens,
        usd_micros_reserved = b.usd_micros_reserved + usd_micros_of(v_call.worst_input_tokens,
          v_call.worst_output_tokens, b.input_usd_micros_per_million, b.output_usd_micros_per_million)
      where b.account_id = p_account and b.id = v_call.budget_id
        and b.closed_at is null and b.deadline_at > clock_timestamp()
        and b.requests_reserved + 1 <= b.request_cap
        and b.tokens_reserved + v_call.worst_input_tokens + v_call.worst_output_tokens <= b.token_cap
        and b.usd_micros_reserved + usd_micros_of(v_call.worst_input_tokens, v_call.worst_output_tokens,
          b.input_usd_micros_per_million, b.output_usd_micros_per_million) <= b.usd_micros_cap
      returning b.* into v_budget;
    allowed := found;
    if not allowed then
      update extraction_budgets b set closed_at = clock_timestamp()
        where b.account_id = p_account and b.id = v_call.budget_id and b.closed_at is null;
    end if;
    attempt_id := v_call.id;
    budget_id := v_call.budget_id;
    -- As far as a timer reaches; null, as the rates, for a refusal.
    left_ms := case when allowed then greatest(0, least(2147483647,
      floor(extract(epoch from v_budget.deadline_at - clock_timestamp()) * 1000))) end;
    input_rate := v_budget.input_usd_micros_per_million;
    output_rate := v_budget.output_usd_micros_per_million;
    return next;
  end loop;
end $$;

-- The words of a text in lower case, in order. Where a script is written without spaces (everything from Thai on),
-- a run of it is one word, apart from the letters of other scripts beside it. The collation is the server's own, the
-- same under every locale of a database.
create function text_words(p_text text) returns text[]
  language sql immutable strict parallel safe
  return array_remove(
    regexp_split_to_array(
      regexp_replace(lower(p_text collate pg_c_utf8), '([\u0e00-\U0010ffff]+)', ' \1 ', 'g') collate pg_c_utf8,
      '[^[:alnum:]]+'),
    '');

-- What a name begins with: its first two words, or the first two letters of a script without spaces. Empty for a name
-- without letters, which no text names.
create function name_lead(p_name text) returns text
  language sql immutable strict parallel safe
  return (
    select case
      when words[1] >= U&'\0E00' collate "C" then left(words[1], 2)
      else concat_ws(' ', words[1], words[2])
    end
    from (select text_words(p_name) as words) as of_name);

-- Every lead that a name in the text can have.
create function text_leads(p_text text) returns text[]
  language sql immutable strict parallel safe
  return array(
    with word as (
      select one, lead(one) over (order by place) as following
      from unnest(text_words(p_text)) with ordinality as words (one, place)
    )
    select one from word
    union select one || ' ' || following from word where following is not null
    union select substr(one, place, width)
      from word, generate_series(1, char_length(one)) as place, (values (1), (2)) as widths (width)
      where one >= U&'\0E00' collate "C");

alter table peers
  add column name_lead text not null generated always as (name_lead(name)) stored,
  add column key_lead text not null generated always as (name_lead(key)) stored;
create index people_by_name on peers (account_id, name_lead, id) where kind = 'human';
create index people_by_key on peers (account_id, key_lead, id) where kind = 'human';

-- Statements lie on shelves: one for each state and for those who may read an active one beside its subject and its
-- submitters. Shelf and salience are made of the row alone, so that a listing and a blank search walk along an index
-- and stop. The predicate of `domain/governance/visibility.ts` still decides on every row. A shelf is a text because
-- row security keeps the comparison of enums out of the conditions of an index.
alter table knowledge
  add column shelf text not null generated always as (
    case state
      when 'proposed' then 'proposed' when 'provisional' then 'provisional' when 'held' then 'held'
      when 'active' then 'active' when 'needs_revalidation' then 'needs_revalidation' when 'stale' then 'stale'
      when 'contested' then 'contested' when 'superseded' then 'superseded' when 'expired' then 'expired'
      when 'rejected' then 'rejected' when 'redacted' then 'redacted' else 'retracted'
    end || case
      when sensitivity = 'public' then '/everybody'
      when sensitivity = 'internal' or subject_peer_id is null or target_level <> 'peer' then '/scope'
      else '/few'
    end) stored,
  -- The logarithm of confidence x (1 + ln(1 + corroboration)) x exp(-age / 30 days), but for a constant that the
  -- moment of asking adds to every row alike.
  add column salience double precision not null generated always as (
    ln(greatest(confidence, 1e-9) * (1 + ln(1 + corroboration_count::double precision)))
      + extract(epoch from updated_at - timestamptz '2026-01-01 00:00:00+00')::double precision / 2592000) stored;

drop index knowledge_listed;
create index knowledge_listed on knowledge (account_id, scope_id, shelf, confidence desc, recorded_at desc, id);
create index knowledge_salient on knowledge (account_id, scope_id, shelf, salience desc, id)
  where state in ('active', 'provisional');
create index knowledge_listed_of_subject on knowledge
  (account_id, subject_peer_id, scope_id, shelf, confidence desc, recorded_at desc, id)
  where sensitivity in ('personal', 'restricted') and target_level = 'peer';
create index knowledge_salient_of_subject on knowledge (account_id, subject_peer_id, scope_id, shelf, salience desc, id)
  where sensitivity in ('personal', 'restricted') and target_level = 'peer' and state in ('active', 'provisional');

-- What a submitter submitted is listed in the same order: these columns follow the statement's.
alter table knowledge_submitters
  add column scope_id uuid,
  add column state text,
  add column confidence double precision,
  add column recorded_at timestamptz;

-- The owner of the tables sees rows only where row security is not forced on him.
alter table knowledge no force row level security;
alter table knowledge_submitters no force row level security;
update knowledge_submitters s
  set scope_id = k.scope_id, state = k.state::text, confidence = k.confidence, recorded_at = k.recorded_at
  from knowledge k where k.account_id = s.account_id and k.id = s.knowledge_id;
alter table knowledge force row level security;
alter table knowledge_submitters force row level security;

-- At the end of the statement that inserted them: it may insert their knowledge as well, in whatever order.
create function place_submissions() returns trigger
  language plpgsql as $$
begin
  update knowledge_submitters s
    set scope_id = k.scope_id, state = k.state::text, confidence = k.confidence, recorded_at = k.recorded_at
    from added a
    join knowledge k on k.account_id = a.account_id and k.id = a.knowledge_id
    where s.account_id = a.account_id and s.knowledge_id = a.knowledge_id and s.peer_id = a.peer_id;
  return null;
end $$;
create trigger submissions_are_placed after insert on knowledge_submitters
  referencing new table as added
  for each statement execute function place_submissions();

create function move_submissions() returns trigger
  language plpgsql as $$
begin
  update knowledge_submitters s
    set scope_id = new.scope_id, state = new.state::text, confidence = new.confidence, recorded_at = new.recorded_at
    where s.account_id = new.account_id and s.knowledge_id = new.id;
  return null;
end $$;
create trigger submissions_follow_their_statement
  after update of scope_id, state, confidence, recorded_at on knowledge
  for each row
  when ((old.scope_id, old.state, old.confidence, old.recorded_at)
    is distinct from (new.scope_id, new.state, new.confidence, new.recorded_at))
  execute function move_submissions();

drop index knowledge_submitters_by_peer;
create index knowledge_submitters_listed on knowledge_submitters
  (account_id, peer_id, scope_id, state, confidence desc, recorded_at desc, knowledge_id);
create index knowledge_submitters_newest on knowledge_submitters
  (account_id, peer_id, scope_id, state, recorded_at desc, knowledge_id);

-- What was believed at an instant, the latest first.
create index belief_periods_of_scope on belief_periods (account_id, scope_id, believed_from desc)
  where state in ('active', 'provisional');

-- The messages before a message, in the order in which they were said.
drop index messages_by_session;
create index messages_by_session on messages (account_id, session_id, scope_id, occurred_at, recorded_at, id);

-- Row security keeps the comparison of enums out of the conditions of an index, so a mark is found by its unit alone.
create index dirty_marks_by_unit on dirty_marks (account_id, unit_id);
drop index dirty_marks_overdue;
create index dirty_marks_overdue on dirty_marks (account_id, scope_id, marked_at, unit_id)
  where engine = 'qdrant' and unit = 'statement' and overdue;
create index dirty_marks_of_statements on dirty_marks (account_id, scope_id, marked_at, unit_id)
  where engine = 'meilisearch' and unit = 'statement';

-- Work that is looked for by its age, apart from the history that it becomes.
-- An index by due time over all accounts would be walked for one mailbox, past everything that others have waiting.
drop index extraction_anchors_due;
create index extraction_anchors_waiting on extraction_anchors (message_id) where status in ('pending', 'failed');
create index provider_attempts_open_by_age on provider_attempts (account_id, reserved_at)
  where state in ('reserved', 'dispatched');
drop index pipeline_runs_unfinished;
create index pipeline_runs_unfinished on pipeline_runs (created_at) where status in ('pending', 'running', 'failed');
create index knowledge_waiting on knowledge (account_id, id) where state in ('proposed', 'provisional', 'held');
create index if not exists sign_in_attempts_by_time on sign_in_attempts (attempted_at);

-- Counts for readiness and metrics look at so many rows of a kind at most; past that they say "at least". What waits
-- longest comes first, so that ages stay true.
drop function count_extraction_anchors();
create function count_extraction_anchors(most integer)
  returns table (status extraction_status, claimed boolean, due boolean, total integer, oldest_age_seconds integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    -- What the extractor's circuit keeps back counts as failed, as each observation says of itself.
    select case when blocked.account_id is not null and a.claim_epoch is null then 'failed' else a.status end,
      a.claim_epoch is not null, a.available_at <= statement_timestamp() and blocked.account_id is null,
      count(*)::integer,
      coalesce(max(extract(epoch from statement_timestamp() - uuid_extract_timestamp(a.message_id))), 0)::integer
    from (
      select w.account_id, w.status, w.claim_epoch, w.available_at, w.message_id from extraction_anchors w
      where w.status in ('pending', 'failed') order by w.message_id limit most
    ) a
    left join (
      select distinct c.account_id from provider_circuits c
      where c.role = 'ingest_extractor' and c.blocked_until > statement_timestamp()
    ) blocked on blocked.account_id = a.account_id
    group by 1, 2, 3;
  end;

drop function count_dirty_marks();
create function count_dirty_marks(most integer)
  returns table (engine index_engine, unit unit_kind, overdue boolean, total integer, oldest_age_seconds integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select d.engine, d.unit, d.overdue, count(*)::integer,
      coalesce(max(extract(epoch from clock_timestamp() - d.marked_at)), 0)::integer
    from (
      select w.engine, w.unit, w.overdue, w.marked_at from dirty_marks w order by w.available_at limit most
    ) d group by 1, 2, 3;
  end;

drop function count_unfinished_runs();
create function count_unfinished_runs(most integer)
  returns table (kind run_kind, status run_status, total integer, oldest_age_seconds integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.kind, r.status, count(*)::integer,
      coalesce(max(extract(epoch from clock_timestamp() - r.created_at)), 0)::integer
    from (
      select w.kind, w.status, w.created_at from pipeline_runs w
      where w.status in ('pending', 'running', 'failed') order by w.created_at limit most
    ) r group by 1, 2;
  end;

drop function count_provider_attempts(timestamptz);
create function count_provider_attempts(since timestamptz, most integer)
  returns table (state attempt_state, metered boolean, error_class error_class, total integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select p.state, p.metered, p.error_class, count(*)::integer
    from (
      select w.state, w.metered, w.error_class from provider_attempts w
      where w.reserved_at >= since order by w.reserved_at desc limit most
    ) p group by 1, 2, 3;
  end;

drop function count_governance();
create function count_governance(most integer, out pending_human_reviews integer, out restricted_withheld integer,
    out unattended boolean)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select
      (select count(*)::integer from (
        select from review_items r
        where r.state in ('pending', 'escalated', 'awaiting_consent', 'deferred') limit most) counted),
      (select count(*)::integer from (
        select from gate_decisions g where g.decision = 'withhold' limit most) counted),
      exists (select from accounts a where a.gate_preset = 'unattended');
  end;

-- Forgets keys of all accounts in the order of their age, a page of them with all of the moment at which it ends, and
-- says how far it came: the next call
-- begins there and does not pass over what this one deleted.
grant delete on idempotency_records to vouch_lookup;
create policy lookup_forgets on idempotency_records for delete to vouch_lookup using (true);

create function forget_idempotency_records(older_than timestamptz, from_time timestamptz, page integer)
  returns table (forgotten integer, reached timestamptz)
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    with gone as (
      delete from idempotency_records i
      where i.created_at < older_than and i.created_at >= from_time
        and i.created_at <= (select max(oldest.created_at) from (
          select o.created_at from idempotency_records o
          where o.created_at < older_than and o.created_at >= from_time
          order by o.created_at limit page) oldest)
      returning i.created_at
    )
    select count(*)::integer, coalesce(max(g.created_at), from_time) from gone g;
  end;

drop function lookup_expired_idempotency_records(timestamptz, integer);

-- Hands the functions to vouch_lookup and lets only vouch_app call them.
do $$
declare f regprocedure;
begin
  grant create on schema public to vouch_lookup;
  foreach f in array array['count_extraction_anchors(integer)', 'count_dirty_marks(integer)',
      'count_unfinished_runs(integer)', 'count_provider_attempts(timestamptz, integer)', 'count_governance(integer)',
      'forget_idempotency_records(timestamptz, timestamptz, integer)']::regprocedure[] loop
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to vouch_app', f);
    execute format('alter function %s owner to vouch_lookup', f);
  end loop;
  revoke create on schema public from vouch_lookup;
end $$;
