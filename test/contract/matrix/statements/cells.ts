/** Every statement that can be, as far as it decides who reads it: one cell for each combination of these values. */
import { SENSITIVITIES, TARGET_LEVELS } from '../../../../domain/statements/candidate.ts';
import { KNOWLEDGE_STATES } from '../../../../domain/statements/states.ts';

/** What it was before it came into its state. Only `before` of these was a belief that others shared. */
export const HISTORIES = ['new', 'waited before', 'placed before'] as const;
/** Against the instant that the reader reads at. */
export const EXPIRIES = ['never', 'over', 'to come'] as const;
/** Whom it is about: the reader, another person, or its scope. */
export const SUBJECTS = ['reader', 'other', 'scope'] as const;
/** Whether the reader said it, or passed it on. */
export const SUBMITTERS = ['reader', 'other'] as const;
/** Its audience: none, one that names the reader, or one that names another person. */
export const ADDRESSED = ['to all', 'to the reader', 'to others'] as const;
/** Whether holds left something of it. */
export const SERVED = ['yes', 'no'] as const;
/** Whether its scope is of the authorised chain, and whether the caller curates that scope. */
export const PLACES = ['in the chain', 'curated', 'elsewhere'] as const;

type OneOf<T extends readonly string[]> = T[number];

export interface StatementCell {
  readonly state: OneOf<typeof KNOWLEDGE_STATES>;
  readonly history: OneOf<typeof HISTORIES>;
  readonly expiry: OneOf<typeof EXPIRIES>;
  readonly sensitivity: OneOf<typeof SENSITIVITIES>;
  readonly level: OneOf<typeof TARGET_LEVELS>;
  readonly subject: OneOf<typeof SUBJECTS>;
  readonly submitter: OneOf<typeof SUBMITTERS>;
  readonly addressed: OneOf<typeof ADDRESSED>;
  readonly place: OneOf<typeof PLACES>;
  readonly served: OneOf<typeof SERVED>;
}

export const DIMENSIONS = {
  state: KNOWLEDGE_STATES,
  history: HISTORIES,
  expiry: EXPIRIES,
  sensitivity: SENSITIVITIES,
  level: TARGET_LEVELS,
  subject: SUBJECTS,
  submitter: SUBMITTERS,
  addressed: ADDRESSED,
  place: PLACES,
  served: SERVED,
} as const satisfies { readonly [K in keyof StatementCell]: readonly StatementCell[K][] };

/** Restricted is never above peer level and never about a scope: such a row cannot be stored. */
export function mayExist({
  level,
  sensitivity,
  subject,
}: Pick<StatementCell, 'level' | 'sensitivity' | 'subject'>): boolean {
  return sensitivity !== 'restricted' || (level === 'peer' && subject !== 'scope');
}

/** Every combination of the values, each list in its order. */
export function* combinations<T extends Readonly<Record<string, string>>>(
  dimensions: { readonly [K in keyof T]: readonly T[K][] },
  chosen: Partial<T> = {},
): Generator<T> {
  const name = Object.keys(dimensions).find((each) => !(each in chosen)) as keyof T | undefined;
  if (name === undefined) {
    yield chosen as T;
    return;
  }
  for (const value of dimensions[name]) {
    yield* combinations(dimensions, { ...chosen, [name]: value });
  }
}

export function allStatements(): StatementCell[] {
  return [...combinations<StatementCell & Record<string, string>>(DIMENSIONS)].filter(mayExist);
}
