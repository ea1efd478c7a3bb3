/**
 * What an account used and holds, for the figures of its costs: the sums that the roll-up keeps (`usage-rollup.store.ts`)
 * and the entries that it has not folded yet. No query walks over what the account has ever done.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { DayUsage, SeriesRange } from '../../../domain/models/pricing.ts';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import { AccountStore } from '../account-store.ts';
import { attemptRow, MOST_CALLS_COUNTED, type AttemptCount } from '../readiness.store.ts';

/** Entries that a reader adds to the rows of days. The roll-up leaves those of ten seconds. */
const MOST_ENTRIES = 50_000;
/** Rows of days and keys: four hundred days with the roles of a hundred models. */
const MOST_DAY_ROWS = 100_000;
/** Rows of days, scopes and models that one series reads, the latest days first. */
const MOST_SCOPE_ROWS = 200_000;
/** Anchors that are counted as terminal: past it the number means "at least". */
const MOST_TERMINAL = 100_000;
/** Rows of work under way, and of the last day, that are counted. */
const MOST_PASSING_ROWS = 10_000;
/** Rows of which the width is measured. */
const SAMPLE = 100;

const count = z.int().min(0);

/**
 * The days of a role, provider and model: `day calls errors unmetered input output embedding reranker`, one after another.
 * A year of some models is thousands of days: as one text they are read in a third of the time of as many rows.
 */
const keyRow = z.object({
  role: z.enum(MODEL_ROLES),
  provider: z.string(),
  model: z.string(),
  days: z.string(),
});

function numberOf(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a sum of usage outside the safe range');
  return value;
}

/** The days of a key, each once: one that has entries beside its row is their sum. */
function daysOf({ days, ...key }: z.output<typeof keyRow>): readonly DayUsage[] {
  const found = new Map<string, readonly number[]>();
  for (const text of days.split(',')) {
    const [day = '', ...numbers] = text.split(' ');
    const known = found.get(day);
    found.set(
      day,
      numbers.map((number, at) => numberOf(number) + (known?.[at] ?? 0)),
    );
  }
  return [...found].map(([day, numbers]) => {
    const [calls = 0, errors = 0, unmetered = 0, input = 0, output = 0, ...others] = numbers;
    const [embedding = 0, reranker = 0] = others;
    return { ...key, day, calls, errors, unmetered, input, output, embedding, reranker };
  });
}

const activityRow = z.object({
  api_requests: count,
  ingests: count,
  recorded: count,
  messages: count,
  message_bytes: count,
  statements: count,
  statement_bytes: count,
  version_bytes: count,
  ledger_rows: count,
  first_day: z.string(),
});
export type ActivityRow = z.output<typeof activityRow>;

const terminalRow = z.object({ error_class: z.enum(ERROR_CLASSES), total: count });

const width = z.number().min(0);
const widthsRow = z.object({
  anchor_width: width,
  ledger_width: width,
  trail_width: width,
  run_width: width,
  mark_width: width,
  record_width: width,
  runs: count,
  marks: count,
  records: count,
});
export type WidthsRow = z.output<typeof widthsRow>;

const scopeRow = z.object({
  path: z.string().nullable(),
  calls: count,
  errors: count,
  unmetered: count,
  input_tokens: count,
  output_tokens: count,
  embedding_tokens: count,
  usd_micros: count,
  rows_read: count,
});
export type ScopeUsageRow = z.output<typeof scopeRow>;

/** The rates of one model, for the sums that the database makes. */
export interface ModelRates {
  readonly provider: string;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly embedding: number;
  readonly reranker: number;
}

/** What stands for no scope where keys are compared. */
const NO_SCOPE = '00000000-0000-0000-0000-000000000000';

/** A number of a row of a day together with that of the entries beside it. */
const together = (name: string): FragmentSqlToken =>
  sql.fragment`coalesce(k.${sql.identifier([name])}, 0) + coalesce(w.${sql.identifier([name])}, 0)`;

/** The first day that retention has left. What is older goes page by page and counts no more meanwhile. */
const windowStart = (accountId: string): FragmentSqlToken => sql.fragment`
  coalesce((select t.pruned_before from usage_totals t where t.account_id = ${accountId}::uuid), '-infinity')`;

export class CostsStore extends AccountStore {
  /** Calls by day, role, provider and model: each key of a day once. */
  async days(): Promise<readonly DayUsage[]> {
    const keys = await this.tx.any(sql.type(keyRow)`
      select role, provider, model, string_agg(concat_ws(' ', day, calls, errors, unmetered, input_tokens, output_tokens,
        embedding_tokens, reranker_tokens), ',') as days
      from (
        (select day, role, provider, model, calls, errors, unmetered, input_tokens, output_tokens, embedding_tokens,
          reranker_tokens
        from usage_days where account_id = ${this.accountId}::uuid and day >= ${windowStart(this.accountId)}
        order by day desc limit ${MOST_DAY_ROWS})
        union all
        select day, role, provider, model, sum(calls), sum(errors), sum(unmetered), sum(input_tokens), sum(output_tokens),
          sum(embedding_tokens), sum(reranker_tokens)
        from (
          select * from usage_entries where account_id = ${this.accountId}::uuid order by id limit ${MOST_ENTRIES}) e
        where calls > 0 group by day, role, provider, model) every
      group by role, provider, model`);
    return keys.flatMap(daysOf);
  }

