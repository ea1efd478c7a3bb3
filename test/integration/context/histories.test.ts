/**
 * Random histories of statements, and what several readers are shown: beside every answer stands the truth, computed from
 * what happened by rules of the test's own. Nothing hidden is shown at any moment, also while nothing was built again; once
 * all was built, cards show what there is.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import {
  EVERY_PART,
  History,
  isShared,
  mayRead,
  PATHS,
  PEOPLE,
  SESSIONS,
  step,
} from './history.ts';
import { openContextScene, type ContextData, type ContextScene } from './scene.ts';

let scene: ContextScene;

beforeAll(async () => {
  scene = await openContextScene();
  // It repeats all that it is given, as a summariser that keeps no secret would.
  scene.model = (statements) => statements.join(' | ');
});
afterAll(() => scene.close());

interface Asking {
  readonly reader: (typeof PEOPLE)[number];
  readonly paths: readonly string[];
  readonly caller: Caller;
}
type Session = (typeof SESSIONS)[number];

/** All words of facts in what is shown. */
const wordsIn = (shown: unknown): ReadonlySet<string> =>
  new Set(JSON.stringify(shown).match(/canary\d+x/g));

const read = ({ caller }: Asking, session: Session): Promise<ContextData> =>
  scene.context(caller, {
    scope_path: '/poc/inner',
    session_id: session,
    budget_chars: 100_000,
  });

/** What an answer shows that the reader may not read; of the session, what was said before the reader came. */
function faultsOf(
  history: History,
  { paths, reader }: Asking,
  session: Session,
  data: ContextData,
): string[] {
  const faults: string[] = [];
  for (const word of wordsIn(data)) {
    const fact = history.factOf(word);
    if (fact === undefined) faults.push(`${reader} is shown ${word}, which is gone`);
    else if (!mayRead(fact, reader, paths))
      faults.push(`${reader} in ${paths.join()} is shown ${word} (${fact.state})`);
  }
  for (const word of wordsIn(data.session_summary)) {
    const fact = history.factOf(word);
    if (fact === undefined) continue;
    const since = history.since(session, fact.path, reader);
    if (since === null || since > history.saidAt(fact, session))
      faults.push(`${reader} is shown ${word} of ${session} and was not there`);
  }
  return faults;
}

async function hidden(
  history: History,
  readers: readonly Asking[],
  session: Session,
): Promise<string[]> {
  const faults: string[] = [];
  for (const asking of readers) {
    if (history.erased.has(asking.reader)) continue;
    faults.push(...faultsOf(history, asking, session, await read(asking, session)));
  }
  return faults;
}

const pinned = (count: number, most: number): number => (count < 2 ? 0 : Math.min(most, count));

/** How many facts the reader is shown of the session: in the nearest scope where there is something, and it was there. */
function ofSession(history: History, { paths, reader }: Asking, session: Session): number {
  for (const path of paths.toReversed()) {
    const told = history.facts.filter(
      (fact) =>
        fact.path === path && isShared(fact) && fact.said.some((one) => one.session === session),
    );
    const since = history.since(session, path, reader);
    const first = Math.min(...told.map((fact) => history.saidAt(fact, session)));
    if (told.length >= 2 && since !== null && since <= first) return told.length;
  }
  return 0;
}

/** What an answer lacks once all is built, of what there is. */
function lackingOf(
  history: History,
  asking: Asking,
  session: Session,
  data: ContextData,
): string[] {
  const { paths, reader } = asking;
  const faults: string[] = [];
  for (const path of paths) {
    const here = history.facts.filter((fact) => fact.path === path);
    const shared = here.filter(isShared).length;
    // What is for some is on no card, not even on the subject's own.
    const own = here.filter(
      (fact) => fact.audience === null && fact.subject === reader && mayRead(fact, reader, paths),
    );
    const card = data.scope_cards.find((each) => each.path === path);
    const slice = data.peer_profile.find((each) => each.scope_path === path);
    if ((card?.pinned_facts.length ?? 0) !== pinned(shared, 4))
      faults.push(`the card of ${path} for ${reader} has other than ${pinned(shared, 4)} facts`);
    if ((slice?.pinned_facts.length ?? 0) !== pinned(own.length, 4))
      faults.push(`the profile of ${reader} in ${path} is not made of ${own.length}`);
    if ((card?.summary ?? null) === null && shared >= 3)
      faults.push(`the card of ${path} for ${reader} lacks its summary`);
  }
  const told = ofSession(history, asking, session);
  const summary = data.session_summary;
  if ((summary?.pinned_facts.length ?? 0) !== pinned(told, 3))
    faults.push(`${session} for ${reader} in ${paths.join()} is not made of ${told}`);
  if ((summary?.summary ?? null) === null && told >= 3)
    faults.push(`${session} for ${reader} lacks its summary`);
  if (data.fast_fallback && data.knowledge.some((each) => !('candidate_type' in each)))
    faults.push(`${reader} waits for something`);
  return faults;
}

async function lacking(history: History, readers: readonly Asking[]): Promise<string[]> {
  const faults: string[] = [];
  for (const asking of readers) {
    if (history.erased.has(asking.reader)) continue;
    for (const session of SESSIONS) {
      const data = await read(asking, session);
      faults.push(...faultsOf(history, asking, session, data));
      faults.push(...lackingOf(history, asking, session, data));
    }
  }
  return faults;
}

test('no reader is shown what it may not read, and once all is built nobody lacks what there is', async () => {
  const seen = { erasures: 0, sessions: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), async (steps) => {
      const account = await scene.account();
      const history = new History(scene, account);
      const callers: Asking[] = [];
      for (const reader of PEOPLE) {
        callers.push({ reader, paths: PATHS, caller: await account.caller({ peer: reader }) });
        // A grant that was taken back: it reads the inner scope alone.
        const caller = await account.caller({ peer: reader, path: '/poc/inner' });
        callers.push({ reader, paths: ['/poc/inner'], caller });
      }
      for (const [n, each] of steps.entries()) {
        const session = SESSIONS[n % 2] ?? 'standup';
        const look = async () => expect(await hidden(history, callers, session)).toEqual([]);
        await history.take(each, look);
        if (n % 3 === 2 || each.do === 'erase') await look();
      }
      await account.refresh();
      await scene.settle();
      expect(scene.failures).toEqual([]);
      expect(await lacking(history, callers)).toEqual([]);
      const rows = await scene.sql(
        `select coalesce(summary, '') || coalesce(label, '') || entity as text, kind from projections where account_id = $1`,
        [account.id],
      );
      const drift = await createInAccount(scene.pool)(account.id, (stores) =>
        stores.contextCards.drift(),
      );
      expect(drift).toMatchObject({ stale: 0, orphans: 0, pending: 0 });
      const isOfNoFact = (word: string) =>
        [undefined, 'redacted'].includes(history.factOf(word)?.state);
      expect([...wordsIn(rows)].filter(isOfNoFact)).toEqual([]);
      seen.erasures += history.erased.size;
      seen.sessions += rows.filter(({ kind }) => kind === 'session_summary').length;
    }),
    { numRuns: 15, examples: [[EVERY_PART]] },
  );
  // Without any of them the steps would not be what they are called.
  expect(seen.erasures).toBeGreaterThan(0);
  expect(seen.sessions).toBeGreaterThan(0);
}, 300_000);
