/** Identity, documents, and what processes ask by themselves. */
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { visibleByDefault } from '../../../domain/governance/visibility.ts';
import * as audit from '../../../stores/postgres/audit.store.ts';
import * as budgets from '../../../stores/postgres/extraction-budgets.store.ts';
import * as evidence from '../../../stores/postgres/extraction-evidence.store.ts';
import * as credentials from '../../../stores/postgres/identity/credentials.store.ts';
import * as grants from '../../../stores/postgres/identity/grants.store.ts';
import * as settle from '../../../stores/postgres/documents/settle.store.ts';
import * as latest from '../../../stores/postgres/documents/latest.store.ts';
import * as versionStatus from '../../../stores/postgres/documents/status.store.ts';
import * as submit from '../../../stores/postgres/documents/submit.store.ts';
import * as versions from '../../../stores/postgres/documents/versions.store.ts';
import * as withdraw from '../../../stores/postgres/documents/withdraw.store.ts';
import * as gateRules from '../../../stores/postgres/gate-rules.store.ts';
import * as idempotency from '../../../stores/postgres/idempotency.store.ts';
import * as caller from '../../../stores/postgres/identity/caller.store.ts';
import * as logins from '../../../stores/postgres/identity/logins.store.ts';
import * as peers from '../../../stores/postgres/identity/peers.store.ts';
import * as signIn from '../../../stores/postgres/identity/sign-in-attempts.store.ts';
import * as rows from '../../../stores/postgres/knowledge-rows.store.ts';
import * as readiness from '../../../stores/postgres/readiness.store.ts';
import * as reconcile from '../../../stores/postgres/reconcile.store.ts';
import * as regate from '../../../stores/postgres/regate.store.ts';
import * as requeue from '../../../stores/postgres/requeue.store.ts';
import * as runs from '../../../stores/postgres/runs.store.ts';
import { path } from '../observations/scene.ts';
import { seedId } from './seed.ts';
import { ACCOUNT, CREDENTIAL, HOT, READERS, RECENT, NOW, inLarge, type Scenario } from './stage.ts';

const identity: Scenario[] = [
  {
    name: 'a grant given again, a token made, a budget registered, the scopes of a corpus',
    run: (stage) =>
      inLarge(stage, async (tx) => {
        const grant = {
          scopePath: path('/'),
          role: 'member',
          effect: 'allow',
          propagate: true,
        } as const;
        await stage.called
          .noting('identity/grants.store', grants)
          .createGrantsStore(tx, ACCOUNT)
          .ensure({ peerId: seedId('peer', 9) }, grant, null);
        await stage.called
          .noting('identity/credentials.store', credentials)
          .createCredentialsStore(tx, ACCOUNT)
          .insertToken({
            id: uuidv7(),
            kind: 'password_token',
            secretHash: randomBytes(32),
            loginId: seedId('other', 9),
            expiresAt: new Date(Date.now() + 60_000),
          });
        await stage.called.noting('extraction-budgets.store', budgets).registerBudget(tx, ACCOUNT, {
          scopeRoot: path('/wide/7'),
          requestCap: 1_000_000_000,
          tokenCap: 1_000_000_000_000,
          usdMicrosCap: 1_000_000_000_000,
          deadlineAt: new Date(Date.now() + 86_400_000).toISOString(),
          inputUsdMicrosPerMillion: 1,
          outputUsdMicrosPerMillion: 1,
        });
        await stage.called
          .noting('extraction-evidence.store', evidence)
          .readSubtree(tx, path('/wide/9'));
      }),
  },
  {
    name: 'who a secret stands for',
    run: (stage) => {
      const store = stage.called.noting('identity/caller.store', caller);
      const secret = createHash('sha256').update('1/77').digest();
      return store.resolveCaller(stage.scene.pool, secret, new Date());
    },
  },
  {
    name: 'a sign-in',
    async run(stage) {
      const store = stage.called.noting('identity/sign-in-attempts.store', signIn);
      const emailHash = createHash('sha256').update('e5').digest();
      const addressHash = createHash('sha256').update('a5').digest();
      const answer = await store.admitSignIn(
        stage.scene.pool,
        { emailHash, addressHash },
        new Date(),
      );
      await store.forgiveSignIn(stage.scene.pool, answer.admitted ? answer.attemptId : uuidv7());
      await inLarge(stage, (tx) =>
        stage.called
          .noting('identity/logins.store', logins)
          .createLoginsStore(tx, ACCOUNT)
          .findOpen(seedId('other', 9)),
      );
    },
  },
  {
    name: 'a peer by its key, rules in force, an audit event, a key of a request',
    run: (stage) =>
      inLarge(stage, async (tx) => {
        const known = stage.called
          .noting('identity/peers.store', peers)
          .createPeersStore(tx, ACCOUNT);
        await known.findByKey('person-8@seed.example');
        await known.ensure({ key: 'person-9@seed.example', name: 'x', kind: 'human' });
        await stage.called
          .noting('gate-rules.store', gateRules)
          .createGateRulesStore(tx, ACCOUNT)
          .inForce();
        await stage.called.noting('audit.store', audit).recordAudit(tx, [
          {
            accountId: ACCOUNT,
            category: 'access',
            action: 'reader.named',
            actor: { kind: 'operator' },
            resourceType: 'peer',
            resourceId: null,
          },
        ]);
        const key = { path: '/api/v1/ingest', key: 'key-5', requestHash: randomBytes(32) };
        await stage.called.noting('idempotency.store', idempotency).claimKey(tx, {
          ...key,
          accountId: ACCOUNT,
          credentialId: CREDENTIAL,
          status: 202,
          resourceId: uuidv7(),
        });
      }),
  },
  {
    name: 'a run asked for, that joins one which waits',
    run: (stage) =>
      inLarge(stage, (tx) =>
        stage.called.noting('runs.store', runs).joinedRun(tx, ACCOUNT, 'reconcile'),
      ),
  },
];

