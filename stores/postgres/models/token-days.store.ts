/** What an account has used and reserved of its daily token limits: read for its administrators. */
import { sql } from 'slonik';
import { z } from 'zod';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import {
  ALL_ROLES,
  TOKEN_METRICS,
  type TokenBudget,
  type TokenLimits,
} from '../../../domain/models/token-limits.ts';
import { AccountStore } from '../account-store.ts';

const budgetRow = z.object({
  role: z.enum([ALL_ROLES, ...MODEL_ROLES]),
  metric: z.enum(TOKEN_METRICS),
  limit: z.number(),
  used: z.number(),
  reserved: z.number(),
  resets_at: z.string(),
});

export class TokenDaysStore extends AccountStore {
  /** Every limit with what counts against it today; a day without a call of the role counts nothing. Without limits nothing is asked. */
  async today(limits: TokenLimits): Promise<readonly TokenBudget[]> {
    if (Object.keys(limits).length === 0) return [];
    return this.tx.any(sql.type(budgetRow)`
      select r.role, m.metric, (r.caps ->> m.metric)::bigint as limit, coalesce(m.used, 0) as used,
        coalesce(m.reserved, 0) as reserved, (today.day + 1)::timestamp at time zone 'UTC' as resets_at
      from (select (clock_timestamp() at time zone 'UTC')::date as day) today
      cross join jsonb_each(${JSON.stringify(limits)}::jsonb) as r (role, caps)
      -- By the key, role by role: the statistics of a small table may speak for reading it as a whole.
      left join lateral (
        select d.* from token_days d
        where d.account_id = ${this.accountId}::uuid and d.day = today.day and d.role = r.role limit 1) t on true
      cross join lateral (values
        (1, 'input_tokens', t.used_input_tokens, t.reserved_input_tokens),
        (2, 'output_tokens', t.used_output_tokens, t.reserved_output_tokens),
        (3, 'embedding_tokens', t.used_embedding_tokens, t.reserved_embedding_tokens)
      ) as m (place, metric, used, reserved)
      where r.caps ? m.metric
      order by r.role <> ${ALL_ROLES}, r.role, m.place`);
  }
}
