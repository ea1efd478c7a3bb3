/** The names of statements in memory: what the tables of an account say, whatever order the statements come in. */
import { wordsOfAlias } from '../../../domain/entities/alias.ts';
import type { PossibleName } from '../../../domain/entities/possible-names.ts';
import { mentionsOf, readNames, type NamedPeer } from '../../../domain/entities/mentions.ts';
import { MOST_ROWS_OF_SHARED, type SharedName } from '../../../domain/entities/relations.ts';
import { MOST_LONGER_NAMES, type KnownName } from '../../../domain/entities/resolution.ts';
import { MOST_ROWS_OF_ENTITY } from '../../../domain/entities/scores.ts';

export interface NamedStatement {
  readonly id: string;
  readonly text: string;
  readonly subject?: NamedPeer | null;
  readonly scopeId?: string;
}

export interface MemoryNames {
  /** As `EntitiesStore.known`. */
  known(possibleNames: readonly PossibleName[]): KnownName[];
  /** As `EntitiesStore.shared`. */
  shared(ids: readonly string[]): SharedName[];
}

interface Mentioned {
  readonly ids: string[];
  isSure: boolean;
}

const ONE_SCOPE = 'scope';

/** The names of the statements. `people` are names that the scopes know. */
export function namesOf(
  statements: readonly NamedStatement[],
  people: ReadonlySet<string> = new Set(),
): MemoryNames {
  const scopes = new Map<string, Map<string, Mentioned>>();
  const byWord = new Map<string, Set<string>>();
  const sure = new Map<string, readonly string[]>();
  for (const { id, scopeId = ONE_SCOPE, subject = null, text } of statements) {
    const names = scopes.get(scopeId) ?? new Map<string, Mentioned>();
    scopes.set(scopeId, names);
    const mentions = mentionsOf(readNames(text), subject, people);
    sure.set(
      id,
      mentions.filter(({ isSure }) => isSure).map(({ alias }) => alias),
    );
    for (const { alias, isSure } of mentions) {
      const before = names.get(alias) ?? { ids: [], isSure: false };
      before.ids.push(id);
      before.isSure ||= isSure;
      names.set(alias, before);
      for (const word of wordsOfAlias(alias)) {
        byWord.set(word, (byWord.get(word) ?? new Set()).add(alias));
      }
    }
  }

  const row = (scopeId: string, asked: string, alias: string): KnownName[] => {
    const found = scopes.get(scopeId)?.get(alias);
    if (found === undefined) return [];
    const { ids, isSure } = found;
    const statementIds = ids.length > MOST_ROWS_OF_ENTITY ? [] : ids.toSorted().toReversed();
    return [{ scopeId, asked, alias, statements: ids.length, isSure, statementIds }];
  };
  const longerThan = (scopeId: string, single: string): KnownName[] =>
    [...(byWord.get(single) ?? [])]
      .filter((alias) => alias !== single)
      .toSorted()
      .flatMap((alias) => row(scopeId, single, alias))
      .slice(0, MOST_LONGER_NAMES);

  return {
    known: (possibleNames) =>
      [...scopes.keys()].flatMap((scopeId) =>
        possibleNames.flatMap(({ alias, isSingle }) => [
          ...row(scopeId, alias, alias),
          ...(isSingle ? longerThan(scopeId, alias) : []),
        ]),
      ),
    shared: (ids) =>
      ids.flatMap((ofId) =>
        (sure.get(ofId) ?? []).map((alias) => {
          const mentioning = [...scopes].flatMap(([scopeId, names]) =>
            (names.get(alias)?.ids ?? []).map((id) => ({ id, scopeId })),
          );
          const isListed = mentioning.length <= MOST_ROWS_OF_SHARED;
          const ofScopeId = mentioning.find(({ id }) => id === ofId)?.scopeId ?? ONE_SCOPE;
          const statements = mentioning.length;
          return { ofId, ofScopeId, alias, statements, mentioning: isListed ? mentioning : [] };
        }),
      ),
  };
}
