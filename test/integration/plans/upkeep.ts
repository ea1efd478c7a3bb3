/** Identity, and what processes ask by themselves. */
import { createHash, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { presetRules } from '../../../domain/governance/presets.ts';
import { SWEEP_KINDS } from '../../../domain/governance/sweeps.ts';
import { tokenBounds } from '../../../domain/identity/token-bounds.ts';
import { AuditChainStore } from '../../../stores/postgres/audit/audit-chain.store.ts';
import { CallerStore } from '../../../stores/postgres/identity/caller.store.ts';
import { BrowserSessionCallerStore } from '../../../stores/postgres/identity/browser-sessions.store.ts';
import { SignInAttemptsStore } from '../../../stores/postgres/identity/sign-in-attempts.store.ts';
import { ReadinessStore } from '../../../stores/postgres/readiness.store.ts';
import { RETENTION_KINDS } from '../../../domain/retention/policy.ts';
import { RetentionStore } from '../../../stores/postgres/retention/retention.store.ts';
import { ReconcileStore } from '../../../stores/postgres/reconcile/reconcile.store.ts';
import { RegateStore } from '../../../stores/postgres/knowledge/regate.store.ts';
import { UndispatchedRunsStore } from '../../../stores/postgres/runs/runs.store.ts';
import { SweepsStore } from '../../../stores/postgres/sweeps/sweeps.store.ts';
import { path } from '../observations/scene.ts';
import { seedId } from './seed.ts';
import { ACCOUNT, CREDENTIAL, HOT, RECENT, inLarge, someIds, type Scenario } from './stage.ts';

const identity: Scenario[] = [
  {
    name: 'circuits, budgets and overrides, as an administrator reads them',
    run: (stage) =>
      inLarge(stage, async ({ accounts, circuits, extractionBudgets, retrievalProfiles }) => {
        await circuits.list(100);
        await extractionBudgets.latest(50);
        await retrievalProfiles.list();
        await accounts.get();
      }),
  },
  {
    name: 'a grant given again, a token made, a budget registered, the scopes of a corpus',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        const grant = {
          scopePath: path('/'),
          role: 'member',
          effect: 'allow',
          propagate: true,
        } as const;
        await stores.grants.ensure({ peerId: seedId('peer', 9) }, grant, null);
        await stores.credentials.insertToken({
          id: uuidv7(),
          kind: 'password_token',
          secretHash: randomBytes(32),
          loginId: seedId('other', 9),
          epoch: 0,
          expiresAt: new Date(Date.now() + 60_000),
        });
        await stores.credentials.tidyTokens(seedId('other', 9), tokenBounds(new Date(), 30));
        await stores.extractionBudgets.register({
          scope_root: path('/wide/7'),
          request_cap: 1_000_000_000,
          token_cap: 1_000_000_000_000,
          usd_micros_cap: 1_000_000_000_000,
          deadline_at: new Date(Date.now() + 86_400_000).toISOString(),
          input_usd_micros_per_million: 1,
          output_usd_micros_per_million: 1,
        });
        await stores.scopes.subtree(path('/wide/9'));
      }),
  },
  {
    name: 'who a secret stands for',
    run: (stage) => {
      const store = stage.called.noting('identity/caller.store', new CallerStore(stage.scene.pool));
      const secret = createHash('sha256').update('1/77').digest();
      return store.resolve(secret, new Date());
    },
  },
  {
    name: 'who a credential stands for, asked by a write that took long',
    run: (stage) => inLarge(stage, ({ callers }) => callers.find(CREDENTIAL, new Date())),
  },
  {
    name: 'a browser session: begun, used, ended, and those that ended by themselves',
    async run(stage) {
      const now = new Date();
      const secretHash = randomBytes(32);
      const id = uuidv7();
      await inLarge(stage, async ({ credentials, browserSessions }) => {
        await credentials.insertToken({
          id,
          kind: 'browser_session',
          secretHash,
          loginId: seedId('other', 9),
          epoch: 0,
          expiresAt: new Date(now.getTime() + 60_000),
        });
        await browserSessions.begin(id, now);
        await browserSessions.see(id, now);
        await browserSessions.removeEnded(now, 100);
      });
      const store = stage.called.noting(
        'identity/browser-sessions.store',
        new BrowserSessionCallerStore(stage.scene.pool),
      );
      await store.resolve(secretHash, now);
      await inLarge(stage, async ({ credentials, logins, browserSessions }) => {
        await browserSessions.end(id);
        await credentials.revoke(id, now);
        await logins.emailOf(seedId('peer', 9));
        await logins.changePassword(seedId('other', 9), -1, 'unchanged');
      });
    },
  },
  {
    name: 'a sign-in',
    async run(stage) {
      const store = stage.called.noting(
        'identity/sign-in-attempts.store',
        new SignInAttemptsStore(stage.scene.pool),
      );
      const emailHash = createHash('sha256').update('e5').digest();
      const addressHash = createHash('sha256').update('a5').digest();
      const answer = await store.admit({ emailHash, addressHash }, new Date());
      await store.forgive(answer.admitted ? answer.attemptId : uuidv7());
      await inLarge(stage, ({ logins }) => logins.findOpen(seedId('other', 9)));
    },
  },
  {
    name: 'a peer by its key, an audit event, a key of a request',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        await stores.peers.findByKey('person-8@seed.example');
        await stores.peers.ensure({ key: 'person-9@seed.example', name: 'x', kind: 'human' });
        await stores.audit.record({
          category: 'access',
          action: 'reader.named',
          actor: { kind: 'operator' },
          resourceType: 'peer',
          resourceId: null,
        });
        await stores.idempotency.reserve({
          path: '/api/v1/ingest',
          key: 'key-5',
          requestHash: randomBytes(32),
          credentialId: CREDENTIAL,
          status: 202,
          resourceId: uuidv7(),
        });
      }),
  },
  {
    name: 'a run asked for, that joins one which waits',
    run: (stage) =>
      inLarge(stage, async ({ runs }) => {
        await runs.joined('reconcile');
        await runs.lockWaiting('regate');
        await runs.isTakenOver(seedId('run', 1), 'regate');
      }),
  },
  {
    name: 'the gate rules of a scope, read and changed',
    run: (stage) =>
      inLarge(stage, async ({ gateRules }) => {
        await gateRules.ofPlaces(HOT);
        await gateRules.replace(HOT[1] ?? null, [uuidv7()], presetRules('assisted'), new Date());
      }),
  },
];

