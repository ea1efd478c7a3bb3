/** Where a scope lies among others that are known by id and path. */
import { parseScopePath, scopeChain } from './path.ts';

export interface PlacedScope {
  readonly id: string;
  readonly path: string;
}

/** Answers, for the id of one of the scopes, the ids of those in its chain, outermost first. */
export function chainIds(scopes: readonly PlacedScope[]): (scopeId: string) => readonly string[] {
  const byPath = new Map(scopes.map(({ id, path }) => [path, id]));
  const pathOf = new Map(scopes.map(({ id, path }) => [id, path]));
  return (scopeId) => {
    const parsed = parseScopePath(pathOf.get(scopeId) ?? '');
    return parsed === null ? [] : scopeChain(parsed).flatMap((path) => byPath.get(path) ?? []);
  };
}
