/** Statements by who reads them after a decision: what a curator is told before many are decided at once. */
import type { PlacedAudience, StatementAudience } from './audience.ts';

export interface ReadersChange {
  readonly knowledgeId: string;
  readonly before: PlacedAudience;
  readonly after: PlacedAudience;
}

/** Statements with the same readers at a place. */
export interface Readership {
  readonly scope_path: string;
  readonly readers: StatementAudience;
  readonly knowledgeIds: readonly string[];
}

/** The changes with the same readers at the same place, in the order of the first of each. Others leave the readers as they are. */
export function groupedByReaders(changes: readonly ReadersChange[]): {
  readonly groups: readonly Readership[];
  readonly unchanged: number;
} {
  const groups = new Map<string, Readership>();
  let unchanged = 0;
  for (const { after, before, knowledgeId } of changes) {
    const { readers, scope_path } = after;
    if (before.readers === readers && before.scope_path === scope_path) {
      unchanged += 1;
      continue;
    }
    const key = `${readers} ${scope_path}`;
    const ids = groups.get(key)?.knowledgeIds ?? [];
    groups.set(key, { scope_path, readers, knowledgeIds: [...ids, knowledgeId] });
  }
  return { groups: [...groups.values()], unchanged };
}
