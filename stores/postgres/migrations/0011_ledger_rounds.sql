-- A round of the ledger in one call: what is reserved, what is sent, what has ended. One round trip and one
-- transaction instead of six, twice for every call to a provider.

create function enter_attempts(p_account uuid, p_reserved jsonb, p_dispatched uuid[], p_finished jsonb) returns void
  language plpgsql as $$
begin
  perform set_config('app.account_id', p_account::text, true);

  insert into provider_attempts (account_id, id, role, provider, model, model_version, prompt_version,
      pipeline_version, state, batch_id, run_id, scope_id, anchor_message_ids, repair_index, mailbox_shard,
      claim_epoch, trace_id, dispatched_at)
    select p_account, r.id, r.role, r.provider, r.model, r.model_version, r.prompt_version, r.pipeline_version,
      r.state, r.batch_id, r.run_id, r.scope_id, r.anchor_message_ids, r.repair_index, r.mailbox_shard,
      r.claim_epoch, r.trace_id, case r.state when 'dispatched' then clock_timestamp() end
    from jsonb_to_recordset(p_reserved) as r (
      id uuid, role model_role, provider text, model text, model_version text, prompt_version text,
      pipeline_version text, state attempt_state, batch_id uuid, run_id uuid, scope_id uuid,
      anchor_message_ids uuid[], repair_index smallint, mailbox_shard smallint, claim_epoch bigint, trace_id text);

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
