-- The last pass that came to its end. In a migration of its own: a word of an enum may be used once it is committed.
insert into sweep_passes (kind) values ('retention');
