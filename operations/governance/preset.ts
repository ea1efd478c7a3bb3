/** `governance.preset`: what the gates of an account do by themselves, as a named set of rules. */
import { z } from 'zod';
import { GATE_PRESETS, presetRules } from '../../domain/governance/presets.ts';
import { planRules } from '../../domain/governance/rule-sets.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';

/**
 * Puts the preset's 12 rules in the place of the account-wide ones; rules of single scopes stay. Statements that
 * are placed or rejected stay so; for those that still wait a run lets the gates decide again, by the new rules.
 * The preset that the account has changes nothing, unless its rules were changed one by one: then they are its own again.
 */
export const setPreset = defineOperation({
  id: 'governance.preset',
  access: 'operator',
  effect: 'write',
  input: z.object({ account: accountInput, preset: z.enum(GATE_PRESETS) }),
  output: z.object({
    account_id: z.uuid(),
    preset: z.enum(GATE_PRESETS),
    previous_preset: z.enum(GATE_PRESETS),
    changed: z.boolean(),
    /** The run of the gates over the statements that wait; null when nothing changed. */
    run_id: z.uuid().nullable(),
  }),
  async run({ caller, now, traceId, directory, inAccount }, input) {
    const accountId = await resolveAccount(directory, input.account);
    return inAccount(accountId, async (stores) => {
      const previous = await stores.accounts.lockPreset();
      const answer = { account_id: accountId, preset: input.preset, previous_preset: previous };
      const rules = presetRules(input.preset);
      const { entered } = planRules(await stores.gateRules.ofPlaces([]), { rules, remove: [] });
      if (previous === input.preset && entered.length === 0) {
        return { ...answer, changed: false, run_id: null };
      }
      await stores.accounts.setPreset(input.preset);
      await stores.gateRules.replaceAccountWide(rules, now);
      await stores.audit.record({
        category: 'governance',
        action: 'gate_preset.changed',
        actor: auditActor(caller),
        resourceType: 'account',
        resourceId: accountId,
        metadata: { from: previous, to: input.preset },
      });
      const runId = await stores.runs.enter({ kind: 'regate', traceId });
      return { ...answer, changed: true, run_id: runId };
    });
  },
});
