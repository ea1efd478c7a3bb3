/** Fills a service with statements in a hundred scopes, by SQL, and has the product write them to its indexes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { vouch } from '../../command-line.ts';
import { copyStatements } from '../load/copies.ts';
import { sendObservations } from '../load/http-load.ts';
import { untilDone, untilNothingIsMarked } from '../load/searchable.ts';
import type { LoadedStack } from '../load/stack.ts';
import { timed } from '../timing.ts';
import type { Corpus } from './corpus.ts';

export const SCOPES = 100;
const REBUILD_WITHIN_MS = 3 * 60 * 60_000;

/** Path of the scope with this number. */
export const scopeOf = (number: number): string => `/bench/place-${number}`;

/** What somebody said first in a scope; the copies are made from it. */
async function begin(stack: LoadedStack, number: number, content: string): Promise<void> {
  const path = scopeOf(number);
  const said = { scope_path: path, session_id: path, peer_key: `keeper-${number}`, content };
  await sendObservations(stack, () => said, { clients: 1, amount: 1 });
}

export interface Filled {
  /** Messages and statements that were written to the indexes. */
  readonly units: number;
  /** Of the rebuild. */
  readonly seconds: number;
}

const collections = z.object({
  result: z.object({ collections: z.array(z.object({ name: z.string() })) }),
});
const collection = z.object({ result: z.object({ status: z.string() }) });

/** Waits until Qdrant has built the graphs of what it took, which takes processor time from searches. */
async function untilQdrantRests({ qdrant }: LoadedStack): Promise<void> {
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`${qdrant.url}${path}`, { headers: { 'api-key': qdrant.apiKey } })).json();
  const names = collections.parse(await ask('/collections')).result.collections;
  const giveUpAt = performance.now() + REBUILD_WITHIN_MS;
  for (const { name } of names) {
    while (collection.parse(await ask(`/collections/${name}`)).result.status !== 'green') {
      if (performance.now() > giveUpAt) throw new Error('Qdrant does not come to rest');
      await sleep(1_000);
    }
  }
}

const rebuilt = z.object({ units: z.int() });

/** Adds copies to what was said first in each scope, and rebuilds the indexes. `settings` are those of the service. */
export async function fill(
  stack: LoadedStack,
  corpus: Corpus,
  statements: number,
  settings: Readonly<Record<string, string>>,
): Promise<Filled> {
  const { admin } = stack;
  const each = Math.ceil(statements / SCOPES);
  for (let number = 0; number < SCOPES; number += 1) {
    await begin(stack, number, corpus.texts(number, 1)[0] ?? '');
  }
  for (let number = 0; number < SCOPES; number += 1) await untilDone(admin, scopeOf(number), 1);
  await untilNothingIsMarked(admin);
  for (let number = 0; number < SCOPES; number += 1) {
    const texts = corpus.texts(number, each).slice(1);
    if (texts.length > 0) {
      await copyStatements(admin, scopeOf(number), texts.length, { texts, isMarked: false });
    }
  }
  await admin.query('vacuum analyze');
  const { ms, value } = await timed(async () => {
    const done = await vouch(stack, ['index', 'rebuild'], settings, REBUILD_WITHIN_MS);
    // Units that an index did not take in time stay marked, and the worker writes them.
    await untilNothingIsMarked(admin, REBUILD_WITHIN_MS);
    return done;
  });
  const { units } = rebuilt.parse(value.value);
  await admin.query('vacuum analyze');
  await untilQdrantRests(stack);
  return { units, seconds: ms / 1000 };
}
