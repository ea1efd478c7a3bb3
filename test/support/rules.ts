/** Gate rules as callers send and read them. */
import { VALUE_COLUMNS } from '../../domain/governance/rule-columns.ts';

/** What a rule may leave out, as an answer shows it then. */
export const NOTHING_GIVEN: Readonly<Record<string, null>> = Object.fromEntries(
  Object.entries<object>(VALUE_COLUMNS).flatMap(([name, column]) =>
    'nullable' in column ? [[name, null]] : [],
  ),
);
