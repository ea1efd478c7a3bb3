/** `operations.costs`: what an account used, holds and would pay at the rates of the profile. */
import { z } from 'zod';
import { ERROR_CLASSES } from '../../domain/error-class.ts';
import { invalidField } from '../../domain/errors.ts';
import { ingestEconomics, seriesRange, usdOf, utcDay } from '../../domain/models/costs.ts';
import { SERIES_KINDS, seriesOf, totalUsage } from '../../domain/models/pricing.ts';
import { MODEL_ROLES } from '../../domain/models/roles.ts';
import { ALL_ROLES, TOKEN_METRICS } from '../../domain/models/token-limits.ts';
import { MODEL_CALLS_WINDOW_SECONDS, modelCalls } from '../health/model-calls.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { heldBytes } from './held-bytes.ts';
import { scopeSeries } from './scope-series.ts';

/** Rows of a series. */
const MOST_SERIES_ROWS = 500;

const count = z.int().min(0);
const ratio = z.number().min(0).nullable();
const usd = z.number().min(0);
const tokens = z.object({ input: count, output: count, embedding: count });

const day = (description: string) => z.iso.date().optional().describe(description);

export const costsInput = z.object({
  from: day(
    'The first UTC day of `series`. Absent: 29 days before `to`. The series covers at most 400 days.',
  ),
  to: day('The last UTC day of `series`. Absent: today.'),
  by: z.enum(SERIES_KINDS).default('day').describe('What a row of `series` is about.'),
});

const seriesRow = z.object({
  key: z
    .string()
    .nullable()
    .describe(
      'A UTC day, a role, `provider:model` or the path of a scope. Null: calls that serve several scopes at once.',
    ),
  calls: count,
  errors: count,
  unmetered: count,
  input_tokens: count,
  output_tokens: count,
  embedding_tokens: count,
  usd_micros: count,
});

const budget = z.object({
  role: z.enum([ALL_ROLES, ...MODEL_ROLES]),
  metric: z.enum(TOKEN_METRICS),
  limit: count,
  used: count,
  reserved: count,
  resets_at: z.iso.datetime(),
});

const costsOutput = z.object({
  account_id: z.uuid(),
  currency: z.literal('USD'),
  window: z
    .object({ from: z.iso.date(), to: z.iso.date() })
    .describe('The UTC days that all figures but `series` cover: those that retention keeps.'),
  event_count: count.describe(
    'Calls to models that were made. A call that was reserved and never made does not count.',
  ),
  api_requests: count.describe(
    'Requests with a valid credential below `/api/v1/`, and calls of tools at `/mcp`, whatever their answer. Processes count them and write every ten seconds: a killed process loses ten seconds.',
  ),
  ingests: count.describe('Observations that were accepted. A repetition of one does not count.'),
  tokens: tokens.describe(
    "Tokens of metered calls. A reranker's tokens are input. The built-in models use none.",
  ),
  tokens_by_role: z.record(z.enum(MODEL_ROLES), tokens),
  estimated_model_cost: usd.describe(
    'In USD, at the rates of the profile. It is no bill: calls without a number of tokens cost nothing here.',
  ),
  estimated_model_cost_usd_micros: count,
  model_cost_profile: z.object({ id: z.string(), source: z.enum(['shipped', 'operator']) }),
  unpriced_calls: count.describe('Calls of models that the profile has no rates for: they cost 0.'),
  storage: z
    .object({
      durable_bytes: count.describe('Bytes of messages, statements and versions of documents.'),
      operational_bytes: count.describe(
        'Bytes of rows about the work of the service, from the mean width of some of them.',
      ),
      operational_to_durable_ratio: ratio,
      'inverted?': z.boolean().describe('Whether the operational bytes are more.'),
    })
    .describe('Of what the account holds now.'),
  logical_storage_bytes: count.describe('`durable_bytes`.'),
  operational_to_durable_ratio: ratio.describe('Null if only the durable bytes are 0.'),
  model_calls: z
    .object({
      window_seconds: count,
      attempts: count,
      errors: count,
      error_rate: z.number().min(0).max(1),
      unmetered: count,
      error_classes: z.partialRecord(z.enum(ERROR_CLASSES), count),
    })
    .describe('Calls to models in the last 24 hours, as `GET /api/ready` counts them.'),
  ingest_economics: z
    .object({
      messages: count.describe('Observations and passages of documents that were recorded.'),
      calls: count.describe('Calls to the extractor: repairs and failures too.'),
      calls_per_message: ratio,
      tokens_per_message: ratio,
      cost_per_message: ratio.describe('In USD.'),
      cost_per_message_usd_micros: count.nullable(),
    })
    .describe('Ratios are null without messages.'),
  terminal_extraction_failures: count.describe(
    'Observations and passages whose extraction has failed for good, counted up to 100,000.',
  ),
  terminal_extraction_failure_classes: z.partialRecord(z.enum(ERROR_CLASSES), count),
  budgets: z
    .array(budget)
    .describe(
      'The daily limits of tokens, with what is used of them today. `reserved` are the worst cases of calls that are under way; a call of which nobody knows what it used counts as used with its worst case.',
    ),
  series_by: z.enum(SERIES_KINDS),
  series: z.array(seriesRow).describe(`Calls by \`by\`, at most ${MOST_SERIES_ROWS} rows.`),
  series_more: z.boolean().describe('Whether there was more than the series shows.'),
});
type CostsOutput = z.input<typeof costsOutput>;

