/** `audit.verify`: the audit chain of an account, walked over from the command line. */
import { z } from 'zod';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Answers where the chain is broken first, if it is. Changes nothing. */
export const verifyAudit = defineOperation({
  id: 'audit.verify',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput, head: hash.optional() }),
  output: z.object({
    account_id: z.uuid(),
    intact: z.boolean(),
    /** Events that stand where they were sealed, up to the first fault. */
    verified: z.int(),
    /** Events that wait for the sealer. */
    unsealed: z.int(),
    oldest_unsealed_seconds: z.int(),
    /** The last verified event. */
    head: z.object({ position: z.int(), hash }),
    finding: z
      .object({
        fault: z.enum([
          'missing',
          'repeated',
          'changed',
          'reordered',
          'end_missing',
          'end_differs',
          'head_missing',
        ]),
        position: z.int(),
        event_id: z.uuid().nullable(),
      })
      .nullable(),
  }),
  async run({ directory, verifyChain, progress, signal }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const report = await verifyChain(accountId, {
      expectedHead: input.head ?? null,
      signal,
      progress: (verified, all) => progress?.(`verified ${verified} of ${all}`),
    });
    const { finding } = report;
    return {
      account_id: accountId,
      intact: finding === null,
      verified: report.verified,
      unsealed: report.unsealed,
      oldest_unsealed_seconds: report.oldestUnsealedSeconds,
      head: { position: report.head.position, hash: report.head.hash },
      finding:
        finding === null
          ? null
          : { fault: finding.fault, position: finding.position, event_id: finding.eventId },
    };
  },
});
