-- Daily limits of model tokens. A call reserves its worst case on the day of its reservation, and its end settles that
-- to what was reported, whoever ends it: a trigger on the ledger does it, so that no way of ending a row can forget.

create table token_days (
  account_id uuid not null references accounts (id),
  -- UTC, by the database's clock, of the reservation.
  day date not null,
  -- A model role, or * for the sum of all rows of the day. Whoever changes a row of a day has locked its * row first.
  role text not null,
  used_input_tokens bigint not null default 0,
  used_output_tokens bigint not null default 0,
  used_embedding_tokens bigint not null default 0,
  reserved_input_tokens bigint not null default 0,
  reserved_output_tokens bigint not null default 0,
  reserved_embedding_tokens bigint not null default 0,
  constraint token_days_pkey primary key (account_id, day, role),
  constraint token_day_is_of_a_role check (role in ('*', 'embedder', 'reranker', 'ingest_extractor', 'dream_reasoner',
    'dialectic_agent')),
  constraint reserved_tokens_are_not_negative check (least(reserved_input_tokens, reserved_output_tokens,
    reserved_embedding_tokens) >= 0)
) with (fillfactor = 50);
call secure_account_table('token_days');
grant select (day, account_id, role, used_input_tokens, used_output_tokens, used_embedding_tokens,
  reserved_input_tokens, reserved_output_tokens, reserved_embedding_tokens) on token_days to vouch_lookup;
create policy lookup_reads on token_days for select to vouch_lookup using (true);
grant select, insert, update on token_days to vouch_app;
create index token_days_by_day on token_days (day, account_id);

-- Observations that wait for a day with tokens: reconcile makes them due when a limit was raised.
create index extraction_anchors_wait_for_tokens on extraction_anchors (account_id, available_at)
  where status = 'failed' and last_error_class = 'token_budget_exhausted';

-- The day whose row holds the reservation of the call; null for a call that no limit governs.
alter table provider_attempts add column token_day date;

-- What a call counts as once it has ended: what its provider reported, or its worst case where nobody knows. A call
-- that was never sent used nothing. Of a call that has not ended nobody knows yet.
create function counted_tokens(p_attempt provider_attempts)
  returns table(input_tokens bigint, output_tokens bigint, embedding_tokens bigint)
  language sql immutable as $$
  select
    case when p_attempt.metered then coalesce(p_attempt.input_tokens, 0) + coalesce(p_attempt.reranker_tokens, 0)
      when was.sent then p_attempt.worst_input_tokens else 0 end,
    case when p_attempt.metered then coalesce(p_attempt.output_tokens, 0)
      when was.sent then p_attempt.worst_output_tokens else 0 end,
    case when p_attempt.metered then coalesce(p_attempt.embedding_tokens, 0)
      when was.sent then p_attempt.worst_embedding_tokens else 0 end
  from (select p_attempt.finished_at is null or p_attempt.dispatched_at is not null as sent) was
$$;

-- Makes the rows of a day that are missing, and locks the day. A row begins with what the role has used on that day
-- without a limit: somebody may have set one today. Calls of that time that are still open count with their worst case.
create function open_token_day(p_account uuid, p_day date, p_roles text[]) returns void language plpgsql as $$
declare
  v_missing text[];
begin
  insert into token_days (account_id, day, role) values (p_account, p_day, '*') on conflict do nothing;
  perform from token_days t where t.account_id = p_account and t.day = p_day and t.role = '*' for update;
  select array_agg(wanted.role) into v_missing from unnest(p_roles) as wanted (role)
    where not exists (select from token_days t
      where t.account_id = p_account and t.day = p_day and t.role = wanted.role);
  if v_missing is null then
    return;
  end if;
  with began as (
    insert into token_days as t (account_id, day, role, used_input_tokens, used_output_tokens, used_embedding_tokens)
    select p_account, p_day, missing.role, coalesce(sum(c.input_tokens), 0), coalesce(sum(c.output_tokens), 0),
      coalesce(sum(c.embedding_tokens), 0)
    from unnest(v_missing) as missing (role)
    left join lateral (
      select counted.* from provider_attempts a cross join lateral counted_tokens(a) counted
      where a.account_id = p_account and a.reserved_at >= p_day::timestamp at time zone 'UTC'
        and a.reserved_at < (p_day + 1)::timestamp at time zone 'UTC' and a.role::text = missing.role
    ) c on true
    group by missing.role
    returning t.used_input_tokens, t.used_output_tokens, t.used_embedding_tokens
  )
  update token_days t set
    used_input_tokens = t.used_input_tokens + began.input,
    used_output_tokens = t.used_output_tokens + began.output,
    used_embedding_tokens = t.used_embedding_tokens + began.embedding
  from (select sum(used_input_tokens) as input, sum(used_output_tokens) as output, sum(used_embedding_tokens) as embedding
    from began) began
  where t.account_id = p_account and t.day = p_day and t.role = '*';
