/** `POST /api/v1/documents` and its status: what is taken, what comes of it, and who may look. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setPreset } from '../../operations/governance/preset.ts';
import { eventually } from '../support/patience.ts';
import { dataOf, startService, type Body, type Service } from '../support/service.ts';
import type { HttpAnswer } from '../support/http.ts';
import { refusal } from './answers.ts';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const MIB = 1_048_576;

let service: Service;
let writer: string;

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

function submit(token: string, body: Body, headers: Readonly<Record<string, string>> = {}) {
  const json = { scope_path: '/team', media_type: 'text/markdown', ...body };
  return service.call({ path: '/api/v1/documents', token, json, headers });
}

const status = (token: string, versionId: unknown, query = ''): Promise<HttpAnswer> =>
  service.call({ path: `/api/v1/documents/${String(versionId)}${query}`, token });

/** The status of a version once it has come to an end. */
function settled(token: string, versionId: unknown): Promise<Body> {
  return eventually(async () => {
    const answer = dataOf(await status(token, versionId, '?wait_ms=10000'));
    return answer['status'] !== 'pending' && answer;
  });
}

async function submitAndWait(token: string, body: Body): Promise<Body> {
  return settled(token, dataOf(await submit(token, body))['document_version_id']);
}

function statementsOf(answer: Body): string[] {
  const { knowledge } = answer;
  if (!Array.isArray(knowledge)) throw new Error('no list of statements');
  return knowledge.map((row: Body) => String(row['statement'])).toSorted();
}

beforeAll(async () => {
  service = await startService();
  const { home } = service;
  await service.operate(setPreset, { account: 'home', preset: 'unattended' });
  writer = (await home.agent('writer')).token;
  for (const [peer_key, peer_name] of [
    ['ana', 'Ana Silva'],
    ['bruno', 'Bruno Costa'],
  ]) {
    const content = 'Good morning.';
    await service.ingest(writer, { peer_key, peer_name, content, scope_path: '/elsewhere' });
  }
});

afterAll(() => service.close());

describe('a document', () => {
  test('is accepted, read, and says what it says of known people and of its scope', async () => {
    const answer = await submit(writer, {
      title: 'Handbook',
      content_base64: base64(
        '# People\n\nAna Silva moved to Porto in 2021. I like tea with milk very much.\n\n# Office\n\nThe harbour office has twelve desks and one kitchen.\n',
      ),
    });
    expect([answer.status, dataOf(answer)]).toEqual([
      202,
      { document_id: UUID, document_version_id: UUID, status: 'accepted' },
    ]);
    const version = await settled(writer, dataOf(answer)['document_version_id']);
    expect(version).toMatchObject({
      status: 'completed',
      version: 1,
      chunk_count: 2,
      last_error_class: null,
      knowledge: expect.arrayContaining([
        expect.objectContaining({
          statement: 'Ana Silva moved to Porto in 2021.',
          state: 'active',
          evidence_level: 'indirect',
          relevant_from: null,
          relevant_until: null,
          subject_scope_id: null,
        }),
        expect.objectContaining({
          statement: 'The harbour office has twelve desks and one kitchen.',
          state: 'active',
          subject_peer_id: null,
        }),
      ]),
    });
    expect(statementsOf(version)).toHaveLength(2);
  });

  test('attests once, however many passages and versions say it', async () => {
    const said = 'Bruno Costa leads the platform team in Braga.';
    const once = {
      external_id: randomUUID(),
      content_base64: base64(`# A\n\n${said}\n\n# B\n\n${said}`),
    };
    const [first] = (await submitAndWait(writer, once))['knowledge'] as Body[];
    expect(first).toMatchObject({ statement: said, corroboration_count: 1, source_count: 2 });
    const other = { content_base64: base64(`Another paper.\n\n${said}`) };
    const [second] = (await submitAndWait(writer, other))['knowledge'] as Body[];
    expect(second).toMatchObject({ id: first?.['id'], corroboration_count: 2, source_count: 3 });
  });

  test('is found by a search', async () => {
    await submitAndWait(writer, {
      content_base64: base64('The lighthouse archive keeps seventeen thousand maps.'),
    });
    await service.quiet();
    const answer = dataOf(await service.search(writer, { query: 'lighthouse archive maps' }));
    expect(JSON.stringify(answer)).toContain('seventeen thousand maps');
  });
});

