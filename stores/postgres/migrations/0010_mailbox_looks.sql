-- What a doorbell asks after a commit: whether a drain looks, and which one was the last to open. The epoch tells
-- a doorbell whether its last ring was answered: while it is the same, no drain has opened since.

create function lookup_mailbox_looks(accounts uuid[], kinds mailbox_kind[], shards integer[])
  returns table (account_id uuid, kind mailbox_kind, shard integer, awake boolean, epoch integer)
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    select m.account_id, m.kind, m.shard::integer, m.awake_until > clock_timestamp(), m.epoch::integer
    from unnest(accounts, kinds, shards) as asked (account_id, kind, shard)
    join mailboxes m on m.account_id = asked.account_id and m.kind = asked.kind and m.shard = asked.shard;
  end;

do $$
begin
  grant create on schema public to vouch_lookup;
  revoke all on function lookup_mailbox_looks(uuid[], mailbox_kind[], integer[]) from public;
  grant execute on function lookup_mailbox_looks(uuid[], mailbox_kind[], integer[]) to vouch_app;
  alter function lookup_mailbox_looks(uuid[], mailbox_kind[], integer[]) owner to vouch_lookup;
  revoke create on schema public from vouch_lookup;
end $$;

drop function lookup_awake_mailboxes(uuid[], mailbox_kind[], integer[]);
