/** Spends the characters of a context: part by part in their order, then statement by statement. */
import { countClusters } from '../text/excerpt.ts';
import type { Fact, ShownPart } from './parts.ts';

/** Characters are grapheme clusters of the texts that are handed out. */
export const DEFAULT_BUDGET_CHARS = 8_000;
export const MOST_BUDGET_CHARS = 100_000;

export interface Spent<S> {
  readonly parts: readonly ShownPart[];
  /** The facts of the parts, each once. */
  readonly facts: readonly Fact[];
  readonly statements: readonly S[];
}

/**
 * Takes what fits. A part is taken whole or skipped, and so is a statement. A fact that a part before has is not charged
 * again. At most `limit` statements, none of which is among the facts.
 */
export function spend<S extends { readonly id: string; readonly statement: string | null }>(
  parts: readonly ShownPart[],
  statements: readonly S[],
  { budget, limit }: { readonly budget: number; readonly limit: number },
): Spent<S> {
  let left = budget;
  const facts = new Map<string, Fact>();
  const taken: ShownPart[] = [];
  for (const part of parts) {
    const fresh = part.facts.filter(({ id }) => !facts.has(id));
    const texts = [part.summary, part.label, ...fresh.map(({ statement }) => statement)];
    const cost = texts.reduce((sum, text) => sum + (text === null ? 0 : countClusters(text)), 0);
    if (cost > left) continue;
    left -= cost;
    taken.push(part);
    for (const fact of fresh) facts.set(fact.id, fact);
  }
  const shown: S[] = [];
  for (const each of statements) {
    if (shown.length >= limit) break;
    if (facts.has(each.id)) continue;
    const { statement } = each;
    if (statement === null) continue;
    const cost = countClusters(statement);
    if (cost > left) continue;
    left -= cost;
    shown.push(each);
  }
  return { parts: taken, facts: [...facts.values()], statements: shown };
}
