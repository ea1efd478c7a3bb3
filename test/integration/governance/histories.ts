/** What happens to the statements of an account in a random order, and the laws that hold after each step. */
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../../domain/errors.ts';
import { presetRules, type GatePreset } from '../../../domain/governance/presets.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createScheduledDecisions } from '../../../engine/desk/scheduled.ts';
import { createContests } from '../../../engine/knowledge/contests.ts';
import { createRegate } from '../../../engine/knowledge/regate.ts';
import { execute } from '../../../operations/execute.ts';
import { promoteKnowledge } from '../../../operations/governance/promote.ts';
import { approveReview } from '../../../operations/reviews/approve.ts';
import { deferReview } from '../../../operations/reviews/defer.ts';
import { editReview } from '../../../operations/reviews/edit.ts';
import { mergeReview } from '../../../operations/reviews/merge.ts';
import { openReview } from '../../../operations/reviews/open.ts';
import { rejectReview } from '../../../operations/reviews/reject.ts';
import { undoReview } from '../../../operations/reviews/undo.ts';
import { confirmOwnKnowledge } from '../../../operations/self/confirm.ts';
import { contestOwnKnowledge } from '../../../operations/self/contest.ts';
import { decideOwnConsent } from '../../../operations/self/decide-consent.ts';
import { redactOwnKnowledge } from '../../../operations/self/redact.ts';
import { withdrawOwnWord } from '../../../operations/self/withdraw.ts';
import { createInAccount, createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { RegateStore } from '../../../stores/postgres/knowledge/regate.store.ts';
import { inTurn } from '../../support/in-turn.ts';
import { drain, literalExtractor, pipeline } from '../extraction/scene.ts';
import type { Scene } from '../observations/scene.ts';
import { CIRCLE, type Step } from './steps.ts';

const pick = <T>(list: readonly T[], index: number): T | undefined =>
  list.length === 0 ? undefined : list[index % list.length];

/** The conversation of all at the scope. */
const sessionAt = (scope_path: string) => ({ scope_path, session_id: `s-${scope_path}` });

/** An account with an agent, a person whom statements are about, another one, and a curator. */
export class History {
  readonly accountId: string;
  readonly #scene: Scene;
  readonly #agent: Caller;
  readonly #alice: Caller;
  readonly #curator: Caller;
  #said = 0;
  readonly #rows: (query: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>;

  private constructor(scene: Scene, accountId: string, callers: readonly [Caller, Caller, Caller]) {
    this.#scene = scene;
    this.#rows = inTurn((query: string, values: readonly unknown[]) => scene.rows(query, values));
    this.accountId = accountId;
    [this.#agent, this.#alice, this.#curator] = callers;
  }

  static async begin(scene: Scene): Promise<History> {
    const accountId = await scene.account();
    const human = { kind: 'human' } as const;
    const history = new History(scene, accountId, [
      await scene.caller(accountId, { key: 'agent' }),
      await scene.caller(accountId, { key: 'alice', ...human }),
      await scene.caller(accountId, { key: 'cura', role: 'curator', ...human }),
    ]);
    await scene.caller(accountId, { key: 'bob', ...human });
    await scene.caller(accountId, { key: 'carol', ...human });
    await history.#open();
    // A statement is about somebody who takes part in the conversation.
    for (const scope_path of ['/team', '/']) {
      for (const peer_key of ['alice', 'bob', 'carol']) {
        const greeting = { content: 'Hello.', role: 'assistant' };
        await scene.ingest(history.#agent, { ...greeting, ...sessionAt(scope_path), peer_key });
      }
    }
    return history;
  }

  /** Does the step. False where it was refused, which must change nothing. */
  async do(step: Step): Promise<boolean> {
    try {
      await this.#act(step);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  async #act(step: Step): Promise<void> {
    switch (step.does) {
      case 'say':
        return this.#say(step);
      case 'preset':
        return this.#change(step.preset);
      case 'deadline':
        return this.#passDeadline();
      case 'circle':
        return this.#gather(step.members);
      case 'consent':
        return this.#consent(step);
      case 'reopen':
        return this.#reopen(step);
      case 'undo':
        return this.#undo(step.nth);
      case 'carry out':
        return this.#carryOut();
      case 'confirm':
      case 'contest':
      case 'redact':
      case 'promote':
      case 'withdraw':
        return this.#speak(step.does, pick(await this.#ids('knowledge'), step.nth));
      case 'approve':
      case 'reject':
      case 'defer':
      case 'merge':
      case 'edit':
        return this.#decide(step);
    }
  }

  /** Makes the circle at the root, without members, and grants the curator, who can sign in, what her credential says, Carol less. */
  async #open(): Promise<void> {
    await this.#rows(
      `insert into grants (account_id, id, peer_id, scope_path, role, effect, propagate)
       select $1, gen_random_uuid(), id, '/', case key when 'cura' then 'curator' else 'member' end::role_name, 'allow', true
       from peers where account_id = $1 and key in ('cura', 'carol')`,
      [this.accountId],
    );
    // What she decided is carried out in her name while she can sign in.
    await this.#rows(
      `insert into logins (account_id, id, peer_id, email, password_hash)
       select $1, gen_random_uuid(), id, id || '@example.org', 'x' from peers where account_id = $1 and key = 'cura'`,
      [this.accountId],
    );
    await this.#rows(
      `insert into circles (account_id, id, scope_id, name)
       select $1, gen_random_uuid(), id, $2 from scopes where account_id = $1 and path = '/'`,
      [this.accountId, CIRCLE],
    );
  }

  async #gather(members: readonly string[]): Promise<void> {
    await this.#rows(
      `with gone as (delete from circle_members where account_id = $1)
       insert into circle_members (account_id, circle_id, peer_id, added_at)
       select $1, c.id, p.id, now() from circles c join peers p on p.account_id = c.account_id
       where c.account_id = $1 and p.key = any($2)
       on conflict do nothing`,
      [this.accountId, members],
    );
  }

  async #say({ at, audience = null, by, content }: Extract<Step, { does: 'say' }>): Promise<void> {
    this.#said += 1;
    await this.#scene.ingest(this.#agent, {
      peer_key: by,
      ...sessionAt(at),
      occurred_at: new Date(Date.UTC(2024, 0, 1, 0, this.#said)).toISOString(),
      content,
      audience,
    });
    await drain(this.#scene, this.accountId, pipeline(this.#scene, { extract: literalExtractor }));
  }

  async #change(preset: GatePreset): Promise<void> {
    const runId = await createInAccount(this.#scene.pool)(this.accountId, async (stores) => {
      await stores.accounts.lockPreset();
      await stores.accounts.setPreset(preset);
      await stores.gateRules.replaceAccountWide(presetRules(preset), new Date());
      return stores.runs.enter({ kind: 'regate', traceId: '0'.repeat(32) });
    });
    const regate = createRegate({
      store: new RegateStore(this.#scene.pool),
      newId: () => uuidv7(),
      ring: () => {},
    });
    let afterId: string | null = null;
    do {
      const page = await regate.page({ accountId: this.accountId, runId, afterId });
      afterId = page.nextAfterId;
    } while (afterId !== null);
  }

  async #passDeadline(): Promise<void> {
    await this.#rows(
      `update review_items set due_at = now() - interval '1 second'
       where account_id = $1 and kind = 'contest' and decided_at is null`,
      [this.accountId],
    );
    const runs = await this.#rows(
      "select id from pipeline_runs where account_id = $1 and kind = 'contest' and status <> 'completed'",
      [this.accountId],
    );
    const contests = createContests(createInAccount(this.#scene.pool), () => {});
    for (const { id } of runs)
      await contests.judge({ accountId: this.accountId, runId: String(id) });
  }

  async #consent({ decision, nth: at }: Extract<Step, { does: 'consent' }>): Promise<void> {
    const id = pick(await this.#ids('consents'), at);
    if (id !== undefined) {
      await this.#execute(decideOwnConsent, this.#alice, { consent_id: id, decision });
    }
  }

  async #speak(
    does: 'confirm' | 'contest' | 'redact' | 'promote' | 'withdraw',
    id: string | undefined,
  ): Promise<void> {
    if (id === undefined) return;
    if (does === 'promote') {
      const json = { knowledge_id: id, target_scope_path: '/' };
      return this.#execute(promoteKnowledge, this.#curator, json);
    }
    const said = {
      confirm: confirmOwnKnowledge,
      contest: contestOwnKnowledge,
      redact: redactOwnKnowledge,
      withdraw: withdrawOwnWord,
    };
    return this.#execute(said[does], this.#alice, { knowledge_id: id });
  }

  async #decide(step: Extract<Step, { does: 'approve' | 'reject' | 'defer' | 'merge' | 'edit' }>) {
    const items = await this.#rows(
      'select id, version from review_items where account_id = $1 and decided_at is null order by id',
      [this.accountId],
    );
    const item = pick(items, step.nth);
    if (item === undefined) return;
    const about = {
      review_id: item['id'],
      version: item['version'],
      undo_seconds: step.waits ? 60 : 0,
    };
    if (step.does === 'merge') {
      const into = pick(await this.#ids('knowledge'), step.nth + 1);
      return this.#execute(mergeReview, this.#curator, { ...about, into });
    }
    if (step.does === 'edit') {
      const statement = pick(
        ['Alice likes green tea.', 'Alice likes tea.', 'Alice lives in Bergen.'],
        step.nth,
      );
      return this.#execute(editReview, this.#curator, {
        ...about,
        statement,
        approve: step.approve,
      });
    }
    const decisions = { approve: approveReview, reject: rejectReview, defer: deferReview };
    return this.#execute(decisions[step.does], this.#curator, about);
  }

  async #reopen({ nth: at, withhold }: Extract<Step, { does: 'reopen' }>): Promise<void> {
    const id = pick(await this.#ids('knowledge'), at);
    if (id === undefined) return;
    const asked = { knowledge_id: id, reason: 'Is it true?', withhold };
    return this.#execute(openReview, this.#curator, asked);
  }

  /** The runs of decisions that wait, and their items. */
  #waiting() {
    return this.#rows(
      "select review_item_id, run_id from scheduled_decisions where account_id = $1 and state = 'scheduled' order by run_id",
      [this.accountId],
    );
  }

  async #undo(at: number): Promise<void> {
    const waiting = pick(await this.#waiting(), at);
    if (waiting === undefined) return;
    return this.#execute(undoReview, this.#curator, { review_id: waiting['review_item_id'] });
  }

  async #carryOut(): Promise<void> {
    await this.#rows(
      "update scheduled_decisions set due_at = now() - interval '1 s' where account_id = $1",
      [this.accountId],
    );
    const decisions = createScheduledDecisions(
      createRefusingInAccount(this.#scene.pool),
      () => undefined,
    );
    for (const { run_id: runId } of await this.#waiting()) {
      await decisions.judge({ accountId: this.accountId, runId: String(runId) });
    }
  }

  async #execute(
    operation: Parameters<typeof execute>[0],
    caller: Caller,
    input: object,
  ): Promise<void> {
    const context = this.#scene.context(caller);
    await execute(operation, { ...context, sweep: { soon: () => {} } }, input);
  }

  async #ids(table: 'knowledge' | 'consents'): Promise<readonly string[]> {
    const rows = await this.#rows(`select id from ${table} where account_id = $1 order by id`, [
      this.accountId,
    ]);
    return rows.map(({ id }) => String(id));
  }
}
