/** What was refused is not said again in other words: on real Postgres and Qdrant, with an embedder that knows three verbs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DatabasePool } from 'slonik';
import type { Candidate, ExtractionRequest } from '../../../domain/statements/candidate.ts';
import type { GatePreset } from '../../../domain/governance/presets.ts';
import { COUNTED_COLUMNS, WRITTEN_COLUMNS } from '../../../domain/statements/columns.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import type { RetrievalDependencies } from '../../../runtime/container/retrieval-dependencies.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import { Scene } from '../observations/scene.ts';
import { openSearchScene, type SearchScene } from '../search/scene.ts';
import { embeddingWorker } from './embedding-worker.ts';
import { candidate, drain, literalExtractor, pipeline, usePreset } from './scene.ts';

let scene: Scene;
let indexes: SearchScene;
let secondPool: DatabasePool;
beforeAll(async () => {
  scene = await Scene.open();
  indexes = await openSearchScene();
  secondPool = await openPool(scene.database.appUrl, { maxPoolSize: 10 });
});
afterAll(async () => {
  await secondPool.end();
  await indexes.close();
  await scene.close();
});

const AWAY: Partial<RetrievalDependencies> = {
  gateway: { embed: () => Promise.reject(new ModelFailure('transport_error')) },
};
type Extract = (request: ExtractionRequest) => readonly Candidate[];

/** An account where ada speaks. Each text is worked off by another process, which remembers no vectors. */
async function home(preset: GatePreset, extract: Extract = literalExtractor) {
  const account = await scene.account();
  await usePreset(scene, account, preset);
  const agent = await scene.caller(account, { key: 'agent' });
  let minutes = 0;
  const ingest = (content: string) => {
    minutes += 1;
    const occurred_at = new Date(Date.UTC(2024, 0, 1) + minutes * 60_000).toISOString();
    const common = { session_id: 's', scope_path: '/team', peer_key: 'ada', occurred_at };
    return scene.ingest(agent, { ...common, content });
  };
  /** Records what is refused later: refused statements are in no index. */
  const record = async (content: string) => {
    await ingest(content);
    await drain(scene, account, pipeline(scene, { extract }));
  };
  const say = async (content: string, replaced: Partial<RetrievalDependencies> = {}) => {
    await ingest(content);
    const worker = embeddingWorker(scene, indexes, secondPool, replaced, extract);
    await drain(scene, account, worker.processor);
    return worker;
  };
  const refuse = (state: string) =>
    scene.admin.query(
      `update knowledge set state = $2, state_before_contest = $3 where account_id = $1`,
      [account, state, state === 'contested' ? 'active' : null],
    );
  const rows = () =>
    scene.rows(
      `select statement, state, previously_refused as refused from knowledge
       where account_id = $1 order by recorded_at`,
      [account],
    );
  return { account, record, refuse, rows, say };
}

const PRESETS = ['strict', 'assisted', 'unattended'] as const;
const STATES = ['redacted', 'rejected', 'contested'] as const;

describe.each(PRESETS)('under %s, a wording alike', (preset) => {
  test.each(STATES)('what was %s is held', async (state) => {
    const { record, refuse, rows, say } = await home(preset);
    await record('ada likes tea');
    await refuse(state);
    const { embedded } = await say('ada enjoys tea');
    expect(await rows()).toEqual([
      { statement: 'ada likes tea', state, refused: false },
      { statement: 'ada enjoys tea', state: 'held', refused: true },
    ]);
    // The refused text is in no index: its vector was made for this commit.
    expect(embedded.toSorted()).toEqual(['ada enjoys tea', 'ada likes tea']);
  });
});

describe('a wording alike what was refused', () => {
  test('is held beside an open statement of its own words, which stays as it is', async () => {
    const { account, record, rows, say } = await home('unattended');
    for (const text of ['ada likes tea', 'ada enjoys tea']) await record(text);
    await scene.admin.query(
      `update knowledge set state = 'redacted' where account_id = $1 and statement = 'ada likes tea'`,
      [account],
    );
    await say('ada enjoys tea');
    expect(await rows()).toEqual([
      { statement: 'ada likes tea', state: 'redacted', refused: false },
      { statement: 'ada enjoys tea', state: 'active', refused: false },
      { statement: 'ada enjoys tea', state: 'held', refused: true },
    ]);
  });

  test('joins what is held already when it is said again', async () => {
    const { record, refuse, rows, say } = await home('unattended');
    await record('ada likes tea');
    await refuse('redacted');
    for (const text of ['ada enjoys tea', 'ada enjoys tea']) await say(text);
    expect(await rows()).toHaveLength(2);
  });

  test('about a scope is held as well', async () => {
    const aboutScope: Extract = (request) => [
      candidate(request, {
        statement: request.anchor.content,
        subjectType: 'scope',
        subjectRef: request.scopePath,
        targetLevel: 'scope',
      }),
    ];
    const { record, refuse, rows, say } = await home('unattended', aboutScope);
    await record('the team likes tea');
    await refuse('rejected');
    await say('the team enjoys tea');
    expect((await rows()).slice(1)).toEqual([
      { statement: 'the team enjoys tea', state: 'held', refused: true },
    ]);
  });

  test('is held while the embedder is away, if it has most of the words', async () => {
    const { record, refuse, rows, say } = await home('unattended');
    await record('ada likes green tea');
    await refuse('redacted');
    await say('ada likes some green tea', AWAY);
    await say('ada likes tea that is green', AWAY);
    await say('ada walks the dog', AWAY);
    expect((await rows()).slice(1)).toEqual([
      { statement: 'ada likes some green tea', state: 'active', refused: false },
      { statement: 'ada likes tea that is green', state: 'held', refused: true },
      { statement: 'ada walks the dog', state: 'active', refused: false },
    ]);
  });
});

const COLUMNS = ['account_id', ...WRITTEN_COLUMNS, ...COUNTED_COLUMNS].join(', ');

describe('of ten thousand refused statements of one subject', () => {
  test('the latest are compared, few of them by vectors, and the same words are always recognised', async () => {
    const { account, record, refuse, rows, say } = await home('unattended');
    await record('ada likes tea');
    await refuse('redacted');
    await scene.admin.query(
      `insert into knowledge (${COLUMNS})
       select ${COLUMNS} from (select (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid(), 'state', 'rejected',
         'statement', 'ada likes thing' || translate(n::text, '0123456789', 'abcdefghij'),
         'statement_hash', '\\x' || encode(sha256(n::text::bytea), 'hex'),
         'recorded_at', k.recorded_at - n * interval '1 second'))).*
       from knowledge k, generate_series(1, 10000) n where k.account_id = $1) of`,
      [account],
    );
    const alike = await say('ada enjoys tea');
    expect(alike.embedded.length).toBeLessThanOrEqual(1 + 128);
    expect(alike.embedded).toContain('ada likes tea');
    await scene.admin.query(
      `update knowledge set recorded_at = recorded_at - interval '1 year'
       where account_id = $1 and statement = 'ada likes tea'`,
      [account],
    );
    await say('ada likes tea');
    expect((await rows()).filter(({ state }) => state === 'held')).toEqual([
      { statement: 'ada enjoys tea', state: 'held', refused: true },
      { statement: 'ada likes tea', state: 'held', refused: true },
    ]);
  });
});
