/** `governance.rules`, `governance.set_rule`, `governance.remove_rule`: gate rules as the command line works with them. */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import { GATE_PRESETS } from '../../domain/governance/presets.ts';
import { ruleOf, ruleRowOf, type GateRule } from '../../domain/governance/rule-columns.ts';
import { placesRestricted, type Cell } from '../../domain/governance/rule-sets.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput, scopePathInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';
import {
  cellFields,
  NOT_PLACED_BY_ITSELF,
  ruleInput,
  ruleOutput,
  shownValues,
  toCell,
} from './rule-fields.ts';
import {
  changeRuleSet,
  readRuleSet,
  RULE_SOURCES,
  ruleSetOutput,
  shownRuleSet,
  type ChangedRuleSet,
  type RuleSet,
} from './rule-set.ts';

const placeFields = { account: accountInput, scope: scopePathInput.optional() };

/**
 * The rules that are written, account-wide ones first; of rules for one cell the nearest scope's wins. With a scope, the
 * rule of each cell that is in force there.
 */
export const listRules = defineOperation({
  id: 'governance.rules',
  access: 'operator',
  effect: 'read',
  input: z.object(placeFields),
  output: z.object({
    preset: z.enum(GATE_PRESETS),
    rules: z.array(
      ruleOutput.extend({
        /** Null for a built-in rule. */
        id: z.uuid().nullable(),
        scope_path: z.string().nullable(),
        source: z.enum(RULE_SOURCES),
      }),
    ),
  }),
  async run({ directory, inAccount }, { account, scope }) {
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, async (stores) => {
      const { gate_preset: preset } = await stores.accounts.get();
      if (scope === undefined) {
        const written = await stores.gateRules.inForce();
        return {
          preset,
          rules: written.map((rule) => ({
            ...rule,
            source: rule.scope_path === null ? ('account' as const) : ('scope' as const),
          })),
        };
      }
      const { inForce } = await readRuleSet(stores, scope);
      return {
        preset,
        rules: inForce.map(({ rule, scopePath, source }) => ({
          ...ruleRowOf(rule),
          id: rule.id,
          scope_path: scopePath,
          source,
        })),
      };
    });
  },
});

const changedOutput = ruleSetOutput.extend({
  run_id: z.uuid().nullable(),
  changed: z.boolean(),
});

const shownChange = ({ runId, set }: ChangedRuleSet): z.input<typeof changedOutput> => ({
  ...shownRuleSet(set),
  run_id: runId,
  changed: runId !== null,
});

function ruleInCell({ inForce }: RuleSet, { sensitivity, targetLevel }: Cell) {
  const found = inForce.find(
    ({ rule }) => rule.targetLevel === targetLevel && rule.sensitivity === sensitivity,
  );
  if (found === undefined) throw new TypeError('a rule is in force for every cell');
  return found.rule;
}

// A field that is left out keeps the value in force; in a rule that is given whole it would mean null.
const changesInput = z.strictObject(shownValues).partial();

function changedRule(rule: GateRule, changes: z.output<typeof changesInput>): GateRule {
  const whole = ruleInput.safeParse({ ...ruleRowOf(rule), ...changes });
  if (!whole.success) {
    throw invalidField(whole.error.issues[0]?.path.join('.') ?? '', 'is out of range');
  }
  const changed = ruleOf(whole.data);
  if (placesRestricted(changed)) throw invalidField('gate_b', NOT_PLACED_BY_ITSELF);
  return changed;
}

/**
 * Writes the rule of a cell for a scope, or for the account: what is in force there, with the values that are given.
 * Without any it stays as it is now, whatever changes above.
 */
export const setRule = defineOperation({
  id: 'governance.set_rule',
  access: 'operator',
  effect: 'write',
  input: z.object({
    ...placeFields,
    ...cellFields,
    changes: changesInput,
  }),
  output: changedOutput,
  async run(context, { account, changes, scope, ...input }) {
    const accountId = await resolveAccount(context.directory, account);
    const cell = toCell(input);
    return shownChange(
      await changeRuleSet(context, accountId, scope ?? null, null, (current) => ({
        rules: [changedRule(ruleInCell(current, cell), changes)],
        remove: [],
      })),
    );
  },
});

/** Takes the rule of a cell away from a scope, or from the account, so that the one above is in force again. */
export const removeRule = defineOperation({
  id: 'governance.remove_rule',
  access: 'operator',
  effect: 'write',
  input: z.object({ ...placeFields, ...cellFields }),
  output: changedOutput,
  async run(context, { account, scope, ...input }) {
    const accountId = await resolveAccount(context.directory, account);
    return shownChange(
      await changeRuleSet(context, accountId, scope ?? null, null, () => ({
        rules: [],
        remove: [toCell(input)],
      })),
    );
  },
});
