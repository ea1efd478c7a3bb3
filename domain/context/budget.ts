/** Spends the characters of a context: part by part in their order, then statement by statement. */
import { countClusters } from '../text/excerpt.ts';
import type { Fact, ShownPart } from './parts.ts';

/** Characters are grapheme clusters of the texts that are handed out. */
export const DEFAULT_BUDGET_CHARS = 8_000;
export const MOST_BUDGET_CHARS = 100_000;

/** The parts that are handed out, and what is left of the characters. */
export interface SpentOnParts {
  readonly parts: readonly ShownPart[];
  /** The facts of the parts, each once, by id. */
  readonly facts: ReadonlyMap<string, Fact>;
  readonly left: number;
}

/** A part is taken whole or skipped. A fact that a part before has is not charged again. */
export function spendOnParts(parts: readonly ShownPart[], budget: number): SpentOnParts {
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
  return { parts: taken, facts, left };
}

/** A statement is taken whole or skipped. At most `limit`, none of which is among the facts. */
export function spendOnStatements<
  S extends { readonly id: string; readonly statement: string | null },
>(statements: readonly S[], { facts, left: budget }: SpentOnParts, limit: number): readonly S[] {
  let left = budget;
  const shown: S[] = [];
  for (const each of statements) {
    if (shown.length >= limit) break;
    if (each.statement === null || facts.has(each.id)) continue;
    const cost = countClusters(each.statement);
    if (cost > left) continue;
    left -= cost;
    shown.push(each);
  }
  return shown;
}
