-- Each row that is written, and each one that is written again with another value in any index, makes an entry in all
-- indexes of its table. A mark is found by its unit in one index, whose key begins with the unit: who looks for marks of
-- one engine or kind names the units too. The index is built while everybody reads, before the table is locked.
create unique index dirty_marks_by_key on dirty_marks (account_id, unit_id, unit, engine);
alter table dirty_marks
  drop constraint dirty_marks_pkey,
  add constraint dirty_marks_pkey primary key using index dirty_marks_by_key;
drop index dirty_marks_by_unit;

-- What came of a message is found by the message, which its key can begin with.
create unique index run_outputs_by_key on run_outputs (account_id, message_id, id);
alter table run_outputs
  drop constraint run_outputs_pkey,
  add constraint run_outputs_pkey primary key using index run_outputs_by_key;
drop index run_outputs_by_message;

-- No query asks for the calls of a batch by itself. Calls that are open are as many as are being made, so one index finds
-- those of an account by their age and those of a mailbox. It asks for the end, which a dispatch does not change (a check
-- says that open calls have none): a row whose indexed values stay gets no new entries.
create index provider_attempts_unfinished on provider_attempts (account_id, reserved_at) where finished_at is null;
drop index provider_attempts_by_batch;
drop index provider_attempts_open;
drop index provider_attempts_open_by_age;
