/**
 * `restore.finish`: what must be done to a database that was restored before anybody reaches it. Who was let in since the
 * backup, who was shut out and what was taken away is not in it. So tokens and sessions end, keys are suspended until an
 * operator resumes them, and what was promised since is brought about again. The indexes are written anew. Every step may
 * be repeated; a call that was cut short is made again.
 */
import { z } from 'zod';
import { auditActor } from '../audit-actor.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { execute } from '../execute.ts';
import { repeatPromises } from '../promises/repeat.ts';
import { linesField } from '../promises/tally.ts';

const input = z.object({
  /** When the backup was made, for the audit log. */
  backup_at: z.iso.datetime().optional(),
  /** The lines of the lists of promises. Without one, what was promised since the backup is unknown. */
  promises: linesField.optional(),
});

/** Ends what opens the account, and lets its open runs start again. */
async function closeAccount(context: RequestContext, accountId: string, backupAt: string | null) {
  return context.inAccount(accountId, async (stores) => {
    const ended = await stores.credentials.endAll(context.now);
    const runs = await stores.runs.startAgain();
    await stores.audit.record({
      category: 'configuration',
      action: 'account.restored',
      actor: auditActor(context.caller),
      resourceType: 'account',
      resourceId: accountId,
      metadata: {
        backup_at: backupAt,
        tokens_ended: ended.tokens,
        keys_suspended: ended.suspended,
        runs_started_again: runs,
      },
    });
    return { ...ended, runs };
  });
}

async function closeAccounts(context: RequestContext, accounts: readonly string[], at?: string) {
  const sum = { tokens_ended: 0, runs_started_again: 0 };
  for (const accountId of accounts) {
    context.signal.throwIfAborted();
    const closed = await closeAccount(context, accountId, at ?? null);
    sum.tokens_ended += closed.tokens;
    sum.runs_started_again += closed.runs;
  }
  return sum;
}

/** Keys that an operator has to resume; those that a promise revoked are none of them. */
async function waitingKeys(context: RequestContext, accounts: readonly string[]): Promise<number> {
  let waiting = 0;
  for (const accountId of accounts) {
    waiting += await context.inAccount(accountId, ({ credentials }) =>
      credentials.countSuspended(),
    );
  }
  return waiting;
}

async function writeIndexes(context: RequestContext, accounts: readonly string[]) {
  const sum = { units: 0, failed: 0 };
  for (const accountId of accounts) {
    const written = await context.indexes.rebuild(accountId, null, context.signal);
    sum.units += written?.units ?? 0;
    sum.failed += written?.failed ?? 0;
  }
  if (sum.failed === 0) await context.acceptIndexes();
  return sum;
}

async function compareDocuments(context: RequestContext, accounts: readonly string[]) {
  const sum = { named: 0, missing: 0, removed: 0 };
  const options = { remove: true, signal: context.signal };
  for (const accountId of accounts) {
    const found = await context.compareBlobs(accountId, options);
    sum.named += found.named;
    sum.missing += found.missing;
    sum.removed += found.removed;
  }
  return sum;
}

async function verifyChains(context: RequestContext, accounts: readonly string[]) {
  const sum = { verified: 0, broken_accounts: 0 };
  for (const accountId of accounts) {
    const report = await context.verifyChain(accountId, {
      expectedHead: null,
      signal: context.signal,
      progress: () => undefined,
    });
    sum.verified += report.verified;
    if (report.finding !== null) sum.broken_accounts += 1;
  }
  return sum;
}

const count = z.int();

export const finishRestore = defineOperation({
  id: 'restore.finish',
  access: 'operator',
  effect: 'destroy',
  input,
  output: z.object({
    accounts: count,
    tokens_ended: count,
    /** Keys that wait for `key.resume` now. */
    keys_suspended: count,
    runs_started_again: count,
    /** Null where no list was named. */
    promises: repeatPromises.output.nullable(),
    indexes: z.object({ units: count, failed: count }),
    documents: z.object({ named: count, missing: count, removed: count }),
    audit: z.object({ verified: count, broken_accounts: count }),
  }),
  async run(context, { backup_at: backupAt, promises: lines }) {
    const say = context.progress ?? (() => undefined);
    const accounts = await context.directory.accountIds();
    say('Ending sign-ins and suspending keys.');
    const closed = await closeAccounts(context, accounts, backupAt);
    if (lines !== undefined) say('Repeating what was promised.');
    const promises = lines === undefined ? null : await execute(repeatPromises, context, { lines });
    const keys = await waitingKeys(context, accounts);
    say('Writing the indexes.');
    const indexes = await writeIndexes(context, accounts);
    say('Comparing documents with their bytes.');
    const documents = await compareDocuments(context, accounts);
    say('Verifying the audit log.');
    const audit = await verifyChains(context, accounts);
    return {
      accounts: accounts.length,
      ...closed,
      keys_suspended: keys,
      promises,
      indexes,
      documents,
      audit,
    };
  },
});
