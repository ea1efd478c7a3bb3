-- Whether the statement of an item had an audience when the item was opened. Nothing gives a statement an audience later, so
-- of the others a list has no statement to look up. No default: whoever opens an item says it.
alter table review_items add column has_audience boolean;
update review_items item set has_audience = exists (
  select from knowledge k
  where k.account_id = item.account_id and k.id = item.knowledge_id and k.audience_id is not null);
alter table review_items alter column has_audience set not null;
