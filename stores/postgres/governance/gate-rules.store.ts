/** The gate rules in force. A rule is never edited: it is retired, and another takes its cell. */
import { sql, type FragmentSqlToken } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/extraction/candidate.ts';
import type { PlacedRule } from '../../../domain/governance/gates.ts';
import type { GateRule } from '../../../domain/governance/presets.ts';
import { AccountStore } from '../account-store.ts';
import type { Queryable } from '../pool.ts';

const rule = z.object({
  id: z.uuid(),
  target_level: z.enum(TARGET_LEVELS),
  sensitivity: z.enum(SENSITIVITIES),
  gate_a: z.enum(['auto_keep', 'auto_reject', 'human']),
  gate_b: z.enum(['auto_place', 'human']),
  minimum_evidence_level: z.enum(['direct', 'indirect']),
  minimum_confidence: z.number(),
  minimum_corroboration: z.int(),
  requires_consent: z.boolean(),
  automatic_consent: z.boolean(),
  pending_max_age_hours: z.int(),
  revalidate_after_days: z.int().nullable(),
  expires_after_days: z.int().nullable(),
});

/** A rule as people are shown it; the path is null for the whole account. */
const ruleRow = rule.extend({ scope_path: z.string().nullable() });
export type GateRuleRow = z.infer<typeof ruleRow>;

/** A rule as the gates read it. */
export const gateRuleShape = rule
  .extend({ scope_id: z.string().nullable() })
  .transform((row): PlacedRule => ({
    id: row.id,
    scopeId: row.scope_id,
    targetLevel: row.target_level,
    sensitivity: row.sensitivity,
    gateA: row.gate_a,
    gateB: row.gate_b,
    minimumEvidenceLevel: row.minimum_evidence_level,
    minimumConfidence: row.minimum_confidence,
    minimumCorroboration: row.minimum_corroboration,
    requiresConsent: row.requires_consent,
    automaticConsent: row.automatic_consent,
    pendingMaxAgeHours: row.pending_max_age_hours,
    revalidateAfterDays: row.revalidate_after_days,
    expiresAfterDays: row.expires_after_days,
  }));

/** A JSON array of the rules in force for the account and for any of these scopes. */
export function gateRulesInForce(scopeIds: readonly string[]): FragmentSqlToken {
  return sql.fragment`(
    select coalesce(jsonb_agg(to_jsonb(r)), '[]')
    from gate_rules r
    where r.retired_at is null
      and (r.scope_id is null or r.scope_id = any(${sql.array(scopeIds, 'uuid')})))`;
}

function toRow(rule: GateRule): Record<string, unknown> {
  return {
    id: uuidv7(),
    target_level: rule.targetLevel,
    sensitivity: rule.sensitivity,
    gate_a: rule.gateA,
    gate_b: rule.gateB,
    minimum_evidence_level: rule.minimumEvidenceLevel,
    minimum_confidence: rule.minimumConfidence,
    minimum_corroboration: rule.minimumCorroboration,
    requires_consent: rule.requiresConsent,
    automatic_consent: rule.automaticConsent,
    pending_max_age_hours: rule.pendingMaxAgeHours,
    revalidate_after_days: rule.revalidateAfterDays,
    expires_after_days: rule.expiresAfterDays,
  };
}

async function enterRules(
  tx: Queryable,
  accountId: string,
  scopeId: string | null,
  rules: readonly GateRule[],
): Promise<void> {
  await tx.query(sql.unsafe`
    insert into gate_rules (account_id, scope_id, id, target_level, sensitivity, gate_a, gate_b,
      minimum_evidence_level, minimum_confidence, minimum_corroboration, requires_consent,
      automatic_consent, pending_max_age_hours, revalidate_after_days, expires_after_days)
    select ${accountId}::uuid, ${scopeId}::uuid, r.*
    from jsonb_to_recordset(${JSON.stringify(rules.map(toRow))}::jsonb) as r (
      id uuid, target_level target_level, sensitivity sensitivity, gate_a gate_a_mode, gate_b gate_b_mode,
      minimum_evidence_level evidence_level, minimum_confidence double precision,
      minimum_corroboration integer, requires_consent boolean, automatic_consent boolean,
      pending_max_age_hours integer, revalidate_after_days integer, expires_after_days integer)`);
}

/** Gate rules of the account. */
export class GateRulesStore extends AccountStore {
  /** Retires the account-wide rules in force and puts these in their place. Rules of scopes stay. */
  async replaceAccountWide(rules: readonly GateRule[], at: Date): Promise<void> {
    await this.tx.query(sql.unsafe`
      update gate_rules set retired_at = ${at.toISOString()}
      where account_id = ${this.accountId} and scope_id is null and retired_at is null`);
    await enterRules(this.tx, this.accountId, null, rules);
  }

  /** Retires the rules of these ids, and puts `rules` in force for the scope, or for the account where it is null. */
  async replace(
    scopeId: string | null,
    retired: readonly string[],
    rules: readonly GateRule[],
    at: Date,
  ): Promise<void> {
    await this.tx.query(sql.unsafe`
      update gate_rules set retired_at = ${at.toISOString()}
      where account_id = ${this.accountId}::uuid and id = any(${sql.array(retired, 'uuid')})
        and retired_at is null`);
    await enterRules(this.tx, this.accountId, scopeId, rules);
  }

  /** The rules in force that are written for the account or for one of the scopes, in no order. */
  async ofPlaces(scopeIds: readonly string[]): Promise<readonly PlacedRule[]> {
    return this.tx.oneFirst(
      sql.type(
        z.object({ rules: z.array(gateRuleShape) }),
      )`select ${gateRulesInForce(scopeIds)} as rules`,
    );
  }

  /** The rules in force: account-wide ones first, then by scope, level and sensitivity. */
  async inForce(): Promise<readonly GateRuleRow[]> {
    return this.tx.any(sql.type(ruleRow)`
      select r.id, s.path as scope_path, r.target_level, r.sensitivity, r.gate_a, r.gate_b,
        r.minimum_evidence_level, r.minimum_confidence, r.minimum_corroboration, r.requires_consent,
        r.automatic_consent, r.pending_max_age_hours, r.revalidate_after_days, r.expires_after_days
      from gate_rules r left join scopes s on s.account_id = r.account_id and s.id = r.scope_id
      where r.account_id = ${this.accountId} and r.retired_at is null
      order by s.path nulls first, r.target_level, r.sensitivity`);
  }
}
