/** `governance.preset` and `governance.rules`: what the gates of an account do by themselves. */
import { z } from 'zod';
import { GATE_PRESETS, presetRules } from '../../domain/governance/presets.ts';
import { SENSITIVITIES, TARGET_LEVELS } from '../../domain/extraction/candidate.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';

/**
 * Puts the preset's 12 rules in the place of the account-wide ones; rules of single scopes stay. Statements that
 * are placed or rejected stay so; for those that still wait a run lets the gates decide again, by the new rules.
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
      if (previous === input.preset) return { ...answer, changed: false, run_id: null };
      await stores.accounts.setPreset(input.preset);
      await stores.gateRules.replaceAccountWide(presetRules(input.preset), now);
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

/** The rules in force, account-wide ones first. Of rules for one cell the nearest scope's wins. */
export const listRules = defineOperation({
  id: 'governance.rules',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput }),
  output: z.object({
    preset: z.enum(GATE_PRESETS),
    rules: z.array(
      z.object({
        id: z.uuid(),
        scope_path: z.string().nullable(),
        target_level: z.enum(TARGET_LEVELS),
        sensitivity: z.enum(SENSITIVITIES),
        gate_a: z.string(),
        gate_b: z.string(),
        minimum_evidence_level: z.string(),
        minimum_confidence: z.number(),
        minimum_corroboration: z.int(),
        requires_consent: z.boolean(),
        automatic_consent: z.boolean(),
        pending_max_age_hours: z.int(),
        revalidate_after_days: z.int().nullable(),
        expires_after_days: z.int().nullable(),
      }),
    ),
  }),
  async run({ directory, inAccount }, input) {
    const accountId = await resolveAccount(directory, input.account);
    return inAccount(accountId, async (stores) => {
      const { gate_preset: preset } = await stores.accounts.get();
      return { preset, rules: [...(await stores.gateRules.inForce())] };
    });
  },
});
