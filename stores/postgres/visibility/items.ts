/** Which items of the review queue a person may know of, as far as the audiences of their statements say. */
import { sql, type FragmentSqlToken } from 'slonik';
import { meantFor } from '../../../domain/governance/visibility.ts';
import { renderVisibility } from './statements.ts';

/** Whether the audience of the statement of `item` does not leave out the person. Only where it had one is it looked up. */
export function isItemFor(peerId: string | null): FragmentSqlToken {
  return sql.fragment`(not item.has_audience or exists (
    select from knowledge k
    where k.account_id = item.account_id and k.id = item.knowledge_id and ${renderVisibility(meantFor(peerId))}))`;
}
