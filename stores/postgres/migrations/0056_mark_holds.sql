-- Meilisearch takes a late write of an older reading, and a mark may be taken again while an earlier writer still
-- writes. The mark knows those writers, so that none of them clears it while another one may yet write.
alter table dirty_marks
  -- One number for each writer that has not reported, the latest first.
  add column holds bigint[] not null default '{}',
  -- From then on a writer that has not reported never will.
  add column held_until timestamptz;
