-- What people have said of themselves that a stable profile may hold: the newest of it is found however much else is
-- said of them.
create index knowledge_of_profile on knowledge (account_id, subject_peer_id, text_occurred_at desc, id)
  where split_part(claim_about, ':', 1) in
      ('name', 'pronouns', 'occupation', 'employer', 'residence', 'language', 'time_zone')
    and updated_by_id is null and state in ('active', 'provisional');
