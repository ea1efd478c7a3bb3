/**
 * What SQL says of random graphs of statements, messages and readers is what plain words say of them: which things a
 * reader may see, what they were made from, in which order, and of what is hidden only that it is there.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { visibleInLineage, type Reader } from '../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { keyOf, walkLineage, type LineageFacts } from '../../../domain/lineage/lineage.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';
import { SEED, sized } from '../../support/run.ts';
import { mayRead } from '../governance/laws.ts';
import { createAccountScene, type AccountScene } from '../search/account.ts';

const RUNS = sized({ short: 12, long: 200 });
const STATEMENTS = 10;
const MESSAGES = 6;
const BEGUN = '2026-01-01T00:00:00.000Z';
const CHANGED = '2026-02-01T00:00:00.000Z';
const NOW = '2026-03-01T00:00:00.000Z';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const PEOPLE = ['anna', 'bruno', 'carol'] as const;
const PATHS = ['/', '/poc', '/poc', '/elsewhere'] as const;
const person = fc.constantFrom(...PEOPLE);
const nth = fc.nat({ max: STATEMENTS - 1 });

const statement = fc.record({
  state: fc.oneof(
    fc.constantFrom('active', 'active', 'superseded', 'provisional'),
    fc.constantFrom(...KNOWLEDGE_STATES),
  ),
  wasActive: fc.boolean(),
  sensitivity: fc.constantFrom('public', 'internal', 'personal', 'restricted'),
  path: fc.constantFrom(...PATHS),
  subject: person,
  submitters: fc.uniqueArray(person, { minLength: 1, maxLength: 2 }),
  expires: fc.constantFrom(
    null,
    null,
    null,
    '2026-02-15T00:00:00.000Z',
    '2099-01-01T00:00:00.000Z',
  ),
  /** Cycles are possible: rows may hold anything. */
  replaces: fc.option(nth, { freq: 3 }),
  mergedInto: fc.option(nth, { freq: 2 }),
  messages: fc.uniqueArray(fc.nat({ max: MESSAGES - 1 }), { maxLength: 4 }),
});
const message = fc.record({ speaker: person, path: fc.constantFrom(...PATHS) });
const graph = fc.record({
  statements: fc.array(statement, { minLength: STATEMENTS, maxLength: STATEMENTS }),
  messages: fc.array(message, { minLength: MESSAGES, maxLength: MESSAGES }),
  fanOut: fc.integer({ min: 1, max: 6 }),
});
type Graph = typeof graph extends fc.Arbitrary<infer One> ? One : never;

interface Ids {
  readonly statements: readonly string[];
  readonly messages: readonly string[];
}

async function write(account: AccountScene, { messages, statements }: Graph): Promise<Ids> {
  const { rows } = database;
  const messageIds: string[] = [];
  for (const { path, speaker } of messages) {
    messageIds.push(await account.message({ speaker, path, text: 'Something was said.' }));
  }
  const ids: string[] = [];
  for (const { expires, state, wasActive, ...values } of statements) {
    const periods = [
      { from: BEGUN, until: CHANGED, state: wasActive ? 'active' : state },
      { from: CHANGED, until: null, state },
    ];
    const input = { ...values, text: 'Something is so.', state, expiresAt: expires, periods };
    ids.push(await account.statement({ ...input, recordedAt: BEGUN }));
  }
  for (const [at, { mergedInto, messages: sources, replaces }] of statements.entries()) {
    const of = (other: number | null) => (other === null ? null : ids[other]);
    await rows(
      `update knowledge set replaces_id = $3, merged_into_id = $4, source_count = $5
       where account_id = $1 and id = $2`,
      [account.id, ids[at], of(replaces), of(mergedInto), sources.length],
    );
    await rows(
      `insert into provenance (account_id, knowledge_id, message_id, speaker_peer_id, source_key)
       select account_id, $2, id, speaker_peer_id, gen_random_uuid() from messages
       where account_id = $1 and id = any($3)`,
      [account.id, ids[at], sources.map((source) => messageIds[source])],
    );
  }
  return { statements: ids, messages: messageIds };
}