const documents: Scenario[] = [
  {
    name: 'a document handed in, read, settled, asked after and withdrawn',
    async run(stage) {
      const { pool } = stage.scene;
      const submission = {
        accountId: ACCOUNT,
        credentialId: CREDENTIAL,
        uploaderPeerId: seedId('peer', 1),
        scopePath: path('/hot'),
        externalId: 'document-7',
        title: null,
        mediaType: 'text/plain',
        sha256: randomBytes(32).toString('hex'),
        byteSize: 10,
        occurredAt: NOW,
        occurredOffsetMinutes: 0,
        traceId: 'ab'.repeat(16),
        idempotency: null,
      };
      stage.called.called.add('documents/latest.store#lockDocument');
      stage.called.called.add('documents/latest.store#readLatest');
      stage.called.called.add('runs.store#enterRun');
      const taken = await inLarge(stage, (tx) =>
        stage.called.noting('documents/submit.store', submit).submitVersion(tx, submission),
      );
      if (taken.outcome === 'conflict') throw new Error('a conflict');
      const [run] = await stage.scene.rows('select id from pipeline_runs where target_id = $1', [
        taken.versionId,
      ]);
      const runId = String(run?.['id']);
      const reading = stage.called
        .noting('documents/versions.store', versions)
        .createDocumentVersionStore(pool);
      await reading.begin(ACCOUNT, runId);
      const chunk = {
        id: uuidv7(),
        text: 'x',
        sha256: randomBytes(32).toString('hex'),
        headings: null,
      };
      await reading.addChunks(ACCOUNT, taken.versionId, [chunk]);
      await reading.failed(ACCOUNT, taken.versionId, 'internal_error');
      await stage.scene.rows(
        `update extraction_anchors set status = 'completed', completed_at = now() where message_id = $1`,
        [chunk.id],
      );
      await inLarge(stage, (tx) => latest.readLatest(tx, submission));
      const nothing = { writes: { updated: [], created: [], closed_beliefs: [] }, audit: [] };
      await stage.called
        .noting('documents/settle.store', settle)
        .createDocumentSettleStore(pool)
        .page({ accountId: ACCOUNT, runId, limit: 50 }, () => nothing as never)
        .catch(() => undefined);
      const reader = READERS['whom a tenth is about'] ?? { posture: 'internal' };
      await inLarge(stage, async (tx) => {
        await stage.called
          .noting('documents/status.store', versionStatus)
          .readVersionStatus(tx, taken.versionId, reader);
        const selection = {
          by: 'document_version',
          versionId: seedId('version', 9),
          limit: 50,
        } as const;
        const visible = visibleByDefault({ scopeIds: HOT, reader, at: NOW });
        await rows.readKnowledge(tx, { selection, visible, reader });
        await stage.called.noting('documents/withdraw.store', withdraw).withdrawDocument(
          tx,
          {
            accountId: ACCOUNT,
            documentId: seedId('document', 8),
            credentialId: CREDENTIAL,
            peerId: seedId('peer', 1),
            traceId: 'ab'.repeat(16),
          },
          () => true,
        );
      });
    },
  },
];

