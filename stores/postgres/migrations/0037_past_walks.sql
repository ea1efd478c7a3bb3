-- Beliefs that had begun before an instant, the last begun first. What has ended since stands apart from what has not, and
-- so do beliefs that other readers may read: none takes the place of another in a bounded walk. Each belief is in one of
-- the indexes.
create index belief_periods_guarded_ended on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity in ('personal', 'restricted') and believed_until is not null;
create index belief_periods_guarded_standing on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity in ('personal', 'restricted') and believed_until is null;
create index belief_periods_internal_ended on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity = 'internal' and believed_until is not null;
create index belief_periods_internal_standing on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity = 'internal' and believed_until is null;
create index belief_periods_public_ended on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity = 'public' and believed_until is not null;
create index belief_periods_public_standing on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'active' and sensitivity = 'public' and believed_until is null;
create index belief_periods_provisional on belief_periods (account_id, scope_id, believed_from desc)
  where state = 'provisional';
drop index belief_periods_of_scope;
