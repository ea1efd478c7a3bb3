/** A statement says which embedder made the vector that Qdrant holds of it. Real: Postgres, Qdrant, Meilisearch. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { ModelFailure } from '../../../domain/error-class.ts';
import { NOTHING_USED } from '../../../domain/models/usage.ts';
import {
  modelsOfVersion,
  openSearchScene,
  type AccountScene,
  type SearchScene,
} from '../search/scene.ts';
import { eventually, HANGS_MS } from '../../support/patience.ts';
import { NO_ROLES } from '../../unit/models/fixtures.ts';

let scene: SearchScene;
let account: AccountScene;

beforeAll(async () => {
  scene = await openSearchScene();
});
beforeEach(async () => {
  scene.rebuilt({});
  account = await scene.account();
});
afterAll(() => scene.close());

const SPACE = {
  provider: 'deterministic',
  model: 'built-in',
  version: '1',
  dimensions: 384,
} as const;
const BUILT_IN = {
  embedding_provider: 'deterministic',
  embedding_model: 'built-in',
  embedding_version: '1',
  embedding_dimensions: 384,
};
const NOT_YET = {
  embedding_provider: null,
  embedding_model: null,
  embedding_version: null,
  embedding_dimensions: null,
};

async function row(id: string) {
  const [found] = await scene.sql(
    `select embedding_provider, embedding_model, embedding_version, embedding_dimensions
     from knowledge where account_id = $1 and id = $2`,
    [account.id, id],
  );
  return found;
}
const again = (id: string) =>
  scene.sql(
    `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
     select account_id, 'qdrant', 'statement', id, scope_id, 0 from knowledge where account_id = $1 and id = $2`,
    [account.id, id],
  );

describe('the embedder of a statement', () => {
  test.each([
    ['the extraction waits for Qdrant', (id: string) => account.index(id)],
    ['the projection writes the marks', () => account.refresh()],
  ])('is written when %s, and not before', async (_, write) => {
    const id = await account.statement({ text: 'The red canoe lies at the lake' });
    expect(await row(id)).toEqual(NOT_YET);
    await write(id);
    expect(await row(id)).toEqual(BUILT_IN);
  });

  test('is not written while the statement waits for its vector', async () => {
    scene.rebuilt({
      gateway: { embed: () => Promise.reject(new ModelFailure('provider_upstream_error')) },
    });
    const id = await account.statement({ text: 'The red canoe lies at the lake' });
    await account.index(id);
    expect(await row(id)).toEqual(NOT_YET);
    scene.rebuilt({});
    await account.index(id);
    expect(await row(id)).toEqual(BUILT_IN);
  });

  test('is not named without an embedder, and one that was named stays', async () => {
    const before = await account.statement({ text: 'The red canoe lies at the lake' });
    await account.index(before);
    await scene.rebuilt({ models: { ...NO_ROLES } }).ensureIndexes();
    const after = await account.statement({ text: 'Bread is baked here' });
    await account.index(after);
    await again(before);
    await account.index(before);
    expect([await row(before), await row(after)]).toEqual([BUILT_IN, NOT_YET]);
  });

  test('follows another embedder when the statement is written with it', async () => {
    const id = await account.statement({ text: 'The red canoe lies at the lake' });
    await account.index(id);
    await scene
      .rebuilt({
        models: modelsOfVersion('2'),
        gateway: {
          embed: async (texts) => ({
            vectors: texts.map(() => Array.from({ length: 384 }, () => 0.05)),
            space: { ...SPACE, version: '2' },
            usage: NOTHING_USED,
          }),
        },
      })
      .ensureIndexes();
    await again(id);
    await account.index(id);
    expect(await row(id)).toEqual({ ...BUILT_IN, embedding_version: '2' });
  });

  test('changes nothing else of it: its version, its age and its cards stay as they were', async () => {
    const id = await account.statement({ text: 'The red canoe lies at the lake' });
    const rest = () =>
      scene.sql(
        `select row_version, updated_at, salience,
           (select count(*)::integer from projection_marks m where m.account_id = k.account_id) as marks
         from knowledge k where account_id = $1 and id = $2`,
        [account.id, id],
      );
    const before = await rest();
    await account.index(id);
    expect(await rest()).toEqual(before);
  });
});

test('whoever changes a statement and then its mark does not wait for a writer that waits for the statement', async () => {
  const id = await account.statement({ text: 'The red canoe lies at the lake' });
  const changing = new Client({ connectionString: scene.adminUrl });
  await changing.connect();
  try {
    // In a circle of waiting it would be this one that fails.
    await changing.query("set deadlock_timeout = '1ms'");
    await changing.query('begin');
    await changing.query('select from knowledge where id = $1 for update', [id]);
    const written = account.index(id);
    await eventually(async () => {
      const [waiting] = await scene.sql(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%embedded as materialized%'
           and datname = current_database()`,
      );
      return waiting !== undefined;
    });
    await changing.query(`set lock_timeout = '${HANGS_MS}'`);
    await changing.query(
      "update dirty_marks set generation = nextval('dirty_mark_generations') where unit_id = $1",
      [id],
    );
    await changing.query('commit');
    await written;
  } finally {
    await changing.end();
  }
  await account.refresh();
  expect(await row(id)).toEqual(BUILT_IN);
});