  /** Requests, observations and stored bytes. `first_day` is the first day that the figures can cover. */
  async activity(): Promise<ActivityRow> {
    return this.tx.one(sql.type(activityRow)`
      with waiting as (
        select coalesce(sum(api_requests), 0) as api_requests, coalesce(sum(ingests), 0) as ingests,
          coalesce(sum(recorded), 0) as recorded, coalesce(sum(messages), 0) as messages,
          coalesce(sum(message_bytes), 0) as message_bytes, coalesce(sum(statements), 0) as statements,
          coalesce(sum(statement_bytes), 0) as statement_bytes, coalesce(sum(version_bytes), 0) as version_bytes,
          coalesce(sum(ledger_rows), 0) as ledger_rows, min(day) filter (where recorded > 0) as first_day
        from (
          select * from activity_entries where account_id = ${this.accountId}::uuid order by id limit ${MOST_ENTRIES}) e
      ), called as (
        select coalesce(sum(ledger_rows), 0) as ledger_rows, min(day) as first_day
        from (
          select ledger_rows, day from usage_entries where account_id = ${this.accountId}::uuid
          order by id limit ${MOST_ENTRIES}) e
      ), days as (
        select coalesce(sum(api_requests), 0) as api_requests, coalesce(sum(ingests), 0) as ingests,
          coalesce(sum(recorded), 0) as recorded, min(day) as first_day
        from request_days where account_id = ${this.accountId}::uuid and day >= ${windowStart(this.accountId)}
      )
      select (d.api_requests + w.api_requests)::bigint as api_requests, (d.ingests + w.ingests)::bigint as ingests,
        (d.recorded + w.recorded)::bigint as recorded,
        greatest(coalesce(t.messages, 0) + w.messages, 0)::bigint as messages,
        greatest(coalesce(t.message_bytes, 0) + w.message_bytes, 0)::bigint as message_bytes,
        greatest(coalesce(t.statements, 0) + w.statements, 0)::bigint as statements,
        greatest(coalesce(t.statement_bytes, 0) + w.statement_bytes, 0)::bigint as statement_bytes,
        greatest(coalesce(t.version_bytes, 0) + w.version_bytes, 0)::bigint as version_bytes,
        greatest(coalesce(t.ledger_rows, 0) + w.ledger_rows + c.ledger_rows, 0)::bigint as ledger_rows,
        to_char(coalesce(t.pruned_before, least((a.created_at at time zone 'UTC')::date, d.first_day, w.first_day,
          c.first_day, (select u.day from usage_days u where u.account_id = a.id order by u.day limit 1))),
          'YYYY-MM-DD') as first_day
      from accounts a cross join waiting w cross join called c cross join days d
      left join usage_totals t on t.account_id = a.id
      where a.id = ${this.accountId}::uuid`);
  }

  /** Calls reserved since an instant, at most as many as readiness counts. */
  attempts(since: Date): Promise<readonly AttemptCount[]> {
    return this.tx.any(sql.type(attemptRow)`
      select state, metered, error_class, count(*)::integer as total
      from (
        select state, metered, error_class from provider_attempts
        where account_id = ${this.accountId}::uuid and reserved_at >= ${since.toISOString()}::timestamptz
        order by reserved_at desc limit ${MOST_CALLS_COUNTED}) latest
      group by state, metered, error_class`);
  }

  /** Observations whose extraction has failed for good, by class. */
  terminalAnchors(): Promise<readonly z.output<typeof terminalRow>[]> {
    return this.tx.any(sql.type(terminalRow)`
      select last_error_class as error_class, count(*)::integer as total
      from (
        select last_error_class from extraction_anchors
        where account_id = ${this.accountId}::uuid and status = 'terminal' limit ${MOST_TERMINAL}) counted
      group by last_error_class order by total desc, error_class`);
  }

