-- A call's row says what the call may use at most, so that what it reserved can be settled, and given back, from the row
-- alone. A reranker's tokens stand by themselves: its provider reports one number.

alter type error_class add value 'token_budget_exhausted' after 'internal_error';
alter type error_class add value 'campaign_cap_exhausted' after 'embedding_width_mismatch';

alter table provider_attempts
  add column worst_input_tokens bigint not null default 0,
  add column worst_output_tokens bigint not null default 0,
  add column worst_embedding_tokens bigint not null default 0,
  add column reranker_tokens bigint,
  add column campaign_id uuid;

create or replace function enter_attempts(p_account uuid, p_reserved jsonb, p_dispatched uuid[], p_finished jsonb)
  returns table(attempt_id uuid, allowed boolean, left_ms integer, input_rate bigint, output_rate bigint)
  language plpgsql
as $function$
begin
  perform set_config('app.account_id', p_account::text, true);

  return query
    with verdict as materialized (
      select v.attempt_id, v.budget_id, v.allowed, v.left_ms, v.input_rate, v.output_rate
      from reserve_budgets(p_account, p_reserved) v
    ), entered as (
      insert into provider_attempts (account_id, id, role, provider, model, model_version, prompt_version,
        pipeline_version, state, batch_id, run_id, scope_id, anchor_message_ids, repair_index, mailbox_shard,
        claim_epoch, trace_id, dispatched_at, budget_id, worst_input_tokens, worst_output_tokens,
        worst_embedding_tokens)
      select p_account, r.id, r.role, r.provider, r.model, r.model_version, r.prompt_version, r.pipeline_version,
        r.state, r.batch_id, r.run_id, r.scope_id, r.anchor_message_ids, r.repair_index, r.mailbox_shard,
        r.claim_epoch, r.trace_id, case r.state when 'dispatched' then clock_timestamp() end, v.budget_id,
        r.worst_input_tokens, r.worst_output_tokens, r.worst_embedding_tokens
      from jsonb_to_recordset(p_reserved) as r (
        id uuid, role model_role, provider text, model text, model_version text, prompt_version text,
        pipeline_version text, state attempt_state, batch_id uuid, run_id uuid, scope_id uuid,
        anchor_message_ids uuid[], repair_index smallint, mailbox_shard smallint, claim_epoch bigint, trace_id text,
        worst_input_tokens bigint, worst_output_tokens bigint, worst_embedding_tokens bigint)
      left join verdict v on v.attempt_id = r.id
      where v.allowed is distinct from false
    )
    select v.attempt_id, v.allowed, v.left_ms, v.input_rate, v.output_rate from verdict v;

  update provider_attempts a set state = 'dispatched', dispatched_at = clock_timestamp()
    where a.account_id = p_account and a.id = any(p_dispatched) and a.state = 'reserved';

  -- A row that a later drain has closed stays closed: its outcome came too late to be counted on.
  update provider_attempts a
    set state = r.state, metered = r.metered, input_tokens = r.input_tokens, output_tokens = r.output_tokens,
      embedding_tokens = r.embedding_tokens, reranker_tokens = r.reranker_tokens, usd_micros = r.usd_micros,
      duration_ms = r.duration_ms, error_class = r.error_class, finished_at = clock_timestamp()
    from jsonb_to_recordset(p_finished) as r (
      id uuid, state attempt_state, metered boolean, input_tokens bigint, output_tokens bigint,
      embedding_tokens bigint, reranker_tokens bigint, usd_micros bigint, duration_ms integer, error_class error_class)
    where a.account_id = p_account and a.id = r.id and a.state in ('reserved', 'dispatched');
end $function$;