const upkeep: Scenario[] = [
  {
    name: 'readiness and metrics',
    async run(stage) {
      const store = stage.called.noting('readiness.store', new ReadinessStore(stage.scene.pool));
      await store.ping();
      await store.anchors();
      await store.marks();
      await store.runs();
      await store.attempts(new Date(Date.now() - 3_600_000));
      await store.governance();
      await store.unsealedAuditSeconds();
      await store.waitingContextCardSeconds();
      await store.overdueReviews();
      await store.oldestErasureSeconds();
      const passes = store.passes();
      await store.sweeps(passes);
      await store.retention(passes);
    },
  },
  {
    name: 'audit events sealed and read',
    async run(stage) {
      const { pool } = stage.scene;
      const store = stage.called.noting('audit/audit-chain.store', new AuditChainStore(pool));
      await store.unsealedAccounts(null, false, 100);
      await store.unsealedAccounts(null, true, 100);
      const hashes = (events: readonly unknown[]) => events.map(() => 'ab'.repeat(32));
      const { next } = await store.sealPage(
        ACCOUNT,
        { after: null, everything: false, limit: 200 },
        hashes,
        {},
      );
      await store.sealPage(ACCOUNT, { after: next, everything: true, limit: 200 }, hashes, {});
      const middle = { position: 10_000, hash: 'ab'.repeat(32) };
      const [event = middle] = await store.sealed(ACCOUNT, middle, 200);
      await store.sealed(ACCOUNT, event, 200);
    },
  },
  {
    name: 'sweeps: accounts with something due, a page of each kind, what was set aside',
    async run(stage) {
      const { pool } = stage.scene;
      const store = stage.called.noting('sweeps/sweeps.store', new SweepsStore(pool));
      await stage.scene.rows(
        `update knowledge set expires_at = now() - interval '1 hour', revalidate_after = now() - interval '1 hour'
         where account_id = $1 and id = any($2)`,
        [ACCOUNT, someIds('statement', stage, 200)],
      );
      await stage.scene.rows(
        `update review_items set due_at = now() - interval '1 hour' where account_id = $1 and id = any(array(
           select id from review_items
           where account_id = $1 and state in ('pending', 'escalated', 'awaiting_consent', 'deferred')
           order by due_at, id limit 200))`,
        [ACCOUNT],
      );
      await stage.scene.rows(
        `update questions set deadline_at = now() - interval '1 hour' where account_id = $1 and id = any(array(
           select id from questions where account_id = $1 and ended_at is null order by deadline_at, id limit 200))`,
        [ACCOUNT],
      );
      await store.accountsAfter(null, null, 500);
      for (const kind of SWEEP_KINDS) {
        const page = { accountId: ACCOUNT, kind, at: null, limit: 50 };
        const [first = seedId('statement', 1)] = await store.due(page);
        await store.begin(page);
        const readIsEnough = (): never => {
          throw new Error('read is enough');
        };
        await store.page(page, readIsEnough).catch(() => undefined);
        await store.end(page);
        await store.setAside(page);
        await store.countSetAside(page, 1_000);
        const one = { accountId: ACCOUNT, kind, at: null, knowledgeId: first };
        await store.putAside(one);
        await store.alone(one, readIsEnough).catch(() => undefined);
      }
      await store.completePass(0, null);
    },
  },
  {
    name: 'retention: a page of each kind in the midst of old rows, what is told, the end of a pass',
    async run(stage) {
      const { scene } = stage;
      const store = stage.called.noting(
        'retention/retention.store',
        new RetentionStore(scene.pool),
      );
      await store.accountsAfter(null, 50);
      // A tenth of what there is has grown old.
      await scene.rows(
        `update provider_attempts set reserved_at = reserved_at - interval '9 years',
           finished_at = finished_at - interval '9 years'
         where account_id = $1 and id in (select id from provider_attempts where account_id = $1 order by reserved_at, id
           limit (select count(*) / 10 from provider_attempts where account_id = $1))`,
        [ACCOUNT],
      );
      for (const kind of RETENTION_KINDS) {
        const place = { kind, at: null, afterId: null };
        const page = { accountId: ACCOUNT, days: 100, limit: 500 };
        const { next } = await store.page({ ...page, place });
        if (next !== null) await store.page({ ...page, place: next });
      }
      await store.tell(ACCOUNT);
      await store.completePass(0);
    },
  },
  {
    name: 'the third net',
    async run(stage) {
      const store = stage.called.noting(
        'reconcile/reconcile.store',
        new ReconcileStore(stage.scene.pool),
      );
      await store.accountsAfter(null, 50);
      await store.staleMailboxes(ACCOUNT, 'ingest', RECENT);
      await store.staleMailboxes(ACCOUNT, 'projection', RECENT);
      for (const family of ['documents', 'others'] as const) {
        await store.dispatchedRuns(ACCOUNT, family, RECENT);
        await store.replayRuns(ACCOUNT, family, ['request_timeout'], RECENT);
      }
      await store.endRun(ACCOUNT, seedId('run', 1), { status: 'discarded', errorClass: null });
      await store.closeAttempts(ACCOUNT, RECENT);
      const blobs = { delete: async () => {}, deleteDraft: async () => {} };
      await store.abandonUploads(ACCOUNT, RECENT, blobs, new AbortController().signal);
      const day = { olderThanMs: 86_400_000, limit: 500 };
      const { reached } = await store.forgetIdempotencyKeys(day, null);
      await store.forgetIdempotencyKeys(day, reached);
      await inLarge(stage, async ({ comparedStatements }) => {
        await comparedStatements.place();
        await comparedStatements.compare(null, { limit: 5_000, olderThanMs: 0 });
        await comparedStatements.moveTo(null);
      });
    },
  },
  {
    name: 'runs: the sweep, a begin, an end, a page of statements that wait, a requeue',
    async run(stage) {
      const { pool } = stage.scene;
      const store = stage.called.noting('runs/runs.store', new UndispatchedRunsStore(pool));
      const due = await store.undispatched(100);
      for (const run of due.slice(0, 2)) await store.markDispatched(run);
      const traceId = 'ab'.repeat(16);
      const runId = await inLarge(stage, async ({ runs }) => {
        const id = await runs.enter({ kind: 'regate', traceId });
        await runs.begin(id, true);
        return id;
      });
      await stage.called
        .noting('knowledge/regate.store', new RegateStore(pool))
        .page({ accountId: ACCOUNT, runId, afterId: null, limit: 50 }, () => {
          throw new Error('read is enough');
        })
        .catch(() => undefined);
      await stage.scene.rows(
        `update extraction_anchors set status = 'terminal', completed_at = null, last_error_class = 'internal_error'
         where account_id = $1 and message_id = $2`,
        [ACCOUNT, seedId('message', 3)],
      );
      await inLarge(stage, async ({ requeue, runs }) => {
        await runs.complete(runId);
        await runs.end(runId, 'cancelled');
        await runs.end(runId, 'failed', 'internal_error');
        const messageId = seedId('message', 3);
        await requeue.lock(messageId);
        await requeue.reset(messageId, uuidv7());
        await requeue.clearToken(messageId, uuidv7());
      });
    },
  },
];

export const UPKEEP: readonly Scenario[] = [...identity, ...upkeep];