export type CostsContext = Pick<
  RequestContext,
  'inAccount' | 'costProfile' | 'now' | 'tokenLimits'
>;

/** The figures of an account in one snapshot, so that no call is missing and none counts twice. */
export async function readFigures(
  { costProfile, inAccount, now, tokenLimits }: CostsContext,
  accountId: string,
  { by, from, to }: z.output<typeof costsInput>,
): Promise<CostsOutput> {
  const range = seriesRange({ from, to }, now);
  if ('problem' in range) throw invalidField(range.field, range.problem);
  return inAccount(
    accountId,
    async (stores) => {
      const { costs } = stores;
      const rows = await costs.days();
      const activity = await costs.activity();
      const storage = await heldBytes(costs, activity);
      const attempts = await costs.attempts(
        new Date(now.getTime() - MODEL_CALLS_WINDOW_SECONDS * 1000),
      );
      const terminal = await costs.terminalAnchors();
      const total = totalUsage(rows, costProfile);
      const series =
        by === 'scope'
          ? await scopeSeries(costs, rows, range, costProfile, MOST_SERIES_ROWS)
          : { rows: seriesOf(rows, by, range, costProfile), isCut: false };
      return {
        account_id: accountId,
        currency: 'USD',
        window: { from: activity.first_day, to: utcDay(now) },
        event_count: total.calls,
        api_requests: activity.api_requests,
        ingests: activity.ingests,
        tokens: total.tokens,
        tokens_by_role: total.byRole,
        estimated_model_cost: usdOf(total.usdMicros),
        estimated_model_cost_usd_micros: total.usdMicros,
        model_cost_profile: { id: costProfile.id, source: costProfile.source },
        unpriced_calls: total.unpricedCalls,
        storage,
        logical_storage_bytes: storage.durable_bytes,
        operational_to_durable_ratio: storage.operational_to_durable_ratio,
        model_calls: modelCalls(attempts),
        ingest_economics: ingestEconomics(activity.recorded, total.byRole.ingest_extractor),
        terminal_extraction_failures: terminal.reduce((sum, { total: some }) => sum + some, 0),
        terminal_extraction_failure_classes: Object.fromEntries(
          terminal.map(({ error_class: errorClass, total: some }) => [errorClass, some]),
        ),
        budgets: [...(await stores.tokenDays.today(tokenLimits))],
        series_by: by,
        series: series.rows.slice(0, MOST_SERIES_ROWS),
        series_more: series.isCut || series.rows.length > MOST_SERIES_ROWS,
      };
    },
    { readOnly: true, snapshot: true },
  );
}

export const readCosts = defineOperation({
  id: 'operations.costs',
  access: 'account_admin',
  effect: 'read',
  summary: 'Read usage and estimated costs',
  description:
    'A call is in the figures once its answer is out. The rates are for planning; they are not the prices of any vendor. The price of a role, provider and model is rounded up to a micro-USD once a day; totals are sums of these. `from`, `to` and `by` bound `series` alone. By scope a price is rounded up once a day for each scope.',
  refusals: ['invalid_request'],
  input: costsInput,
  output: costsOutput,
  run: (context, input) => readFigures(context, context.caller.accountId, input),
});

/** `costs.show`: the same figures for the command line. */
export const showCosts = defineOperation({
  id: 'costs.show',
  access: 'operator',
  effect: 'read',
  input: costsInput.extend({ account: accountInput }),
  output: costsOutput,
  async run(context, { account, ...asked }) {
    return readFigures(context, await resolveAccount(context.directory, account), asked);
  },
});
