-- What a selector names, as texts. Row security keeps the comparison of enums and the call of `split_part` out of the
-- conditions of an index, so a walk by kind or attribute read everything that is about the person.
alter table knowledge
  add column kind_word text not null generated always as (
    case kind
      when 'fact' then 'fact' when 'preference' then 'preference' when 'event' then 'event'
      when 'relation' then 'relation' else 'skill'
    end) stored,
  -- What the claim is about, without the value of an attribute that has many.
  add column attribute text generated always as (split_part(claim_about, ':', 1)) stored;

drop index knowledge_of_peer_by_kind;
drop index knowledge_of_peer_by_attribute;
drop index knowledge_of_scope_by_kind;
create index knowledge_of_peer_by_kind on knowledge
  (account_id, subject_peer_id, scope_id, kind_word, shelf, recorded_at desc, id desc)
  where subject_peer_id is not null and state in ('active', 'needs_revalidation', 'stale', 'expired');
create index knowledge_of_peer_by_attribute on knowledge
  (account_id, subject_peer_id, scope_id, attribute, shelf, recorded_at desc, id desc)
  where subject_peer_id is not null and attribute is not null
    and state in ('active', 'needs_revalidation', 'stale', 'expired');
create index knowledge_of_scope_by_kind on knowledge
  (account_id, scope_id, kind_word, shelf, recorded_at desc, id desc)
  where subject_peer_id is null and state in ('active', 'needs_revalidation', 'stale', 'expired');
