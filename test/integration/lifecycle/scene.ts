/** Statements of one account in chosen states, with chosen times, and sweeps by a clock of the test. */
import { v7 as uuidv7 } from 'uuid';
import type { ItemKind, OpenItemState } from '../../../domain/governance/items.ts';
import type { KnowledgeState } from '../../../domain/statements/states.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createSweeps, type Sweeps } from '../../../engine/lifecycle/sweeps.ts';
import { SHARDS } from '../../../stores/postgres/actors/shards.ts';
import { SweepsStore } from '../../../stores/postgres/sweeps/sweeps.store.ts';
import { drain, literalExtractor, pipeline } from '../extraction/scene.ts';
import type { Scene } from '../observations/scene.ts';

export interface ArrangedItem {
  readonly kind: ItemKind;
  readonly state: OpenItemState;
  readonly dueAt: string;
}

export interface Arranged {
  readonly state: KnowledgeState;
  readonly expiresAt?: string | null;
  readonly revalidateAfter?: string | null;
  readonly items?: readonly ArrangedItem[];
}

export interface Failure {
  readonly what: 'page' | 'statement';
  readonly kind: string;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const never = new AbortController().signal;

/** An instant of the database as text; null stays. */
export function isoOf(value: unknown): string | null {
  if (value === null) return null;
  if (!(value instanceof Date)) throw new TypeError('no instant');
  return value.toISOString();
}

/** The clock of a test, which begins at the present moment and is moved forward by hand. */
export class Clock {
  #at = Date.now();

  get iso(): string {
    return new Date(this.#at).toISOString();
  }

  after(ms: number): string {
    return new Date(this.#at + ms).toISOString();
  }

  pass(ms: number): void {
    this.#at += ms;
  }
}

/** Sweeps over the database of the scene, by a clock of the test; failures are collected. */
export function sweepsOf(
  scene: Scene,
  clock: Clock,
): { readonly sweeps: Sweeps; readonly failures: Failure[] } {
  const failures: Failure[] = [];
  const sweeps = createSweeps({
    store: new SweepsStore(scene.pool),
    newId: () => uuidv7(),
    ring: (mailbox) => void scene.rung.push(mailbox),
    shards: SHARDS,
    report: (what, kind) => void failures.push({ what, kind }),
    clock: () => clock.iso,
  });
  return { sweeps, failures };
}

/** Turns of one account until nothing is due; answers the statements swept. */
export async function sweepOut(sweeps: Sweeps, accountId: string): Promise<number> {
  let rows = 0;
  for (let more = true; more;) {
    const turn = await sweeps.turn(accountId, never);
    rows += turn.rows;
    more = turn.more;
  }
  return rows;
}

/** An account whose statements are all about its subject, extracted from messages and then put into their states. */
export class SweptAccount {
  readonly accountId: string;
  readonly subject: Caller;
  readonly #scene: Scene;

  private constructor(scene: Scene, accountId: string, subject: Caller) {
    this.#scene = scene;
    this.accountId = accountId;
    this.subject = subject;
  }

  static async open(scene: Scene): Promise<SweptAccount> {
    const accountId = await scene.account();
    const subject = await scene.caller(accountId, { key: 'alice', kind: 'human' });
    return new SweptAccount(scene, accountId, subject);
  }

  rows(query: string, ...values: readonly unknown[]): Promise<Record<string, unknown>[]> {
    return this.#scene.rows(query, [this.accountId, ...values]);
  }

  /** Adds `amount` statements; answers their ids. They are provisional, and a curator is asked about each. */
  async add(amount: number): Promise<readonly string[]> {
    const known = new Set((await this.#ids()).map(String));
    for (let n = 0; n < amount; n += 1) {
      const content = `Alice owns the boat ${known.size + n}.`;
      await this.#scene.ingest(this.subject, { content });
    }
    const extract = pipeline(this.#scene, { extract: literalExtractor });
    await drain(this.#scene, this.accountId, extract);
    return (await this.#ids()).filter((id) => !known.has(id));
  }

  /**
   * Puts the statement into a state as if it had been in it from the beginning, with these open items and no other, and
   * without a question to its subject.
   */
  async arrange(id: string, { expiresAt, items = [], revalidateAfter, state }: Arranged) {
    await this.rows(
      `update knowledge set state = $3::knowledge_state, expires_at = $4, revalidate_after = $5,
         held_scope_id = case when $3 = 'held' then scope_id end,
         state_before_contest = case when $3 = 'contested' then 'active'::knowledge_state end
       where account_id = $1 and id = $2`,
      id,
      state,
      expiresAt ?? null,
      revalidateAfter ?? null,
    );
    await this.rows(
      `with b as (update belief_periods set state = $3::knowledge_state where account_id = $1 and knowledge_id = $2)
       , e as (update lifecycle_events set to_state = $3::knowledge_state where account_id = $1 and knowledge_id = $2)
       , q as (update questions set ended_at = now(), end_reason = 'arranged'
           where account_id = $1 and knowledge_id = $2 and ended_at is null)
       update review_items set state = 'closed', decided_at = now(), end_reason = 'arranged'
       where account_id = $1 and knowledge_id = $2 and decided_at is null`,
      id,
      state,
    );
    for (const { dueAt, kind, state: itemState } of items) {
      await this.rows(
        `insert into review_items (has_audience, account_id, id, knowledge_id, scope_id, subject_peer_id, kind, state, reason,
           target_level, due_at, escalated_at)
         select k.audience_id is not null, k.account_id, $3, k.id, k.scope_id, k.subject_peer_id, $4, $5, 'arranged', k.target_level, $6,
           case when $5 = 'escalated'::review_state then now() end
         from knowledge k where k.account_id = $1 and k.id = $2`,
        id,
        uuidv7(),
        kind,
        itemState,
        dueAt,
      );
    }
  }

  async state(id: string): Promise<unknown> {
    const [row] = await this.rows(
      'select state from knowledge where account_id = $1 and id = $2',
      id,
    );
    return row?.['state'];
  }

  /** The items of the statement that were not closed before the sweeps, oldest first. */
  items(id: string): Promise<Record<string, unknown>[]> {
    return this.rows(
      `select kind, state, reason, end_reason, due_at, escalated_at, past_ageing from review_items
       where account_id = $1 and knowledge_id = $2 and end_reason is distinct from 'arranged' order by kind, created_at`,
      id,
    );
  }

  /** The statement's periods, as state and ends. */
  periods(id: string): Promise<Record<string, unknown>[]> {
    return this.rows(
      `select state, believed_from, believed_until from belief_periods
       where account_id = $1 and knowledge_id = $2 order by believed_from, believed_until nulls last`,
      id,
    );
  }

  async #ids(): Promise<string[]> {
    const rows = await this.rows('select id from knowledge where account_id = $1 order by id');
    return rows.map(({ id }) => String(id));
  }
}
