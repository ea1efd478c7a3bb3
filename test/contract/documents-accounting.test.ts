/** What reading a document costs and is counted as: chunks under budgets and in the evidence of extraction. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROMPT_VERSION } from '../../engine/extraction/model/prompt.ts';
import { base64, settledDocument, submitDocument } from '../support/documents.ts';
import { closeWithoutErrors, dataOf, type Body, type Service } from '../support/service.ts';
import type { StubOpenAi } from '../support/stub-openai.ts';
import { startStubbedService } from '../support/stubbed-service.ts';

let stub: StubOpenAi;
let service: Service;
let boss: string;

beforeAll(async () => {
  ({ service, stub } = await startStubbedService());
  boss = (await service.home.agent('boss', { role: 'account_admin' })).token;
});
afterAll(() => closeWithoutErrors(service));

const TWO_CHUNKS = '# A\n\nThe pier is long and old.\n\n# B\n\nThe quay is short and new.\n';

async function submit(scope_path: string, text: string, media_type: string): Promise<string> {
  const body = { scope_path, media_type, content_base64: base64(text) };
  return String(dataOf(await submitDocument(service, boss, body))['document_version_id']);
}

const settled = (versionId: string) => settledDocument(service, boss, versionId);

async function evidence(root: string): Promise<Body> {
  const path = `/api/v1/operations/extraction-evidence?scope_root=${root}`;
  return dataOf(await service.call({ path, token: boss }));
}

test('evidence counts each chunk as one call of its own, under the same prompt version', async () => {
  const version = await settled(await submit('/papers', TWO_CHUNKS, 'text/markdown'));
  expect(version).toMatchObject({ status: 'completed', chunk_count: 2 });
  expect(await evidence('/papers')).toMatchObject({
    extraction: { anchors: 2, status_counts: { completed: 2 } },
    provenance: [{ prompt_version: PROMPT_VERSION, anchors: 2 }],
    batches: { count: 2, single: 2, unreconciled: 0 },
    statements: { count: 2, distributions: { evidence_level: { indirect: 2 } } },
    accounting: { complete: true, settled: true },
  });
});

test('evidence is not settled while a version waits to be read, and is settled once it will not be read', async () => {
  const versionId = await submit('/letters', 'no PDF', 'application/pdf');
  expect(await settled(versionId)).toMatchObject({ status: 'terminal' });
  const reasonsAfter = async (errorClass: string | null): Promise<unknown> => {
    const values = [versionId, errorClass];
    await service.rows('update document_versions set last_error_class = $2 where id = $1', values);
    return Object((await evidence('/letters'))['accounting']).reasons;
  };
  expect(await reasonsAfter('structured_validation_failed')).toEqual([]);
  expect(await reasonsAfter(null)).toEqual(['anchors_unsettled']);
  expect(await reasonsAfter('internal_error')).toEqual(['anchors_unsettled']);
  expect(await reasonsAfter('source_too_large')).toEqual([]);
  expect(await evidence('/letters')).toMatchObject({ extraction: { anchors: 0 } });
});

test('a chunk that does not fit into a budget causes no call to the provider', async () => {
  const budget = {
    scope_root: '/limited',
    request_cap: 1,
    token_cap: 10_000_000,
    usd_micros_cap: 5_000_000,
    deadline_at: '2090-01-01T00:00:00Z',
    input_usd_micros_per_million: 150_000,
    output_usd_micros_per_million: 600_000,
  };
  const path = '/api/v1/operations/extraction-budget';
  const register = () => service.call({ method: 'PUT', path, token: boss, json: budget });
  expect((await register()).status).toBe(200);
  const before = stub.requests.length;
  expect(await settled(await submit('/limited', TWO_CHUNKS, 'text/markdown'))).toMatchObject({
    status: 'terminal',
    last_error_class: 'extraction_budget_exhausted',
  });
  expect(stub.requests).toHaveLength(before + 1);
  expect(dataOf(await register())).toMatchObject({
    requests_reserved: 1,
    closed_at: expect.any(String),
  });
});
