/** The gate rules in force. A rule is never edited: it is retired, and another takes its cell. */
import { sql, type FragmentSqlToken } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { PlacedRule } from '../../../domain/governance/gates.ts';
import {
  RULE_COLUMN_NAMES,
  RULE_COLUMNS,
  ruleOf,
  ruleRowOf,
  type GateRule,
} from '../../../domain/governance/rule-columns.ts';
import { AccountStore } from '../account-store.ts';
import { columnsOf, recordOf, rowShapeOf } from '../columns.ts';
import type { Queryable } from '../pool.ts';

const rule = z.object({ id: z.uuid(), ...rowShapeOf(RULE_COLUMNS, RULE_COLUMN_NAMES) });

/** A rule as people are shown it; the path is null for the whole account. */
const ruleRow = rule.extend({ scope_path: z.string().nullable() });
export type GateRuleRow = z.infer<typeof ruleRow>;

/** A rule as the gates read it. */
export const gateRuleShape = rule
  .extend({ scope_id: z.string().nullable() })
  .transform((row): PlacedRule => ({ ...ruleOf(row), id: row.id, scopeId: row.scope_id }));

/** A JSON array of the rules in force for the account and for any of these scopes. */
export function gateRulesInForce(scopeIds: readonly string[]): FragmentSqlToken {
  return sql.fragment`(
    select coalesce(jsonb_agg(to_jsonb(r)), '[]')
    from gate_rules r
    where r.retired_at is null
      and (r.scope_id is null or r.scope_id = any(${sql.array(scopeIds, 'uuid')})))`;
}

async function enterRules(
  tx: Queryable,
  accountId: string,
  scopeId: string | null,
  rules: readonly GateRule[],
): Promise<void> {
  const rows = rules.map((rule) => ({ id: uuidv7(), ...ruleRowOf(rule) }));
  await tx.query(sql.unsafe`
    insert into gate_rules (account_id, scope_id, id, ${columnsOf(RULE_COLUMN_NAMES)})
    select ${accountId}::uuid, ${scopeId}::uuid, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      id uuid, ${recordOf(RULE_COLUMNS, RULE_COLUMN_NAMES)})`);
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
      select r.id, s.path as scope_path, ${columnsOf(RULE_COLUMN_NAMES, 'r')}
      from gate_rules r left join scopes s on s.account_id = r.account_id and s.id = r.scope_id
      where r.account_id = ${this.accountId} and r.retired_at is null
      order by s.path nulls first, r.target_level, r.sensitivity`);
  }
}
