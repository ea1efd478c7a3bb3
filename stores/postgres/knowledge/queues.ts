/** The queues of open items in SQL, in the words of their partial indexes. */
import { sql, type FragmentSqlToken } from 'slonik';
import type { ItemKind } from '../../../domain/governance/items.ts';

export const isOpen = sql.fragment`item.state in ('pending', 'escalated', 'awaiting_consent', 'deferred')`;

/**
 * Each kind has indexes of its own, in the order of dates. Row security lets no index look up an enum, so the kind stands in
 * their predicates, and here as a word of the statement instead of a value.
 */
export function isOfKind(kind: ItemKind): FragmentSqlToken {
  return sql.fragment`item.kind = ${sql.literalValue(kind)}`;
}