end $$;

-- Whether a limit leaves no room for a call: null where there is room, 'used' where used tokens alone leave none, 'held'
-- where calls that are under way may give back enough. The dream yields first: it gets four fifths of the sum.
create function token_limit_reached(p_account uuid, p_day date, p_limits jsonb, p_role text, p_input bigint,
  p_output bigint, p_embedding bigint) returns text language sql stable as $$
  select case
    when bool_or(m.used + m.worst > cap.tokens) then 'used'
    when bool_or(m.used + m.reserved + m.worst > cap.tokens) then 'held' end
  from unnest(array['*', p_role]) as part (role)
  left join token_days t on t.account_id = p_account and t.day = p_day and t.role = part.role
  cross join lateral (values
    ('input_tokens', coalesce(t.used_input_tokens, 0), coalesce(t.reserved_input_tokens, 0), p_input),
    ('output_tokens', coalesce(t.used_output_tokens, 0), coalesce(t.reserved_output_tokens, 0), p_output),
    ('embedding_tokens', coalesce(t.used_embedding_tokens, 0), coalesce(t.reserved_embedding_tokens, 0), p_embedding)
  ) as m (metric, used, reserved, worst)
  cross join lateral (
    select (p_limits -> part.role ->> m.metric)::numeric
      * case when p_role = 'dream_reasoner' and part.role = '*' then 0.8 else 1 end as tokens
  ) cap
  where m.worst > 0
$$;

-- Decides about calls before they are made, each as a whole: the daily limits of tokens first, then the extraction
-- budget that governs it. A call that one of them refuses reserves nowhere, and closes a budget only if that refused it.
-- Locks are taken in one order: ledger rows that end (settle_token_days), days from the earliest with their * row
-- first, extraction budgets by id. A call that nothing governs has no row in the answer.
create function reserve_attempts(p_account uuid, p_reserved jsonb, p_limits jsonb)
  returns table(attempt_id uuid, budget_id uuid, token_day date, refused_by error_class, retry_ms integer, left_ms integer,
    input_rate bigint, output_rate bigint)
  language plpgsql as $function$
declare
  v_day date := (clock_timestamp() at time zone 'UTC')::date;
  v_limited text[];
  v_governing uuid[];
  v_locked uuid[];
  v_call record;
  v_budget extraction_budgets;
  v_reached text;
begin
  if p_limits is not null then
    select array_agg(distinct r.role) into v_limited
      from jsonb_to_recordset(p_reserved) as r (role text, worst_input_tokens bigint, worst_output_tokens bigint,
        worst_embedding_tokens bigint)
      where (p_limits ? r.role or p_limits ? '*')
        and r.worst_input_tokens + r.worst_output_tokens + r.worst_embedding_tokens > 0;
    if v_limited is not null then
      perform open_token_day(p_account, v_day, case when p_limits ? '*'
        then array['embedder', 'reranker', 'ingest_extractor', 'dream_reasoner', 'dialectic_agent'] else v_limited end);
    end if;
  end if;

  if exists (select from extraction_budgets b where b.account_id = p_account) then
    select array_agg(distinct b.id) into v_governing
      from jsonb_to_recordset(p_reserved) as r (role model_role, scope_id uuid)
      left join scopes s on s.account_id = p_account and s.id = r.scope_id
      cross join lateral budgets_over(p_account, coalesce(s.path, '/')) b
      where r.role = 'ingest_extractor';
    select array_agg(held.id) into v_locked from (
      select b.id from extraction_budgets b
      where b.account_id = p_account and b.id = any(v_governing)
      order by b.id for update) as held;
  end if;

  if v_limited is null and v_locked is null then
    return;
  end if;

  for v_call in
    select r.*, r.role = any(v_limited)
        and r.worst_input_tokens + r.worst_output_tokens + r.worst_embedding_tokens > 0 as is_limited,
      nearest.id as budget_id
    from jsonb_to_recordset(p_reserved) as r (id uuid, role text, scope_id uuid, is_check boolean,
      worst_input_tokens bigint, worst_output_tokens bigint, worst_embedding_tokens bigint)
    left join scopes s on s.account_id = p_account and s.id = r.scope_id
    left join lateral (
      select b.id from budgets_over(p_account, coalesce(s.path, '/')) b
      where b.id = any(v_locked)
      order by char_length(b.scope_root) desc limit 1) as nearest on r.role = 'ingest_extractor'
    order by r.id
  loop
    attempt_id := v_call.id;
    budget_id := null;
    token_day := null;
    refused_by := null;
    retry_ms := null;
    left_ms := null;
    input_rate := null;
    output_rate := null;

    -- Without embeddings nothing is found, and without judgements all is found in a worse order; a check is asked for.
    if v_call.is_limited and v_call.role not in ('embedder', 'reranker') and not v_call.is_check then
      v_reached := token_limit_reached(p_account, v_day, p_limits, v_call.role, v_call.worst_input_tokens,
        v_call.worst_output_tokens, v_call.worst_embedding_tokens);
      if v_reached is not null then
        refused_by := 'token_budget_exhausted';
        -- At midnight not all at once.
        retry_ms := case v_reached when 'held' then 5000 else 60000 * random() + 1000 * extract(epoch from
          (v_day + 1)::timestamp at time zone 'UTC' - clock_timestamp()) end;
        return next;
        continue;
      end if;
    end if;

    if v_call.budget_id is not null then
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
      if not found then
        update extraction_budgets b set closed_at = clock_timestamp()
          where b.account_id = p_account and b.id = v_call.budget_id and b.closed_at is null;
        refused_by := 'extraction_budget_exhausted';
        return next;
        continue;
      end if;
      budget_id := v_call.budget_id;
      -- As far as a timer reaches.
      left_ms := greatest(0, least(2147483647, floor(extract(epoch from v_budget.deadline_at - clock_timestamp()) * 1000)));
      input_rate := v_budget.input_usd_micros_per_million;
      output_rate := v_budget.output_usd_micros_per_million;
    end if;

    if v_call.is_limited then
      update token_days t set
          reserved_input_tokens = t.reserved_input_tokens + v_call.worst_input_tokens,
          reserved_output_tokens = t.reserved_output_tokens + v_call.worst_output_tokens,
          reserved_embedding_tokens = t.reserved_embedding_tokens + v_call.worst_embedding_tokens
        where t.account_id = p_account and t.day = v_day and t.role in ('*', v_call.role);
      token_day := v_day;
    end if;
    if v_call.is_limited or budget_id is not null then
      return next;
    end if;
  end loop;
