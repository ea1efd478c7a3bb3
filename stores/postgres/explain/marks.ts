/** The dirty marks of one unit, as a column of a query that explains the unit. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { INDEX_NAMES } from '../../../domain/retrieval/index-failure.ts';
import type { UnitKind } from '../../../domain/retrieval/units.ts';
import { instant } from '../columns.ts';

export const explainedMarks = z.array(
  z.object({
    index: z.enum(INDEX_NAMES),
    attempts: z.number(),
    unheard_attempts: z.number(),
    overdue: z.boolean(),
    waiting_since: instant,
    next_look_at: instant,
  }),
);
export type ExplainedMark = z.output<typeof explainedMarks>[number];

/** `account` and `id` are expressions of the surrounding query. */
export function marksOf(
  unit: UnitKind,
  account: FragmentSqlToken,
  id: FragmentSqlToken,
): FragmentSqlToken {
  return sql.fragment`(
    select coalesce(jsonb_agg(jsonb_build_object('index', d.engine, 'attempts', d.attempt_count,
      'unheard_attempts', d.unheard_attempts, 'overdue', d.overdue, 'waiting_since', d.marked_at,
      'next_look_at', d.available_at) order by d.engine), '[]')
    from dirty_marks d
    where d.account_id = ${account} and d.unit_id = ${id} and d.unit = ${unit}::unit_kind)`;
}
