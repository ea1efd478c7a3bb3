-- Hard budgets of extraction, one for each corpus root. The worst case of a call is reserved in the round trip
-- that enters it in the ledger, or the call is refused and its budget closed for good.

create table extraction_budgets (
  account_id uuid not null references accounts (id),
  id uuid not null,
  -- The root need not exist as a scope yet.
  scope_root text not null,
  request_cap bigint not null,
  token_cap bigint not null,
  usd_micros_cap bigint not null,
  deadline_at timestamptz not null,
  input_usd_micros_per_million bigint not null,
  output_usd_micros_per_million bigint not null,
  -- Never given back, whatever becomes of a call.
  requests_reserved bigint not null default 0,
  tokens_reserved bigint not null default 0,
  usd_micros_reserved bigint not null default 0,
  -- Set by the first refusal, or when an update finds the deadline passed; never unset.
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint budget_root_is_unique_in_account unique (account_id, scope_root),
  constraint budget_root_is_absolute
    check (scope_root = '/' or (scope_root ~ '^/' and scope_root !~ '/$' and scope_root !~ '//')),
  constraint budget_caps_are_positive check (least(request_cap, token_cap, usd_micros_cap) > 0),
  constraint budget_rates_are_not_negative
    check (least(input_usd_micros_per_million, output_usd_micros_per_million) >= 0)
);
call secure_account_table('extraction_budgets');
grant select, insert, update on extraction_budgets to vouch_app;

-- Which budget a call was reserved under.
alter table provider_attempts
  add column budget_id uuid,
  add constraint attempt_budget_is_in_same_account foreign key (account_id, budget_id)
    references extraction_budgets (account_id, id);

-- The evidence of a subtree: its calls and its anchors.
create index provider_attempts_by_scope on provider_attempts (account_id, scope_id) where role = 'ingest_extractor';
create index extraction_anchors_by_scope on extraction_anchors (account_id, scope_id);

-- The path and its ancestors.
create function scope_chain(p_path text) returns text[]
  language sql immutable parallel safe
  return array(
    select '/' || array_to_string(steps[1:depth], '/')
    from (select string_to_array(ltrim(p_path, '/'), '/') as steps) as path,
      generate_series(0, cardinality(steps)) as depth);

-- What so many tokens cost at these rates, rounded up: a reservation is never short of the price.
create function usd_micros_of(p_input bigint, p_output bigint, p_input_rate bigint, p_output_rate bigint) returns numeric
  language sql immutable parallel safe
  return ceil((p_input::numeric * p_input_rate + p_output::numeric * p_output_rate) / 1000000);

-- Reserves the worst case of every extractor call of a round. One row for each call that a budget governs; calls
-- without a row are nobody's.
create function reserve_budgets(p_account uuid, p_reserved jsonb)
  returns table (attempt_id uuid, budget_id uuid, allowed boolean, left_ms integer, input_rate bigint, output_rate bigint)
  language plpgsql as $$
declare
  v_locked uuid[];
  v_call record;
  v_budget extraction_budgets;
begin
  if not exists (select from extraction_budgets b where b.account_id = p_account) then
    return;
  end if;

  -- Locked in one order, so that rounds side by side wait for each other and never in a circle.
  select array_agg(held.id) into v_locked from (
    select b.id from extraction_budgets b
    where b.account_id = p_account and b.scope_root in (
      select unnest(scope_chain(coalesce(s.path, '/')))
      from jsonb_to_recordset(p_reserved) as r (role model_role, scope_id uuid)
      left join scopes s on s.account_id = p_account and s.id = r.scope_id
      where r.role = 'ingest_extractor')
    order by b.id for update) as held;

  for v_call in
    select r.id, r.worst_input_tokens, r.worst_output_tokens, nearest.id as budget_id
    from jsonb_to_recordset(p_reserved) as r (
      id uuid, role model_role, scope_id uuid, worst_input_tokens bigint, worst_output_tokens bigint)
    left join scopes s on s.account_id = p_account and s.id = r.scope_id
    cross join lateral (
      select b.id from extraction_budgets b
      where b.account_id = p_account and b.id = any(v_locked)
        and b.scope_root = any(scope_chain(coalesce(s.path, '/')))
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

-- As before, and a call that its budget refuses gets no row: it was never made.
drop function enter_attempts(uuid, jsonb, uuid[], jsonb);
create function enter_attempts(p_account uuid, p_reserved jsonb, p_dispatched uuid[], p_finished jsonb)
  returns table (attempt_id uuid, allowed boolean, left_ms integer, input_rate bigint, output_rate bigint)
  language plpgsql as $$
begin
  perform set_config('app.account_id', p_account::text, true);

  return query
    with verdict as materialized (
      select v.attempt_id, v.budget_id, v.allowed, v.left_ms, v.input_rate, v.output_rate
      from reserve_budgets(p_account, p_reserved) v
    ), entered as (
      insert into provider_attempts (account_id, id, role, provider, model, model_version, prompt_version,
        pipeline_version, state, batch_id, run_id, scope_id, anchor_message_ids, repair_index, mailbox_shard,
        claim_epoch, trace_id, dispatched_at, budget_id)
      select p_account, r.id, r.role, r.provider, r.model, r.model_version, r.prompt_version, r.pipeline_version,
        r.state, r.batch_id, r.run_id, r.scope_id, r.anchor_message_ids, r.repair_index, r.mailbox_shard,
        r.claim_epoch, r.trace_id, case r.state when 'dispatched' then clock_timestamp() end, v.budget_id
      from jsonb_to_recordset(p_reserved) as r (
        id uuid, role model_role, provider text, model text, model_version text, prompt_version text,
        pipeline_version text, state attempt_state, batch_id uuid, run_id uuid, scope_id uuid,
        anchor_message_ids uuid[], repair_index smallint, mailbox_shard smallint, claim_epoch bigint, trace_id text)
      left join verdict v on v.attempt_id = r.id
      where v.allowed is distinct from false
    )
    select v.attempt_id, v.allowed, v.left_ms, v.input_rate, v.output_rate from verdict v;

  update provider_attempts a set state = 'dispatched', dispatched_at = clock_timestamp()
    where a.account_id = p_account and a.id = any(p_dispatched) and a.state = 'reserved';

  -- A row that a later drain has closed stays closed: its outcome came too late to be counted on.
  update provider_attempts a
    set state = r.state, metered = r.metered, input_tokens = r.input_tokens, output_tokens = r.output_tokens,
      embedding_tokens = r.embedding_tokens, usd_micros = r.usd_micros, duration_ms = r.duration_ms,
      error_class = r.error_class, finished_at = clock_timestamp()
    from jsonb_to_recordset(p_finished) as r (
      id uuid, state attempt_state, metered boolean, input_tokens bigint, output_tokens bigint,
      embedding_tokens bigint, usd_micros bigint, duration_ms integer, error_class error_class)
    where a.account_id = p_account and a.id = r.id and a.state in ('reserved', 'dispatched');
end $$;
