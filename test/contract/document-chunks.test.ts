/** Chunks of documents as candidates of `POST /api/v1/search`: what they look like, who finds them, and until when. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  base64,
  settledDocument,
  startDocumentService,
  submitAndWait,
} from '../support/documents.ts';
import {
  candidatesOf,
  closeWithoutErrors,
  dataOf,
  type Body,
  type Service,
} from '../support/service.ts';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);

let service: Service;
let writer: string;

beforeAll(async () => {
  ({ service, writer } = await startDocumentService());
});
afterAll(() => closeWithoutErrors(service));

const LIGHTHOUSE = 'The lighthouse of Aveiro has a lamp room with eight windows.';
const KEEPER = 'The keeper climbs two hundred steps to the lamp every evening.';

/** Hands the text in and waits until a search can find its chunks. */
async function submitted(text: string, body: Body = {}, token = writer): Promise<Body> {
  const version = await submitAndWait(service, token, { content_base64: base64(text), ...body });
  await service.quiet();
  return version;
}

async function found(token: string, body: Body): Promise<readonly Body[]> {
  const answer = await service.search(token, body);
  expect(answer.status).toBe(200);
  return candidatesOf(answer);
}

const isChunk = ({ candidate_type: type }: Body) => type === 'document_chunk';

async function chunks(token: string, body: Body): Promise<readonly Body[]> {
  return (await found(token, body)).filter(isChunk);
}

/** The built-in embedder finds a little of every letter; what shares a word with the query is found by words too. */
async function chunksByWords(
  token: string,
  query: string,
  body: Body = {},
): Promise<readonly Body[]> {
  const rows = await chunks(token, { ...body, query });
  return rows.filter(
    ({ strategies }) => Array.isArray(strategies) && strategies.includes('lexical'),
  );
}

const textsOf = (rows: readonly Body[]) => rows.map(({ statement }) => statement);

