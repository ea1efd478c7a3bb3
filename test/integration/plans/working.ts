/** From an observation to its statements and to the indexes: ingest, drains, projection. */
import { ReconcileStore } from '../../../stores/postgres/reconcile/reconcile.store.ts';
import { ProviderAttemptsStore } from '../../../stores/postgres/models/provider-attempts.store.ts';
import { TokenSharesStore } from '../../../stores/postgres/models/token-shares.store.ts';
import { call, ended } from '../token-limits/scene.ts';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { visibleByDefault } from '../../../domain/governance/visibility.ts';
import { AnchorsStore } from '../../../stores/postgres/observations/anchors.store.ts';
import { CircuitsStore } from '../../../stores/postgres/models/circuits.store.ts';
import { KnowledgeCommitStore } from '../../../stores/postgres/knowledge/commit.store.ts';
import { comparedStatements } from '../../../stores/postgres/knowledge/compared.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { VectorSpacesStore } from '../../../stores/postgres/indexes/vector-spaces.store.ts';
import { drainOnce, literalExtractor, pipeline } from '../extraction/scene.ts';
import { PEERS, seedId } from './seed.ts';
import {
  ACCOUNT,
  HOT,
  NOW,
  READERS,
  everywhere,
  inLarge,
  someIds,
  type Scenario,
} from './stage.ts';

const observations: Scenario[] = [
  {
    name: 'an observation, its replay, and one in a new session, scope and peer',
    async run({ scene, called }) {
      called.called.add('observations/observations.store#recordObservations');
      const relay = await scene.caller(ACCOUNT, { key: `relay-${randomBytes(4).toString('hex')}` });
      const body = { session_id: 'session-0', scope_path: '/hot', content: 'I like tea.' };
      const once = { idempotencyKey: 'once' };
      await scene.ingest(relay, { ...body, peer_key: 'person-5@seed.example' }, once);
      await scene.ingest(relay, { ...body, peer_key: 'person-5@seed.example' }, once);
      const fresh = { session_id: randomBytes(4).toString('hex'), scope_path: '/wide/9/new/deep' };
      await scene.ingest(relay, { ...body, ...fresh, peer_key: randomBytes(4).toString('hex') });
    },
  },
  ...Object.entries(READERS).map(([who, reader]): Scenario => ({
    name: `the status of an observation for a reader ${who}`,
    run: (stage) =>
      inLarge(stage, async (stores) => {
        const messageId = seedId('message', 999);
        await stores.messages.status(messageId, everywhere(reader));
        await stores.messages.settled(someIds('message', stage, 100));
        const visible = visibleByDefault({ scopeIds: HOT, reader, at: NOW });
        await stores.knowledge.read({
          selection: { by: 'source', messageId },
          visible,
          reader: everywhere(reader),
        });
      }),
  })),
];

