-- The third net walks over all accounts, page by page, and asks each for what its runs left behind.

create function lookup_accounts_after(after_id uuid, page integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select a.id from accounts a where after_id is null or a.id > after_id order by a.id limit page;
  end;

create index pipeline_runs_to_reconcile on pipeline_runs (account_id)
  where status in ('pending', 'running', 'failed', 'discarded');

do $$
begin
  grant create on schema public to vouch_lookup;
  revoke all on function lookup_accounts_after(uuid, integer) from public;
  grant execute on function lookup_accounts_after(uuid, integer) to vouch_app;
  alter function lookup_accounts_after(uuid, integer) owner to vouch_lookup;
  revoke create on schema public from vouch_lookup;
end $$;
