/**
 * Random histories of statements, and what several readers are shown: beside every answer stands the truth, computed from
 * the rows by rules of the test's own. Nothing hidden is shown at any moment, also while nothing was built again; once all
 * was built, cards show what there is.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { AccountScene } from '../search/account.ts';
import { openContextScene, type ContextData, type ContextScene } from './scene.ts';

let scene: ContextScene;

beforeAll(async () => {
  scene = await openContextScene();
  // It repeats all that it is given, as a summariser that keeps no secret would.
  scene.model = (statements) => statements.join(' | ');
});
afterAll(() => scene.close());

const PEOPLE = ['anna', 'bob', 'carl'] as const;
const PATHS = ['/poc', '/poc/inner'] as const;

/** A statement as the test knows it. */
interface Fact {
  readonly id: string;
  /** Stands in its text and in no other one. */
  readonly word: string;
  readonly subject: string | null;
  readonly submitters: Set<string>;
  path: string;
  state: string;
  sensitivity: string;
  level: string;
}

const step = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    path: fc.constantFrom(...PATHS),
    subject: fc.option(fc.constantFrom(...PEOPLE)),
    sensitivity: fc.constantFrom('public', 'internal', 'internal', 'personal'),
    state: fc.constantFrom('active', 'active', 'active', 'provisional', 'held'),
    by: fc.constantFrom(...PEOPLE),
  }),
  fc.record({
    do: fc.constantFrom(
      ...(['redact', 'contest', 'expire', 'supersede', 'delete', 'place', 'promote'] as const),
      ...(['hide', 'corroborate'] as const),
    ),
    which: fc.nat(40),
    by: fc.constantFrom(...PEOPLE),
  }),
  fc.record({ do: fc.constant('settle' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const STATES: Readonly<Record<string, string>> = {
  redact: 'redacted',
  contest: 'contested',
  expire: 'expired',
  supersede: 'superseded',
  place: 'active',
};

/** Decisions 5: what is read of statements in scopes that the reader may read. */
function mayRead(fact: Fact, reader: string, paths: readonly string[]): boolean {
  if (!paths.includes(fact.path)) return false;
  const isSubmitter = fact.submitters.has(reader);
  if (fact.state === 'provisional') return isSubmitter;
  if (fact.state !== 'active') return false;
  return (
    fact.sensitivity === 'public' ||
    fact.sensitivity === 'internal' ||
    fact.subject === reader ||
    fact.subject === null ||
    fact.level !== 'peer' ||
    isSubmitter
  );
}

async function change(account: AccountScene, facts: Fact[], each: Step, n: number): Promise<void> {
  if (each.do === 'settle') {
    await scene.settle();
    return;
  }
  if (each.do === 'add') {
    const word = `canary${n}x`;
    const sensitivity =
      each.subject === null && each.sensitivity === 'personal' ? 'internal' : each.sensitivity;
    const { path, state, subject } = each;
    const id = await account.statement({
      text: `In Lillehammer ${word} is told.`,
      path,
      subject,
      sensitivity,
      state,
      submitters: [each.by],
    });
    facts.push({
      id,
      word,
      subject,
      sensitivity,
      state,
      path,
      level: 'peer',
      submitters: new Set([each.by]),
    });
    return;
  }
  const fact = facts[each.which % Math.max(1, facts.length)];
  if (fact === undefined || fact.state === 'gone' || fact.state === 'redacted') return;
  const set = (columns: string, ...values: unknown[]) =>
    scene.sql(
      `update knowledge set ${columns}, row_version = row_version + 1, updated_at = clock_timestamp() where id = $1`,
      [fact.id, ...values],
    );
  if (each.do === 'delete') {
    await scene.sql('delete from belief_periods where knowledge_id = $1', [fact.id]);
    await scene.sql('delete from knowledge where id = $1', [fact.id]);
    fact.state = 'gone';
  } else if (each.do === 'promote') {
    await set(`target_level = 'scope'`);
    fact.level = 'scope';
  } else if (each.do === 'hide') {
    if (fact.subject === null) return;
    await set(`sensitivity = 'personal'`);
    fact.sensitivity = 'personal';
  } else if (each.do === 'corroborate') {
    await scene.sql(
      `insert into knowledge_submitters (account_id, knowledge_id, peer_id) values ($1, $2, $3) on conflict do nothing`,
      [account.id, fact.id, await account.peer(each.by)],
    );
    await set('corroboration_count = corroboration_count + 1');
    fact.submitters.add(each.by);
  } else {
    const state = STATES[each.do] ?? '';
    if (state === 'redacted') await set(`state = 'redacted', statement = null`);
    else await set('state = $2::knowledge_state', state);
    fact.state = state;
  }
}

interface Asking {
  readonly reader: string;
  readonly paths: readonly string[];
  readonly caller: Caller;
}

/** All texts of the answer, and the words of facts in them. */
function shownWords(data: ContextData): Set<string> {
  return new Set(JSON.stringify(data).match(/canary\d+x/g));
}

async function hidden(facts: readonly Fact[], readers: readonly Asking[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { caller, paths, reader } of readers) {
    const data = await scene.context(caller, { scope_path: '/poc/inner', budget_chars: 100_000 });
    const words = shownWords(data);
    for (const fact of facts) {
      if (words.has(fact.word) && !mayRead(fact, reader, paths)) {
        faults.push(
          `${reader} in ${paths.join()} is shown ${fact.word} (${fact.state}, ${fact.sensitivity})`,
        );
      }
    }
  }
  return faults;
}

/** What a card of a scope may be made of: what all its readers share. */
const isShared = (fact: Fact): boolean =>
  fact.state === 'active' &&
  (fact.sensitivity !== 'personal' || fact.subject === null || fact.level !== 'peer');

async function lacking(facts: readonly Fact[], readers: readonly Asking[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { caller, paths, reader } of readers) {
    const data = await scene.context(caller, { scope_path: '/poc/inner', budget_chars: 100_000 });
    for (const path of paths) {
      const shared = facts.filter((fact) => fact.path === path && isShared(fact)).length;
      const own = facts.filter(
        (fact) => fact.path === path && fact.subject === reader && mayRead(fact, reader, paths),
      ).length;
      const card = data.scope_cards.find((each) => each.path === path);
      const slice = data.peer_profile.find((each) => each.scope_path === path);
      const expected = (count: number): number => (count < 2 ? 0 : Math.min(4, count));
      if ((card?.pinned_facts.length ?? 0) !== expected(shared))
        faults.push(`the card of ${path} for ${reader} has other than ${expected(shared)} facts`);
      if ((slice?.pinned_facts.length ?? 0) !== expected(own))
        faults.push(`the profile of ${reader} in ${path} has other than ${expected(own)} facts`);
      const isSummarised = shared >= 3;
      if ((card?.summary ?? null) === null && isSummarised)
        faults.push(`the card of ${path} for ${reader} lacks its summary`);
    }
    if (data.fast_fallback && data.knowledge.some((each) => !('candidate_type' in each)))
      faults.push(`${reader} waits for something`);
  }
  return faults;
}

test('no reader is shown what it may not read, and once all is built nobody lacks what there is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), async (steps) => {
      const account = await scene.account();
      const facts: Fact[] = [];
      const callers: Asking[] = [];
      for (const reader of PEOPLE) {
        callers.push({ reader, paths: PATHS, caller: await account.caller({ peer: reader }) });
        // A grant that was taken back: it reads the inner scope alone.
        const caller = await account.caller({ peer: reader, path: '/poc/inner' });
        callers.push({ reader, paths: ['/poc/inner'], caller });
      }
      for (const [n, each] of steps.entries()) {
        await change(account, facts, each, n);
        if (n % 3 === 2) expect(await hidden(facts, callers)).toEqual([]);
      }
      await account.refresh();
      await scene.settle();
      expect(scene.failures).toEqual([]);
      expect(await hidden(facts, callers)).toEqual([]);
      expect(await lacking(facts, callers)).toEqual([]);
      const rows = await scene.sql(
        `select coalesce(summary, '') || coalesce(label, '') || entity as text from projections where account_id = $1`,
        [account.id],
      );
      const kept = rows.map(({ text }) => String(text)).join(' ');
      const drift = await createInAccount(scene.pool)(account.id, (stores) =>
        stores.projections.drift(),
      );
      expect(drift).toMatchObject({ stale: 0, orphans: 0, pending: 0 });
      const gone = facts.filter(({ state }) => state === 'redacted' || state === 'gone');
      expect(gone.filter(({ word }) => kept.includes(word))).toEqual([]);
    }),
    { numRuns: 15 },
  );
}, 300_000);
