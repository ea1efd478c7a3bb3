/** What the desk shows beside items: people, dates and decisions that wait; and how many items of each kind there are. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { DECISION_ACTIONS, VOID_REASONS } from '../../../domain/governance/decisions.ts';
import { ITEM_KINDS, type ItemKind } from '../../../domain/governance/items.ts';
import type { CuratorReach } from '../../../domain/governance/curator-reach.ts';
import {
  MOST_TOLD_AT_DESK,
  toldCount,
  type ToldCount,
} from '../../../domain/governance/told-counts.ts';
import { AccountStore } from '../account-store.ts';
import { isShownToCurator } from '../visibility/curated-messages.ts';
import { isNoneOfErasing } from '../visibility/erasing.ts';
import { isItemFor } from '../visibility/items.ts';
import { isOpen as isOpenScope } from '../visibility/open-scopes.ts';
import { isOfKind, isOpen } from './queues.ts';

/** Sources of a statement among which the earliest is looked for. */
const MOST_SOURCES_MET = 20;
/** Items of a kind that a count meets: one more than it tells. */
const MOST_MET = MOST_TOLD_AT_DESK + 1;
/** Items of a kind that a count looks at in the queue of the account, those of others too. */
const MOST_ITEMS_MET = 10_000;

const shownRow = z.object({
  id: z.string(),
  opened_at: z.string(),
  subject_key: z.string().nullable(),
  subject_name: z.string().nullable(),
  session_id: z.string().nullable(),
  /** Of the latest decision that waits, or that came to nothing. */
  action: z.enum(DECISION_ACTIONS).nullable(),
  decision_state: z.enum(['scheduled', 'void']).nullable(),
  decider_key: z.string().nullable(),
  decider_name: z.string().nullable(),
  due_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  end_reason: z.enum(VOID_REASONS).nullable(),
});
export type ShownRow = z.infer<typeof shownRow>;

const countRow = z.object({
  kind: z.enum(ITEM_KINDS),
  n: z.number(),
  is_cut: z.boolean(),
  oldest_at: z.string().nullable(),
});
export interface KindCount extends ToldCount {
  readonly kind: ItemKind;
  /** When the oldest of the counted items was opened. */
  readonly oldest_at: string | null;
}

/** Who may see the items is for the caller of these functions to judge. */
export class ReviewDeskStore extends AccountStore {
  /** What stands beside each of the items, in no order. */
  async shown(ids: readonly string[], curator: CuratorReach): Promise<readonly ShownRow[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    return this.tx.any(sql.type(shownRow)`
      select item.id, item.created_at as opened_at, subject.key as subject_key, subject.name as subject_name,
        source.session_id, decision.action, decision.state as decision_state, decision.key as decider_key,
        decision.name as decider_name, decision.due_at, decision.ended_at, decision.end_reason
      from review_items item
      left join peers subject on subject.account_id = item.account_id and subject.id = item.subject_peer_id
        and subject.erasing_at is null
      left join lateral (
        select session.external_id as session_id
        from (
          select p.message_id from provenance p
          where p.account_id = item.account_id and p.knowledge_id = item.knowledge_id
          order by p.message_id limit ${MOST_SOURCES_MET}
        ) cited
        join messages m on m.account_id = item.account_id and m.id = cited.message_id
        join sessions session on session.account_id = m.account_id and session.id = m.session_id
        where ${isShownToCurator(curator)}
        order by m.occurred_at, m.id limit 1
      ) source on true
      left join lateral (
        select d.action, d.state, decider.key, decider.name, d.due_at, d.ended_at, d.end_reason
        from scheduled_decisions d
        join peers decider on decider.account_id = d.account_id and decider.id = d.decided_by
        where d.account_id = item.account_id and d.review_item_id = item.id and decider.erasing_at is null
          and (d.state = 'scheduled' or d.state = 'void' and item.decided_at is null)
      ) decision on true
      where item.account_id = ${account} and item.id = any(${sql.array(ids, 'uuid')})`);
  }

  /**
   * How many open items of each kind wait in the scopes, and since when, in the order of the kinds. Counts one item more
   * than it is to say.
   */
  async inScopes(
    scopeIds: readonly string[],
    curatorPeerId: string | null,
  ): Promise<readonly KindCount[]> {
    const scopes = sql.fragment`unnest(${sql.array(scopeIds, 'uuid')}) as wanted (id)`;
    return this.counts((kind) => ({
      items: sql.fragment`
        select item.created_at from ${scopes} cross join lateral (
          select item.created_at from review_items item
          where item.account_id = ${this.accountId}::uuid and item.scope_id = wanted.id and ${isOfKind(kind)}
            and ${isOpen} and ${this.isFor(curatorPeerId)}
          order by item.due_at, item.id limit ${MOST_MET}
        ) item`,
      isCut: sql.fragment`false`,
    }));
  }

  /** The same in the queue of the account, of the scopes that the openings let through, among its first items. */
  async withinReach({ openings, peerId }: CuratorReach): Promise<readonly KindCount[]> {
    return this.counts((kind) => {
      const queue = sql.fragment`
        review_items item
        where item.account_id = ${this.accountId}::uuid and ${isOfKind(kind)} and ${isOpen}
        order by item.due_at, item.id`;
      return {
        items: sql.fragment`
          select item.created_at from (select item.* from ${queue} limit ${MOST_ITEMS_MET}) item
          join scopes place on place.account_id = item.account_id and place.id = item.scope_id
          where ${isOpenScope(sql.fragment`place.path`, openings)} and ${this.isFor(peerId)}`,
        isCut: sql.fragment`exists (select from ${queue} offset ${MOST_ITEMS_MET} limit 1)`,
      };
    });
  }

  private async counts(
    of: (kind: ItemKind) => { readonly items: FragmentSqlToken; readonly isCut: FragmentSqlToken },
  ): Promise<readonly KindCount[]> {
    const each = ITEM_KINDS.map((kind, place) => {
      const { isCut, items } = of(kind);
      return sql.fragment`
        select ${place}::integer as place, ${kind} as kind, count(*)::integer as n, ${isCut} as is_cut,
          min(item.created_at) as oldest_at
        from (${items} limit ${MOST_MET}) item`;
    });
    const rows = await this.tx.any(sql.type(countRow)`
      select kind, n, is_cut, oldest_at from (${sql.join(each, sql.fragment` union all `)}) met order by place`);
    return rows.map(({ is_cut: isCut, kind, n, oldest_at }) => {
      const { count, is_capped: isCapped } = toldCount(n);
      return { kind, count, is_capped: isCapped || isCut, oldest_at };
    });
  }

  /** As lists show them: no audience leaves the person out, and nobody whom they are about is being erased. */
  private isFor(peerId: string | null): FragmentSqlToken {
    const account = sql.fragment`${this.accountId}::uuid`;
    return sql.fragment`(${isNoneOfErasing(account, sql.fragment`item.subject_peer_id`)} and ${isItemFor(peerId)})`;
  }
}
