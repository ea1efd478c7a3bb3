/** Builds what the document operations need, on the pool and the blob store of the process. */
import { isFinal } from '../../domain/documents/status.ts';
import { Refusal } from '../../domain/errors.ts';
import type { DocumentServices } from '../../operations/documents/ports.ts';
import { statusOf } from '../../operations/documents/status.ts';
import { waitUntilSettled } from '../../operations/observations/settlement-waiter.ts';
import type { BlobStore } from '../../stores/blobs/blob-store.ts';
import { sha256Of } from '../../stores/blobs/sha256.ts';
import { readVersionStatus } from '../../stores/postgres/documents/status.store.ts';
import { submitVersion } from '../../stores/postgres/documents/submit.store.ts';
import { withdrawDocument } from '../../stores/postgres/documents/withdraw.store.ts';
import { withRefusals } from '../../stores/postgres/errors.ts';
import { readKnowledge } from '../../stores/postgres/knowledge-rows.store.ts';
import { withAccount, type Queryable } from '../../stores/postgres/pool.ts';
import type { Sweep } from '../actors/sweep.ts';
import { errorFields, type Log } from '../logger.ts';

export interface DocumentDependencies {
  readonly db: Queryable;
  readonly blobs: BlobStore;
  readonly sweep: Pick<Sweep, 'soon'>;
  readonly log: Log;
}

export function buildDocumentServices(dependencies: DocumentDependencies): DocumentServices {
  const { db, blobs, log, sweep } = dependencies;
  const readStatus: DocumentServices['readStatus'] = (accountId, versionId, reader) =>
    withRefusals(() =>
      withAccount(db, accountId, (tx) => readVersionStatus(tx, versionId, reader)),
    );
  return {
    sha256Of,
    async submit(version, bytes, confirm) {
      const { accountId, sha256 } = version;
      try {
        await blobs.put({ accountId, sha256 }, bytes);
      } catch (error) {
        log.error('blob.put_failed', errorFields(error));
        throw new Refusal('unavailable');
      }
      await confirm();
      return withRefusals(() => withAccount(db, accountId, (tx) => submitVersion(tx, version)));
    },
    withdraw: (withdrawal, mayWrite) =>
      withRefusals(() =>
        withAccount(db, withdrawal.accountId, (tx) => withdrawDocument(tx, withdrawal, mayWrite)),
      ),
    readStatus,
    readKnowledge: (accountId, read) =>
      withRefusals(() => withAccount(db, accountId, (tx) => readKnowledge(tx, read))),
    waitUntilSettled: (accountId, versionId, waitMs, signal) => {
      const isSettled = async (): Promise<boolean> => {
        const row = await readStatus(accountId, versionId, { posture: 'internal' });
        return row === null || isFinal(statusOf(row));
      };
      return waitUntilSettled(isSettled, waitMs, signal);
    },
    startSoon: () => sweep.soon(),
  };
}
