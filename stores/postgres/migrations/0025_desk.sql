-- The review queue as people work with it. An item is a question about a statement. A statement has one open item for
-- each kind and, of contradictions, for each statement that it contradicts. Items that ended stay as they ended.
alter type review_state add value 'closed';

alter table review_items no force row level security;
alter table review_items
  add column version integer not null default 1,
  add column reason text not null default 'person_decides',
  add column end_reason text,
  add column conflict_knowledge_id uuid,
  add column proposed_sensitivity sensitivity,
  add constraint review_reason_is_a_code check (reason ~ '^[a-z][a-z0-9_]{1,63}$'),
  add constraint review_end_reason_is_a_code check (end_reason ~ '^[a-z][a-z0-9_]{1,63}$'),
  add constraint contradicted_knowledge_is_in_same_account foreign key (account_id, conflict_knowledge_id)
    references knowledge (account_id, id) on delete cascade,
  drop constraint one_review_item_per_statement_and_kind,
  drop constraint decided_review_has_its_time,
  add constraint ended_review_has_its_time
    check ((state in ('pending', 'escalated', 'awaiting_consent', 'deferred')) = (decided_at is null));
alter table review_items alter column reason drop default;

-- Until now an item held all statements that its own contradicts.
update review_items set reason = 'contradicts_higher_standing', conflict_knowledge_id = conflict_knowledge_ids[1]
where kind = 'conflict' and conflict_knowledge_ids <> '{}';
insert into review_items (account_id, id, knowledge_id, scope_id, subject_peer_id, kind, state, reason,
  conflict_knowledge_id, target_scope_id, target_level, due_at, decided_at, created_at)
select i.account_id, gen_random_uuid(), i.knowledge_id, i.scope_id, i.subject_peer_id, i.kind, i.state, i.reason,
  other.id, i.target_scope_id, i.target_level, i.due_at, i.decided_at, i.created_at
from review_items i cross join lateral unnest(i.conflict_knowledge_ids[2:]) as other (id);
update review_items set reason = 'said_to_be_more_sensitive'
where kind = 'conflict' and conflict_knowledge_id is null;
-- What it was said to be was not kept; the strictest is the safe reading.
update review_items set proposed_sensitivity = 'restricted'
where kind = 'conflict' and conflict_knowledge_id is null;
alter table review_items drop column conflict_knowledge_ids;
alter table review_items force row level security;

create unique index one_open_item_per_question
  on review_items (account_id, knowledge_id, kind, (coalesce(conflict_knowledge_id, knowledge_id)))
  where decided_at is null;
create index review_items_of_statement on review_items (account_id, knowledge_id, created_at);
create index review_items_contradicting on review_items (account_id, conflict_knowledge_id)
  where conflict_knowledge_id is not null;

-- Where a contest that is dismissed puts a statement back.
alter table knowledge
  add column state_before_contest knowledge_state,
  add constraint only_contested_knows_its_state_before check (state_before_contest is null or state = 'contested');

-- The periods of a statement tile time: none overlaps another.
create extension if not exists btree_gist;
alter table belief_periods add constraint periods_do_not_overlap
  exclude using gist (account_id with =, knowledge_id with =, tstzrange(believed_from, believed_until) with &&);
drop index knowledge_is_believed_one_way_at_a_time;

-- The queue, by what is due first and by what came last, of the account and of single scopes.
drop index review_items_open;
create index review_items_due on review_items (account_id, due_at, id)
  where state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_due_in_scope on review_items (account_id, scope_id, due_at, id)
  where state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_newest_in_scope on review_items (account_id, scope_id, id)
  where state in ('pending', 'escalated', 'awaiting_consent', 'deferred');
create index review_items_newest on review_items (account_id, id)
  where state in ('pending', 'escalated', 'awaiting_consent', 'deferred');

-- What a person was asked, the newest first.
create index consents_of_subject on consents (account_id, subject_peer_id, id desc);

-- Contests whose workflow was cancelled begin again.
create index pipeline_runs_cancelled_contests on pipeline_runs (account_id, dispatched_at)
  where status = 'cancelled' and kind = 'contest';
