/** `model.check`: one small answer of each role, from the command line. */
import { z } from 'zod';
import { ERROR_CLASSES } from '../../domain/error-class.ts';
import { MODEL_PROVIDERS, MODEL_ROLES } from '../../domain/models/roles.ts';
import { ROLE_CHECK_STATUSES } from '../../engine/models/check.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';

/** Asks the roles that this process is configured with. The calls are the account's, in its ledger. */
export const checkModels = defineOperation({
  id: 'model.check',
  access: 'operator',
  effect: 'write',
  input: z.object({ account: accountInput }),
  output: z.object({
    account_id: z.uuid(),
    roles: z.array(
      z.object({
        role: z.enum(MODEL_ROLES),
        provider: z.enum(MODEL_PROVIDERS),
        model: z.string().nullable(),
        version: z.string().nullable(),
        status: z.enum(ROLE_CHECK_STATUSES),
        error_class: z.enum(ERROR_CLASSES).nullable(),
        duration_ms: z.int().nullable(),
      }),
    ),
  }),
  async run({ directory, models, signal, traceId }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const checks = await models.check(accountId, traceId, signal);
    return {
      account_id: accountId,
      roles: checks.map(({ role, provider, model, version, status, ...how }) => ({
        role,
        provider,
        model,
        version,
        status,
        error_class: how.errorClass,
        duration_ms: how.durationMs,
      })),
    };
  },
});
