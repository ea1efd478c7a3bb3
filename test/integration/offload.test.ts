/** Threads for work on text: real ones, which the test's own modules do not reach into. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTextWork, ON_THE_LOOP } from '../../engine/offload/text-work.ts';
import { createThreads, type Threads } from '../../engine/offload/threads.ts';
import { HANGS_MS } from '../support/patience.ts';

const ACCOUNT = '018f0000-0000-7000-8000-000000000001';
const LONG = 'Ana moved to Porto last month. She likes tea, and green apples. '.repeat(400);
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

let opened: Threads | undefined;
function threads(settings: Parameters<typeof createThreads>[0]): Threads {
  opened = createThreads({ threads: 1, ...settings });
  return opened;
}
afterEach(async () => {
  await opened?.close();
});

describe('work on text in threads', () => {
  test('gives the same results as on the event loop', async () => {
    const text = createTextWork(threads({ taskMs: HANGS_MS }));
    const secret = `${LONG} ${TOKEN} ${LONG}`;
    expect(await text.maskSecrets([secret, LONG])).toEqual(
      await ON_THE_LOOP.maskSecrets([secret, LONG]),
    );
    expect(await text.holdsSecret(secret)).toBe(true);
    expect(await text.holdsSecret(LONG)).toBe(false);
    const messages = [secret, LONG, 'short'].map((content) => ({
      accountId: ACCOUNT,
      content,
      surroundings: null,
    }));
    const [analysed, expected] = [
      await text.analyseMessages(messages),
      await ON_THE_LOOP.analyseMessages(messages),
    ];
    // Numbers of another realm are not of this one's classes.
    expect(JSON.stringify(analysed)).toBe(JSON.stringify(expected));
    expect(await text.embed([LONG, 'tea'])).toEqual(await ON_THE_LOOP.embed([LONG, 'tea']));
    const said = (content: string) => ({
      id: 'm1',
      content,
      role: 'user',
      peerKey: 'ana',
      peerName: 'Ana',
      occurredAt: '2026-03-02T09:30:00.000Z',
      occurredOffsetMinutes: 0,
    });
    const request = { scopePath: '/a', anchor: said(LONG), window: [], participants: [] };
    const candidates = await text.extract(request);
    expect(candidates.length).toBeGreaterThan(0);
    expect(candidates).toEqual(await ON_THE_LOOP.extract(request));
  });

  test('runs at a lower priority than the event loops', async () => {
    const text = createTextWork(threads({ taskMs: HANGS_MS }));
    await text.maskSecrets([LONG]);
    const priorities = readdirSync('/proc/self/task').map((id) => getPriority(Number(id)));
    expect(priorities).toContain(getPriority() + 10);
    expect(priorities.filter((priority) => priority === getPriority()).length).toBeGreaterThan(1);
  });

  test('takes accounts in turns, so that no account waits behind all texts of another', async () => {
    const text = createTextWork(threads({ taskMs: HANGS_MS }));
    const order: string[] = [];
    const done = (accountId: string) =>
      text
        .maskSecrets([LONG], { accountId, signal: new AbortController().signal })
        .then(() => order.push(accountId));
    await Promise.all([...['a', 'a', 'a', 'a'].map(done), done('b')]);
    expect(order).toEqual(['a', 'a', 'b', 'a', 'a']);
  });

  test('does not block the event loop', async () => {
    const text = createTextWork(threads({ taskMs: HANGS_MS }));
    const order: string[] = [];
    const work = text.maskSecrets([LONG]).then(() => order.push('masked'));
    const turn = new Promise(setImmediate).then(() => order.push('another turn'));
    await Promise.all([work, turn]);
    expect(order).toEqual(['another turn', 'masked']);
  });
});

describe('a thread', () => {
  let folder: string;
  const module = async (body: string): Promise<string> => {
    const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
    await writeFile(file, `export async function run({ items }) { ${body} }`);
    return pathToFileURL(file).href;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vouch-threads-'));
    return () => rm(folder, { recursive: true });
  });

  /** Masks by shouting, unless an item is `bad`: then does what `body` does. */
  const shouting = async (body: string, taskMs = HANGS_MS) =>
    createTextWork(
      threads({
        taskMs,
        filename: await module(
          `if (items.some((item) => item.startsWith('bad'))) { ${body} }
           return items.map((item) => item.toUpperCase());`,
        ),
      }),
    );
  const [good, bad] = ['good'.repeat(5_000), 'bad'.repeat(5_000)];

  test('that does not end is terminated, and the next task gets a new one', async () => {
    const text = await shouting('for (;;);', 2_000);
    await expect(text.maskSecrets([bad])).rejects.toMatchObject({
      name: 'OffloadFailure',
      reason: 'timeout',
      message: 'timeout',
    });
    expect(await text.maskSecrets([good])).toEqual([good.toUpperCase()]);
  });

  test('that throws reports nothing of the text', async () => {
    const text = await shouting(`throw new Error('about ' + items.join());`);
    const error: unknown = await text.maskSecrets([bad]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'failed', message: 'failed' });
    expect((error as Error).cause).toBeUndefined();
  });

  test('fails for the one text at fault; the other texts are worked on', async () => {
    const analysis = { passages: [], termIds: [], text: '', coded: '' };
    const text = createTextWork(
      threads({
        taskMs: HANGS_MS,
        filename: await module(
          `if (items.some(({ content }) => content.startsWith('bad'))) throw new Error('no');
           return items.map(() => (${JSON.stringify(analysis)}));`,
        ),
      }),
    );
    const messages = [good, bad, good, good].map((content) => ({
      accountId: ACCOUNT,
      content,
      surroundings: null,
    }));
    expect(await text.analyseMessages(messages)).toEqual([analysis, null, analysis, analysis]);
  });

  test('is terminated when the work is cancelled', async () => {
    const text = await shouting('for (;;);');
    const called = new AbortController();
    const work = text.maskSecrets([bad], { accountId: ACCOUNT, signal: called.signal });
    called.abort(new Error('no longer wanted'));
    await expect(work).rejects.toThrow('no longer wanted');
    expect(await text.maskSecrets([good])).toEqual([good.toUpperCase()]);
  });
});