const upkeep: Scenario[] = [
  {
    name: 'readiness and metrics',
    async run(stage) {
      const store = stage.called.noting('readiness.store', readiness);
      const { pool } = stage.scene;
      await store.pingDatabase(pool);
      await store.countExtractionAnchors(pool);
      await store.countDirtyMarks(pool);
      await store.countUnfinishedRuns(pool);
      await store.countProviderAttempts(pool, new Date(Date.now() - 3_600_000));
      await store.countGovernance(pool);
    },
  },
  {
    name: 'the third net',
    async run(stage) {
      const store = stage.called
        .noting('reconcile.store', reconcile)
        .createReconcileStore(stage.scene.pool);
      await store.accountsAfter(null, 50);
      await store.staleMailboxes(ACCOUNT, 'ingest', RECENT);
      await store.staleMailboxes(ACCOUNT, 'projection', RECENT);
      await store.dispatchedRuns(ACCOUNT, RECENT);
      await store.replayRuns(ACCOUNT, ['request_timeout'], RECENT);
      await store.endRun(ACCOUNT, seedId('run', 1), { status: 'completed', errorClass: null });
      await store.closeAttempts(ACCOUNT, RECENT);
      const day = { olderThanMs: 86_400_000, limit: 500 };
      const { reached } = await store.forgetIdempotencyKeys(day, null);
      await store.forgetIdempotencyKeys(day, reached);
    },
  },
  {
    name: 'runs: the sweep, a begin, an end, a page of statements that wait, a requeue',
    async run(stage) {
      const { pool } = stage.scene;
      const noted = stage.called.noting('runs.store', runs);
      const store = noted.createRunStore(pool);
      const due = await store.undispatched(100);
      for (const run of due.slice(0, 2)) await store.markDispatched(run);
      const runId = await inLarge(stage, async (tx) => {
        const id = uuidv7();
        await tx.query(entering(id));
        return id;
      });
      await noted.createRunRows(pool).begin(ACCOUNT, runId);
      await stage.called
        .noting('regate.store', regate)
        .createRegateStore(pool)
        .page({ accountId: ACCOUNT, runId, afterId: null, limit: 50 }, () => {
          throw new Error('read is enough');
        })
        .catch(() => undefined);
      await noted.createRunRows(pool).complete(ACCOUNT, runId);
      await noted.createRunEndings(pool).cancelled(ACCOUNT, runId);
      await noted.createRunEndings(pool).failed(ACCOUNT, runId, 'internal_error');
      const again = stage.called.noting('requeue.store', requeue);
      const request = {
        accountId: ACCOUNT,
        messageId: seedId('message', 3),
        credentialId: CREDENTIAL,
      };
      await inLarge(stage, (tx) =>
        again.requeueAnchor(tx, { ...request, peerId: null, idempotency: null }, () => true),
      ).catch(() => undefined);
      await inLarge(stage, (tx) => again.clearRequeueToken(tx, seedId('message', 3), uuidv7()));
    },
  },
];

function entering(id: string) {
  return sql.unsafe`
    insert into pipeline_runs (account_id, id, kind) values (${ACCOUNT}, ${id}, 'regate')`;
}

export const UPKEEP: readonly Scenario[] = [...identity, ...documents, ...upkeep];
