-- How openly a source says a statement, apart from how far it is to be believed. Statements of before have none: theirs was
-- the confidence itself.
create type confidence_level as enum ('stated_explicitly', 'clearly_implied', 'inferred');
alter table knowledge add column confidence_level confidence_level;
