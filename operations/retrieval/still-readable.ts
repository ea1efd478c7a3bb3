/** Whether what a request has read may still be read: asked after a wait, before the answer leaves. */
import type { Caller } from '../../domain/identity/caller.ts';
import { visibleByDefault } from '../../domain/governance/visibility.ts';
import type { RequestContext } from '../operation.ts';
import type { MadeSearch } from './searching.ts';

/** What was read: statements, and messages. */
export interface ReadIds {
  readonly statements: readonly string[];
  readonly messages: readonly string[];
}

/** Milliseconds for the look; the wait for a connection counts. */
const LONGEST_LOOK_MS = 5_000;

function isAll(found: readonly string[], wanted: readonly string[]): boolean {
  return new Set(found).size === new Set(wanted).size;
}

/** Whether the reader of the search may still read all of them. Statements may have been withdrawn, messages erased. */
export async function stillReadable(
  { caller, inAccount, signal }: RequestContext<Caller>,
  { request: { asOf, now, reader, scopeIds } }: MadeSearch,
  { messages, statements }: ReadIds,
): Promise<boolean> {
  const visible = visibleByDefault({ scopeIds, reader, at: asOf ?? now.toISOString() });
  return inAccount(
    caller.accountId,
    async (stores) => {
      const found = await stores.candidates.readable(statements, { visible, asOf });
      if (messages.length === 0) return isAll(found, statements);
      const said = await stores.sourceMessages.readable(messages, { scopeIds, reader });
      return isAll(found, statements) && isAll(said, messages);
    },
    { statementTimeoutMs: LONGEST_LOOK_MS, signal, readOnly: true },
  );
}
