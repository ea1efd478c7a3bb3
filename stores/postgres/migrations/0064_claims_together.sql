-- Claims of several drains of an account in one round trip and one transaction: each as `claim_anchors` makes it, in their
-- order. A drain is asked for with what it has room for.
create function claim_for_drains(
  p_account uuid, p_drains jsonb, p_turn integer, p_most_attempts integer, p_window integer, p_provider text, p_model text
)
returns table (
  place integer, message_id uuid, session_id uuid, scope_id uuid, attempt_count integer, extracted_at timestamptz,
  trace_id text, is_chunk boolean, failed boolean, lost_claims integer, bytes bigint
)
language plpgsql as $$
#variable_conflict use_column
begin
  perform set_config('app.account_id', p_account::text, true), set_config('plan_cache_mode', 'force_generic_plan', true);
  return query
    select drain.place, taken.*
    from jsonb_to_recordset(p_drains) as drain (
      place integer, shard integer, epoch bigint, most integer, most_failed integer, most_lost integer, may_be_alone boolean,
      bytes bigint, holds boolean, busy uuid[])
    cross join lateral claim_anchors(p_account, drain.shard, drain.epoch, drain.most, drain.most_failed, p_turn,
      drain.most_lost, drain.may_be_alone, p_most_attempts, drain.bytes, p_window, drain.holds, drain.busy, p_provider,
      p_model) as taken;
end $$;
