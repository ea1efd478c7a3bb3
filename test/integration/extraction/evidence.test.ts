/** What is counted of the sources of statements is what the sources say, and a merge costs the same however many there are. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { ChainReader } from '../../../domain/governance/visibility.ts';
import type { Statement } from '../../../domain/statements/statement.ts';
import type { BatchProcessor } from '../../../engine/extraction/pipeline.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { changingLives, greetings, shuffled } from '../../support/changing-lives.ts';
import { documentsOf } from '../documents/scene.ts';
import { SEED, sized } from '../../support/run.ts';
import { Scene } from '../observations/scene.ts';
import { drain, literalExtractor, pipeline, usePreset } from './scene.ts';

const TURNS = sized({ short: 60, long: 120 });

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** All that is counted of the sources of an account's statements. */
async function counted(account: string): Promise<Record<string, unknown>[][]> {
  const tables = [
    `select id, source_count, submitter_count, corroboration_count, first_attester_id, first_said_at,
       encode(first_said_hash, 'hex') as first_said_hash
     from knowledge where account_id = $1 order by id`,
    `select knowledge_id, peer_id, document_id, source_count, last_said_at,
       encode(last_said_hash, 'hex') as last_said_hash, last_version
     from knowledge_attesters where account_id = $1 order by knowledge_id, attester_id`,
    'select * from knowledge_submitters where account_id = $1 order by knowledge_id, peer_id',
    'select * from knowledge_source_scopes where account_id = $1 order by knowledge_id, scope_id',
  ];
  const found = [];
  for (const table of tables) found.push(await scene.rows(table, [account]));
  return found;
}

async function expectCountsToHold(account: string): Promise<void> {
  const before = await counted(account);
  await scene.admin.query(
    'select recount_evidence($1, array(select id from knowledge where account_id = $1))',
    [account],
  );
  expect(before).toEqual(await counted(account));
}

async function newAccount(): Promise<{ account: string; agent: Caller }> {
  const account = await scene.account();
  return { account, agent: await scene.caller(account, { key: 'agent' }) };
}

describe('counted columns equal a recount', () => {
  test.each([
    ['strict', 3],
    ['assisted', 5],
    ['unattended', 7],
  ] as const)('under %s, after a conversation that is partly sent twice', async (preset, nth) => {
    const { account, agent } = await newAccount();
    const other = await scene.caller(account, { key: 'other-agent' });
    await usePreset(scene, account, preset);
    const seed = SEED + nth;
    const turns = changingLives(seed, TURNS);
    const told = [...greetings(), ...turns, ...shuffled(turns, seed).slice(0, TURNS / 3)];
    for (const [n, turn] of told.entries()) {
      const scope = n % 5 === 0 ? { scope_path: '/team/below' } : {};
      await scene.ingest(n % 3 === 0 ? other : agent, { ...turn, ...scope });
      if (n % 30 === 29) await drain(scene, account);
    }
    await drain(scene, account);
    const [rows = []] = await counted(account);
    expect(rows.filter((row) => Number(row['source_count']) > 1).length).toBeGreaterThan(5);
    await expectCountsToHold(account);
  });

  test('after versions of documents, what people say beside them, and a withdrawal', async () => {
    const { account, agent } = await newAccount();
    await usePreset(scene, account, 'unattended');
    await scene.ingest(agent, { peer_key: 'ada', peer_name: 'Ada', content: 'Hello.' });
    const documents = documentsOf(scene, agent);
    const processor = pipeline(scene, {
      extract: (request) =>
        literalExtractor({ ...request }).map((each) => ({ ...each, subjectRef: 'ada' })),
    });
    const read = async (text: string, name: string): Promise<void> => {
      const submitted = await documents.submitted(text, name);
      submitted.keep();
      const reader = documents.reader();
      await reader.parse(submitted.run, new AbortController().signal);
      await drain(scene, account, processor);
      await reader.settle(submitted.run);
    };
    await read('Ada likes tea.\nAda plays chess.', 'a');
    await read('Ada likes tea.\nAda likes tea.', 'b');
    await scene.ingest(agent, { peer_key: 'ada', content: 'Ada plays chess.' });
    await read('Ada likes tea.\nAda keeps bees.', 'a');
    await read('Ada keeps bees.', 'b');
    const rows = await scene.rows(
      `select statement, source_count, corroboration_count from knowledge
       where account_id = $1 order by statement`,
      [account],
    );
    expect(rows).toMatchObject([
      { statement: 'Ada keeps bees.', source_count: 2, corroboration_count: 2 },
      { statement: 'Ada likes tea.', source_count: 4, corroboration_count: 1 },
      { statement: 'Ada plays chess.', source_count: 2, corroboration_count: 1 },
      { statement: 'Hello.' },
    ]);
    await expectCountsToHold(account);
  });
});

