/** `POST /api/v1/documents` and its status: what is taken, what comes of it, and who may look. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  base64,
  settledDocument,
  startDocumentService,
  statementsOf,
  submitAndWait,
  submitDocument,
} from '../support/documents.ts';
import { closeWithoutErrors, dataOf, type Body, type Service } from '../support/service.ts';
import type { HttpAnswer } from '../support/http.ts';
import { refusal } from './answers.ts';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const MIB = 1_048_576;

let service: Service;
let writer: string;

const submit = (token: string, body: Body, headers: Readonly<Record<string, string>> = {}) =>
  submitDocument(service, token, body, headers);

const status = (token: string, versionId: unknown): Promise<HttpAnswer> =>
  service.call({ path: `/api/v1/documents/${String(versionId)}`, token });

const settled = (token: string, versionId: unknown) => settledDocument(service, token, versionId);

beforeAll(async () => {
  ({ service, writer } = await startDocumentService());
  for (const [peer_key, peer_name] of [
    ['ana', 'Ana Silva'],
    ['bruno', 'Bruno Costa'],
  ]) {
    const content = 'Good morning.';
    await service.ingest(writer, { peer_key, peer_name, content, scope_path: '/elsewhere' });
  }
});

afterAll(() => closeWithoutErrors(service));

describe('a document', () => {
  test('is accepted and read, and yields statements about known people and about its scope', async () => {
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

  test('attests a statement once, however many of its passages say it', async () => {
    const said = 'Bruno Costa leads the platform team in Braga.';
    const once = {
      external_id: randomUUID(),
      content_base64: base64(`# A\n\n${said}\n\n# B\n\n${said}`),
    };
    const [first] = (await submitAndWait(service, writer, once))['knowledge'] as Body[];
    expect(first).toMatchObject({ statement: said, corroboration_count: 1, source_count: 2 });
    const other = { content_base64: base64(`Another paper.\n\n${said}`) };
    const [second] = (await submitAndWait(service, writer, other))['knowledge'] as Body[];
    expect(second).toMatchObject({ id: first?.['id'], corroboration_count: 2, source_count: 3 });
  });

  test('is found by a search', async () => {
    await submitAndWait(service, writer, {
      content_base64: base64('The lighthouse archive keeps seventeen thousand maps.'),
    });
    await service.quiet();
    const answer = dataOf(await service.search(writer, { query: 'lighthouse archive maps' }));
    expect(JSON.stringify(answer)).toContain('seventeen thousand maps');
  });
});

describe('bytes that were uploaded before', () => {
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

  test('sent by concurrent requests make one version', async () => {
    const body = { external_id: randomUUID(), content_base64: base64('Said by all at once.') };
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(writer, body)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      200, 200, 200, 200, 200, 202,
    ]);
    expect(new Set(answers.map((answer) => dataOf(answer)['document_version_id'])).size).toBe(1);
  });
});

describe('a document that cannot be accepted', () => {
  test('is refused with the name of the invalid field', async () => {
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

  test('is one of more than 32 MiB, or one in a body of more than 44 MiB', async () => {
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

  test('is one of a caller that may not write to the scope or has no peer', async () => {
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
  test('is visible to the uploader and to curators of the scope; other callers get 404', async () => {
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
