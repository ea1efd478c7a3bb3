-- A key that a restore brought back waits for the word of an operator: nobody knows whether it was revoked since the
-- backup. Until then it answers as a revoked one.

alter table credentials add column suspended_at timestamptz;
alter table credentials add constraint only_keys_are_suspended
  check (suspended_at is null or kind = 'api_key');