/** A pipeline that tells how much of the sources of known statements each commit was given. */
function watched(): { readonly processor: BatchProcessor; readonly seen: number[] } {
  const seen: number[] = [];
  const sizeOf = ({ attestation }: Statement): number =>
    attestation.lastSaid.size +
    attestation.submitters.size +
    attestation.scopeIds.size +
    attestation.identities.size +
    attestation.added.length;
  const processor = pipeline(scene, {
    extract: literalExtractor,
    around: (parts) => ({
      ...parts,
      store: {
        unshown: (...asked) => parts.store.unshown(...asked),
        commit: (request, decide) =>
          parts.store.commit(request, (state) => {
            seen.push(state.statements.reduce((sum, statement) => sum + sizeOf(statement), 0));
            return decide(state);
          }),
      },
    }),
  });
  return { processor, seen };
}

test('the migration counts the statements and sources that existed before the counted columns', async () => {
  const { account, agent } = await newAccount();
  for (const peer_key of ['ada', 'ada', 'bo']) {
    await scene.ingest(agent, { peer_key, content: `about=${peer_key} Tea is fine.` });
  }
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
  const before = await counted(account);
  await scene.admin.query(`
    delete from knowledge_attesters; delete from knowledge_source_scopes;
    update knowledge set source_count = 0, submitter_count = 0, first_attester_id = null, first_said_at = null,
      first_said_hash = null`);
  const file = new URL(
    '../../../stores/postgres/migrations/0020_counted_evidence.sql',
    import.meta.url,
  );
  const [, begin = ''] = (await readFile(file, 'utf8')).split('-- What was there before');
  const [backfill = ''] = begin.split('-- As before, in a form');
  // Marks of context cards came with a later migration, which every change of statements adds to.
  await scene.admin.query(`begin; set local role vouch_owner;
    alter table projection_marks no force row level security; --${backfill}
    alter table projection_marks force row level security; commit`);
  expect(await counted(account)).toEqual(before);
  expect(
    await scene.rows(
      `select relname from pg_class where relrowsecurity and not relforcerowsecurity
         and relnamespace = 'public'::regnamespace`,
      [],
    ),
  ).toEqual([]);
});

