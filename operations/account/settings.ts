/** `operations.settings`: what is set and what is kept back in the account, for its administrators to see in one place. */
import { z } from 'zod';
import { GATE_PRESETS } from '../../domain/governance/presets.ts';
import { CIRCUIT_STATES } from '../../domain/models/circuit.ts';
import { MODEL_ROLES } from '../../domain/models/roles.ts';
import { defineOperation } from '../operation.ts';
import { overrideOutput, shownOverride } from '../retrieval/profile-overrides.ts';

const MOST_CIRCUITS = 100;
const MOST_BUDGETS = 50;

const count = z.int().min(0);

export const readAccountSettings = defineOperation({
  id: 'operations.settings',
  access: 'account_admin',
  effect: 'read',
  summary: 'Read the settings of the account and the circuits of its providers',
  description: `Returns the preset of the gates, the overrides of retrieval profiles, at most ${MOST_CIRCUITS} circuits of providers, the latest ${MOST_BUDGETS} extraction budgets, and the address of the Temporal UI.`,
  input: z.object({}),
  output: z.object({
    preset: z.enum(GATE_PRESETS),
    profile_overrides: z.array(overrideOutput.extend({ set_at: z.string() })),
    circuits: z.array(
      z.object({
        role: z.enum(MODEL_ROLES),
        provider: z.string(),
        model: z.string(),
        state: z.enum(CIRCUIT_STATES),
        consecutive_failures: count,
        blocked_until: z
          .string()
          .nullable()
          .describe('The service makes no call before this time.'),
      }),
    ),
    budgets: z.array(
      z.object({
        scope_root: z.string(),
        request_cap: count,
        requests_reserved: count,
        token_cap: count,
        tokens_reserved: count,
        usd_micros_cap: count,
        usd_micros_reserved: count,
        deadline_at: z.string(),
        closed_at: z.string().nullable(),
      }),
    ),
    temporal_ui: z
      .string()
      .nullable()
      .describe('The page of the workflows in the Temporal UI. Null if no setting names it.'),
  }),
  async run({ caller, inAccount, settings }) {
    const found = await inAccount(
      caller.accountId,
      async (stores) => ({
        account: await stores.accounts.get(),
        overrides: await stores.retrievalProfiles.list(),
        circuits: await stores.circuits.list(MOST_CIRCUITS),
        budgets: await stores.extractionBudgets.latest(MOST_BUDGETS),
      }),
      { readOnly: true },
    );
    return {
      preset: found.account.gate_preset,
      profile_overrides: found.overrides.map(shownOverride),
      circuits: [...found.circuits],
      budgets: found.budgets.map((budget) => ({ ...budget })),
      temporal_ui: settings.temporalUi,
    };
  },
});
