/**
 * Finds scopes whose placed statements lack what is made of them: counted words, or the cards of the scope. What is lacking
 * is marked again. Each pass goes on where the one before ended, in one transaction with its marks: a pass that dies has
 * done nothing.
 */
import type { Mailbox } from '../../domain/actors/names.ts';
import { MOST_OF_A_KIND, STALE_AFTER_MS } from '../../domain/pipeline/reconcile.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type {
  ComparedPage,
  LackingStatement,
} from '../../stores/postgres/reconcile/compared-statements.store.ts';

export interface MarkedScopes {
  /** At most a hundred. */
  readonly scopes: number;
  /** Where marks of their statements wait. */
  readonly mailboxes: readonly Mailbox[];
}

export type MarkScopes = (accountId: string) => Promise<MarkedScopes>;

/** Statements that one pass compares. */
const STATEMENTS_OF_PASS = 5_000;

/** What one pass takes of a page, and where the next one begins. */
export function takenOf(
  { lacking, last, size }: ComparedPage,
  limit: { readonly scopes: number; readonly statements: number },
): { readonly taken: readonly LackingStatement[]; readonly next: string | null } {
  const scopes = new Set<string>();
  const taken: LackingStatement[] = [];
  for (const statement of lacking) {
    const isFull = scopes.size === limit.scopes && !scopes.has(statement.scope_id);
    if (isFull) return { taken, next: taken.at(-1)?.id ?? null };
    scopes.add(statement.scope_id);
    taken.push(statement);
  }
  return { taken, next: size < limit.statements ? null : last };
}

export function createScopeMarker(inAccount: InAccount): MarkScopes {
  return (accountId) =>
    inAccount(accountId, async (stores) => {
      const { comparedStatements: compared, contextCardWork, dirtyMarks, units } = stores;
      const page = await compared.compare(await compared.place(), {
        limit: STATEMENTS_OF_PASS,
        olderThanMs: STALE_AFTER_MS,
      });
      const { next, taken } = takenOf(page, {
        scopes: MOST_OF_A_KIND,
        statements: STATEMENTS_OF_PASS,
      });
      const uncounted = taken.filter((each) => each.is_uncounted).map(({ id }) => id);
      const marked = await units.place('statement', uncounted);
      await dirtyMarks.add(marked);
      const bare = new Set(taken.filter((each) => each.is_bare).map((each) => each.scope_id));
      await contextCardWork.mark(
        Array.from(bare).flatMap((scopeId) => [
          { kind: 'scope_card', scopeId, targetId: scopeId },
          { kind: 'entity_card', scopeId, targetId: scopeId },
        ]),
      );
      await compared.moveTo(next);
      const shards = new Set(marked.map(({ shard }) => shard));
      return {
        scopes: new Set(taken.map((each) => each.scope_id)).size,
        mailboxes: Array.from(shards, (shard) => ({ accountId, kind: 'projection', shard })),
      };
    });
}
