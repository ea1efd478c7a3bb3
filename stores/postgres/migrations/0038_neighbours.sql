-- Words of the turns around a message stand with it in Qdrant. A unit that is new, or that goes, changes what its
-- neighbours are found by.

-- Whether the units around it are to be written again once this one is. A row that is inserted for a new unit says so;
-- whoever marks a unit that indexes know already says `false`.
alter table dirty_marks add column spreads boolean not null default true;

-- A unit of an erasure that stays: an index is to forget only words that it took from erased ones.
alter table erasure_units add column stays boolean not null default false;

-- Until the transaction ends, no message is added to where the given ones were said: a message that is being added holds
-- the row of its place, and what is added afterwards cannot take words of messages that are gone by then.
-- Answers how many places are held.
create function hold_places_of_messages(p_account uuid, p_ids uuid[]) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_held integer;
begin
  if p_account is distinct from current_account() then
    raise exception 'places are held in the account of the transaction only';
  end if;
  perform from session_scopes place
    where place.account_id = p_account and (place.session_id, place.scope_id) in (
      select m.session_id, m.scope_id from messages m where m.account_id = p_account and m.id = any(p_ids))
    order by place.session_id, place.scope_id for update;
  get diagnostics v_held = row_count;
  return v_held;
end $$;
revoke all on function hold_places_of_messages(uuid, uuid[]) from public;
grant execute on function hold_places_of_messages(uuid, uuid[]) to vouch_app;
grant create on schema public to vouch_eraser;
alter function hold_places_of_messages(uuid, uuid[]) owner to vouch_eraser;
revoke create on schema public from vouch_eraser;
-- A row lock needs the right to change a column.
grant select, update (linked_at) on session_scopes to vouch_eraser;
grant update (stays) on erasure_units to vouch_app;