describe('a chunk of a document', () => {
  let document: Body;

  beforeAll(async () => {
    document = await submitted(`# Tower\n\n${LIGHTHOUSE}\n\n# Work\n\n${KEEPER}`);
  });

  test('is found beside statements, and says of which document it is and where in it', async () => {
    const candidates = await found(writer, { query: 'lamp room of the lighthouse' });
    expect(candidates.map(({ candidate_type: type }) => type)).toContain('knowledge');
    const [chunk] = candidates.filter(isChunk);
    expect(chunk).toEqual({
      id: UUID,
      scope_id: UUID,
      scope_path: '/team',
      statement: LIGHTHOUSE,
      kind: 'document_chunk',
      confidence: 1,
      sensitivity: 'internal',
      state: 'active',
      source_message_ids: [],
      extracting_model: null,
      pipeline_version: 'f7-1',
      candidate_type: 'document_chunk',
      document_id: document['document_id'],
      document_version_id: document['document_version_id'],
      position: 0,
      fusion_score: expect.any(Number),
      rrf_score: chunk?.['fusion_score'],
      strategies: ['semantic', 'lexical'],
    });
    const [row] = await service.rows('select content from messages where id = $1', [chunk?.['id']]);
    expect(row).toEqual({ content: LIGHTHOUSE });
  });

  test('has no window in which it is true, while every statement has one', async () => {
    const candidates = await found(writer, { query: 'lamp' });
    for (const candidate of candidates) {
      expect('relevant_from' in candidate).toBe(!isChunk(candidate));
      expect('relevant_until' in candidate).toBe(!isChunk(candidate));
    }
    expect(new Set(candidates.map(isChunk))).toEqual(new Set([true, false]));
  });

  test('is found in its scope and below it, and not above or beside it', async () => {
    const below = await chunksByWords(writer, 'lighthouse', { scope_path: '/team/project' });
    expect(textsOf(below)).toEqual([LIGHTHOUSE]);
    for (const scope_path of ['/', '/elsewhere']) {
      expect(await chunks(writer, { query: 'lighthouse', scope_path })).toEqual([]);
    }
  });

  test('is found by nobody but its uploader, whoever may read its statements', async () => {
    const stranger = (await service.home.agent('stranger')).token;
    const admin = (await service.home.agent('boss', { role: 'account_admin' })).token;
    const nobody = (await service.home.agent(null)).token;
    for (const token of [stranger, admin, nobody]) {
      const { document_id: source_document_id } = document;
      expect(await chunks(token, { query: 'lighthouse lamp' })).toEqual([]);
      expect(await found(token, { query: 'lamp', source_filters: { source_document_id } })).toEqual(
        [],
      );
    }
    expect(textsOf(await found(stranger, { query: '"lighthouse"' }))).toEqual([LIGHTHOUSE]);
    const named = (peer_key: string) => ({ query: '"lighthouse"', peer_key });
    expect(textsOf(await chunks(nobody, named('writer')))).toEqual([LIGHTHOUSE]);
    expect(await chunks(writer, named('stranger'))).toEqual([]);
  });

  test('is no part of a blank query, which shows what stands out', async () => {
    expect(await chunks(writer, { query: '', profile: 'thorough' })).toEqual([]);
  });

  test.each([
    ['"lamp room"', [LIGHTHOUSE]],
    ['"room lamp"', []],
    ['lamp -windows', [KEEPER]],
    ['"two hundred" or "lamp room"', [LIGHTHOUSE, KEEPER]],
    ['"to the"', [KEEPER]],
    ['"has a"', [LIGHTHOUSE]],
  ])('is bound by the operators of %s', async (query, expected) => {
    expect(textsOf(await chunks(writer, { query })).toSorted()).toEqual(expected.toSorted());
  });

  test('is dropped under the minimum score, like a statement', async () => {
    expect(await chunks(writer, { query: 'lighthouse zeppelin', min_score: 1 })).toEqual([]);
  });

  test('is found as of the moment it was recorded, and not before', async () => {
    const rows = await service.rows(
      'select recorded_at from messages where document_version_id = $1',
      [document['document_version_id']],
    );
    const at = Math.max(...rows.map(({ recorded_at: at }) => Number(at)));
    const before = new Date(at - 60_000).toISOString();
    const after = new Date(at + 1_000).toISOString();
    expect(await chunks(writer, { query: 'lighthouse', as_of: before })).toEqual([]);
    const [chunk] = await chunks(writer, { query: 'lighthouse', as_of: after });
    expect(chunk?.['strategies']).toEqual(['semantic', 'lexical']);
  });
});