describe('the same sentence, said again and again', () => {
  const TIMES = 150;

  test('by one person adds only its sources, and a commit loads as few rows as before', async () => {
    const { account, agent } = await newAccount();
    const { processor, seen } = watched();
    const say = async (n: number): Promise<void> => {
      const occurred_at = new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString();
      await scene.ingest(agent, { peer_key: 'ada', content: 'Ada likes tea.', occurred_at });
    };
    const trail = async () => {
      const counts = [];
      for (const table of [
        'belief_periods',
        'lifecycle_events',
        'gate_decisions',
        'review_items',
      ]) {
        counts.push(await scene.count(`select from ${table} where account_id = $1`, [account]));
      }
      const row = await scene.rows(
        `select row_version, updated_at, corroboration_count, submitter_count from knowledge
         where account_id = $1`,
        [account],
      );
      const marks = await scene.count(
        "select from dirty_marks where account_id = $1 and unit = 'statement'",
        [account],
      );
      return { row, counts, marks };
    };
    await say(0);
    await drain(scene, account, processor);
    await say(1);
    await drain(scene, account, processor);
    const before = await trail();
    for (let n = 2; n < TIMES; n += 1) await say(n);
    await drain(scene, account, processor);
    await say(TIMES);
    seen.length = 0;
    await drain(scene, account, processor);
    expect(await trail()).toEqual(before);
    // Ada's last saying, she and her agent, and the scope: as for the second saying.
    expect(seen).toEqual([4]);
    expect(
      await scene.rows('select source_count from knowledge where account_id = $1', [account]),
    ).toEqual([{ source_count: TIMES + 1 }]);
    await expectCountsToHold(account);
  });

  test('by many people loads only the current speakers, and a re-send is told from a new message', async () => {
    const { account, agent } = await newAccount();
    const { processor, seen } = watched();
    await scene.ingest(agent, { peer_key: 'ada', peer_name: 'Ada', content: 'Hello.' });
    const body = { content: 'about=ada Ada likes tea.', occurred_at: '2024-01-02T00:00:00Z' };
    for (let n = 0; n < 100; n += 1) await scene.ingest(agent, { ...body, peer_key: `p${n}` });
    await drain(scene, account, processor);
    seen.length = 0;
    // The same message of the fifth, and a new one of another peer.
    await scene.ingest(agent, { ...body, peer_key: 'p5' });
    await scene.ingest(agent, { ...body, peer_key: 'p200' });
    await drain(scene, account, processor);
    expect(Math.max(...seen)).toBeLessThan(12);
    expect(
      await scene.rows(
        `select corroboration_count, submitter_count, source_count from knowledge
         where account_id = $1 and statement = 'Ada likes tea.'`,
        [account],
      ),
    ).toEqual([{ corroboration_count: 101, submitter_count: 102, source_count: 102 }]);
    await expectCountsToHold(account);
  });
});

test('an answer lists the hundred earliest sources that the reader may read, and counts all', async () => {
  const { account, agent } = await newAccount();
  const say = async (peer_key: string, n: number): Promise<string> => {
    const occurred_at = new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString();
    const session_id = `s-${peer_key}`;
    const { message_id } = await scene.ingest(agent, {
      session_id,
      peer_key,
      occurred_at,
      content: 'about=ada Ada likes tea.',
    });
    return message_id;
  };
  await scene.ingest(agent, { session_id: 's-bo', peer_key: 'ada', content: 'Hello.' });
  const ids: string[] = [];
  for (let n = 0; n < 320; n += 1) ids.push(await say('ada', n));
  // Received last, beyond what is looked at, and told of an earlier day than the last of the others.
  const own = await say('bo', 300);
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));

  const peer = async (key: string): Promise<string> => {
    const [row] = await scene.rows('select id from peers where account_id = $1 and key = $2', [
      account,
      key,
    ]);
    return String(row?.['id']);
  };
  const scopes = await scene.rows('select id from scopes where account_id = $1', [account]);
  const scopeIds = scopes.map(({ id }) => String(id));
  const listed = async (reader: ChainReader) => {
    const rows = await createInAccount(scene.pool)(account, (stores) =>
      stores.knowledge.read({
        selection: { by: 'source', messageId: own },
        visible: { all: [] },
        reader: { reader, scopeIds },
      }),
    );
    return rows.map((row) => ({ ids: row.source_message_ids, count: row.source_count }));
  };
  const count = 321;
  expect(await listed({ posture: 'internal' })).toEqual([{ ids: ids.slice(0, 100), count }]);
  expect(await listed({ posture: 'peer', peerId: await peer('ada') })).toEqual([
    { ids: ids.slice(0, 100), count },
  ]);
  expect(await listed({ posture: 'peer', peerId: await peer('bo') })).toEqual([
    { ids: [own], count },
  ]);
  expect(await listed({ posture: 'public_only' })).toEqual([{ ids: [], count }]);
});
