/** Items of the review queue. Who may see an item depends on the scope of its statement: the caller judges that. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import { ITEM_KINDS, ITEM_STATES, type ItemKind } from '../../../domain/governance/items.ts';
import {
  isFiltered,
  queueOfKind,
  type QueueFilter,
} from '../../../domain/governance/queue-filter.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { EVERYTHING, meantFor, type Condition } from '../../../domain/governance/visibility.ts';
import { isItemFor } from '../visibility/items.ts';
import { renderVisibility } from '../visibility/statements.ts';
import { AccountStore } from '../account-store.ts';
import { isOfKind, isOpen } from './queues.ts';

const itemRow = z.object({
  id: z.string(),
  version: z.number(),
  kind: z.enum(ITEM_KINDS),
  state: z.enum(ITEM_STATES),
  reason: z.string(),
  knowledge_id: z.string(),
  scope_id: z.string(),
  scope_path: z.string(),
  conflict_knowledge_id: z.string().nullable(),
  target_scope_id: z.string().nullable(),
  target_scope_path: z.string().nullable(),
  target_level: z.enum(TARGET_LEVELS),
  proposed_sensitivity: z.enum(SENSITIVITIES).nullable(),
  due_at: z.string(),
  escalated_at: z.string().nullable(),
  decided_at: z.string().nullable(),
  /** Of a contest: the state before it. */
  restored_state: z.enum(KNOWLEDGE_STATES).nullable(),
});
export type ItemRow = z.infer<typeof itemRow>;

const dueRow = z.object({ due_in_ms: z.number() });
const dueItemRow = itemRow.extend(dueRow.shape);

const itemColumns = sql.fragment`
  item.id, item.version, item.kind, item.state, item.reason, item.knowledge_id, k.scope_id, place.path as scope_path,
  item.conflict_knowledge_id, item.target_scope_id, target.path as target_scope_path,
  coalesce(item.target_level, k.target_level) as target_level, item.proposed_sensitivity, item.due_at, item.escalated_at,
  item.decided_at, case when item.kind = 'contest' then k.state_before_contest end as restored_state`;

const itemTables = sql.fragment`
  join knowledge k on k.account_id = item.account_id and k.id = item.knowledge_id
  join scopes place on place.account_id = k.account_id and place.id = k.scope_id
  left join scopes target on target.account_id = item.account_id and target.id = item.target_scope_id`;

/** Milliseconds until the item is due; 0 when it is. */
const dueInMs = sql.fragment`
  greatest(ceil(extract(epoch from item.due_at - clock_timestamp()) * 1000), 0)::bigint`;

export interface QueuePage extends QueueFilter {
  /** The person who asks: items about statements whose audience leaves it out are not in the queue. */
  readonly curatorPeerId: string | null;
  /** The last item of the page before. */
  readonly afterId: string | null;
  readonly limit: number;
}

/** Items that one page with a filter looks at, in all scopes together; then it ends early. */
const MOST_LOOKED_AT = 10_000;

function fits({ kind, state, subjectPeerId }: QueuePage): FragmentSqlToken {
  const ofState =
    state === null ? sql.fragment`true` : sql.fragment`item.state = ${state}::review_state`;
  const ofKind =
    kind === null ? sql.fragment`true` : sql.fragment`item.kind = ${kind}::review_kind`;
  const ofSubject =
    subjectPeerId === null
      ? sql.fragment`true`
      : sql.fragment`item.subject_peer_id is not distinct from ${subjectPeerId}::uuid`;
  return sql.fragment`(${ofState} and ${ofKind} and ${ofSubject})`;
}

const ORDERS = {
  due: {
    by: sql.fragment`item.due_at, item.id`,
    after: (id: string) => sql.fragment`(item.due_at, item.id) > (
      select last.due_at, last.id from review_items last where last.id = ${id}::uuid)`,
    isBeyondEdge: sql.fragment`(item.due_at, item.id) > (edge.due_at, edge.id)`,
  },
  newest: {
    by: sql.fragment`item.id desc`,
    after: (id: string) => sql.fragment`item.id < ${id}::uuid`,
    isBeyondEdge: sql.fragment`item.id < edge.id`,
  },
} as const;

export interface QueuePart {
  readonly items: readonly ItemRow[];
  /** The item that a filter has looked up to, where there may be more behind it; else null. */
  readonly lookedUpTo: string | null;
}

const foundByFilter = z.object({
  ids: z.array(z.string()),
  looked_up_to: z.string().nullable(),
});

