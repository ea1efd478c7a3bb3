/** The index of names in memory: what the tables of an account say of statements, whatever order they come in. */
import { wordsOfAlias } from '../../domain/entities/alias.ts';
import { namesInQuery } from '../../domain/entities/candidates.ts';
import { mentionsOf, readNames, type NamedPeer } from '../../domain/entities/mentions.ts';
import {
  entitiesOf,
  MOST_LONGER_NAMES,
  type KnownName,
  type QueryEntity,
} from '../../domain/entities/resolution.ts';
import { parseQuery } from '../../domain/query/parse-query.ts';
import { rankingText } from '../../domain/query/parsed-query.ts';
import { words } from '../../domain/text/tokens.ts';

export interface NamedStatement {
  readonly id: string;
  readonly text: string;
  readonly subject?: NamedPeer;
  readonly scopeId?: string;
}

interface Counted {
  readonly ids: string[];
  isSure: boolean;
}

/** The entities of a query, among statements of one or more scopes. */
export function entitiesAmong(
  statements: readonly NamedStatement[],
  query: string,
  knownPeople: ReadonlySet<string> = new Set(),
): readonly QueryEntity[] {
  const scopes = new Map<string, Map<string, Counted>>();
  for (const { id, scopeId = 'scope', subject = null, text } of statements) {
    const names = scopes.get(scopeId) ?? new Map<string, Counted>();
    for (const { alias, isSure } of mentionsOf(readNames(text), subject, knownPeople)) {
      const before = names.get(alias) ?? { ids: [], isSure: false };
      before.ids.push(id);
      before.isSure ||= isSure;
      names.set(alias, before);
    }
    scopes.set(scopeId, names);
  }
  const candidates = namesInQuery(query, rankingText(parseQuery(query)));
  const known = [...scopes].flatMap(([scopeId, names]) =>
    candidates.flatMap(({ alias: asked, isSingle }) => {
      const row = (alias: string): KnownName[] => {
        const found = names.get(alias);
        if (found === undefined) return [];
        const { ids, isSure } = found;
        const statementIds = ids.toSorted().toReversed();
        return [{ scopeId, asked, alias, statements: ids.length, isSure, statementIds }];
      };
      const longer = [...names.keys()]
        .filter((alias) => alias !== asked && wordsOfAlias(alias).includes(asked))
        .toSorted()
        .slice(0, MOST_LONGER_NAMES);
      return [...row(asked), ...(isSingle ? longer.flatMap(row) : [])];
    }),
  );
  const holding = (word: string): number =>
    statements.filter(({ text }) => words(text).includes(word)).length;
  return entitiesOf(candidates, known, holding);
}

/** The names of the entities, as the tests compare them. */
export function aliasesOf(entities: readonly QueryEntity[]): string[][] {
  return entities.map(({ names }) => [...new Set(names.map(({ alias }) => alias))].toSorted());
}