describe('the same bytes again', () => {
  test('are unchanged, with or without a name', async () => {
    for (const external_id of [null, randomUUID()]) {
      const body = { external_id, content_base64: base64(`Nothing new ${randomUUID()}.`) };
      const first = await submit(writer, body);
      const again = await submit(writer, { ...body, title: 'Renamed' });
      expect([first.status, again.status]).toEqual([202, 200]);
      expect(dataOf(again)).toEqual({ ...dataOf(first), status: 'unchanged' });
    }
  });

  test('are another document in another scope', async () => {
    const content_base64 = base64(`Nothing new ${randomUUID()}.`);
    const first = dataOf(await submit(writer, { content_base64 }));
    const other = dataOf(await submit(writer, { content_base64, scope_path: '/team/b' }));
    expect(other['status']).toBe('accepted');
    expect(other['document_id']).not.toBe(first['document_id']);
  });

  test('sent by many at once make one version', async () => {
    const body = { external_id: randomUUID(), content_base64: base64('Said by all at once.') };
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(writer, body)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      200, 200, 200, 200, 200, 202,
    ]);
    expect(new Set(answers.map((answer) => dataOf(answer)['document_version_id'])).size).toBe(1);
  });
});

describe('a new version', () => {
  const FACTS = Array.from(
    { length: 10 },
    (_, n) => `The archive room ${'bcdefghjkl'.charAt(n)} holds ${n + 20} boxes of old letters.`,
  );

  test('that keeps nine of ten facts supersedes exactly one', async () => {
    const external_id = randomUUID();
    const first = await submitAndWait(writer, {
      external_id,
      content_base64: base64(FACTS.join('\n\n')),
    });
    expect(statementsOf(first)).toEqual(FACTS.toSorted());
    const kept = FACTS.filter((_, n) => n !== 4);
    const second = await submitAndWait(writer, {
      external_id,
      content_base64: base64(kept.join('\n\n')),
    });
    expect(second).toMatchObject({ status: 'completed', version: 2 });
    expect(second['document_id']).toBe(first['document_id']);
    expect(statementsOf(second)).toEqual(kept.toSorted());
    const rows = await service.rows(
      `select k.statement, k.state from knowledge k where k.statement = any($1)
         and k.state = 'superseded'`,
      [FACTS],
    );
    expect(rows).toEqual([{ statement: FACTS[4], state: 'superseded' }]);
    const found = dataOf(await service.search(writer, { query: 'archive room f boxes letters' }));
    expect(JSON.stringify(found)).not.toContain(String(FACTS[4]));
  });

  test('ends what an emptied one said, and nothing of it comes back', async () => {
    const said = 'The lighthouse keeper counts the ships every evening.';
    const external_id = randomUUID();
    const first = await submitAndWait(writer, { external_id, content_base64: base64(said) });
    expect(statementsOf(first)).toEqual([said]);
    const empty = await submitAndWait(writer, { external_id, content_base64: base64('\n') });
    expect(empty).toMatchObject({ status: 'completed', chunk_count: 0, knowledge: [] });
    const states = () =>
      service.rows('select distinct state from knowledge where statement = $1', [said]);
    expect(await states()).toEqual([{ state: 'superseded' }]);

    // A passage of the first version that is taken up again, as after a requeue.
    const versionId = first['document_version_id'];
    await service.rows(
      `update extraction_anchors a set status = 'failed', last_error_class = 'internal_error',
         completed_at = null, extracted_at = null, candidate_count = null, available_at = now()
       from messages m where m.id = a.message_id and m.document_version_id = $1`,
      [versionId],
    );
    const [anchor] = await eventually(async () => {
      const rows = await service.rows(
        `select a.candidate_count from extraction_anchors a join messages m on m.id = a.message_id
         where m.document_version_id = $1 and a.status = 'completed'`,
        [versionId],
      );
      return rows.length > 0 && rows;
    });
    expect(anchor).toEqual({ candidate_count: 0 });
    expect(await states()).toEqual([{ state: 'superseded' }]);
  });

  test('that says a fact anew lets the old one never come back, and reinstates what only it had outdated', async () => {
    const session_id = randomUUID();
    const carla = { session_id, peer_key: 'carla', peer_name: 'Carla Nunes' };
    const bruno = { session_id, peer_key: 'bruno' };
    await service.ingestAndWait(writer, { ...carla, content: 'Good evening.' });
    const heard = 'Carla Nunes lives in Faro.';
    await service.ingestAndWait(writer, {
      ...bruno,
      content: heard,
      occurred_at: '2024-01-01T10:00:00Z',
    });
    const external_id = randomUUID();
    const edition = (text: string, occurred_at: string) =>
      submitAndWait(writer, { external_id, occurred_at, content_base64: base64(text) });
    const states = async () =>
      Object.fromEntries(
        (
          await service.rows(
            `select statement, state, updated_by_id is not null as updated from knowledge
             where statement like 'Carla Nunes lives%'`,
          )
        ).map(({ statement, ...row }) => [statement, [row['state'], row['updated']]]),
      );
    await edition('Carla Nunes lives in Porto.', '2024-02-01T10:00:00Z');
    expect(await states()).toEqual({
      [heard]: ['superseded', true],
      'Carla Nunes lives in Porto.': ['active', false],
    });
    await edition('Carla Nunes lives in Lisbon.', '2024-03-01T10:00:00Z');
    expect(await states()).toEqual({
      [heard]: ['superseded', true],
      'Carla Nunes lives in Porto.': ['superseded', false],
      'Carla Nunes lives in Lisbon.': ['active', false],
    });
    await edition('\n', '2024-04-01T10:00:00Z');
    expect(await states()).toEqual({
      [heard]: ['active', false],
      'Carla Nunes lives in Porto.': ['superseded', false],
      'Carla Nunes lives in Lisbon.': ['superseded', false],
    });
  });

  test('leaves what somebody else says too', async () => {
    const said = 'Ana Silva plays the cello in the city orchestra.';
    const external_id = randomUUID();
    const session_id = randomUUID();
    await service.ingestAndWait(writer, { session_id, peer_key: 'ana', content: 'Thanks.' });
    await submitAndWait(writer, { external_id, content_base64: base64(said) });
    await service.ingestAndWait(writer, { session_id, peer_key: 'bruno', content: said });
    const text = 'The orchestra rehearses every Monday in the old theatre.';
    await submitAndWait(writer, { external_id, content_base64: base64(text) });
    const rows = await service.rows(
      'select state, corroboration_count from knowledge where statement = $1',
      [said],
    );
    expect(rows).toEqual([{ state: 'active', corroboration_count: 2 }]);
  });
});

