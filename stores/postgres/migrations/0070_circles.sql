-- A circle is a named list of peers of a scope. What is addressed to a circle is read by those who are its members at the time of
-- the read, so nothing else keeps a copy of the list.
create table circles (
  account_id uuid not null references accounts (id),
  id uuid not null,
  scope_id uuid not null,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id),
  constraint circle_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id),
  constraint circle_name_is_unique_in_scope unique (account_id, scope_id, name),
  constraint circle_name_has_1_to_256_characters check (char_length(name) between 1 and 256)
);
call secure_account_table('circles');
grant select, insert, delete on circles to vouch_app;

create table circle_members (
  account_id uuid not null references accounts (id),
  circle_id uuid not null,
  peer_id uuid not null,
  -- That of the circle, by a trigger.
  scope_id uuid not null,
  -- Who added the member. Null where an operator did, or where that person was erased.
  added_by_peer_id uuid,
  added_at timestamptz not null default clock_timestamp(),
  primary key (account_id, circle_id, peer_id),
  constraint member_circle_is_in_same_account foreign key (account_id, circle_id)
    references circles (account_id, id) on delete cascade,
  constraint member_peer_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id),
  constraint member_adder_is_in_same_account foreign key (account_id, added_by_peer_id) references peers (account_id, id)
);
-- Reads ask for the circles of their reader in some scopes, of however many the reader has in all others.
create index circles_of_peer on circle_members (account_id, peer_id, scope_id, circle_id);
create function take_scope_of_circle() returns trigger language plpgsql as $$
begin
  select c.scope_id into new.scope_id from circles c where c.account_id = new.account_id and c.id = new.circle_id;
  return new;
end $$;
create trigger is_at_the_scope_of_its_circle before insert on circle_members
  for each row execute function take_scope_of_circle();
-- An erasure asks for the members whom the person added.
create index circle_members_by_adder on circle_members (account_id, added_by_peer_id) where added_by_peer_id is not null;
create trigger names_nobody_who_is_being_erased before insert on circle_members
  for each row execute function refuse_erasing_row('peer_id');
create trigger is_added_by_nobody_who_is_being_erased before insert on circle_members
  for each row execute function refuse_erasing_row('added_by_peer_id');
call secure_account_table('circle_members');
grant select, insert, delete, update (added_by_peer_id) on circle_members to vouch_app;
