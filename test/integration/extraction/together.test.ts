/** The drains of an account commit together what they extracted; each keeps its own holds and its own counts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { ExtractionPipelineDeps } from '../../../engine/extraction/pipeline.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { Scene } from '../observations/scene.ts';
import { literalExtractor, pipeline, SHARDS, statements, usePreset } from './scene.ts';

const SESSIONS = 24;

let scene: Scene;
let account: string;
let agent: Caller;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Takes the anchors of every shard that has some. */
async function takeAll() {
  const mailboxes = new MailboxesStore(scene.pool);
  const taken = SHARDS.map(async (shard) => {
    const mailbox = { accountId: account, kind: 'ingest', shard } as const;
    const { epoch } = await mailboxes.openDrain(mailbox);
    return { ...mailbox, epoch, anchors: await mailboxes.takeAnchors(mailbox, epoch, 50) };
  });
  return (await Promise.all(taken)).filter(({ anchors }) => anchors.length > 0);
}

/** Works through all of them at once; the first commit begins when everything is extracted. */
async function workTogether(
  batches: Awaited<ReturnType<typeof takeAll>>,
  before: { readonly firstCommit?: () => Promise<unknown>; readonly fails?: string } = {},
) {
  const expected = batches.flatMap(({ anchors }) => anchors).length;
  const allExtracted = Promise.withResolvers<void>();
  let extracted = 0;
  const commits: number[] = [];
  const around = (parts: ExtractionPipelineDeps): ExtractionPipelineDeps => ({
    ...parts,
    gateway: {
      async extract(...asked) {
        const answer = await parts.gateway.extract(...asked);
        extracted += 1;
        // By then every outcome waits for its commit.
        if (extracted === expected) setImmediate(allExtracted.resolve);
        return answer;
      },
      extractBatch: (...asked) => parts.gateway.extractBatch(...asked),
    },
    store: {
      unshown: (...asked) => parts.store.unshown(...asked),
      async commit(request, decide) {
        await allExtracted.promise;
        if (commits.length === 0) await before.firstCommit?.();
        commits.push(request.holds.length);
        if (request.holds.some(({ messageId }) => messageId === before.fails)) {
          throw new TypeError('a defect');
        }
        await parts.store.commit(request, decide);
      },
    },
  });
  const processor = pipeline(scene, { extract: literalExtractor, around });
  const reports = await Promise.all(
    batches.map((batch) => processor.process(batch, new AbortController().signal)),
  );
  return { commits, reports };
}

async function say(): Promise<void> {
  account = await scene.account();
  agent = await scene.caller(account, { key: 'agent' });
  await usePreset(scene, account, 'unattended');
  for (let n = 0; n < SESSIONS; n += 1) {
    await scene.ingest(agent, {
      session_id: `session-${n}`,
      peer_key: 'alice',
      content: `about=alice Alice likes tea number ${n}.`,
      occurred_at: new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString(),
    });
  }
}

test('many batches need few commits, and each counts its own anchors', async () => {
  await say();
  const batches = await takeAll();
  expect(batches.length).toBeGreaterThan(2);
  const { commits, reports } = await workTogether(batches);
  // The first group was closed before the others had come; those wait for its commit.
  expect(commits.length).toBeLessThanOrEqual(2);
  expect(reports.map(({ ok }) => ok)).toEqual(batches.map(({ anchors }) => anchors.length));
  expect(await statements(scene, account)).toHaveLength(SESSIONS);
});

test('a batch whose anchors another drain took is fenced alone', async () => {
  await say();
  const batches = await takeAll();
  const [overtaken] = batches;
  const { reports } = await workTogether(batches, {
    firstCommit: () =>
      scene.rows(
        'update extraction_anchors set claim_epoch = claim_epoch + 1 where account_id = $1 and shard = $2',
        [account, overtaken?.shard],
      ),
  });
  const lost = overtaken?.anchors.length ?? 0;
  expect(reports[0]).toEqual({ ok: 0, retry: 0, failed: 0, fenced: lost });
  expect(reports.slice(1).map(({ ok }) => ok)).toEqual(
    batches.slice(1).map(({ anchors }) => anchors.length),
  );
  expect(await statements(scene, account)).toHaveLength(SESSIONS - lost);
});

test('an anchor that no commit can take is failed alone, in its own batch', async () => {
  await say();
  const batches = await takeAll();
  const fails = batches[1]?.anchors[0]?.messageId ?? '';
  const { reports } = await workTogether(batches, { fails });
  expect(reports.map(({ ok, retry }) => [ok, retry])).toEqual(
    batches.map(({ anchors }, at) => (at === 1 ? [anchors.length - 1, 1] : [anchors.length, 0])),
  );
});
