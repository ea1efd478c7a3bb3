/** What the operations about models reach the world through. */
import type { RoleCheck } from '../../engine/models/check.ts';

export interface ModelServices {
  /** Asks each role once, on behalf of the account. Rejects when Postgres is away, or after a cancellation. */
  check(accountId: string, traceId: string, signal: AbortSignal): Promise<readonly RoleCheck[]>;
}