/** Decisions that one item shows. */
export const MOST_DECISIONS = 50;
const CONSENTS = ['pending', 'granted', 'denied'] as const;

export const decisionRow = z.object({
  gate: z.string(),
  decision: z.string(),
  reason: z.string(),
  channel: z.string(),
  from_state: z.enum(KNOWLEDGE_STATES).nullable(),
  to_state: z.enum(KNOWLEDGE_STATES),
  from_level: z.enum(TARGET_LEVELS),
  to_level: z.enum(TARGET_LEVELS),
  decided_at: z.string(),
});
export type DecisionRow = z.infer<typeof decisionRow>;

/** Items of the review queue of the account. */
export class ReviewsStore extends AccountStore {
  find(id: string): Promise<ItemRow | null> {
    return this.which(id, EVERYTHING);
  }

  /** The item, if the audience of its statement does not leave out the person who asks. */
  findFor(id: string, peerId: string | null): Promise<ItemRow | null> {
    return this.which(id, meantFor(peerId));
  }

  /** Those of the items whose statements have no audience that leaves out the person who asks, in no order. */
  async allFor(ids: readonly string[], peerId: string | null): Promise<readonly ItemRow[]> {
    return this.tx.any(sql.type(itemRow)`
      select ${itemColumns} from review_items item ${itemTables}
      where item.account_id = ${this.accountId}::uuid and item.id = any(${sql.array(ids, 'uuid')})
        and ${renderVisibility(meantFor(peerId))}`);
  }

  private async which(id: string, is: Condition): Promise<ItemRow | null> {
    return this.tx.maybeOne(sql.type(itemRow)`
      select ${itemColumns} from review_items item ${itemTables}
      where item.account_id = ${this.accountId}::uuid and item.id = ${id}::uuid and ${renderVisibility(is)}`);
  }

  /** The open item of a kind that asks about the statement, if there is one. */
  async openOf(knowledgeId: string, kinds: readonly ItemKind[]): Promise<ItemRow | null> {
    return this.tx.maybeOne(sql.type(itemRow)`
      select ${itemColumns} from review_items item ${itemTables}
      where item.account_id = ${this.accountId}::uuid and item.knowledge_id = ${knowledgeId}::uuid
        and item.kind = any(${sql.array([...kinds], 'text')}::review_kind[]) and item.decided_at is null
        and item.conflict_knowledge_id is null
      order by item.id limit 1`);
  }

  /** The contest that the run waits with, and how long until it is due. */
  async ofRun(runId: string): Promise<(ItemRow & { readonly due_in_ms: number }) | null> {
    return this.tx.maybeOne(sql.type(dueItemRow)`
      select ${itemColumns}, ${dueInMs} as due_in_ms
      from pipeline_runs run
      join review_items item on item.account_id = run.account_id and item.id = run.target_id ${itemTables}
      where run.account_id = ${this.accountId}::uuid and run.id = ${runId}::uuid`);
  }

  /**
   * Asks the administrators of the account too, with as much time again. Milliseconds until that time is over; null if the
   * item ended meanwhile.
   */
  async escalate(id: string, hours: number): Promise<number | null> {
    return this.tx.maybeOneFirst(sql.type(dueRow)`
      update review_items item
      set state = 'escalated', escalated_at = clock_timestamp(), version = version + 1,
        due_at = clock_timestamp() + make_interval(hours => ${hours})
      where item.account_id = ${this.accountId}::uuid and item.id = ${id}::uuid and item.decided_at is null
        and item.escalated_at is null
      returning ${dueInMs} as due_in_ms`);
  }

  /** Who approved the item that waits for consent. */
  async approverOf(id: string): Promise<string | null> {
    return this.tx.oneFirst(sql.type(z.object({ decided_by: z.string().nullable() }))`
      select decided_by from review_items
      where account_id = ${this.accountId}::uuid and id = ${id}::uuid`);
  }

  /**
   * The next items of the scopes, or of the account whatever their scopes. Reads as many items of each scope as the page
   * has; with a filter, up to 10,000 of all, and one query more.
   */
  async next(scopeIds: readonly string[] | null, page: QueuePage): Promise<QueuePart> {
    if (isFiltered(page)) return this.filtered(scopeIds, page);
    const { by } = ORDERS[page.order];
    const items = await this.tx.any(sql.type(itemRow)`
      with picked as materialized (
        select item.id from ${this.queues(scopeIds, page, page.limit)} order by ${by} limit ${page.limit}
      )
      select ${itemColumns} from picked
      join review_items item on item.account_id = ${this.accountId}::uuid and item.id = picked.id ${itemTables}
      order by ${by}`);
    return { items, lookedUpTo: null };
  }

