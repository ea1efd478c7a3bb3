/** What leads from statements to others: what replaced them and what they were made from. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { TIE_KINDS, type Tie } from '../../../domain/graph/ties.ts';
import { AccountStore } from '../account-store.ts';
import { renderReadable } from '../visibility/statements.ts';

/** Ties of one kind that lead to one statement. */
const MOST_TIES_OF_ONE = 10;

const tieRow = z.object({ kind: z.enum(TIE_KINDS), from_id: z.string(), to_id: z.string() });

/** The statements whose `column` names `k`, the first ones. */
function naming(
  column: 'updated_by_id' | 'supersedes_id' | 'replaces_id' | 'merged_into_id',
): FragmentSqlToken {
  return sql.fragment`(select o.id from knowledge o
    where o.account_id = k.account_id and o.${sql.identifier([column])} = k.id order by o.id limit ${MOST_TIES_OF_ONE})`;
}

export class StatementGraphStore extends AccountStore {
  /** The ties of the statements to those that the predicate lets through; a tie between two of them may come twice. */
  async ties(statementIds: readonly string[], visible: Condition): Promise<readonly Tie[]> {
    if (statementIds.length === 0) return [];
    const rows = await this.tx.any(sql.type(tieRow)`
      select tie.kind, tie.from_id, tie.to_id
      from knowledge k
      cross join lateral (
        select 'superseded_by' as kind, k.id as from_id, k.updated_by_id as to_id, k.updated_by_id as other_id
        union all select 'superseded_by', k.supersedes_id, k.id, k.supersedes_id
        union all select 'superseded_by', o.id, k.id, o.id from ${naming('updated_by_id')} o
        union all select 'superseded_by', k.id, o.id, o.id from ${naming('supersedes_id')} o
        union all select 'derived_from', k.id, k.replaces_id, k.replaces_id
        union all select 'derived_from', o.id, k.id, o.id from ${naming('replaces_id')} o
        union all select 'derived_from', k.merged_into_id, k.id, k.merged_into_id
        union all select 'derived_from', k.id, o.id, o.id from ${naming('merged_into_id')} o
      ) tie
      cross join lateral (
        select other.* from knowledge other where other.account_id = k.account_id and other.id = tie.other_id offset 0
      ) other
      where k.account_id = ${this.accountId}::uuid and k.id = any(${sql.array(statementIds, 'uuid')})
        and ${renderReadable(visible, 'other')}`);
    return rows.map(({ from_id: from, kind, to_id: to }) => ({ kind, from, to }));
  }
}