end $function$;

-- Turns reservations of calls that end with this statement into what they count as.
create function settle_token_days() returns trigger language plpgsql as $$
begin
  if not exists (select from ended where ended.token_day is not null) then
    return null;
  end if;
  -- By its key, whatever the statistics say: the table grows by a few rows a day and account.
  perform from token_days t
    where t.role = '*'
      and t.account_id = any(array(select distinct ended.account_id from ended))
      and t.day = any(array(select distinct ended.token_day from ended
        where ended.token_day is not null and ended.finished_at is not null))
    order by t.account_id, t.day for update;
  update token_days t set
      used_input_tokens = t.used_input_tokens + s.used_input,
      used_output_tokens = t.used_output_tokens + s.used_output,
      used_embedding_tokens = t.used_embedding_tokens + s.used_embedding,
      reserved_input_tokens = t.reserved_input_tokens - s.worst_input,
      reserved_output_tokens = t.reserved_output_tokens - s.worst_output,
      reserved_embedding_tokens = t.reserved_embedding_tokens - s.worst_embedding
    from (
      select e.account_id, e.token_day, part.role, sum(c.input_tokens) as used_input, sum(c.output_tokens) as used_output,
        sum(c.embedding_tokens) as used_embedding, sum(e.worst_input_tokens) as worst_input,
        sum(e.worst_output_tokens) as worst_output, sum(e.worst_embedding_tokens) as worst_embedding
      from (select ended.* from ended join begun on begun.account_id = ended.account_id and begun.id = ended.id
        where begun.finished_at is null and ended.finished_at is not null and ended.token_day is not null) e
      cross join lateral counted_tokens(e::provider_attempts) c
      cross join lateral (values ('*'), (e.role::text)) as part (role)
      group by 1, 2, 3
    ) s
    where t.account_id = s.account_id and t.day = s.token_day and t.role = s.role;
  return null;
end $$;
create trigger ended_calls_are_settled after update on provider_attempts
  referencing old table as begun new table as ended for each statement execute function settle_token_days();

-- As before; calls that have ended are entered first, so that what they give back is there for those that begin, and the
-- daily limits are asked. `p_limits` is null, or has for a role or * the most tokens of a day.
drop function enter_attempts(uuid, jsonb, uuid[], jsonb);
create function enter_attempts(p_account uuid, p_reserved jsonb, p_dispatched uuid[], p_finished jsonb,
    p_limits jsonb default null)
  returns table(attempt_id uuid, refused_by error_class, retry_ms integer, left_ms integer, input_rate bigint,
    output_rate bigint)
  language plpgsql
