-- What an extractor put out for each message that a statement cites. `wording` is content: the text of the statement as
-- the proposal from this message worded it. It is written once, also where the statement has the same text, because the
-- statement may later take the words of another source. Null where nothing was kept: for sources recorded before this
-- migration, and where the words may be those of several speakers. Whatever withdraws the text of a statement, and
-- whatever erases a message, withdraws it too. The span says where the message holds what supports the statement, in
-- characters of its content; it is no content by itself.
alter table provenance
  add column wording text,
  add column span_offset integer,
  add column span_length integer,
  add constraint wording_has_at_most_4000_characters check (char_length(wording) <= 4000),
  add constraint span_has_both_ends check ((span_offset is null) = (span_length is null)),
  add constraint span_is_a_part_of_a_message check (span_offset >= 0 and span_length >= 1);

-- How far a statement is from messages: 1 where it is drawn from messages alone, else 1 + the highest of its sources.
alter table knowledge
  add column derivation_level integer not null default 1,
  add constraint derivation_begins_at_messages check (derivation_level >= 1);
