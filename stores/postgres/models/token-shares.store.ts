/** How near the accounts are to their daily token limits: numbers of all accounts, for metrics. */
import { sql } from 'slonik';
import { z } from 'zod';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import {
  ALL_ROLES,
  type TokenLimits,
  type TokenShare,
} from '../../../domain/models/token-limits.ts';
import { PoolStore } from '../pool-store.ts';

/** Most rows of a day that are looked at, six an account: past it a share means "at least". */
const MOST_ROWS = 12_000;

/** Thousandths; null where there is no limit, or one of 0. */
const share = z
  .number()
  .nullable()
  .transform((permille) => (permille === null ? null : permille / 1_000));
const sharesRow = z.object({
  /** Null for all roles together. */
  role: z.enum(MODEL_ROLES).nullable(),
  input_permille: share,
  output_permille: share,
  embedding_permille: share,
});

export class TokenSharesStore extends PoolStore {
  /** The highest share that any account has used or reserved today of a limit, where one has called a model. Without limits nothing is asked. */
  async highest(limits: TokenLimits): Promise<readonly TokenShare[]> {
    if (Object.keys(limits).length === 0) return [];
    const rows = await this.db.any(sql.type(sharesRow)`
      select role, input_permille, output_permille, embedding_permille
      from highest_token_shares(${JSON.stringify(limits)}::jsonb, ${MOST_ROWS})`);
    return rows.flatMap((row) => {
      const role = row.role ?? ALL_ROLES;
      return [
        { role, metric: 'input_tokens', share: row.input_permille } as const,
        { role, metric: 'output_tokens', share: row.output_permille } as const,
        { role, metric: 'embedding_tokens', share: row.embedding_permille } as const,
      ];
    });
  }
}
