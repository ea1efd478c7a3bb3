/** The same bytes again, for a version that could not be read. Faked: the parser, and where the bytes lie. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { Scene } from '../observations/scene.ts';
import { documentsOf, never, type Documents, type SubmittedDocument } from './scene.ts';

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

const again = (text: string, { externalId }: SubmittedDocument): Promise<SubmittedDocument> =>
  documents.submitted(text, externalId);

const versionRow = async (versionId: string): Promise<unknown> =>
  (
    await scene.rows(
      'select last_error_class, chunk_count, attempt_count from document_versions where id = $1',
      [versionId],
    )
  )[0];

test('a version whose bytes were missing is read by a new run when the bytes are uploaded again', async () => {
  const first = await documents.submitted('One.');
  await expect(documents.reader().parse(first.run, never)).rejects.toThrow();
  // Another attempt follows by itself.
  expect((await again('One.', first)).outcome).toBe('unchanged');
  const { accountId, runId } = first.run;
  await createInAccount(scene.pool)(accountId, ({ runs }) =>
    runs.end(runId, 'failed', 'internal_error'),
  );

  const second = await again('One.', first);
  expect(second).toMatchObject({ outcome: 'accepted', versionId: first.versionId });
  expect(second.run.runId).not.toBe(runId);
  expect(await versionRow(first.versionId)).toMatchObject({ last_error_class: null });
  // The second run works on it already.
  expect(await again('One.', first)).toMatchObject({ outcome: 'unchanged', run: second.run });
  second.keep();
  expect(await documents.reader().parse(second.run, never)).toEqual({ chunks: 1 });
  expect(await versionRow(first.versionId)).toEqual({
    last_error_class: null,
    chunk_count: 1,
    attempt_count: 2,
  });
  expect(await again('One.', first)).toMatchObject({ outcome: 'unchanged', run: second.run });
});

test('the run of a failed reading that continues after the version was read reads nothing', async () => {
  const first = await documents.submitted('One.');
  await expect(documents.reader().parse(first.run, never)).rejects.toThrow();
  const { accountId, runId } = first.run;
  await createInAccount(scene.pool)(accountId, ({ runs }) =>
    runs.end(runId, 'failed', 'internal_error'),
  );
  const second = await again('One.', first);
  second.keep();
  expect(await documents.reader().parse(second.run, never)).toEqual({ chunks: 1 });
  expect(await documents.reader().parse(first.run, never)).toEqual({ chunks: 0 });
  expect(await versionRow(first.versionId)).toMatchObject({ chunk_count: 1 });
});

test('a version that was given up is accepted again before the run that gave it up has ended', async () => {
  const first = await documents.submitted('!');
  first.keep();
  await expect(documents.reader().parse(first.run, never)).rejects.toThrow();
  const second = await again('!', first);
  expect(second).toMatchObject({ outcome: 'accepted', versionId: first.versionId });
  const audit = await scene.rows(
    `select action, resource_id from audit_events where account_id = $1 and action like 'document.%' order by id`,
    [uploader.accountId],
  );
  expect(audit).toEqual([
    { action: 'document.accepted', resource_id: first.versionId },
    { action: 'document.read_again', resource_id: first.versionId },
  ]);
});
