-- The desk: statements that a curator withholds, what people say about an item, decisions that can still be taken back.

-- Asked about again by a curator who doubts it so much that nobody should read it meanwhile. Only the item that asks places it.
alter table knowledge add column is_withheld boolean not null default false;
alter table knowledge add constraint withheld_statement_is_not_placed check (
  not is_withheld or state not in ('proposed', 'provisional', 'active', 'needs_revalidation', 'stale')) not valid;
alter table knowledge validate constraint withheld_statement_is_not_placed;

-- The tabs of the desk: the first items of a kind, and how many there are. Row security lets no index look up an enum, so each
-- kind has indexes of its own.
create index review_items_gate_a_b on review_items (account_id, due_at, id)
  where kind = 'gate_a_b' and state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_gate_a_b_in_scope on review_items (account_id, scope_id, due_at, id)
  where kind = 'gate_a_b' and state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_gate_b on review_items (account_id, due_at, id)
  where kind = 'gate_b' and state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_gate_b_in_scope on review_items (account_id, scope_id, due_at, id)
  where kind = 'gate_b' and state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_revalidation on review_items (account_id, due_at, id)
  where kind = 'revalidation' and state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_revalidation_in_scope on review_items (account_id, scope_id, due_at, id)
  where kind = 'revalidation' and state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_contest on review_items (account_id, due_at, id)
  where kind = 'contest' and state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_contest_in_scope on review_items (account_id, scope_id, due_at, id)
  where kind = 'contest' and state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_conflict on review_items (account_id, due_at, id)
  where kind = 'conflict' and state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_conflict_in_scope on review_items (account_id, scope_id, due_at, id)
  where kind = 'conflict' and state in ('pending', 'escalated', 'awaiting_consent', 'deferred');

-- What somebody said when an item was opened: the subject who contests, or the curator who asks again.
create table review_words (
  account_id uuid not null references accounts (id),
  review_item_id uuid not null,
  peer_id uuid not null,
  reason text,
  correction text,
  said_at timestamptz not null default clock_timestamp(),
  primary key (account_id, review_item_id),
  constraint words_item_is_in_same_account foreign key (account_id, review_item_id)
    references review_items (account_id, id) on delete cascade,
  constraint words_speaker_is_in_same_account foreign key (account_id, peer_id) references peers (account_id, id),
  constraint words_say_something check (reason is not null or correction is not null),
  constraint words_have_at_most_1000_characters check (char_length(reason) <= 1000 and char_length(correction) <= 1000)
);
create index review_words_by_speaker on review_words (account_id, peer_id);
create trigger is_said_by_nobody_who_is_being_erased before insert on review_words
  for each row execute function refuse_erasing_row('peer_id');
call secure_account_table('review_words');
grant select, insert, update, delete on review_words to vouch_app;

-- Of a statement that loses its text, what was said about it goes too.
create function forget_words_about_erased() returns trigger language plpgsql as $$
begin
  delete from review_words w using review_items item
  where item.account_id = new.account_id and item.knowledge_id = new.id
    and w.account_id = item.account_id and w.review_item_id = item.id;
  return null;
end $$;
create trigger takes_its_words_along after update of statement on knowledge
  for each row when (old.statement is not null and new.statement is null)
  execute function forget_words_about_erased();

alter type run_kind add value 'decision';

create type scheduled_decision_state as enum ('scheduled', 'carried_out', 'undone', 'void');

-- A decision about an item that is carried out a little later, so that it can be taken back. The latest of each item.
create table scheduled_decisions (
  account_id uuid not null references accounts (id),
  review_item_id uuid not null,
  run_id uuid not null,
  action text not null,
  -- The version of the item that its curator saw.
  version integer not null,
  expires_at timestamptz,
  defer_until timestamptz,
  -- Of an edit: the new text, and what is to become of it.
  new_statement text,
  new_sensitivity sensitivity,
  approves_new boolean,
  new_knowledge_id uuid,
  into_knowledge_id uuid,
  decided_by uuid not null,
  credential_id uuid not null,
  decided_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  state scheduled_decision_state not null default 'scheduled',
  -- When its workflow was last started again.
  nudged_at timestamptz,
  ended_at timestamptz,
  -- Why it was not carried out: a code.
  end_reason text,
  primary key (account_id, review_item_id),
  constraint scheduled_item_is_in_same_account foreign key (account_id, review_item_id)
    references review_items (account_id, id) on delete cascade,
  constraint scheduler_is_in_same_account foreign key (account_id, decided_by) references peers (account_id, id),
  constraint scheduled_action_is_known check (action in ('approve', 'reject', 'defer', 'edit', 'merge')),
  constraint scheduled_end_reason_is_a_code check (end_reason ~ '^[a-z][a-z0-9_]{1,63}$'),
  constraint ended_decision_has_its_time check ((state = 'scheduled') = (ended_at is null))
);
create index scheduled_decisions_by_decider on scheduled_decisions (account_id, decided_by);
create trigger is_decided_by_nobody_who_is_being_erased before insert on scheduled_decisions
  for each row execute function refuse_erasing_row('decided_by');
call secure_account_table('scheduled_decisions');
grant select, insert, update, delete on scheduled_decisions to vouch_app;

-- Decisions that are long due have lost their workflow. Each is answered once a minute.
create index scheduled_decisions_due on scheduled_decisions (due_at) where state = 'scheduled';
grant select (account_id, review_item_id, run_id, state, due_at, nudged_at), update (nudged_at)
  on scheduled_decisions to vouch_lookup;
create policy lookup_reads on scheduled_decisions for select to vouch_lookup using (true);
create policy lookup_nudges on scheduled_decisions for update to vouch_lookup using (true);
grant create on schema public to vouch_lookup;
create function nudge_overdue_decisions(page integer) returns table (account_id uuid, run_id uuid)
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    with overdue as materialized (
      select d.account_id, d.review_item_id from scheduled_decisions d
      where d.state = 'scheduled' and d.due_at < clock_timestamp() - interval '60 s'
        and (d.nudged_at is null or d.nudged_at < clock_timestamp() - interval '60 s')
      order by d.due_at limit page for update skip locked
    )
    update scheduled_decisions d set nudged_at = clock_timestamp() from overdue
    where d.account_id = overdue.account_id and d.review_item_id = overdue.review_item_id
    returning d.account_id, d.run_id;
  end;
revoke all on function nudge_overdue_decisions(integer) from public;
grant execute on function nudge_overdue_decisions(integer) to vouch_app;
alter function nudge_overdue_decisions(integer) owner to vouch_lookup;
revoke create on schema public from vouch_lookup;
