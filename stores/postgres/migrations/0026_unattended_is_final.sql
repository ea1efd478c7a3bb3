-- Under the preset `unattended` nobody reviews, so nothing that it places waits to be confirmed again. Its account-wide
-- rules are retired and others take their cells, because decisions name the rule that they were made by. Rules of single
-- scopes stay. No statement changes.
alter table accounts no force row level security;
alter table gate_rules no force row level security;
with retired as (
  update gate_rules r set retired_at = now()
  from accounts a
  where a.id = r.account_id and a.gate_preset = 'unattended'
    and r.scope_id is null and r.retired_at is null and r.revalidate_after_days is not null
  returning r.*
)
insert into gate_rules (account_id, id, target_level, sensitivity, gate_a, gate_b, minimum_evidence_level,
  minimum_confidence, minimum_corroboration, requires_consent, automatic_consent, pending_max_age_hours,
  expires_after_days)
select account_id, gen_random_uuid(), target_level, sensitivity, gate_a, gate_b, minimum_evidence_level,
  minimum_confidence, minimum_corroboration, requires_consent, automatic_consent, pending_max_age_hours,
  expires_after_days
from retired;
alter table gate_rules force row level security;
alter table accounts force row level security;
