/** `GET /api/v1/operations/extraction-evidence`: what it counts, for which callers, and that it tells nothing else. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROMPT_VERSION } from '../../engine/extraction/model/prompt.ts';
import type { HttpAnswer } from '../support/http.ts';
import { closeWithoutErrors, dataOf, type Body, type Service } from '../support/service.ts';
import type { StubOpenAi } from '../support/stub-openai.ts';
import { startStubbedService } from '../support/stubbed-service.ts';
import { exactly, refusal } from './answers.ts';

const PATH = '/api/v1/operations/extraction-evidence';
const CANARY = 'canary-ev1dence';

let stub: StubOpenAi;
let service: Service;
let boss: string;
let teller: string;

beforeAll(async () => {
  const settings = { SERVICE_MODEL_INGEST_EXTRACTOR_VERSION: '7' };
  ({ service, stub } = await startStubbedService({ settings }));
  boss = (await service.home.agent('boss', { role: 'account_admin' })).token;
  teller = (await service.home.agent('teller')).token;
});
afterAll(() => closeWithoutErrors(service));

function get(root: string | null, token = boss): Promise<HttpAnswer> {
  const query = root === null ? '' : `?${new URLSearchParams({ scope_root: root }).toString()}`;
  return service.call({ path: `${PATH}${query}`, token });
}

async function evidence(root: string): Promise<Body> {
  const answer = await get(root);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return dataOf(answer);
}

let told = 0;
async function tell(scopePath: string, content: string, changes: Body = {}): Promise<string> {
  told += 1;
  const body = { scope_path: scopePath, session_id: `s${told}`, content, peer_key: 'ines' };
  return (await service.ingestAndWait(teller, { ...body, ...changes })).messageId;
}

describe('the evidence of a subtree', () => {
  beforeAll(async () => {
    await tell('/corpus', `I own a red ${CANARY}.`);
    await tell('/corpus/a', 'I live in Oslo. I own two boats.');
    await tell('/corpus/a/b', 'Noted.', { role: 'assistant' });
    stub.script({ kind: 'statements', statements: [] });
    await tell('/corpus/a', 'Good morning everyone.');
    stub.script({ kind: 'filtered' });
    await tell('/corpus', 'I own something odd.');
    // Said twice: one statement, of two observations.
    await tell('/corpus', `I own a red ${CANARY}.`);
    await tell('/corpus2', 'I own a yellow boat.');
    await tell('/Corpus', 'I own a green boat.');
    await tell('/', 'I own a blue boat.');
  });

  test('counts the anchors, calls, tokens and statements of the subtree, and no others', async () => {
    const answer = await get('corpus//');
    const { data } = Object(answer.json());
    expect(answer.status).toBe(200);
    expect(data).toEqual({
      schema_version: 'vouch-extraction-evidence-1',
      scope_root: '/corpus',
      scopes: { count: 3 },
      extraction: {
        anchors: 6,
        status_counts: { pending: 0, failed: 0, completed: 5, repairable: 0, terminal: 1 },
        job_attempts: 5,
        terminal_anchors: 1,
        candidate_yield: { zero: 2, one: 2, multiple: 1 },
      },
      provenance: [
        {
          provider: 'openai-compatible',
          model: 'tiny',
          model_version: '7',
          prompt_version: PROMPT_VERSION,
          pipeline_version: 'f5-1',
          anchors: 5,
        },
      ],
      batches: { count: 5, anchors: 5, single: 5, size_counts: { 1: 5 }, unreconciled: 0 },
      usage: {
        provider_attempts: 5,
        input_tokens: 500,
        output_tokens: 100,
        embedding_tokens: 0,
        total_tokens: 600,
        duration_ms: expect.any(Number),
      },
      statements: {
        count: 3,
        distributions: {
          kind: { fact: 3 },
          state: expect.any(Object),
          sensitivity: { internal: 3 },
          evidence_level: { direct: 3 },
          target_level: { peer: 3 },
        },
      },
      accounting: {
        complete: true,
        settled: true,
        requests_complete: true,
        tokens_complete: true,
        cost_complete: true,
        reasons: [],
      },
    });
  });

  test('counts only a descendant when the request names that descendant', async () => {
    expect(await evidence('/corpus/a')).toMatchObject({
      scopes: { count: 2 },
      extraction: { anchors: 3 },
      usage: { provider_attempts: 2 },
      statements: { count: 2 },
    });
    expect(await evidence('/corpus/a/b')).toMatchObject({
      extraction: { anchors: 1, candidate_yield: { zero: 1, one: 0, multiple: 0 } },
      provenance: [],
      batches: { count: 0, anchors: 0, single: 0, size_counts: {} },
      usage: { provider_attempts: 0, total_tokens: 0, duration_ms: 0 },
      statements: { count: 0, distributions: { kind: {} } },
      accounting: { complete: true },
    });
  });

  test('counts every anchor of the account when the request names the root', async () => {
    expect(await evidence('/')).toMatchObject({ extraction: { anchors: 9 } });
  });

  test('contains no text, no id and no name', async () => {
    const { text } = await get('/');
    const ids = await service.rows(
      `select id::text from messages union select id::text from knowledge
       union select id::text from provider_attempts union select id::text from peers
       union select id::text from sessions union select id::text from accounts`,
    );
    expect(ids.length).toBeGreaterThan(20);
    for (const { id } of ids) expect(text).not.toContain(id);
    for (const word of [CANARY, 'ines', 'teller', 'Oslo', 's1"']) expect(text).not.toContain(word);
  });

  test('leaves out what the reader may not read', async () => {
    const { token } = await service.home.agent('warden', { role: 'account_admin' });
    await service.home.grant('warden', { scope: '/corpus/a', effect: 'deny' });
    expect(dataOf(await get('/corpus', token))).toMatchObject({
      scopes: { count: 1 },
      extraction: { anchors: 3 },
    });
    expect((await get('/corpus/a', token)).status).toBe(404);
  });
});

describe('wildcard characters in a scope root', () => {
  test('match only themselves', async () => {
    for (const scope of ['/x_y', '/x_y/below', '/xzy', '/50%', '/50 percent']) {
      await tell(scope, 'I own a boat.', { peer_key: `p${scope}` });
    }
    expect(await evidence('/x_y')).toMatchObject({
      scopes: { count: 2 },
      extraction: { anchors: 2 },
    });
    expect(await evidence('/50%')).toMatchObject({
      scopes: { count: 1 },
      extraction: { anchors: 1 },
    });
  });
});

describe('the accounting', () => {
  test('is incomplete when a provider failure reported no tokens', async () => {
    stub.script({ kind: 'status', status: 401 });
    await tell('/failing', 'I own a boat.');
    expect(await evidence('/failing')).toMatchObject({
      extraction: { status_counts: { repairable: 1 } },
      accounting: {
        complete: false,
        settled: true,
        requests_complete: true,
        tokens_complete: false,
        cost_complete: false,
        reasons: ['attempts_unmetered'],
      },
    });
  });

  test('is incomplete when an answer reported no tokens', async () => {
    stub.script({ kind: 'unmetered' });
    await tell('/unmetered', 'I own a boat.');
    expect(await evidence('/unmetered')).toMatchObject({
      accounting: { complete: false, tokens_complete: false, reasons: ['attempts_unmetered'] },
    });
  });

  test('is complete when the tokens of a refused answer are known', async () => {
    stub.script(...Array.from({ length: 3 }, () => ({ kind: 'text', text: 'no object' }) as const));
    await tell('/poison', 'I own a boat.');
    expect(await evidence('/poison')).toMatchObject({
      extraction: { terminal_anchors: 1, job_attempts: 1 },
      usage: { provider_attempts: 3, total_tokens: 360 },
      batches: { count: 1, single: 1 },
      accounting: { complete: true },
    });
  });

  test('is not settled while an extraction is under way', async () => {
    const released = Promise.withResolvers<void>();
    const before = stub.requests.length;
    stub.script({ kind: 'held', until: released.promise });
    const sent = tell('/moving', 'I own a boat.');
    while (stub.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await evidence('/moving')).toMatchObject({
      extraction: { status_counts: { pending: 1 } },
      usage: { provider_attempts: 1, total_tokens: 0 },
      accounting: {
        complete: false,
        settled: false,
        reasons: ['anchors_unsettled', 'attempts_open'],
      },
    });
    released.resolve();
    await sent;
    expect(await evidence('/moving')).toMatchObject({ accounting: { complete: true } });
  });

  test.each([
    [
      'a call that the ledger lost',
      `delete from provider_attempts where scope_id = (select id from scopes where path = $1)`,
      1,
    ],
    [
      'a call that names other observations',
      `update provider_attempts set anchor_message_ids = array[gen_random_uuid()]
       where scope_id = (select id from scopes where path = $1)`,
      1,
    ],
    [
      'a call without a batch, and its observation',
      `update provider_attempts set batch_id = null
       where scope_id = (select id from scopes where path = $1)`,
      2,
    ],
    [
      'a statement of an unknown batch',
      `update run_outputs o set batch_id = gen_random_uuid() from messages m
       where m.id = o.message_id and m.scope_id = (select id from scopes where path = $1)`,
      1,
    ],
  ])('does not reconcile with %s', async (_what, spoil, unreconciled) => {
    const root = `/spoilt-${randomUUID()}`;
    await tell(root, 'I own a boat.');
    expect(await evidence(root)).toMatchObject({ accounting: { complete: true } });
    await service.rows(spoil, [root]);
    expect(await evidence(root)).toMatchObject({
      batches: { unreconciled },
      accounting: {
        complete: false,
        settled: true,
        requests_complete: false,
        reasons: ['batches_unreconciled'],
      },
    });
  });
});

describe('evidence that the caller may not see', () => {
  test('is the same 404 for a missing, foreign, denied or malformed scope root', async () => {
    const { token: foreign } = await service.other.agent('stranger');
    await service.ingestAndWait(foreign, { scope_path: '/theirs', content: 'I own a ship.' });
    const { token: warden } = await service.home.agent('outcast', { role: 'account_admin' });
    await tell('/outcast', 'I own a boat.');
    await service.home.grant('outcast', { scope: '/outcast', effect: 'deny' });
    const queries = [
      '',
      '?scope_root=',
      '?scope_root=%20',
      '?scope_root=/nobody/was/here',
      '?scope_root=/theirs',
      '?scope_root=/outcast',
      '?scope_root=/a/../b',
      '?scope_root=%00',
      '?scope_root=/a%00',
      '?scope_root=%ED%A0%80',
      '?scope_root=%zz',
      '?scope_root=/corpus&scope_root=/corpus',
      `?scope_root=/${'x'.repeat(200)}`,
      '?scope=/corpus',
    ];
    const answers = await Promise.all(
      queries.map((query) => service.call({ path: `${PATH}${query}`, token: warden })),
    );
    const [first] = answers;
    expect(first?.status).toBe(404);
    for (const [n, answer] of answers.entries()) {
      expect([queries[n], exactly(answer)]).toEqual([queries[n], exactly(first as HttpAnswer)]);
    }
  });

  test('is 401 without a credential and 403 for callers that are not administrators', async () => {
    const curator = await service.home.person('curator', { role: 'curator' });
    for (const root of ['/corpus', '/nobody', null]) {
      expect(refusal(await get(root, 'nobody'))).toEqual([401, 'unauthorized']);
      for (const token of [teller, curator]) {
        expect(refusal(await get(root, token))).toEqual([403, 'forbidden']);
      }
    }
  });
});
