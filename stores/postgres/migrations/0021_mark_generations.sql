-- A generation is drawn from one sequence, so that no two marks of a unit ever carry the same one: a mark that was
-- deleted and made again is another, and a late acknowledgement of the first does not clear it.
-- It starts far above what marks counted so far: whoever migrates sees no row of an account.
create sequence dirty_mark_generations as bigint start 1000000000;
grant usage on sequence dirty_mark_generations to vouch_app;
alter table dirty_marks alter column generation set default nextval('dirty_mark_generations');

-- Attempts that began and of whose end nothing was heard: each makes the next batch smaller, until the unit at fault
-- stands alone.
alter table dirty_marks add column unheard_attempts smallint not null default 0;
