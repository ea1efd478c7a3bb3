-- Each row that is written, and each one that is written again with another value in any index, makes an entry in all
-- indexes of its table. A mark is found by its unit in one index, whose key begins with the unit: who looks for marks of
-- one engine or kind names the units too. The index is built while everybody reads, before the table is locked.
create unique index dirty_marks_by_key on dirty_marks (account_id, unit_id, unit, engine);
alter table dirty_marks
  drop constraint dirty_marks_pkey,
  add constraint dirty_marks_pkey primary key using index dirty_marks_by_key;
drop index dirty_marks_by_unit;
