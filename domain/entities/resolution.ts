/**
 * Which entities a query names. Equal folded names are one entity. A single name joins the one longer name of its scope
 * that contains it; where there are two, it stays a name of its own. Nothing here depends on the order in which
 * statements arrived, and no model is asked.
 */
import type { PossibleName } from './possible-names.ts';
import { wordsOfAlias } from './alias.ts';

/** A name that a scope knows: one that a query asked for, or a longer one that contains it. */
export interface KnownName {
  readonly scopeId: string;
  /** The possible name of the query. */
  readonly asked: string;
  /** The same, or the longer name. */
  readonly alias: string;
  /** Statements that mention it. */
  readonly statements: number;
  /** Some statement mentions it surely (`Mention.isSure`). */
  readonly isSure: boolean;
  /** The statements, newest first; as many as are listed at all. */
  readonly statementIds: readonly string[];
}

export interface QueryEntity {
  /** The names that are the entity, in the scopes that know any. */
  readonly names: readonly KnownName[];
}

/** Longer names that are read for a single one: two say that it is not unique. */
export const MOST_LONGER_NAMES = 2;

interface ScopeNames {
  readonly exact: ReadonlyMap<string, KnownName>;
  readonly longer: ReadonlyMap<string, readonly KnownName[]>;
}

function byScope(known: readonly KnownName[]): readonly ScopeNames[] {
  return [...Map.groupBy(known, ({ scopeId }) => scopeId).values()].map((names) => ({
    exact: new Map(
      names.filter(({ alias, asked }) => alias === asked).map((name) => [name.alias, name]),
    ),
    longer: Map.groupBy(
      names.filter(({ alias, asked }) => alias !== asked),
      ({ asked }) => asked,
    ),
  }));
}

/** The one longer name that a single name stands for; null where there is none, or more than one. */
function longerName({ longer }: ScopeNames, single: string): KnownName | null {
  const names = longer.get(single) ?? [];
  return names.length === 1 ? (names[0] ?? null) : null;
}

/** What the possible name is in a scope: no name, one, or the short and the long form of one. */
function namesIn(scope: ScopeNames, possibleName: PossibleName): readonly KnownName[] {
  const exact = scope.exact.get(possibleName.alias);
  // A word that is nowhere surely a name is one only where the query says so: `art` is not the Museum of Modern Art.
  if (!possibleName.isCapital && exact?.isSure !== true) return [];
  if (possibleName.isSingle) {
    const joined = longerName(scope, possibleName.alias);
    return [exact ?? [], joined ?? []].flat();
  }
  if (exact === undefined) return [];
  const short = wordsOfAlias(possibleName.alias)
    .filter((word) => longerName(scope, word)?.alias === possibleName.alias)
    .flatMap((word) => scope.exact.get(word) ?? []);
  return [exact, ...short];
}

const overlap = (a: PossibleName, b: PossibleName): boolean =>
  a.from < b.from + b.length && b.from < a.from + a.length;

/** Of the statements that hold a word, the share that has it as a name, from which the word is one in small letters too. */
const FEWEST_AS_NAME = 0.5;

/**
 * Whether a possible name can be a name. A word in small letters is one when most statements that hold the word have it as
 * (a part of) a name: some write `Dance` in capitals, and a question about a dance does not mean a person of that name.
 */
function canBeName(
  { alias, isCapital, isSingle }: PossibleName,
  known: readonly KnownName[],
  holding: StatementsHolding,
): boolean {
  if (isCapital || !isSingle) return true;
  const statements = holding(alias);
  if (statements === null) return false;
  const asName = known
    .filter(({ asked }) => asked === alias)
    .reduce((sum, name) => sum + name.statements, 0);
  return asName >= FEWEST_AS_NAME * statements;
}

/** In how many statements of the scopes a word stands at all; null for a reader who may not be told. */
export type StatementsHolding = (word: string) => number | null;

/** The entities of a query, in its order. Of possible names that overlap, the longest that is known counts, then the first. */
export function entitiesOf(
  possibleNames: readonly PossibleName[],
  known: readonly KnownName[],
  holding: StatementsHolding,
): readonly QueryEntity[] {
  const scopes = byScope(known);
  const named = possibleNames
    .filter((possibleName) => canBeName(possibleName, known, holding))
    .map((possibleName) => ({
      possibleName,
      names: scopes.flatMap((scope) => namesIn(scope, possibleName)),
    }))
    .filter(({ names }) => names.length > 0)
    .toSorted(
      (a, b) =>
        b.possibleName.length - a.possibleName.length || a.possibleName.from - b.possibleName.from,
    );
  const taken: (typeof named)[number][] = [];
  for (const one of named) {
    if (!taken.some(({ possibleName }) => overlap(possibleName, one.possibleName))) taken.push(one);
  }
  const seen = new Set<string>();
  return taken
    .toSorted((a, b) => a.possibleName.from - b.possibleName.from)
    .filter(({ possibleName }) => !seen.has(possibleName.alias) && seen.add(possibleName.alias))
    .map(({ names }) => ({ names }));
}