describe('the filters', () => {
  const GRANARY = 'The granary of the northern village keeps rye and barley.';
  const BAKERY = 'The bakery of the northern village bakes rye bread at night.';
  let granary: Body;
  let message: string;

  beforeAll(async () => {
    granary = await submitted(GRANARY);
    await submitted(BAKERY);
    const said = 'I bake rye bread for the northern village.';
    const observed = await service.ingestAndWait(writer, { peer_key: 'rosa', content: said });
    message = observed.messageId;
    await service.quiet();
  });

  test('by document find the chunks of that document, and no statement', async () => {
    const { document_id: source_document_id } = granary;
    const source_filters = { source_document_id };
    const rows = await found(writer, { query: 'northern village', source_filters });
    expect(rows.map(({ document_id: id, statement }) => [id, statement])).toEqual([
      [source_document_id, GRANARY],
    ]);
    expect(textsOf(await found(writer, { query: '"rye and barley"', source_filters }))).toEqual([
      GRANARY,
    ]);
    expect(await found(writer, { query: '"rye bread"', source_filters })).toEqual([]);
  });

  test('by what only statements have find no chunk', async () => {
    const [chunk] = await chunks(writer, { query: 'granary' });
    const filters: Body[] = [
      { provider: 'deterministic' },
      { pipeline_version: 'f5-1' },
      { pipeline_version: 'f7-1' },
      { minimum_corroboration: 0 },
      { source_message_id: message },
      { source_message_id: chunk?.['id'] },
    ];
    for (const source_filters of filters) {
      const rows = await found(writer, { query: 'northern village rye', source_filters });
      expect(rows.filter(isChunk)).toEqual([]);
    }
    const source_filters = { source_message_id: chunk?.['id'] };
    expect(textsOf(await found(writer, { query: 'village', source_filters }))).toEqual([GRANARY]);
  });

  test('all bind at once: a document and a provider together find nothing', async () => {
    const { document_id: source_document_id } = granary;
    const source_filters = { source_document_id, provider: 'deterministic' };
    expect(await found(writer, { query: 'northern village', source_filters })).toEqual([]);
  });

  test('by a document that is hidden or missing answer alike', async () => {
    const stranger = (await service.home.agent('beyond')).token;
    const answers = [];
    for (const source_document_id of [granary['document_id'], randomUUID()]) {
      const body = { query: 'northern village', source_filters: { source_document_id } };
      const { candidates, empty_strategies, degraded_components } = dataOf(
        await service.search(stranger, body),
      );
      answers.push({ candidates, empty_strategies, degraded_components });
    }
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe('chunks leave the answers', () => {
  test('of a version that was replaced, and those of the new one come', async () => {
    const external_id = randomUUID();
    const [before, after] = ['The tannery has two vats.', 'The tannery owns three vats.'];
    await submitted(before, { external_id });
    expect(textsOf(await chunksByWords(writer, 'tannery'))).toEqual([before]);
    const version = await submitted(after, { external_id });
    const rows = await chunksByWords(writer, 'tannery');
    expect(rows.map(({ statement, document_version_id: id }) => [statement, id])).toEqual([
      [after, version['document_version_id']],
    ]);
  });

  test('of a document that was withdrawn', async () => {
    const { document_id: id } = await submitted('The ropewalk is three hundred metres long.');
    expect(await chunksByWords(writer, 'ropewalk')).toHaveLength(1);
    const answer = await service.call({
      method: 'DELETE',
      path: `/api/v1/documents/${String(id)}`,
      token: writer,
    });
    await settledDocument(service, writer, dataOf(answer)['document_version_id']);
    expect(await found(writer, { query: '"ropewalk"' })).toEqual([]);
  });

  test('of a person who is being erased, whoever reads for that person', async () => {
    const leaver = (await service.home.agent('leaver')).token;
    await submitted('The foundry casts bells of bronze.', {}, leaver);
    const machine = (await service.home.agent(null)).token;
    const query = { query: '"foundry"', peer_key: 'leaver' };
    expect(await chunks(machine, query)).toHaveLength(1);
    await service.rows(`update peers set erasing_at = now() where key = 'leaver'`);
    expect(await chunks(machine, query)).toEqual([]);
  });
});

test('chunks share the order with statements and displace none of them', async () => {
  const scope_path = '/quarry';
  for (const number of [1, 2, 3]) {
    const content = `I cut granite block number ${number}.`;
    await service.ingestAndWait(writer, { scope_path, peer_key: 'rosa', content });
  }
  const before = await found(writer, { scope_path, query: 'granite block', limit: 100 });
  const filler = 'The manual of the quarry describes one granite block after the other. '.repeat(4);
  const headings = Array.from({ length: 60 }, (_, n) => `# Part ${n}\n\n${filler}Part ${n}.`);
  await submitted(headings.join('\n\n'), { scope_path });
  const after = await found(writer, { scope_path, query: 'granite block', limit: 100 });
  const statementsIn = (rows: readonly Body[]) =>
    rows.filter((row) => !isChunk(row) && String(row['statement']).includes('number'));
  expect(statementsIn(before)).toHaveLength(3);
  expect(statementsIn(after).map(({ id }) => id)).toEqual(statementsIn(before).map(({ id }) => id));
  expect(after.filter(isChunk).length).toBeGreaterThan(20);
  const scores = after.map(({ fusion_score: score }) => Number(score));
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
});
