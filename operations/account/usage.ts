/** `operations.usage`: what models were called for the account, day by day, from the ledger of provider calls. */
import { z } from 'zod';
import { MODEL_ROLES } from '../../domain/models/roles.ts';
import { defineOperation } from '../operation.ts';

const DAY_MS = 86_400_000;
const MOST_DAYS = 31;
const DEFAULT_DAYS = 7;
/** Calls that are counted, the latest first. */
const MOST_CALLS = 50_000;
const MOST_ROWS = 500;

const count = z.int().min(0);

export const readUsage = defineOperation({
  id: 'operations.usage',
  access: 'account_admin',
  effect: 'read',
  summary: 'Read the calls to models by day',
  description: `Counts the latest ${MOST_CALLS} calls of the last days. Days are UTC. A call is unmetered if its provider returned no number of tokens.`,
  input: z.object({
    days: z
      .unknown()
      .optional()
      .transform((value): number => {
        const number = typeof value === 'number' ? Math.trunc(value) : DEFAULT_DAYS;
        return Number.isNaN(number) ? DEFAULT_DAYS : Math.min(MOST_DAYS, Math.max(1, number));
      })
      .meta({
        description: `The number of days, today included. The service clamps it to 1..${MOST_DAYS}.`,
        wire: { default: DEFAULT_DAYS },
      }),
  }),
  output: z.object({
    since: z.iso.datetime(),
    days: z.int(),
    rows: z.array(
      z.object({
        day: z.iso.date(),
        role: z.enum(MODEL_ROLES),
        provider: z.string(),
        model: z.string(),
        calls: count,
        errors: count,
        unmetered: count.describe('Calls whose provider returned no number of tokens.'),
        input_tokens: count,
        output_tokens: count,
        embedding_tokens: count,
        usd_micros: count.describe(
          'The cost in micro-USD of the calls under a budget with prices.',
        ),
      }),
    ),
    more: z.boolean().describe('Whether there were more calls or rows than the service counts.'),
  }),
  async run({ caller, inAccount, now }, { days }) {
    const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
    const since = new Date(today - (days - 1) * DAY_MS);
    const rows = await inAccount(
      caller.accountId,
      ({ usage }) => usage.byDay(since, MOST_CALLS, MOST_ROWS + 1),
      { readOnly: true },
    );
    const calls = rows.reduce((sum, row) => sum + row.calls, 0);
    return {
      since: since.toISOString(),
      days,
      rows: rows.slice(0, MOST_ROWS),
      more: calls >= MOST_CALLS || rows.length > MOST_ROWS,
    };
  },
});