  /**
   * Mean widths of rows in bytes, of the latest ones, and how many rows there are where that is no matter of history.
   * `trail_width` is what one statement has of gate decisions and lifecycle events.
   */
  async widths(): Promise<WidthsRow> {
    const account = sql.fragment`account_id = ${this.accountId}::uuid`;
    const mean = (table: string, id: string): FragmentSqlToken => sql.fragment`
      coalesce((select avg(w) from (
        select pg_column_size(t) as w from ${sql.identifier([table])} t where ${account}
        order by ${sql.identifier([id])} desc limit ${SAMPLE}) r), 0)::float8`;
    return this.tx.one(sql.type(widthsRow)`
      select ${mean('extraction_anchors', 'message_id')} as anchor_width, ${mean('pipeline_runs', 'id')} as run_width,
        ${mean('dirty_marks', 'unit_id')} as mark_width, ${mean('idempotency_records', 'id')} as record_width,
        coalesce((select avg(w) from (
          select pg_column_size(t) as w from provider_attempts t where ${account} and finished_at is not null
          order by reserved_at desc limit ${SAMPLE}) r), 0)::float8 as ledger_width,
        coalesce((select avg(
            (select coalesce(sum(w), 0) from (
              select pg_column_size(d) as w from gate_decisions d where ${account} and knowledge_id = k.id limit ${SAMPLE}) r)
            + (select coalesce(sum(w), 0) from (
              select pg_column_size(l) as w from lifecycle_events l where ${account} and knowledge_id = k.id limit ${SAMPLE}) r))
          from (select id from knowledge where ${account} order by id desc limit ${SAMPLE}) k), 0)::float8 as trail_width,
        (select count(*) from (select from pipeline_runs where ${account} limit ${MOST_PASSING_ROWS}) r)::bigint as runs,
        (select count(*) from (select from dirty_marks where ${account} limit ${MOST_PASSING_ROWS}) r)::bigint as marks,
        (select count(*) from (
          select from idempotency_records where ${account} limit ${MOST_PASSING_ROWS}) r)::bigint as records`);
  }

  /**
   * Calls by scope between two days, the scopes with the most calls first, at most `limit`. Scopes are many, so their
   * prices are summed here: rounded up once for each day, role, provider and model of a scope. A model without rates costs
   * nothing. `isCut` tells whether days were left out.
   */
  async byScope(
    { from, to }: SeriesRange,
    rates: readonly ModelRates[],
    limit: number,
  ): Promise<{ readonly rows: readonly ScopeUsageRow[]; readonly isCut: boolean }> {
    const rows = await this.tx.any(sql.type(scopeRow)`
      with kept as (
        select * from usage_scope_days
        where account_id = ${this.accountId}::uuid and day between ${from}::date and ${to}::date
        order by day desc limit ${MOST_SCOPE_ROWS}
      ), waiting as (
        select day, scope_id, role, provider, model, sum(calls)::bigint as calls, sum(errors)::bigint as errors,
          sum(unmetered)::bigint as unmetered, sum(input_tokens)::bigint as input_tokens,
          sum(output_tokens)::bigint as output_tokens, sum(embedding_tokens)::bigint as embedding_tokens,
          sum(reranker_tokens)::bigint as reranker_tokens
        from (
          select * from usage_entries where account_id = ${this.accountId}::uuid order by id limit ${MOST_ENTRIES}) e
        where calls > 0 and day between ${from}::date and ${to}::date
        group by day, scope_id, role, provider, model
      ), keyed as (
        select coalesce(k.scope_id, w.scope_id) as scope_id, coalesce(k.provider, w.provider) as provider,
          coalesce(k.model, w.model) as model, ${together('calls')} as calls, ${together('errors')} as errors,
          ${together('unmetered')} as unmetered, ${together('input_tokens')} as input,
          ${together('output_tokens')} as output, ${together('embedding_tokens')} as embedding,
          ${together('reranker_tokens')} as reranker
        from kept k full join waiting w on w.day = k.day and w.role = k.role and w.provider = k.provider
          and w.model = k.model and coalesce(w.scope_id, ${NO_SCOPE}::uuid) = coalesce(k.scope_id, ${NO_SCOPE}::uuid)
      ), scoped as (
        select k.scope_id, sum(k.calls)::bigint as calls, sum(k.errors)::bigint as errors, sum(k.unmetered)::bigint as unmetered,
          sum(k.input + k.reranker)::bigint as input_tokens, sum(k.output)::bigint as output_tokens,
          sum(k.embedding)::bigint as embedding_tokens,
          sum((k.input * coalesce(r.input, 0) + k.output * coalesce(r.output, 0) + k.embedding * coalesce(r.embedding, 0)
            + k.reranker * coalesce(r.reranker, 0) + 999999) / 1000000)::bigint as usd_micros,
          (sum(count(*)) over ())::bigint as rows_read
        from keyed k
        left join jsonb_to_recordset(${JSON.stringify(rates)}::jsonb)
          as r (provider text, model text, input bigint, output bigint, embedding bigint, reranker bigint)
          on r.provider = k.provider and r.model = k.model
        group by k.scope_id order by calls desc, k.scope_id limit ${limit}
      )
      select s.path, t.calls, t.errors, t.unmetered, t.input_tokens, t.output_tokens, t.embedding_tokens, t.usd_micros,
        t.rows_read
      from scoped t left join scopes s on s.account_id = ${this.accountId}::uuid and s.id = t.scope_id
      order by t.calls desc, s.path`);
    return { rows, isCut: (rows[0]?.rows_read ?? 0) >= MOST_SCOPE_ROWS };
  }
}