describe('what cannot be taken', () => {
  test('is refused with the field at fault', async () => {
    const content_base64 = base64('x');
    expect(refusal(await submit(writer, {}))).toEqual([422, 'invalid_request', 'content_base64']);
    expect(refusal(await submit(writer, { content_base64: 'no*base64' }))).toEqual([
      422,
      'invalid_request',
      'content_base64',
    ]);
    expect(refusal(await submit(writer, { content_base64: '' }))).toEqual([
      422,
      'invalid_request',
      'content_base64',
    ]);
    expect(refusal(await submit(writer, { content_base64, scope_path: ' ' }))).toEqual([
      422,
      'invalid_request',
      'scope_path',
    ]);
    for (const media_type of ['image/png', 'application/octet-stream', 'text', 'x'.repeat(300)]) {
      expect(refusal(await submit(writer, { content_base64, media_type }))).toEqual([
        415,
        'unsupported_media_type',
      ]);
    }
  });

  test('is a document of more than 32 MiB, or a body of more than 44', async () => {
    const bytes = (size: number) => Buffer.alloc(size, 'a').toString('base64');
    const most = await submit(writer, {
      media_type: 'text/plain',
      content_base64: bytes(32 * MIB),
    });
    expect(most.status).toBe(202);
    expect(await settled(writer, dataOf(most)['document_version_id'])).toMatchObject({
      status: 'repairable',
      last_error_class: 'source_too_large',
      knowledge: [],
    });
    expect(refusal(await submit(writer, { content_base64: bytes(32 * MIB + 1) }))).toEqual([
      413,
      'payload_too_large',
      'content_base64',
    ]);
    expect(refusal(await submit(writer, { content_base64: bytes(34 * MIB) }))).toEqual([
      413,
      'payload_too_large',
    ]);
  });

  test('is a document where the caller may not write, or of nobody', async () => {
    const body = { content_base64: base64('Hello.') };
    const reader = (await service.home.agent('reader', { role: 'reader' })).token;
    const nobody = (await service.home.agent(null)).token;
    for (const token of [reader, nobody]) {
      expect(refusal(await submit(token, body))).toEqual([403, 'forbidden']);
    }
  });
});

