/** Histories of statements that also run out, become stricter and lose people to an erasure. */
import fc from 'fast-check';
import { Refusal } from '../../../domain/errors.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { Role } from '../../../domain/identity/roles.ts';
import { execute } from '../../../operations/execute.ts';
import type { RequestContext } from '../../../operations/operation.ts';
import { approveReview } from '../../../operations/reviews/approve.ts';
import { confirmOwnKnowledge } from '../../../operations/self/confirm.ts';
import type { ErasureMode } from '../../../domain/erasure/words.ts';
import { request, takeAll } from '../erasure/erase.ts';
import { History } from '../governance/histories.ts';
import { CIRCLE, steps, type Step } from '../governance/steps.ts';
import { path, type Scene } from '../observations/scene.ts';

export type Happening =
  | Step
  /** Somebody confirms a statement of himself for a moment. */
  | { readonly does: 'run_out'; readonly nth: number }
  /** Somebody says an active statement again, as more sensitive, and a curator lets that stand. */
  | { readonly does: 'make_stricter'; readonly nth: number; readonly as: 'personal' | 'restricted' }
  /** A person asks to be erased. `whole`: and is erased; else the service hides the person and has done no more. */
  | {
      readonly does: 'erase';
      readonly who: 'alice' | 'bob' | 'carol';
      readonly mode: ErasureMode;
      readonly whole: boolean;
    };

/** How long a statement lasts that is confirmed for a moment: past the record of that step, before the next ones. */
const MOMENT_MS = 100;

const words = fc.record({
  about: fc.constantFrom('alice', 'alice', 'bob'),
  by: fc.constantFrom('alice', 'bob', 'carol'),
  at: fc.constantFrom('/team', '/team', '/'),
  level: fc.constantFrom('peer', 'peer', 'scope', 'account'),
  as: fc.constantFrom('public', 'internal', 'internal', 'personal', 'restricted'),
  // Few texts, so that the same is often said again, by others and as something more sensitive.
  from: fc.constantFrom('', 'from=2024-03-01 ', 'from=2024-05-01 '),
  text: fc.constantFrom('likes tea.', 'owns a boat.', 'lives in Oslo.', 'lives in Rome.'),
});
const said = words.map(({ about, as, at, by, from, level, text }): Happening => {
  const name = about === 'alice' ? 'Alice' : 'Bob';
  const values = `about=${about} level=${level} as=${as}`;
  return { does: 'say', by, at, content: `${values} ${from}${name} ${text}` };
});
const runOut = fc.nat({ max: 9 }).map((nth): Happening => ({ does: 'run_out', nth }));
const madeStricter = fc
  .record({ nth: fc.nat({ max: 9 }), as: fc.constantFrom('personal', 'restricted') })
  .map((values): Happening => ({ does: 'make_stricter', ...values }));
const erased = fc
  .record({
    who: fc.constantFrom('alice', 'bob', 'carol'),
    mode: fc.constantFrom('proportionate', 'strict'),
    whole: fc.boolean(),
  })
  .map((values): Happening => ({ does: 'erase', ...values }));

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 12, arbitrary: steps },
  { weight: 8, arbitrary: said },
  { weight: 3, arbitrary: runOut },
  { weight: 4, arbitrary: madeStricter },
  { weight: 1, arbitrary: erased },
);

const TEA = 'about=alice as=personal from=2024-03-01 Alice likes tea.';
const BOAT = 'about=alice as=public Alice owns a boat.';

/** A history in which each part of the law has something to say. */
export const EVERY_PART: readonly Happening[] = [
  { does: 'preset', preset: 'unattended' },
  { does: 'say', by: 'bob', at: '/team', content: TEA },
  { does: 'say', by: 'bob', at: '/', content: BOAT },
  // A new submitter, and somebody whom it is too sensitive for from now on.
  { does: 'say', by: 'carol', at: '/team', content: TEA },
  { does: 'make_stricter', nth: 0, as: 'personal' },
  { does: 'say', by: 'bob', at: '/team', content: 'about=alice Alice lives in Oslo.' },
  { does: 'run_out', nth: 0 },
  { does: 'redact', nth: 2 },
  { does: 'say', by: 'carol', at: '/team', content: 'about=bob as=public Bob likes tea.' },
  // Who is in the circle at the end reads what was said to it, and who has left it does not.
  { does: 'circle', members: ['carol'] },
  {
    does: 'say',
    by: 'bob',
    at: '/team',
    audience: { circles: [CIRCLE] },
    content: 'about=alice Alice lives in Rome.',
  },
  { does: 'circle', members: ['cura'] },
  { does: 'erase', who: 'bob', mode: 'proportionate', whole: false },
];

