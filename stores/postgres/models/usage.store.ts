/** What models were called for an account, and which providers are kept back: read for its administrators. */
import { sql } from 'slonik';
import { z } from 'zod';
import { CIRCUIT_STATES } from '../../../domain/models/circuit.ts';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import { AccountStore } from '../account-store.ts';

const count = z.int().min(0);

const usageRow = z.object({
  day: z.string(),
  role: z.enum(MODEL_ROLES),
  provider: z.string(),
  model: z.string(),
  calls: count,
  errors: count,
  unmetered: count,
  input_tokens: count,
  output_tokens: count,
  embedding_tokens: count,
  usd_micros: count,
});
export type UsageRow = z.output<typeof usageRow>;

const circuitRow = z.object({
  role: z.enum(MODEL_ROLES),
  provider: z.string(),
  model: z.string(),
  state: z.enum(CIRCUIT_STATES),
  consecutive_failures: count,
  blocked_until: z.string().nullable(),
});
export type CircuitRow = z.output<typeof circuitRow>;

export class UsageStore extends AccountStore {
  /**
   * The latest calls since `since`, at most `mostCalls`, counted by UTC day, role, provider and model. The latest day
   * comes first. Reservations of which no call came are no calls.
   */
  async byDay(since: Date, mostCalls: number, mostRows: number): Promise<readonly UsageRow[]> {
    return this.tx.any(sql.type(usageRow)`
      select to_char(latest.reserved_at at time zone 'UTC', 'YYYY-MM-DD') as day, role, provider, model,
        count(*)::integer as calls,
        (count(*) filter (where state in ('error', 'timeout')))::integer as errors,
        (count(*) filter (where state <> 'dispatched' and not metered))::integer as unmetered,
        coalesce(sum(input_tokens), 0)::bigint as input_tokens,
        coalesce(sum(output_tokens), 0)::bigint as output_tokens,
        coalesce(sum(embedding_tokens), 0)::bigint as embedding_tokens,
        coalesce(sum(usd_micros), 0)::bigint as usd_micros
      from (
        select reserved_at, role, provider, model, state, metered, input_tokens, output_tokens, embedding_tokens,
          usd_micros
        from provider_attempts
        where account_id = ${this.accountId}::uuid and reserved_at >= ${since.toISOString()}::timestamptz
        order by reserved_at desc
        limit ${mostCalls}
      ) latest
      where state not in ('reserved', 'cancelled')
      group by 1, 2, 3, 4
      order by 1 desc, 2, 3, 4
      limit ${mostRows}`);
  }

  /** The circuits of the account, in the order of their roles and models. */
  async circuits(most: number): Promise<readonly CircuitRow[]> {
    return this.tx.any(sql.type(circuitRow)`
      select role, provider, model, state, consecutive_failures, blocked_until
      from provider_circuits
      where account_id = ${this.accountId}::uuid
      order by role, provider, model
      limit ${most}`);
  }
}