describe('an idempotency key', () => {
  test('gives the first answer again, also after a newer version, and refuses another body', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { external_id: randomUUID(), content_base64: base64('First edition.') };
    const first = await submit(writer, body, headers);
    await submit(writer, { ...body, content_base64: base64('Second edition.') });
    const again = await submit(writer, body, headers);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    const other = await submit(writer, { ...body, content_base64: base64('Third.') }, headers);
    expect(refusal(other)).toEqual([409, 'conflict']);
  });
});

describe('a form', () => {
  function form(parts: readonly string[]): { raw: string; headers: Record<string, string> } {
    const raw = `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;
    return { raw, headers: { 'content-type': 'multipart/form-data; boundary=b' } };
  }
  const field = (name: string, value: string) =>
    `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
  const file = (text: string, name = 'notes.md', type = 'application/octet-stream') =>
    `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n${text}`;
  const send = (parts: readonly string[]) =>
    service.call({ path: '/api/v1/documents', token: writer, ...form(parts) });

  test('with a file is the same request as JSON', async () => {
    const external_id = randomUUID();
    const text = '# Notes\n\nBruno Costa repairs bicycles on the second floor.\n';
    const sent = await send([
      field('scope_path', '/team'),
      field('external_id', external_id),
      field('other', 'ignored'),
      file(text),
    ]);
    expect(sent.status).toBe(202);
    expect((await submit(writer, { external_id, content_base64: base64(text) })).status).toBe(200);
    const version = await settled(writer, dataOf(sent)['document_version_id']);
    expect(statementsOf(version)).toEqual(['Bruno Costa repairs bicycles on the second floor.']);
  });

  test.each([
    ['without a file', [field('scope_path', '/team')], [422, 'invalid_request', 'file']],
    ['with two files', [file('a'), file('b')], [422, 'invalid_request', 'file']],
    [
      'of an unknown type',
      [field('scope_path', '/team'), file('a', 'a.exe')],
      [415, 'unsupported_media_type'],
    ],
    ['without a scope', [file('a')], [422, 'invalid_request', 'scope_path']],
  ])('%s is refused', async (_what, parts, expected) => {
    expect(refusal(await send(parts))).toEqual(expected);
  });

  test('that ends early is refused', async () => {
    const { headers } = form([]);
    for (const raw of [
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nabc',
      '',
      'x',
    ]) {
      const answer = await service.call({ path: '/api/v1/documents', token: writer, raw, headers });
      expect(answer.status).toBe(422);
    }
  });
});

describe('the status', () => {
  test('is the uploader’s, and curators’ of the scope; nobody else has heard of it', async () => {
    const version = dataOf(await submit(writer, { content_base64: base64('Ana Silva is here.') }));
    const id = version['document_version_id'];
    const curator = (await service.home.agent('curator', { role: 'curator' })).token;
    const member = (await service.home.agent('member')).token;
    const stranger = (await service.other.agent('stranger')).token;
    expect((await status(writer, id)).status).toBe(200);
    expect((await status(curator, id)).status).toBe(200);
    const missing = await status(writer, randomUUID());
    for (const token of [member, stranger]) {
      const hidden = await status(token, id);
      expect([hidden.status, hidden.text]).toEqual([404, missing.text]);
    }
  });
});

test('nothing of this was a defect', () => {
  expect(service.errors).toEqual([]);
});
