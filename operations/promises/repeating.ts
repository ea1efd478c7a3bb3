/** What the repetition of one promise works with, and what may come of it. */
import type { AuditActor } from '../../stores/postgres/audit/audit.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

/** `unknown`: what it is about is not in the database, because it came later. */
export type Repeated = 'done' | 'already' | 'unknown';

/** One promise is repeated in one transaction. */
export interface Repeating {
  readonly accountId: string;
  readonly stores: Stores;
  readonly actor: AuditActor;
  readonly traceId: string;
  readonly now: Date;
  readonly pathHash: (accountId: string, path: string) => string;
  /** The hash of a password that nobody knows. */
  readonly unknownPassword: () => Promise<string>;
  /** Told of a denial whose place is not known: it holds everywhere. */
  readonly onDeniedEverywhere: () => void;
}
