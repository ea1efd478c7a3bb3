/**
 * Where a scope lies among others, by ids alone. The paths of a chain of 32 scopes come to 270 KB, and those of the
 * chains of all its scopes to nine megabytes: code that works on many scopes never touches paths.
 */

export interface PlacedScope {
  readonly id: string;
  /** Null for the root. */
  readonly parentId: string | null;
}

/** Answers, for the id of one of the scopes, the ids of those in its chain, outermost first; none for another id. */
export function chainIds(scopes: readonly PlacedScope[]): (scopeId: string) => readonly string[] {
  const parents = new Map(scopes.map(({ id, parentId }) => [id, parentId]));
  return (scopeId) => {
    const chain: string[] = [];
    for (
      let id: string | null | undefined = scopeId;
      id !== null && id !== undefined && parents.has(id);
      id = parents.get(id)
    ) {
      chain.push(id);
    }
    return chain.toReversed();
  };
}
