import type { Caller } from '../domain/identity/caller.ts';
import type { AuditActor } from '../stores/postgres/audit/audit.store.ts';

/** The actor of an audit event: the credential that asked, or the command line. */
export function auditActor(caller: Caller | null): AuditActor {
  return caller === null
    ? { kind: 'cli' }
    : { kind: 'credential', credentialId: caller.credentialId, peerId: caller.peerId };
}
