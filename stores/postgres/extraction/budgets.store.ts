/** Hard budgets of extraction: registered and changed here, spent in the round trips of the ledger. */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { ScopePath } from '../../../domain/scopes/path.ts';
import { AccountStore } from '../account-store.ts';

export interface BudgetLimits {
  readonly scope_root: ScopePath;
  readonly request_cap: number;
  readonly token_cap: number;
  readonly usd_micros_cap: number;
  /** ISO 8601 UTC. */
  readonly deadline_at: string;
  readonly input_usd_micros_per_million: number;
  readonly output_usd_micros_per_million: number;
}

const budgetRow = z.object({
  id: z.string(),
  /** Whether this call made it. */
  is_new: z.boolean(),
  scope_root: z.string(),
  request_cap: z.number(),
  token_cap: z.number(),
  usd_micros_cap: z.number(),
  deadline_at: z.string(),
  input_usd_micros_per_million: z.number(),
  output_usd_micros_per_million: z.number(),
  requests_reserved: z.number(),
  tokens_reserved: z.number(),
  usd_micros_reserved: z.number(),
  closed_at: z.string().nullable(),
});
export type RegisteredBudget = z.infer<typeof budgetRow>;

const listedRow = budgetRow.omit({
  id: true,
  is_new: true,
  input_usd_micros_per_million: true,
  output_usd_micros_per_million: true,
});
export type ListedBudget = z.infer<typeof listedRow>;

/** Extraction budgets of the account. */
export class ExtractionBudgetsStore extends AccountStore {
  /**
   * Registers the budget of a root, or changes the limits of the one that is there. Counters are kept, and a budget
   * that is closed or past its deadline stays closed for good.
   */
  async register(limits: BudgetLimits): Promise<RegisteredBudget> {
    const id = uuidv7();
    return this.tx.one(sql.type(budgetRow)`
      insert into extraction_budgets as b (account_id, id, scope_root, request_cap, token_cap, usd_micros_cap,
        deadline_at, input_usd_micros_per_million, output_usd_micros_per_million)
      values (${this.accountId}, ${id}, ${limits.scope_root}, ${limits.request_cap}, ${limits.token_cap},
        ${limits.usd_micros_cap}, ${limits.deadline_at}, ${limits.input_usd_micros_per_million},
        ${limits.output_usd_micros_per_million})
      on conflict on constraint budget_root_is_unique_in_account do update set
        request_cap = excluded.request_cap, token_cap = excluded.token_cap,
        usd_micros_cap = excluded.usd_micros_cap, deadline_at = excluded.deadline_at,
        input_usd_micros_per_million = excluded.input_usd_micros_per_million,
        output_usd_micros_per_million = excluded.output_usd_micros_per_million,
        closed_at = coalesce(b.closed_at, case when b.deadline_at <= clock_timestamp() then b.deadline_at end)
      returning id, id = ${id} as is_new, scope_root, request_cap, token_cap, usd_micros_cap, deadline_at,
        input_usd_micros_per_million, output_usd_micros_per_million, requests_reserved, tokens_reserved,
        usd_micros_reserved, closed_at`);
  }

  /** The latest of them, the newest first. */
  async latest(most: number): Promise<readonly ListedBudget[]> {
    return this.tx.any(sql.type(listedRow)`
      select scope_root, request_cap, token_cap, usd_micros_cap, deadline_at, requests_reserved, tokens_reserved,
        usd_micros_reserved, closed_at
      from extraction_budgets
      where account_id = ${this.accountId}::uuid
      order by id desc
      limit ${most}`);
  }
}
