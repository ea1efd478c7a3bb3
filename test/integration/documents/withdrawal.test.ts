/** A document that is withdrawn while it is read, extracted or uploaded. Faked: the parser, the model, the blobs. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { drain, pipeline } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { documentsOf, never, type Documents } from './scene.ts';

let scene: Scene;
let stub: StubOpenAi;
let uploader: Caller;
let documents: Documents;

beforeAll(async () => {
  scene = await Scene.open();
  stub = await startStubOpenAi();
});
afterAll(async () => {
  await stub.close();
  await scene.close();
});
beforeEach(async () => {
  uploader = await scene.caller(await scene.account(), { key: 'uploader' });
  documents = documentsOf(scene, uploader);
});

const DONE = { pending: 0, superseded: 0, more: false };
const extractor = () => pipeline(scene, { endpoint: stub.baseUrl });

async function row(table: string, id: string): Promise<unknown> {
  return (await scene.rows(`select * from ${table} where id = $1`, [id]))[0];
}

const anchorsOf = (versionId: string) =>
  scene.rows(
    `select a.status, a.candidate_count from extraction_anchors a
     join messages m on m.id = a.message_id where m.document_version_id = $1`,
    [versionId],
  );

test('a version that is withdrawn before it was read is not read, and its run is completed', async () => {
  const { documentId, keep, run, versionId } = await documents.submitted('One.');
  keep();
  const withdrawal = await documents.withdrawn(documentId);
  const reader = documents.reader();
  expect(await reader.parse(run, never)).toEqual({ chunks: 0 });
  expect(await reader.settle(run)).toEqual(DONE);
  expect(await anchorsOf(versionId)).toEqual([]);
  expect(await reader.parse(withdrawal.run, never)).toEqual({ chunks: 0 });
  expect(await reader.settle(withdrawal.run)).toEqual(DONE);
  for (const { runId } of [run, withdrawal.run]) {
    expect(await row('pipeline_runs', runId)).toMatchObject({ status: 'completed' });
  }
  expect(await row('document_versions', withdrawal.versionId)).toMatchObject({
    version: 2,
    sha256: null,
    settled_at: expect.any(Date),
  });
});

test('passages of a version that is withdrawn while it is read are not kept', async () => {
  const { documentId, keep, run, versionId } = await documents.submitted('One.');
  keep();
  const reader = documents.reader(async () => {
    await documents.withdrawn(documentId);
    return [{ text: 'One.', headings: [] }];
  });
  expect(await reader.parse(run, never)).toEqual({ chunks: 0 });
  expect(await anchorsOf(versionId)).toEqual([]);
});

test('a withdrawal clears the error of a reading that would be retried, and keeps a final one', async () => {
  const errorClass = async (text: string): Promise<unknown> => {
    const { documentId, keep, run, versionId } = await documents.submitted(text);
    if (text === '!') keep();
    await expect(documents.reader().parse(run, never)).rejects.toThrow();
    await documents.withdrawn(documentId);
    return Object(await row('document_versions', versionId)).last_error_class;
  };
  expect(await errorClass('No bytes.')).toBeNull();
  expect(await errorClass('!')).toBe('source_too_large');
});

test('a withdrawal whose run was cancelled gets one new run from the next withdrawal', async () => {
  const { documentId } = await documents.submitted('One.');
  const first = await documents.withdrawn(documentId);
  expect(await documents.withdrawn(documentId)).toEqual({ ...first, hasRun: false });
  await createInAccount(scene.pool)(uploader.accountId, ({ runs }) =>
    runs.end(first.run.runId, 'cancelled'),
  );
  const second = await documents.withdrawn(documentId);
  expect(second).toMatchObject({ versionId: first.versionId, hasRun: true });
  expect(second.run.runId).not.toBe(first.run.runId);
  expect(await documents.reader().settle(second.run)).toEqual(DONE);
  expect(await documents.withdrawn(documentId)).toEqual({ ...second, hasRun: false });
});

describe('passages that wait for extraction', () => {
  const putOff = () =>
    scene.rows(
      `update extraction_anchors set status = 'failed', last_error_class = 'request_timeout',
         available_at = now() + interval '1 day'
       where account_id = $1`,
      [uploader.accountId],
    );

  test('are completed by a withdrawal without a call to the model, however long they were put off', async () => {
    const { documentId, keep, run, versionId } = await documents.submitted('One.\nTwo.');
    keep();
    const reader = documents.reader();
    await reader.parse(run, never);
    await putOff();
    const withdrawal = await documents.withdrawn(documentId);
    const before = stub.requests.length;
    expect(await reader.settle(withdrawal.run)).toEqual({ ...DONE, pending: 2 });
    expect(documents.rung.at(-1)).toMatchObject({ kind: 'ingest' });
    await drain(scene, uploader.accountId, extractor());
    const completed = { status: 'completed', candidate_count: 0 };
    expect(await anchorsOf(versionId)).toEqual([completed, completed]);
    expect(stub.requests).toHaveLength(before);
    expect(await reader.settle(withdrawal.run)).toEqual(DONE);
  });

  test('of the latest version are not made due earlier when its own run settles', async () => {
    const { keep, run } = await documents.submitted('One.');
    keep();
    const reader = documents.reader();
    await reader.parse(run, never);
    await putOff();
    expect(await reader.settle(run)).toEqual({ ...DONE, pending: 1 });
    const due = await scene.rows(
      'select from extraction_anchors where account_id = $1 and available_at <= now()',
      [uploader.accountId],
    );
    expect(due).toEqual([]);
  });
});

test('concurrent uploads and withdrawals of a document get consecutive versions, and none is lost', async () => {
  const { documentId, externalId } = await documents.submitted('0');
  const versions = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      n % 2 === 0 ? documents.withdrawn(documentId) : documents.submitted(`${n}`, externalId),
    ),
  );
  const rows = await scene.rows(
    `select v.id, v.version, v.is_withdrawal,
       (select count(*)::integer from pipeline_runs r where r.target_id = v.id) as runs
     from document_versions v where v.document_id = $1 order by v.version`,
    [documentId],
  );
  expect(rows.map(({ version }) => version)).toEqual(rows.map((_, n) => n + 1));
  expect(rows.filter((version) => version['is_withdrawal'] !== true)).toHaveLength(13);
  expect(rows.every(({ runs }) => runs === 1)).toBe(true);
  // A withdrawal of what is withdrawn finds the one before it.
  const doubled = rows.filter(
    (version, n) => version['is_withdrawal'] === true && rows[n - 1]?.['is_withdrawal'] === true,
  );
  expect(doubled).toEqual([]);
  const known = new Set(rows.map(({ id }) => id));
  expect(versions.filter(({ versionId }) => !known.has(versionId))).toEqual([]);
});
