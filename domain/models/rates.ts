/** What tokens cost: a table of rates for planning, which is no bill of a vendor. */
import { MODEL_PROVIDERS } from './roles.ts';

/** Micro-USD for a million tokens of each kind. */
export interface CostRates {
  readonly input: number;
  readonly output: number;
  readonly embedding: number;
  readonly reranker: number;
}

export interface CostProfile {
  readonly id: string;
  readonly source: 'shipped' | 'operator';
  /** Null for a model that the table does not name. */
  rateOf(provider: string, model: string): CostRates | null;
}

const KINDS = ['input', 'output', 'embedding', 'reranker'] as const;
const FREE: CostRates = { input: 0, output: 0, embedding: 0, reranker: 0 };
const REMOTE: CostRates = { input: 200_000, output: 800_000, embedding: 20_000, reranker: 20_000 };

/** The table that ships: round numbers to plan with, not the prices of any vendor. */
export const PLANNING_REFERENCE: CostProfile = {
  id: 'planning-reference-v1',
  source: 'shipped',
  rateOf: (provider) => (provider === 'deterministic' ? FREE : REMOTE),
};

/** Bytes of a table of an operator. */
export const MOST_RATES_BYTES = 262_144;
/** Models that a table names. */
const MOST_RATES = 1_000;
/** A thousand USD for a million tokens: whoever writes more has mistaken the unit. The database multiplies within 64 bits. */
const MOST_RATE = 1_000_000_000;
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const LONGEST_NAME = 256;

/** What is wrong with a table of rates. Its message is the end of a sentence that begins with the name of the setting. */
export class RatesError extends Error {
  override readonly name = 'RatesError';
}

type Members = Readonly<Record<string, unknown>>;

function members(value: unknown, what: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new RatesError(`must hold an object as ${what}`);
}

function assertKnown(found: Members, known: readonly string[], where: string): void {
  const stranger = Object.keys(found).find((key) => !known.includes(key));
  if (stranger === undefined) return;
  throw new RatesError(
    `has the unknown key ${shown(stranger)} in ${where}: it may hold ${known.join(', ')}`,
  );
}

/** A key of the file as a message shows it. */
const shown = (key: string): string => JSON.stringify(key.slice(0, LONGEST_NAME));

function ratesOf(value: unknown, name: string): CostRates {
  const found = members(value, `the rates of ${shown(name)}`);
  assertKnown(found, KINDS, `the rates of ${shown(name)}`);
  const rate = (kind: (typeof KINDS)[number]): number => {
    const given = found[kind] ?? 0;
    if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) {
      if (given <= MOST_RATE) return given;
    }
    throw new RatesError(
      `needs a whole number of micro-USD for a million tokens, from 0 to ${MOST_RATE}, as ${kind} of ${shown(name)}`,
    );
  };
  return {
    input: rate('input'),
    output: rate('output'),
    embedding: rate('embedding'),
    reranker: rate('reranker'),
  };
}

function assertName(name: string): void {
  const at = name.indexOf(':');
  const provider = name.slice(0, at);
  const isKnown = MODEL_PROVIDERS.some((each) => each === provider && each !== 'none');
  if (at > 0 && at < name.length - 1 && name.length <= LONGEST_NAME && isKnown) return;
  const providers = MODEL_PROVIDERS.filter((each) => each !== 'none').join(', ');
  throw new RatesError(
    `names rates ${shown(name)}: a name is provider:model or provider:*, with one of the providers ${providers}`,
  );
}

/**
 * Reads the table of an operator: `{id, rates: {"provider:model" | "provider:*": {input, output, embedding, reranker}}}`.
 * A kind of token that is left out costs nothing.
 * @throws RatesError for anything else.
 */
export function parseCostRates(text: string): CostProfile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RatesError('must hold JSON');
  }
  const table = members(value, 'the whole');
  assertKnown(table, ['id', 'rates'], 'the whole');
  const { id } = table;
  if (typeof id !== 'string' || !ID.test(id)) {
    throw new RatesError('needs an `id` of 1 to 64 letters, digits, dots, dashes and underscores');
  }
  if (id === PLANNING_REFERENCE.id) {
    throw new RatesError(`may not have the id ${id}, which the shipped table has: choose another`);
  }
  const entries = Object.entries(members(table['rates'], '`rates`'));
  if (entries.length > MOST_RATES) throw new RatesError(`names more than ${MOST_RATES} models`);
  const rates = new Map<string, CostRates>();
  for (const [name, given] of entries) {
    assertName(name);
    rates.set(name, ratesOf(given, name));
  }
  return {
    id,
    source: 'operator',
    rateOf: (provider, model) =>
      rates.get(`${provider}:${model}`) ?? rates.get(`${provider}:*`) ?? null,
  };
}
