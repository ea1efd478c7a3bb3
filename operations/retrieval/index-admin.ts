/** `index.rebuild` and `index.verify`: the indexes against Postgres, from the command line. */
import { z } from 'zod';
import { INDEX_NAMES } from '../../domain/retrieval/index-failure.ts';
import { invalidField } from '../../domain/errors.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput, scopePathInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';

/** Writes every unit of the account, or of a scope and what is below it, to both indexes again. */
export const rebuildIndex = defineOperation({
  id: 'index.rebuild',
  access: 'operator',
  effect: 'write',
  input: z.object({ account: accountInput, scope: scopePathInput.optional() }),
  output: z.object({
    account_id: z.uuid(),
    scope_path: z.string().nullable(),
    units: z.int(),
    written: z.int(),
    deleted: z.int(),
    orphans_removed: z.int(),
    /** Marks that are left: an index or the embedder failed, or refused the unit. Workers retry them. */
    failed: z.int(),
  }),
  async run({ directory, indexes, signal }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const scopePath = input.scope ?? null;
    const report = await indexes.rebuild(accountId, scopePath, signal);
    if (report === null) throw invalidField('scope', 'does not name an existing scope');
    const { orphansRemoved, ...counts } = report;
    return {
      account_id: accountId,
      scope_path: scopePath,
      ...counts,
      orphans_removed: orphansRemoved,
    };
  },
});

const drift = z.object({
  engine: z.enum(INDEX_NAMES),
  unit: z.enum(['statement', 'message']),
  expected: z.int(),
  present: z.int(),
  /** In Postgres and not in the index, without a mark that says so. */
  missing: z.int(),
  /** In the index in an older form, without a mark. */
  stale: z.int(),
  /** In the index and not (or no longer) in Postgres. */
  orphans: z.int(),
  /** Marked: known to be on the way. */
  pending: z.int(),
});

/** Counts what the indexes, and what context is made of, hold too much, too little or too old. Changes nothing. */
export const verifyIndex = defineOperation({
  id: 'index.verify',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput }),
  output: z.object({
    account_id: z.uuid(),
    consistent: z.boolean(),
    /** Points without a vector of meaning although an embedder exists. */
    without_vector: z.int(),
    indexes: z.array(drift),
    /** What context is made of: its rows, and those that another version of a statement, or a missing one, made. */
    context_cards: z.object({
      present: z.int(),
      stale: z.int(),
      orphans: z.int(),
      pending: z.int(),
    }),
  }),
  async run({ directory, inAccount, indexes, signal }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const verified = await indexes.verify(accountId, signal);
    const contextCards = await inAccount(accountId, (stores) => stores.contextCards.drift(), {
      readOnly: true,
      signal,
    });
    return {
      account_id: accountId,
      consistent:
        contextCards.stale + contextCards.orphans === 0 &&
        verified.indexes.every((index) => index.missing + index.stale + index.orphans === 0),
      without_vector: verified.withoutVector,
      indexes: [...verified.indexes],
      context_cards: contextCards,
    };
  },
});
