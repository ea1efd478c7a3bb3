/** The identity stores of one account, bound to one transaction. */
import { recordAudit, type AuditEvent } from '../audit.store.ts';
import type { Queryable } from '../pool.ts';
import { enterRun } from '../runs.store.ts';
import { createAccountsStore } from './accounts.store.ts';
import { createCredentialsStore } from './credentials.store.ts';
import { createGateRulesStore } from '../gate-rules.store.ts';
import { createGrantsStore } from './grants.store.ts';
import { createLoginsStore } from './logins.store.ts';
import { createPeersStore } from './peers.store.ts';

export function createIdentityStores(tx: Queryable, accountId: string) {
  return {
    accounts: createAccountsStore(tx, accountId),
    peers: createPeersStore(tx, accountId),
    logins: createLoginsStore(tx, accountId),
    credentials: createCredentialsStore(tx, accountId),
    grants: createGrantsStore(tx, accountId),
    gateRules: createGateRulesStore(tx, accountId),
    /** Appends one event about this account. */
    audit: (event: Omit<AuditEvent, 'accountId'>): Promise<void> =>
      recordAudit(tx, [{ ...event, accountId }]),
    /** Enters a run of this account, which the relay starts after the commit. */
    enterRun: (run: Parameters<typeof enterRun>[2]): Promise<string> =>
      enterRun(tx, accountId, run),
  };
}

export type IdentityStores = ReturnType<typeof createIdentityStores>;