const extraction: Scenario[] = [
  {
    name: 'a drain of every mailbox: holds, windows, calls, commits, completion',
    async run({ scene, called }) {
      for (const name of [
        'observations/anchors.store#load',
        'observations/anchors.store#complete',
        'knowledge/commit.store#carryOut',
        'knowledge/commit.store#commit',
        'models/provider-attempts.store#reserve',
        'models/provider-attempts.store#dispatched',
        'models/provider-attempts.store#finish',
        'actors/mailboxes.store#openDrain',
        'actors/mailboxes.store#takeAnchors',
        'actors/mailboxes.store#closeDrain',
      ]) {
        called.called.add(name);
      }
      await drainOnce(scene, ACCOUNT, pipeline(scene, { extract: literalExtractor }));
    },
  },
  {
    name: 'calls that daily token limits govern, what they leave, and what waits for them',
    async run(stage) {
      const { pool } = stage.scene;
      const limits = { '*': { input_tokens: 1_000 } };
      await stage.scene.rows(
        `insert into token_days (account_id, day, role)
         select $1, (now() at time zone 'UTC')::date - ago, role
         from generate_series(1, 400) as ago, unnest(array['*', 'embedder', 'ingest_extractor']) as role`,
        [ACCOUNT],
      );
      const ledger = stage.called.noting(
        'models/provider-attempts.store',
        new ProviderAttemptsStore(pool, limits),
      );
      const { id } = await ledger.reserve(call(ACCOUNT, { input: 10 }));
      await ledger.finish(id, ended('success', { inputTokens: 1 }), ACCOUNT);
      await inLarge(stage, ({ tokenDays }) => tokenDays.today(limits));
      const shares = new TokenSharesStore(pool);
      await stage.called.noting('models/token-shares.store', shares).highest(limits);
      const reconcile = new ReconcileStore(pool, limits);
      await stage.called
        .noting('reconcile/reconcile.store', reconcile)
        .releaseWaiting(ACCOUNT, 100);
    },
  },
  {
    name: 'what the index may not show about people, and what is compared with what they say',
    async run(stage) {
      const { pool } = stage.scene;
      const store = stage.called.noting('knowledge/commit.store', new KnowledgeCommitStore(pool));
      const people = [PEERS.hot, PEERS.relay].map((peer) => seedId('peer', peer));
      const unshown = await store.unshown(ACCOUNT, people);
      const ids = someIds('statement', stage, 256);
      await withAccount(pool, ACCOUNT, (tx) =>
        comparedStatements(tx, ACCOUNT, people, { ...unshown, ids }),
      );
    },
  },
  {
    name: 'texts of which a hold leaves less, and all again',
    run: (stage) =>
      inLarge(stage, async ({ servedTexts }) => {
        const messages = someIds('message', stage, 100);
        const statements = someIds('statement', stage, 100);
        const served = (ids: readonly string[]) => ids.map((id) => ({ id, text: 'What is left.' }));
        await servedTexts.messages(served(messages));
        await servedTexts.statements(
          served(statements).map((each) => ({ ...each, claim: null, wordings: {} })),
        );
      }),
  },
  {
    name: 'what a batch of chunks names',
    async run(stage) {
      const ids = Array.from({ length: 20 }, (_, n) => seedId('message', 1_000_000_000 + n * 5));
      await stage.scene.rows(
        `update extraction_anchors set status = 'pending', completed_at = null, extracted_at = null, claim_epoch = 1
         where account_id = $1 and message_id = any($2)`,
        [ACCOUNT, ids],
      );
      const store = stage.called.noting(
        'observations/anchors.store',
        new AnchorsStore(stage.scene.pool),
      );
      const holds = ids.map((messageId) => ({ messageId, epoch: 1, bytes: 1_000 }));
      await store.load(ACCOUNT, holds);
    },
  },
  {
    name: 'a mailbox: looks, leases, what is due next',
    async run(stage) {
      const store = stage.called.noting(
        'actors/mailboxes.store',
        new MailboxesStore(stage.scene.pool),
      );
      const mailbox = { accountId: ACCOUNT, kind: 'ingest', shard: 3 } as const;
      const { epoch } = await store.openDrain(mailbox);
      await store.takeAnchors(mailbox, epoch, 50);
      await store.refreshAwake(mailbox, epoch);
      await store.nextDueInMs(mailbox, epoch);
      await store.releaseHolds(mailbox, epoch);
      await store.withWork([mailbox, { ...mailbox, kind: 'projection' }]);
      await store.looks([mailbox]);
      await store.closeDrain(mailbox, epoch);
      await store.neglected(2_000, 100);
      await store.markRung(mailbox);
    },
  },
  {
    name: 'the circuit of a provider',
    async run(stage) {
      const store = stage.called.noting(
        'models/circuits.store',
        new CircuitsStore(stage.scene.pool),
      );
      const key = {
        accountId: ACCOUNT,
        role: 'ingest_extractor',
        provider: 'p',
        model: 'm',
      } as const;
      await store.read(key);
      const rules = { failures: 5, openMs: 1_000 };
      await store.failed(key, null, rules);
      const taken = await store.takeProbe(key, 1_000);
      await store.giveBackProbe(key, taken?.probe ?? uuidv7(), rules);
      await store.answered(key, null);
    },
  },
];

