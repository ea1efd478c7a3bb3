/** One anchor that fails each time: it gets its status, and the anchors beside it are not extracted again. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IdleTransactionTimeoutError, StatementTimeoutError } from 'slonik';
import { loadTagger } from '../../../engine/english/tagger.ts';
import type { ExtractionPipelineDeps } from '../../../engine/extraction/pipeline.ts';
import { Scene } from '../observations/scene.ts';
import { anchorsWith, drain, drainOnce, literalExtractor, pipeline } from './scene.ts';

const POISON = 'I like poison.';
const OTHERS = Array.from({ length: 9 }, (_, n) => `I like number ${n}.`);

let scene: Scene;
let account: string;
let ids: ReadonlyMap<string, string>;

beforeAll(async () => {
  // The time of a call is not that of loading what reads English.
  loadTagger();
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  const agent = await scene.caller(account, { key: 'agent' });
  const contents = [...OTHERS.slice(0, 4), POISON, ...OTHERS.slice(4)];
  const said = new Map<string, string>();
  for (const content of contents) {
    said.set(content, (await scene.ingest(agent, { content })).message_id);
  }
  ids = said;
});

const poison = (): string => ids.get(POISON) ?? '';

async function anchors(): Promise<Record<string, unknown>[]> {
  return scene.rows(
    `select message_id, status, attempt_count, unsettled_attempts, internal_errors, last_error_class, claim_epoch
     from extraction_anchors where account_id = $1 order by message_id`,
    [account],
  );
}

async function expectOnlyPoisonFailed(): Promise<void> {
  for (const anchor of await anchors()) {
    const isPoison = anchor['message_id'] === poison();
    expect(anchor).toMatchObject({
      status: isPoison ? 'failed' : 'completed',
      last_error_class: isPoison ? 'internal_error' : null,
      attempt_count: 1,
      unsettled_attempts: 0,
      claim_epoch: null,
    });
  }
}

/** How often each was asked about, all calls together. */
async function asked(): Promise<number[]> {
  const rows = await scene.rows(
    `select count(*)::integer as n from provider_attempts, unnest(anchor_message_ids) as anchor
     where account_id = $1 group by anchor`,
    [account],
  );
  return rows.map((row) => Number(row['n']));
}

const processor = (around: (parts: ExtractionPipelineDeps) => ExtractionPipelineDeps) =>
  pipeline(scene, { extract: literalExtractor, around });

describe('an anchor that makes its commit fail', () => {
  test.each([
    ['a statement that takes too long (57014)', new StatementTimeoutError(new Error('57014'))],
    [
      'a transaction that idles too long (25P03)',
      new IdleTransactionTimeoutError(new Error('25P03')),
    ],
    ['a row that no index takes (54000)', Object.assign(new Error('too large'), { code: '54000' })],
    ['a defect of ours', new TypeError('a defect')],
  ])('by %s fails alone, and no other anchor is extracted twice', async (_name, error) => {
    const failing = processor((parts) => ({
      ...parts,
      store: {
        unshown: (...asked) => parts.store.unshown(...asked),
        commit: (request, decide) =>
          parts.store.commit(request, (state) => {
            if (state.held.has(poison())) throw error;
            return decide(state);
          }),
      },
    }));
    expect(await drainOnce(scene, account, failing)).toMatchObject({ ok: 9, retry: 1, fenced: 0 });
    await expectOnlyPoisonFailed();
    expect(await asked()).toEqual(Array.from({ length: 10 }, () => 1));
  });

  test('by a defect of the service each time is terminal after ten attempts', async () => {
    const failing = processor((parts) => ({
      ...parts,
      store: {
        unshown: (...asked) => parts.store.unshown(...asked),
        commit: (request, decide) =>
          request.holds.map(({ messageId }) => messageId).includes(poison())
            ? Promise.reject(new TypeError('a defect'))
            : parts.store.commit(request, decide),
      },
    }));
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await scene.rows('update extraction_anchors set available_at = now() where message_id = $1', [
        poison(),
      ]);
      await drainOnce(scene, account, failing);
      const anchor = (await anchors()).find((row) => row['message_id'] === poison());
      expect(anchor).toMatchObject({
        status: attempt < 10 ? 'failed' : 'terminal',
        attempt_count: attempt,
        internal_errors: attempt,
      });
    }
  });
});

test('an anchor that cannot be loaded fails alone, before a call to the model', async () => {
  const failing = processor((parts) => ({
    ...parts,
    anchors: anchorsWith(parts.anchors, {
      load: (accountId, holds) =>
        holds.some(({ messageId }) => messageId === poison())
          ? Promise.reject(new StatementTimeoutError(new Error('57014')))
          : parts.anchors.load(accountId, holds),
    }),
  }));
  expect(await drainOnce(scene, account, failing)).toMatchObject({ ok: 9, retry: 1 });
  await expectOnlyPoisonFailed();
  expect(await asked()).toEqual(Array.from({ length: 9 }, () => 1));
});

test('an anchor whose window cannot be built fails only with the anchors that show it in their windows', async () => {
  const failing = processor((parts) => ({
    ...parts,
    anchors: anchorsWith(parts.anchors, {
      load: async (...given) => {
        const rows = await parts.anchors.load(...given);
        const messages = rows.messages.map((message) =>
          message.id === poison()
            ? Object.defineProperty({ ...message }, 'scope_id', {
                get() {
                  throw new TypeError('a defect');
                },
              })
            : message,
        );
        return { ...rows, messages };
      },
    }),
  }));
  // Its neighbours are read with it in their windows, so that they fail with it where they show it.
  const report = await drainOnce(scene, account, failing);
  expect(report.ok + report.retry).toBe(10);
  expect(report.ok).toBeGreaterThanOrEqual(4);
});

test('an anchor whose indexing throws is completed, and its statement keeps a dirty mark', async () => {
  let broken: string | null = null;
  const failing = processor((parts) => ({
    ...parts,
    indexer: {
      indexStatements: async ({ knowledgeIds }) => {
        broken ??= knowledgeIds[0] ?? null;
        if (broken !== null && knowledgeIds.includes(broken)) throw new TypeError('a defect');
        return 'acknowledged';
      },
    },
  }));
  expect(await drainOnce(scene, account, failing)).toMatchObject({ ok: 10 });
  expect(await scene.count('select from dirty_marks where unit_id = $1', [broken])).toBeGreaterThan(
    0,
  );
});

test('a call that outlasts every limit fails as request_timeout, and is not repeated at once', async () => {
  const hanging = processor((parts) => ({
    ...parts,
    longestCallMs: 50,
    gateway: {
      ...parts.gateway,
      extract: (request, call) =>
        request.anchor.content === POISON
          ? new Promise((_resolve, reject) =>
              call.signal.addEventListener('abort', () => reject(call.signal.reason)),
            )
          : parts.gateway.extract(request, call),
    },
  }));
  expect(await drain(scene, account, hanging)).toMatchObject({ ok: 9, retry: 1 });
  const anchor = (await anchors()).find((row) => row['message_id'] === poison());
  expect(anchor).toMatchObject({
    status: 'failed',
    last_error_class: 'request_timeout',
    attempt_count: 1,
  });
});
