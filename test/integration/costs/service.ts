/** A container on a database of its own, whose mailboxes a test drains by itself, one after the other. */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { Mailbox } from '../../../domain/actors/names.ts';
import { execute } from '../../../operations/execute.ts';
import { bootstrap } from '../../../operations/identity/bootstrap.ts';
import { createKey } from '../../../operations/identity/keys.ts';
import { ingestBatch } from '../../../operations/observations/ingest-batch.ts';
import { ingestObservation } from '../../../operations/observations/ingest.ts';
import { readIngestStatus } from '../../../operations/observations/status.ts';
import { readContext } from '../../../operations/retrieval/context.ts';
import { search } from '../../../operations/retrieval/search.ts';
import type { RequestContext } from '../../../operations/operation.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import { buildExtractionPipeline } from '../../../runtime/container/extraction.ts';
import { createContainer, type Container } from '../../../runtime/container/index.ts';
import { createLog } from '../../../engine/logging/logger.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { SHARDS } from '../../../stores/postgres/actors/shards.ts';
import { PASSWORD } from '../../support/account.ts';
import type { TestDatabase } from '../../support/database.ts';
import { serverVariables } from '../../support/environment.ts';
import { HANGS_MS } from '../../support/patience.ts';
import type { Said } from './talk.ts';

export const SCOPE = '/talk';
const BATCH = 50;
const MARKS = 500;

const log = createLog({ level: 'silent', process: 'cli' });
const NOBODY = {
  ring: () => undefined,
  ringNow: async () => true,
} as unknown as Container['actors']['doorbell'];

/** Without Temporal: nobody is rung, and no actor looks. */
export function openService(database: TestDatabase, prefix: string): Promise<Container> {
  const config = loadConfig({
    DATABASE_URL: database.appUrl,
    ...serverVariables(),
    SERVICE_SECRET_KEY: 'a secret key that every process of this test shares',
  });
  return createContainer(config, log, {
    queuePrefix: prefix,
    indexPrefix: prefix,
    patienceMs: HANGS_MS,
  });
}

/** An account with an agent that may write; answers the agent's key. */
export async function prepareAgent(container: Container): Promise<string> {
  await container.prepare();
  const context = container.operatorContext();
  const account = 'home';
  await execute(bootstrap, context, { account, email: 'admin@example.org', password: PASSWORD });
  const made = await execute(createKey, context, {
    account,
    peer: 'agent',
    scope: '/',
    role: 'member',
  });
  return made.api_key;
}

export class Agent {
  readonly #container: Container;
  readonly #caller: Caller;

  constructor(container: Container, caller: Caller) {
    this.#container = container;
    this.#caller = caller;
  }

  static async of(container: Container, key: string): Promise<Agent> {
    const caller = await container.environment.authenticate(key);
    if (caller === null) throw new Error('the key is not known');
    return new Agent(container, caller);
  }

  #context(): RequestContext<Caller> {
    return {
      ...this.#container.environment,
      doorbell: NOBODY,
      sweep: { soon: () => undefined },
      caller: this.#caller,
      traceId: randomBytes(16).toString('hex'),
      now: new Date(),
      signal: new AbortController().signal,
      clientAddress: null,
      idempotency: null,
    };
  }

  async say(said: Said): Promise<string> {
    const answer = await execute(ingestObservation, this.#context(), {
      ...said,
      scope_path: SCOPE,
    });
    return answer.message_id;
  }

  /** All in one request. */
  async sayAll(said: readonly Said[]): Promise<void> {
    const observations = said.map((one) => ({ ...one, scope_path: SCOPE }));
    const { results } = await execute(ingestBatch, this.#context(), { observations });
    const refused = results.filter(({ status }) => status !== 'accepted');
    if (refused.length > 0) throw new Error(`${refused.length} observations were refused`);
  }

  status(messageId: string): Promise<unknown> {
    return execute(readIngestStatus, this.#context(), { message_id: messageId });
  }

  search(query: string): Promise<unknown> {
    return execute(search, this.#context(), { query, scope_path: SCOPE, limit: 12 });
  }

  context(query: string): Promise<unknown> {
    return execute(readContext, this.#context(), { query, scope_path: SCOPE });
  }

  /** Extracts, indexes and projects everything that waits. */
  async drainAll(): Promise<void> {
    for (const shard of await this.#withWork('ingest')) await this.#extract(shard);
    for (const shard of await this.#withWork('projection')) await this.#project(shard);
  }

  async #withWork(kind: Mailbox['kind']): Promise<readonly number[]> {
    const { accountId } = this.#caller;
    const all = Array.from({ length: SHARDS }, (_, shard) => ({ accountId, kind, shard }));
    const found = await new MailboxesStore(this.#container.db, null).withWork(all);
    return found.map(({ shard }) => shard).toSorted((a, b) => a - b);
  }

  async #extract(shard: number): Promise<void> {
    const { db, actors } = this.#container;
    const { accountId } = this.#caller;
    const processor = buildExtractionPipeline(
      { ...this.#container, actors: { ...actors, doorbell: NOBODY } },
      log,
    );
    const mailboxes = new MailboxesStore(db, null);
    const mailbox = { accountId, kind: 'ingest', shard } as const;
    const { epoch } = await mailboxes.openDrain(mailbox);
    for (;;) {
      const anchors = await mailboxes.takeAnchors(mailbox, epoch, BATCH);
      if (anchors.length === 0) break;
      const batch = { accountId, shard, epoch, anchors };
      const { ok } = await processor.process(batch, new AbortController().signal);
      if (ok !== anchors.length) throw new Error(`${ok} of ${anchors.length} anchors completed`);
    }
    await mailboxes.closeDrain(mailbox, epoch);
  }

  async #project(shard: number): Promise<void> {
    const { indexer } = this.#container;
    const { signal } = new AbortController();
    for (;;) {
      const { accountId } = this.#caller;
      const begun = await indexer.beginRefresh({ accountId, shard, limit: MARKS, signal });
      const ended = await begun.trailing?.ended;
      const done = [begun, ended].reduce(
        (sum, counted) => sum + (counted?.written ?? 0) + (counted?.deleted ?? 0),
        0,
      );
      if (done === 0) return;
    }
  }
}