  /** Of each queue the first open items after the place that are for the person, in order, as `item`. */
  private queues(
    scopeIds: readonly string[] | null,
    page: QueuePage,
    limit: number,
    more: FragmentSqlToken = sql.fragment``,
  ): FragmentSqlToken {
    const { afterId, curatorPeerId } = page;
    const { after, by } = ORDERS[page.order];
    const kind = queueOfKind(page);
    const isInQueue = kind === null ? sql.fragment`true` : isOfKind(kind);
    const isAfter = afterId === null ? sql.fragment`true` : after(afterId);
    const [lanes, isInLane] =
      scopeIds === null
        ? [sql.fragment`(select) as wanted`, sql.fragment`true`]
        : [
            sql.fragment`unnest(${sql.array(scopeIds, 'uuid')}) as wanted (id)`,
            sql.fragment`item.scope_id = wanted.id`,
          ];
    return sql.fragment`${lanes} cross join lateral (
      select item.id, item.due_at ${more} from review_items item
      where item.account_id = ${this.accountId}::uuid and ${isInLane} and ${isInQueue} and ${isOpen} and ${isAfter}
        and ${isItemFor(curatorPeerId)}
      order by ${by} limit ${limit}
    ) item`;
  }

  /**
   * What fits among the first items of each queue. Where a queue is longer than what was looked at, nothing behind that
   * place is answered, so that the page is in order across all queues.
   */
  private async filtered(scopeIds: readonly string[] | null, page: QueuePage): Promise<QueuePart> {
    const { by, isBeyondEdge } = ORDERS[page.order];
    const each = Math.max(page.limit, Math.floor(MOST_LOOKED_AT / (scopeIds?.length ?? 1)));
    const more = sql.fragment`, ${fits(page)} as fits, row_number() over (order by ${by}) as place`;
    const { ids, looked_up_to: lookedUpTo } = await this.tx.one(sql.type(foundByFilter)`
      with looked as materialized (
        select item.* from ${this.queues(scopeIds, page, each, more)}
      ), edge as materialized (
        select item.id, item.due_at from looked item where item.place = ${each} order by ${by} limit 1
      )
      select (select id from edge) as looked_up_to, array(
        select item.id from looked item
        where item.fits and not exists (select from edge where ${isBeyondEdge})
        order by ${by} limit ${page.limit}) as ids`);
    const items = await this.tx.any(sql.type(itemRow)`
      select ${itemColumns} from review_items item ${itemTables}
      where item.account_id = ${this.accountId}::uuid and item.id = any(${sql.array(ids, 'uuid')})
      order by ${by}`);
    return { items, lookedUpTo };
  }

  /** Gives an open item more time. */
  async defer(id: string, until: Date): Promise<void> {
    await this.tx.query(sql.unsafe`
      update review_items set state = 'deferred', due_at = ${until.toISOString()}, version = version + 1,
        past_ageing = false
      where account_id = ${this.accountId}::uuid and id = ${id}::uuid and decided_at is null`);
  }

  /** The item was approved, and waits for the subject's consent. */
  async awaitConsent(id: string, approvedBy: string | null): Promise<void> {
    await this.tx.query(sql.unsafe`
      update review_items set state = 'awaiting_consent', decided_by = ${approvedBy}, version = version + 1
      where account_id = ${this.accountId}::uuid and id = ${id}::uuid and decided_at is null`);
  }

  /** What was decided about the statement so far, the latest first. */
  async decisions(knowledgeId: string): Promise<readonly DecisionRow[]> {
    return this.tx.any(sql.type(decisionRow)`
      select gate, decision, reason, channel, from_state, to_state, from_level, to_level, decided_at
      from gate_decisions
      where account_id = ${this.accountId}::uuid and knowledge_id = ${knowledgeId}::uuid
      order by decided_at desc, id desc limit ${MOST_DECISIONS}`);
  }

  /** The subject's consent to the item's target; null where none was asked for. */
  async consent(item: ItemRow): Promise<'pending' | 'granted' | 'denied' | null> {
    return this.tx.maybeOneFirst(sql.type(z.object({ status: z.enum(CONSENTS) }))`
      select status from consents
      where account_id = ${this.accountId}::uuid and knowledge_id = ${item.knowledge_id}::uuid
        and target_scope_id = ${item.target_scope_id ?? item.scope_id}::uuid`);
  }
}
