/** A ledger over a year, made up by the database, and its figures counted call by call. */
import type { Client } from 'pg';
import type { CostProfile } from '../../../domain/models/rates.ts';

/**
 * Writes calls number `from` to `to`. What each is follows from its number alone: role, model, how it ended, whether its
 * provider told tokens, its scope and its day of the last 365.
 */
export async function writeCalls(
  admin: Client,
  accountId: string,
  scopes: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  await admin.query(
    `insert into provider_attempts (account_id, id, role, provider, model, model_version, state, metered, scope_id,
       input_tokens, output_tokens, embedding_tokens, reranker_tokens, usd_micros, duration_ms, error_class,
       reserved_at, dispatched_at, finished_at)
     select $1::uuid, gen_random_uuid(), role, provider, 'model-' || h % 3, '1', state,
       state = 'success' and h % 7 > 0, ($2::uuid[])[1 + h / 11 % cardinality($2::uuid[])],
       case when role in ('ingest_extractor', 'dream_reasoner', 'dialectic_agent') then h % 5000 end,
       case when role in ('ingest_extractor', 'dream_reasoner', 'dialectic_agent') then h % 900 end,
       case when role = 'embedder' then h % 3000 end, case when role = 'reranker' then h % 2000 end,
       7777, h % 2500, case when state in ('error', 'timeout') then 'provider_upstream_error'::error_class end,
       at, case when state <> 'reserved' and not (state = 'cancelled' and h % 2 = 0) then at end,
       case when state not in ('reserved', 'dispatched') then at end
     from (
       select n, ('x' || substr(md5(n::text), 1, 7))::bit(28)::integer as h from generate_series($3::integer, $4::integer) n) numbered,
     lateral (
       select (enum_range(null::model_role))[1 + h % 5] as role,
         (array['openai-compatible', 'anthropic', 'deterministic'])[1 + h / 5 % 3] as provider,
         (array['success', 'success', 'success', 'success', 'success', 'error', 'timeout', 'cancelled', 'reserved',
           'dispatched'])[1 + h / 15 % 10]::attempt_state as state,
         date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - make_interval(secs => h::bigint * 31 % 31536000) as at) drawn`,
    [accountId, scopes, from, to],
  );
}

export interface Counted {
  calls: number;
  errors: number;
  unmetered: number;
  input: bigint;
  output: bigint;
  embedding: bigint;
  reranker: bigint;
}

/** The sums of calls by `day role provider model`, and by the same with the path of the scope. */
export interface CountedLedger {
  readonly days: ReadonlyMap<string, Counted>;
  readonly scopeDays: ReadonlyMap<string, Counted>;
}

const PAGE = 50_000;
export const SEPARATOR = '\t';

type CallRow = readonly [
  id: string,
  day: string,
  role: string,
  provider: string,
  model: string,
  state: string,
  metered: boolean,
  path: string | null,
  input: string | null,
  output: string | null,
  embedding: string | null,
  reranker: string | null,
];

function add(to: Map<string, Counted>, key: string, row: CallRow): void {
  const [, , , , , state, metered, , input, output, embedding, reranker] = row;
  const of = to.get(key) ?? {
    calls: 0,
    errors: 0,
    unmetered: 0,
    input: 0n,
    output: 0n,
    embedding: 0n,
    reranker: 0n,
  };
  to.set(key, of);
  of.calls += 1;
  if (state === 'error' || state === 'timeout') of.errors += 1;
  if (!metered) {
    of.unmetered += 1;
    return;
  }
  of.input += BigInt(input ?? 0);
  of.output += BigInt(output ?? 0);
  of.embedding += BigInt(embedding ?? 0);
  of.reranker += BigInt(reranker ?? 0);
}

/** Reads every call of the account that was made and has ended. */
export async function countLedger(admin: Client, accountId: string): Promise<CountedLedger> {
  const days = new Map<string, Counted>();
  const scopeDays = new Map<string, Counted>();
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await admin.query<[...CallRow]>({
      text: `select a.id, to_char(a.reserved_at at time zone 'UTC', 'YYYY-MM-DD'), a.role, a.provider, a.model, a.state,
          a.metered, case when a.role in ('ingest_extractor', 'dream_reasoner') then s.path end, a.input_tokens,
          a.output_tokens, a.embedding_tokens, a.reranker_tokens
        from provider_attempts a left join scopes s on s.account_id = a.account_id and s.id = a.scope_id
        where a.account_id = $1 and a.id > $2 and a.dispatched_at is not null and a.finished_at is not null
        order by a.id limit ${PAGE}`,
      values: [accountId, after],
      rowMode: 'array',
    });
    for (const row of rows) {
      const [, day, role, provider, model, , , path] = row;
      add(days, [day, role, provider, model].join(SEPARATOR), row);
      add(scopeDays, [path ?? '', day, role, provider, model].join(SEPARATOR), row);
    }
    const last = rows.at(-1);
    if (last === undefined) return { days, scopeDays };
    [after] = last;
  }
}

const MILLION = 1_000_000n;

/** The price of one key of one day, rounded up. */
export function priceInMicros(
  profile: CostProfile,
  provider: string,
  model: string,
  of: Counted,
): bigint {
  const rates = profile.rateOf(provider, model);
  if (rates === null) return 0n;
  const price =
    of.input * BigInt(rates.input) +
    of.output * BigInt(rates.output) +
    of.embedding * BigInt(rates.embedding) +
    of.reranker * BigInt(rates.reranker);
  return price % MILLION === 0n ? price / MILLION : price / MILLION + 1n;
}

export interface Shown {
  calls: number;
  errors: number;
  unmetered: number;
  input_tokens: number;
  output_tokens: number;
  embedding_tokens: number;
  usd_micros: number;
}

/** Adds keys of days up, as the answer shows them; `keyOf` leaves out what it answers `null` for. */
export function shownBy(
  counted: ReadonlyMap<string, Counted>,
  profile: CostProfile,
  keyOf: (parts: readonly string[]) => string | null,
): ReadonlyMap<string, Shown> {
  const shown = new Map<string, Shown>();
  for (const [name, of] of counted) {
    const parts = name.split(SEPARATOR);
    const key = keyOf(parts);
    if (key === null) continue;
    const to = shown.get(key) ?? {
      calls: 0,
      errors: 0,
      unmetered: 0,
      input_tokens: 0,
      output_tokens: 0,
      embedding_tokens: 0,
      usd_micros: 0,
    };
    shown.set(key, to);
    const [provider = '', model = ''] = parts.slice(-2);
    to.calls += of.calls;
    to.errors += of.errors;
    to.unmetered += of.unmetered;
    to.input_tokens += Number(of.input + of.reranker);
    to.output_tokens += Number(of.output);
    to.embedding_tokens += Number(of.embedding);
    to.usd_micros += Number(priceInMicros(profile, provider, model, of));
  }
  return shown;
}