/** Half of the histories begin where statements are placed at once, so that there is something to read. */
export const tales = (length: number): fc.Arbitrary<readonly Happening[]> =>
  fc
    .tuple(
      fc.constantFrom('unattended', 'assisted', 'strict', 'unattended'),
      fc.array(said, { minLength: 3, maxLength: 3 }),
      fc.array(happening, { minLength: length, maxLength: length }),
    )
    .map(([preset, first, rest]) => [{ does: 'preset', preset }, ...first, ...rest]);

/** What is refused changes nothing, and the history goes on. */
async function unlessRefused(done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** An account in which it happens. */
export class Tale {
  readonly accountId: string;
  readonly #scene: Scene;
  readonly #history: History;

  private constructor(scene: Scene, history: History) {
    this.#scene = scene;
    this.#history = history;
    this.accountId = history.accountId;
  }

  static async begin(scene: Scene): Promise<Tale> {
    return new Tale(scene, await History.begin(scene));
  }

  async goOn(what: Happening): Promise<void> {
    if (what.does === 'run_out') return this.#confirmForAMoment(what.nth);
    if (what.does === 'make_stricter') return this.#makeStricter(what);
    if (what.does === 'erase') return this.#erase(what);
    await this.#history.do(what);
  }

  #person(peerId: unknown, peerKey: unknown, role: Role): RequestContext {
    const caller: Caller = {
      accountId: this.accountId,
      credentialId: this.accountId,
      kind: 'human',
      peerId: String(peerId),
      peerKey: String(peerKey),
      pinPath: null,
      secretPolicy: 'keep',
      grants: [{ scopePath: path('/'), role, effect: 'allow', propagate: true }],
    };
    return { ...this.#scene.context(caller), sweep: { soon: () => {} } };
  }

  /** The n-th statement about a person, in the order of their ids. */
  async #statement(nth: number, condition: string) {
    const rows = await this.#scene.rows(
      `select k.id, k.statement, k.relevant_from, p.id as peer_id, p.key, s.path from knowledge k
       join peers p on p.account_id = k.account_id and p.id = k.subject_peer_id
       join scopes s on s.account_id = k.account_id and s.id = k.scope_id
       where k.account_id = $1 and ${condition} order by k.id`,
      [this.accountId],
    );
    return rows[nth % Math.max(1, rows.length)];
  }

  async #confirmForAMoment(nth: number): Promise<void> {
    const row = await this.#statement(nth, 'true');
    if (row === undefined) return;
    const context = this.#person(row['peer_id'], row['key'], 'member');
    const expiresAt = new Date(Date.now() + MOMENT_MS).toISOString();
    await unlessRefused(
      execute(confirmOwnKnowledge, context, { knowledge_id: row['id'], expires_at: expiresAt }),
    );
  }

  async #makeStricter({ as, nth }: Extract<Happening, { does: 'make_stricter' }>): Promise<void> {
    const row = await this.#statement(
      nth,
      "k.state = 'active' and k.sensitivity in ('public', 'internal')",
    );
    if (row === undefined) return;
    const from = row['relevant_from'];
    const window = from instanceof Date ? ` from=${from.toISOString().slice(0, 10)}` : '';
    const content = `about=${String(row['key'])} as=${as}${window} ${String(row['statement'])}`;
    await this.#history.do({ does: 'say', by: 'carol', at: String(row['path']), content });
    const items = await this.#scene.rows(
      `select i.id, i.version, p.id as peer_id from review_items i
       join peers p on p.account_id = i.account_id and p.key = 'cura'
       where i.account_id = $1 and i.knowledge_id = $2 and i.decided_at is null
         and i.proposed_sensitivity is not null`,
      [this.accountId, row['id']],
    );
    for (const { id, peer_id, version } of items) {
      const context = this.#person(peer_id, 'cura', 'curator');
      await unlessRefused(execute(approveReview, context, { review_id: id, version }));
    }
  }

  async #erase({ mode, who, whole }: Extract<Happening, { does: 'erase' }>): Promise<void> {
    const [peer] = await this.#scene.rows(
      'select id from peers where account_id = $1 and key = $2 and erasing_at is null',
      [this.accountId, who],
    );
    if (peer === undefined) return;
    const runId = await request(this.#scene, this.accountId, String(peer['id']), mode);
    if (!whole) return;
    await takeAll(this.#scene, { accountId: this.accountId, runId });
  }
}
