/** The steps of a document version. Real: Postgres. Faked: the parser, and where the bytes lie. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { Scene } from '../observations/scene.ts';
import { documentsOf, never, type Documents, type SubmittedDocument } from './scene.ts';
import { DocumentFailure } from '../../../engine/documents/failure.ts';

const SHA256 = /^[0-9a-f]{64}$/;

let scene: Scene;
let uploader: Caller;
let documents: Documents;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  uploader = await scene.caller(await scene.account(), { key: 'uploader' });
  documents = documentsOf(scene, uploader);
});

const reader = () => documents.reader();
const submitted = (text: string, externalId?: string): Promise<SubmittedDocument> =>
  documents.submitted(text, externalId);

async function versionRow(versionId: string) {
  const [row] = await scene.rows(
    `select attempt_count, last_error_class, chunk_count, settled_at is not null as settled
     from document_versions where id = $1`,
    [versionId],
  );
  return row;
}

const runStatus = async (runId: string): Promise<unknown> =>
  (await scene.rows('select status from pipeline_runs where id = $1', [runId]))[0]?.['status'];

describe('parsing', () => {
  test('keeps each passage once with its anchor, marks and headings, however often it is repeated', async () => {
    const { keep, run, versionId } = await submitted('One.\nTwo.\nOne.');
    keep();
    expect(await reader().parse(run, never)).toEqual({ chunks: 3 });
    expect(await reader().parse(run, never)).toEqual({ chunks: 0 });
    const rows = await scene.rows(
      `select m.content, m.chunk_index, m.headings, m.role, m.speaker_peer_id, a.status,
         encode(m.content_hash, 'hex') as hash,
         (select count(*)::integer from dirty_marks d where d.unit_id = m.id) as marks
       from messages m join extraction_anchors a on a.message_id = m.id
       where m.document_version_id = $1 order by m.id`,
      [versionId],
    );
    const common = {
      headings: 'A\nB',
      role: 'document',
      speaker_peer_id: uploader.peerId,
      status: 'pending',
      marks: 2,
      hash: expect.stringMatching(SHA256),
    };
    expect(rows).toEqual([
      { content: 'One.', chunk_index: 0, ...common },
      { content: 'Two.', chunk_index: 1, ...common },
      { content: 'One.', chunk_index: 2, ...common },
    ]);
    expect(documents.rung.map(({ kind }) => kind)).toEqual(['ingest', 'projection']);
    expect(await versionRow(versionId)).toMatchObject({ attempt_count: 1, chunk_count: 3 });
  });

  test('records why it failed, and clears the error when it succeeds later', async () => {
    const { keep, run, versionId } = await submitted('One.');
    await expect(reader().parse(run, never)).rejects.toMatchObject({ name: 'BlobMissingError' });
    expect(await versionRow(versionId)).toMatchObject({
      attempt_count: 1,
      last_error_class: 'internal_error',
      chunk_count: null,
    });
    keep();
    await reader().parse(run, never);
    expect(await versionRow(versionId)).toMatchObject({
      attempt_count: 2,
      last_error_class: null,
      chunk_count: 1,
    });
  });

  test('of a document past the bounds records source_too_large', async () => {
    const { keep, run, versionId } = await submitted('!');
    keep();
    await expect(reader().parse(run, never)).rejects.toMatchObject({
      errorClass: 'source_too_large',
    });
    expect(await versionRow(versionId)).toMatchObject({ last_error_class: 'source_too_large' });
  });

  test('that was not in time is tried again, and the fifth time the document is too large', async () => {
    const { keep, run, versionId } = await submitted('One.');
    keep();
    const late = () => Promise.reject(new DocumentFailure('request_timeout'));
    for (const errorClass of [
      ...Array.from({ length: 4 }, () => 'request_timeout'),
      'source_too_large',
    ]) {
      await expect(documents.reader(late).parse(run, never)).rejects.toMatchObject({ errorClass });
      expect(await versionRow(versionId)).toMatchObject({ last_error_class: errorClass });
    }
  });

  test('of another account’s run does nothing', async () => {
    const { keep, run, versionId } = await submitted('One.');
    keep();
    const accountId = await scene.account();
    expect(await reader().parse({ ...run, accountId }, never)).toEqual({ chunks: 0 });
    expect(await versionRow(versionId)).toMatchObject({ attempt_count: 0, chunk_count: null });
  });
});

describe('settling', () => {
  const DONE = { pending: 0, superseded: 0, more: false };

  async function complete(versionId: string): Promise<void> {
    await scene.rows(
      `update extraction_anchors a set status = 'completed', completed_at = now(), extracted_at = now()
       from messages m where m.id = a.message_id and m.document_version_id = $1`,
      [versionId],
    );
  }

  test('waits for every passage, and completes the run once', async () => {
    const { keep, run, versionId } = await submitted('One.\nTwo.');
    keep();
    await reader().parse(run, never);
    expect(await reader().settle(run)).toEqual({ ...DONE, pending: 2 });
    await complete(versionId);
    expect(await reader().settle(run)).toEqual(DONE);
    expect([await runStatus(run.runId), await versionRow(versionId)]).toEqual([
      'completed',
      expect.objectContaining({ settled: true }),
    ]);
    expect(await reader().settle(run)).toEqual(DONE);
  });

  test('of a replaced version completes its run, and the newer version waits for its passages', async () => {
    const first = await submitted('One.');
    first.keep();
    await reader().parse(first.run, never);
    const second = await submitted('Two.\nThree.', first.externalId);
    second.keep();
    await reader().parse(second.run, never);
    expect(await reader().settle(first.run)).toEqual(DONE);
    expect(await runStatus(first.run.runId)).toBe('completed');
    await complete(second.versionId);
    expect(await reader().settle(second.run)).toEqual({ ...DONE, pending: 1 });
    await complete(first.versionId);
    expect(await reader().settle(second.run)).toEqual(DONE);
  });
});
