/** The counts of the overview: statements, waiting items, and the statements that became believed most recently. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { AccountStore } from '../account-store.ts';
import { isItemFor } from '../visibility/items.ts';
import { renderReadable } from '../visibility/statements.ts';
import { MOST_COUNTED } from '../scopes/directory.store.ts';

/** Statements about a peer that a count meets at most. */
const MOST_MET_ABOUT_PEER = 2_000;
/** Beliefs of one scope and sensitivity that a look for the latest meets, and of all of them together. */
const MOST_MET_OF_SCOPE = 24;
const MOST_MET_AT_ALL = 300;

const countRow = z.object({ n: z.number() });
const latestRow = z.object({ id: z.string(), believed_from: z.string() });
export type LatestRow = z.infer<typeof latestRow>;

/** In the words of the partial indexes of beliefs. */
const SENSITIVITIES = [
  sql.fragment`p.sensitivity = 'public'`,
  sql.fragment`p.sensitivity = 'internal'`,
  sql.fragment`p.sensitivity in ('personal', 'restricted')`,
];

/** Who may see any of it is for the caller of these functions to judge, but for what a condition says. */
export class OverviewStore extends AccountStore {
  /** How many of the latest statements about the peer the condition lets through. Stops at 1,001. */
  async aboutPeer(peerId: string, visible: Condition): Promise<number> {
    return this.tx.oneFirst(sql.type(countRow)`
      select count(*)::integer as n from (
        select from (
          select k.* from knowledge k
          where k.account_id = ${this.accountId}::uuid and k.subject_peer_id = ${peerId}::uuid
          order by k.recorded_at desc limit ${MOST_MET_ABOUT_PEER}
        ) k where ${renderReadable(visible)} limit ${MOST_COUNTED}
      ) met`);
  }

  /**
   * How many items wait in the queues of the scopes; null: in that of the account. Stops at 1,001. The order is that of the
   * index of the queues of scopes: without it, another index would be read past all items of other scopes.
   */
  async waiting(scopeIds: readonly string[] | null, curatorPeerId: string | null): Promise<number> {
    const isOpen = sql.fragment`item.account_id = ${this.accountId}::uuid
      and item.state in ('pending', 'escalated', 'awaiting_consent', 'deferred') and ${isItemFor(curatorPeerId)}`;
    const met =
      scopeIds === null
        ? sql.fragment`select from review_items item where ${isOpen} limit ${MOST_COUNTED}`
        : sql.fragment`
            select from unnest(${sql.array(scopeIds, 'uuid')}) as place (id) cross join lateral (
              select from review_items item where ${isOpen} and item.scope_id = place.id
              order by item.due_at, item.id limit ${MOST_COUNTED}
            ) item limit ${MOST_COUNTED}`;
    return this.tx.oneFirst(sql.type(countRow)`select count(*)::integer as n from (${met}) met`);
  }

  /**
   * Statements of the scopes that are believed and that the condition lets through, those that came to be believed last.
   * Looks at the latest beliefs of each scope only: one that many hidden ones follow may be left out, and so are
   * statements with an audience.
   */
  async latest(
    scopeIds: readonly string[],
    visible: Condition,
    limit: number,
  ): Promise<readonly LatestRow[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const begun = SENSITIVITIES.map(
      (isOfIndex) => sql.fragment`
        select p.knowledge_id, p.believed_from
        from unnest(${sql.array(scopeIds, 'uuid')}) as place (id) cross join lateral (
          select p.knowledge_id, p.believed_from from belief_periods p
          where p.account_id = ${account} and p.scope_id = place.id and p.state = 'active' and ${isOfIndex}
            and p.believed_until is null and p.audience_id is null
          order by p.believed_from desc limit ${MOST_MET_OF_SCOPE}
        ) p`,
    );
    return this.tx.any(sql.type(latestRow)`
      with begun as materialized (
        select * from (${sql.join(begun, sql.fragment` union all `)}) p
        order by p.believed_from desc, p.knowledge_id limit ${MOST_MET_AT_ALL}
      )
      select k.id, begun.believed_from from begun
      join knowledge k on k.account_id = ${account} and k.id = begun.knowledge_id
      where ${renderReadable(visible)}
      order by begun.believed_from desc, k.id limit ${limit}`);
  }
}
