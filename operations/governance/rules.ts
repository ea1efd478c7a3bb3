/** `governance.read_rules`, `governance.change_rules`: what the gates do by themselves at one scope, or in the account. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { ruleOf } from '../../domain/governance/rule-columns.ts';
import { CELLS, placesRestricted, repeatedCells } from '../../domain/governance/rule-sets.ts';
import { isAccountAdmin, type Caller } from '../../domain/identity/caller.ts';
import { parseScopePath, ROOT_PATH, type ScopePath } from '../../domain/scopes/path.ts';
import { scopePathField } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { cellInput, NOT_PLACED_BY_ITSELF, ruleInput, toCell } from './rule-fields.ts';
import { changeRuleSet, readRuleSet, ruleSetOutput, shownRuleSet } from './rule-set.ts';

/** Refuses before anything is looked up, so that nothing is told of a scope that is not the caller's to administer. */
function assertAdministers(caller: Caller, scopePath: ScopePath | null): void {
  if (!isAccountAdmin(caller, scopePath ?? ROOT_PATH)) throw new Refusal('forbidden');
}

const readPlace = z
  .string()
  .nullish()
  .transform((text, context): ScopePath | null => {
    if (text === null || text === undefined || text.trim() === '') return null;
    const path = parseScopePath(text);
    if (path !== null) return path;
    context.addIssue({ code: 'custom', message: 'must be a scope path' });
    return z.NEVER;
  })
  .meta({
    description: 'The scope. Absent or blank: the whole account.',
    wire: { examples: ['/team/project'] },
  });

export const readGateRules = defineOperation({
  id: 'governance.read_rules',
  access: 'human',
  effect: 'read',
  summary: 'Read the gate rules of a scope',
  description:
    'For account-admins of the scope, of `/` for the account. A cell is a level and a sensitivity. It is decided by the rule of the nearest scope that has one, else of the account, else by the built-in one, under which a person decides.',
  refusals: ['forbidden'],
  input: z.object({ scope_path: readPlace }),
  output: ruleSetOutput,
  async run({ caller, inAccount }, { scope_path: scopePath }) {
    assertAdministers(caller, scopePath);
    return shownRuleSet(
      await inAccount(caller.accountId, (stores) => readRuleSet(stores, scopePath)),
    );
  },
});

const changeInput = z
  .object({
    scope_path: scopePathField
      .nullish()
      .transform((path): ScopePath | null => path ?? null)
      .meta({
        description:
          'The scope. The service creates it with its first rule. Absent: the whole account.',
        wire: { examples: ['/team/project'] },
      }),
    version: z.int().min(0).describe('As the rules were read.'),
    rules: z
      .array(ruleInput)
      .max(CELLS.length)
      .nullish()
      .transform((rules) => (rules ?? []).map(ruleOf))
      .meta({ description: 'Cells that get this rule, each named once; others stay.' }),
    remove: z
      .array(cellInput)
      .max(CELLS.length)
      .nullish()
      .transform((cells) => (cells ?? []).map(toCell))
      .meta({
        description: 'Cells whose rule of this place goes; the one above is in force again.',
      }),
  })
  .superRefine(({ remove, rules }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    for (const [index, rule] of rules.entries()) {
      if (placesRestricted(rule)) {
        refuse(['rules', index, 'gate_b'], NOT_PLACED_BY_ITSELF);
      }
    }
    for (const index of repeatedCells([...rules, ...remove])) {
      const isRule = index < rules.length;
      refuse(
        isRule ? ['rules', index] : ['remove', index - rules.length],
        'must name a cell that is named nowhere else',
      );
    }
  });

export const changeGateRules = defineOperation({
  id: 'governance.change_rules',
  access: 'human',
  effect: 'write',
  summary: 'Change the gate rules of a scope',
  description:
    'For account-admins of the scope, of `/` for the account. Rules are given whole. The request names the version it was made for: after a change by another it is 409, unless the rules are as asked already, so a request may be sent again. A change takes nothing back. For what waits a run lets the gates decide again, which the answer names and does not wait for.',
  refusals: ['forbidden', 'conflict'],
  input: changeInput,
  output: ruleSetOutput.extend({
    run_id: z
      .uuid()
      .nullable()
      .describe('The run of the gates over what waits; null when nothing changed.'),
  }),
  async run(context, { remove, rules, scope_path: scopePath, version }) {
    const { caller, sweep } = context;
    assertAdministers(caller, scopePath);
    const { runId, set } = await changeRuleSet(
      context,
      caller.accountId,
      scopePath,
      version,
      () => ({ rules, remove }),
    );
    if (runId !== null) sweep.soon();
    return { ...shownRuleSet(set), run_id: runId };
  },
});