const projection: Scenario[] = [
  {
    name: 'marks: due, cleared, put off, set again',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        const due = await stores.markHolds.take(1, { limit: 100, bytes: 1_048_576 });
        await stores.dirtyMarks.nextDueInMs(1);
        await stores.markHolds.postpone(due.slice(0, 10));
        await stores.markHolds.setAside(due.slice(10, 20));
        await stores.markHolds.giveBack(due.slice(20, 30));
        await stores.heldAnchors.complete(
          someIds('message', stage).map((messageId) => ({ messageId, epoch: 1 })),
        );
        await stores.dirtyMarks.clear(due.slice(30), {
          provider: 'deterministic',
          model: 'built-in',
          version: '1',
          dimensions: 384,
        });
        const ids = someIds('statement', stage);
        await stores.dirtyMarks.ofStatements(ids);
        await stores.dirtyMarks.setOverdue(ids);
        await stores.dirtyMarks.setCaughtUp(ids);
        await stores.dirtyMarks.marked('qdrant', 'statement', ids);
        const scopeId = HOT[1] ?? '';
        const changed = ids.map(
          (unitId) => ({ unit: 'statement', unitId, scopeId, shard: 1 }) as const,
        );
        await stores.dirtyMarks.add(changed);
      }),
  },
  {
    name: 'units as the indexes hold them, and their words counted',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        // The first statement has very many sources: what a point holds of them is bounded elsewhere.
        await stores.units.statements(someIds('statement', stage));
        await stores.units.messages(someIds('message', stage));
        await stores.units.place('message', someIds('message', stage));
        await stores.neighbours.of(someIds('message', stage));
        await stores.neighbours.around(someIds('message', stage));
        await stores.statementSources.of(someIds('statement', stage));
        await stores.statementSources.drawnFrom(someIds('message', stage));
        await stores.statementSources.drawnPage(someIds('message', stage), {
          afterId: null,
          limit: 500,
        });
        await stores.units.place('statement', someIds('statement', stage));
        const counted = someIds('statement', stage, 20).map((unitId) => ({
          unit: 'statement' as const,
          unitId,
          scopeId: HOT[1] ?? '',
          termIds: [1, 2, 9],
          analyzerVersion: 'v2',
        }));
        await stores.frequencies.recount({ counted });
        await stores.frequencies.recount({ gone: counted.slice(0, 5) });
      }),
  },
  {
    name: 'a page of a rebuild and of a comparison, and a subtree',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        const afterId = seedId('message', 500);
        const page = { scopeIds: null, afterId, limit: 200 };
        await stores.units.page('message', page);
        await stores.units.page('statement', {
          ...page,
          afterId: seedId('statement', 5),
        });
        await stores.units.messageRange();
        await stores.units.comparedMessages({ afterId, limit: 500 }, 300_000);
        await stores.units.comparedMessages({ ids: someIds('message', stage, 200) }, 300_000);
        await stores.units.expected('qdrant', 'message', { afterId, limit: 200 });
        await stores.units.expected('qdrant', 'statement', { afterId, limit: 200 });
        await stores.scopes.subtree('/wide/9');
      }),
  },
  {
    name: 'a part of a new collection of vectors',
    run: async (stage) => {
      const spaces = new VectorSpacesStore(stage.scene.pool);
      const noted = stage.called.noting('indexes/vector-spaces.store', spaces);
      await noted.kept('vouch_');
      await noted.unitsToIndex();
      await inLarge(stage, async (stores) => {
        const scopeId = HOT[1] ?? '';
        for (const unit of ['message', 'statement'] as const) {
          const ids = someIds(unit, stage, 64);
          await stores.spaceWalk.sizes(unit, ids);
          const units = ids.map((unitId) => ({ unit, unitId, scopeId, shard: 1 }));
          await stores.spaceWalk.hold(units);
        }
      });
    },
  },
];

export const WORKING: readonly Scenario[] = [...observations, ...extraction, ...projection];