as $function$
begin
  perform set_config('app.account_id', p_account::text, true);

  -- A statement costs its triggers without a row too, and most calls of this function have one of the three to enter.
  if cardinality(p_dispatched) > 0 then
    update provider_attempts a set state = 'dispatched', dispatched_at = clock_timestamp()
      where a.account_id = p_account and a.id = any(p_dispatched) and a.state = 'reserved';
  end if;

  -- A row that a later drain has closed stays closed: its outcome came too late to be counted on.
  if jsonb_array_length(p_finished) > 0 then
    update provider_attempts a
      set state = r.state, metered = r.metered, input_tokens = r.input_tokens, output_tokens = r.output_tokens,
        embedding_tokens = r.embedding_tokens, reranker_tokens = r.reranker_tokens, usd_micros = r.usd_micros,
        duration_ms = r.duration_ms, error_class = r.error_class, finished_at = clock_timestamp()
      from jsonb_to_recordset(p_finished) as r (
        id uuid, state attempt_state, metered boolean, input_tokens bigint, output_tokens bigint,
        embedding_tokens bigint, reranker_tokens bigint, usd_micros bigint, duration_ms integer, error_class error_class)
      where a.account_id = p_account and a.id = r.id and a.state in ('reserved', 'dispatched');
  end if;

  if jsonb_array_length(p_reserved) = 0 then
    return;
  end if;
  return query
    with verdict as materialized (
      select v.* from reserve_attempts(p_account, p_reserved, p_limits) v
    ), entered as (
      insert into provider_attempts (account_id, id, role, provider, model, model_version, prompt_version,
        pipeline_version, state, batch_id, run_id, scope_id, anchor_message_ids, repair_index, mailbox_shard,
        claim_epoch, trace_id, dispatched_at, budget_id, worst_input_tokens, worst_output_tokens,
        worst_embedding_tokens, token_day)
      select p_account, r.id, r.role, r.provider, r.model, r.model_version, r.prompt_version, r.pipeline_version,
        r.state, r.batch_id, r.run_id, r.scope_id, r.anchor_message_ids, r.repair_index, r.mailbox_shard,
        r.claim_epoch, r.trace_id, case r.state when 'dispatched' then clock_timestamp() end, v.budget_id,
        r.worst_input_tokens, r.worst_output_tokens, r.worst_embedding_tokens, v.token_day
      from jsonb_to_recordset(p_reserved) as r (
        id uuid, role model_role, provider text, model text, model_version text, prompt_version text,
        pipeline_version text, state attempt_state, batch_id uuid, run_id uuid, scope_id uuid,
        anchor_message_ids uuid[], repair_index smallint, mailbox_shard smallint, claim_epoch bigint, trace_id text,
        worst_input_tokens bigint, worst_output_tokens bigint, worst_embedding_tokens bigint)
      left join verdict v on v.attempt_id = r.id
      where v.refused_by is null
    )
    select v.attempt_id, v.refused_by, v.retry_ms, v.left_ms, v.input_rate, v.output_rate from verdict v;
end $function$;
drop function reserve_budgets(uuid, jsonb);

-- The highest share of each limit, in thousandths, that any account has used or reserved today; a role of null is all roles together. No
-- id leaves it. Only the first rows of the day are looked at.
grant create on schema public to vouch_lookup;
create function highest_token_shares(p_limits jsonb, p_most integer)
  returns table(role model_role, input_permille integer, output_permille integer,
    embedding_permille integer)
  language sql stable security definer set search_path = public, pg_temp
begin atomic
  select nullif(t.role, '*')::model_role,
    max(case when cap.input > 0
      then least(1000000000, ceil(1000.0 * (t.used_input_tokens + t.reserved_input_tokens) / cap.input)) end)::integer,
    max(case when cap.output > 0
      then least(1000000000, ceil(1000.0 * (t.used_output_tokens + t.reserved_output_tokens) / cap.output)) end)::integer,
    max(case when cap.embedding > 0
      then least(1000000000, ceil(1000.0 * (t.used_embedding_tokens + t.reserved_embedding_tokens) / cap.embedding))
      end)::integer
  from (select d.role, d.used_input_tokens, d.used_output_tokens, d.used_embedding_tokens, d.reserved_input_tokens,
      d.reserved_output_tokens, d.reserved_embedding_tokens
    from token_days d
    where d.day = (clock_timestamp() at time zone 'UTC')::date order by d.day, d.account_id limit p_most) t
  cross join lateral (select (p_limits -> t.role ->> 'input_tokens')::numeric as input,
    (p_limits -> t.role ->> 'output_tokens')::numeric as output,
    (p_limits -> t.role ->> 'embedding_tokens')::numeric as embedding) cap
  where p_limits ? t.role
  group by t.role;
end;
revoke all on function highest_token_shares(jsonb, integer) from public;
grant execute on function highest_token_shares(jsonb, integer) to vouch_app;
alter function highest_token_shares(jsonb, integer) owner to vouch_lookup;
revoke create on schema public from vouch_lookup;