/** Who may know of a statement, and in which states it is shown, as decisions 5 and 19 say it. */
function visibilityOf(one: Graph['statements'][number], reader: string | null) {
  if (one.state === 'retracted') return 'missing';
  const isSubmitter = reader !== null && (one.submitters as string[]).includes(reader);
  const asActive = {
    state: 'active',
    sensitivity: one.sensitivity,
    target_level: 'peer',
    subject_peer_id: one.subject,
    submitters: one.submitters,
  };
  const wasPlaced = one.wasActive || ['active', 'needs_revalidation', 'stale'].includes(one.state);
  const mayKnow = isSubmitter || (wasPlaced && mayRead(asActive, reader));
  if (one.path === '/elsewhere' || !mayKnow) return 'authorization_hidden';
  const isOpen =
    ['active', 'needs_revalidation', 'stale'].includes(one.state) ||
    (one.state === 'provisional' && isSubmitter);
  const isExpired = one.expires !== null && one.expires <= NOW;
  return one.state === 'superseded' || (isOpen && !isExpired) ? 'visible' : 'lifecycle_hidden';
}

function factsOf(graphOf: Graph, ids: Ids, at: number, reader: string | null): LineageFacts | null {
  const { fanOut, messages, statements } = graphOf;
  const own = statements[at];
  if (own === undefined || visibilityOf(own, reader) !== 'visible') return null;
  const statementAt = (index: number) => {
    const other = statements[index] ?? own;
    const id = ids.statements[index] ?? '';
    return { type: 'knowledge' as const, id, visibility: visibilityOf(other, reader) } as const;
  };
  const merged = statements.flatMap(({ mergedInto }, index) => (mergedInto === at ? [index] : []));
  const said = own.messages
    .toSorted((a, b) => a - b)
    .map((index) => {
      const { path, speaker } = messages[index] ?? { path: '/elsewhere', speaker: '' };
      const wasThere = path !== '/elsewhere' && speaker === reader;
      const visibility = wasThere ? ('visible' as const) : ('authorization_hidden' as const);
      return { type: 'message' as const, id: ids.messages[index] ?? '', visibility };
    });
  // Ids are in the order in which they were made.
  const replaced = own.replaces === null ? [] : [statementAt(own.replaces)];
  const all = [...replaced, ...merged.map(statementAt), ...said];
  return {
    derivationLevel: 1,
    operation: replaced.length > 0 ? 'edited' : merged.length > 0 ? 'merged' : 'extracted',
    references: all.slice(0, fanOut),
    further: Math.max(0, all.length - fanOut),
  };
}

test(`of ${RUNS} random graphs (seed ${SEED}) each reader is told what plain words say, and of hidden things no id`, async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(graph, async (drawn) => {
      const account = await createAccountScene(database.rows, database.pool, () => {
        throw new Error('no index takes part');
      });
      const ids = await write(account, drawn);
      const scopeIds = [await account.scope('/'), await account.scope('/poc')];
      for (const key of [...PEOPLE, null]) {
        const reader: Reader =
          key === null
            ? { posture: 'public_only' }
            : { posture: 'peer', peerId: await account.peer(key) };
        const visibility = visibleInLineage({ scopeIds, reader, at: NOW });
        const read = { scopeIds, reader, visibility };
        const targets = ids.statements.map((id) => ({ type: 'knowledge', id }) as const);
        const facts = await createInAccount(database.pool)(account.id, ({ lineage }) =>
          lineage.facts(targets, drawn.fanOut, read),
        );
        const expected = targets.flatMap((target, at) => {
          const own = factsOf(drawn, ids, at, key);
          return own === null ? [] : [[keyOf(target), own] as const];
        });
        expect([key, Object.fromEntries(facts)]).toEqual([key, Object.fromEntries(expected)]);
        for (const { references } of facts.values()) {
          for (const one of references) met.add(`${one.type} ${one.visibility}`);
        }
        const budget = { maxDepth: 8, maxFanOut: drawn.fanOut, maxNodes: 40 };
        for (const target of targets) {
          const lineage = await createInAccount(database.pool)(account.id, ({ lineage: store }) =>
            walkLineage(target, budget, (some, most) => store.facts(some, most, read)),
          );
          const hidden = (lineage?.nodes ?? []).flatMap((node) =>
            node.references.filter((one) => (one.id === null) !== (one.visibility !== 'visible')),
          );
          expect([lineage === null, hidden]).toEqual([!facts.has(keyOf(target)), []]);
          if ((lineage?.terminations.cycle ?? 0) > 0) met.add('cycle');
        }
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect([...met].toSorted()).toEqual([
    'cycle',
    'knowledge authorization_hidden',
    'knowledge lifecycle_hidden',
    'knowledge missing',
    'knowledge visible',
    'message authorization_hidden',
    'message visible',
  ]);
}, 300_000);
