/** Which providers are kept back for an account: read for its administrators. */
import { sql } from 'slonik';
import { z } from 'zod';
import { CIRCUIT_STATES } from '../../../domain/models/circuit.ts';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import { AccountStore } from '../account-store.ts';

const circuitRow = z.object({
  role: z.enum(MODEL_ROLES),
  provider: z.string(),
  model: z.string(),
  state: z.enum(CIRCUIT_STATES),
  consecutive_failures: z.int().min(0),
  blocked_until: z.string().nullable(),
});
export type CircuitRow = z.output<typeof circuitRow>;

export class AccountCircuitsStore extends AccountStore {
  /** The circuits of the account, in the order of their roles and models. */
  async list(most: number): Promise<readonly CircuitRow[]> {
    return this.tx.any(sql.type(circuitRow)`
      select role, provider, model, state, consecutive_failures, blocked_until
      from provider_circuits
      where account_id = ${this.accountId}::uuid
      order by role, provider, model
      limit ${most}`);
  }
}
