-- What a statement claims of an attribute of its subject, and what newer statements made of it. The value is a
-- digest. `relevant_until` is what is shown; where an update closed it, the source's own end is `stated_until`.

create type claim_mode as enum ('holds', 'ended', 'corrects');

alter table knowledge
  add column claim_about text,
  add column claim_value text,
  add column claim_mode claim_mode,
  add column updated_by_id uuid,
  add column state_before_update knowledge_state,
  add column stated_until timestamptz,
  add column stated_until_precision time_precision,
  add constraint claim_names_an_attribute check (claim_about ~ '^[a-z_]{1,32}(:[0-9a-f]{64})?$'),
  add constraint claim_value_is_a_digest check (claim_value ~ '^[0-9a-f]{64}$'),
  add constraint claim_has_its_mode check ((claim_about is null) = (claim_mode is null)),
  add constraint stated_end_has_its_precision check ((stated_until is null) = (stated_until_precision is null)),
  add constraint only_an_update_keeps_what_it_replaced
    check (updated_by_id is not null or (state_before_update is null and stated_until is null)),
  -- A late arrival is written after the statements that it updates.
  add constraint updating_knowledge_is_in_same_account foreign key (account_id, updated_by_id)
    references knowledge (account_id, id) deferrable initially deferred,
  alter constraint superseded_knowledge_is_in_same_account deferrable initially deferred;

create index knowledge_by_claimed_attribute on knowledge (account_id, subject_peer_id, claim_about)
  where claim_about is not null;

-- A claim is told apart by the window its sources gave it, not by where an update closed it.
drop index knowledge_claim_is_open_once;
create unique index knowledge_claim_is_open_once on knowledge
  (account_id, scope_id, subject_peer_id, subject_scope_id, statement_hash, relevant_from,
    (case when updated_by_id is not null and state_before_update is null then stated_until else relevant_until end))
  nulls not distinct
  where state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale', 'contested')
    and not previously_refused;
