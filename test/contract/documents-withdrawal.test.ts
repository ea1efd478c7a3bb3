/** `DELETE /api/v1/documents/<document_id>`: what ends, what comes back, what stays, and who may. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../support/account.ts';
import { rebuildIndex, verifyIndex } from '../../operations/retrieval/index-admin.ts';
import {
  base64,
  settledDocument,
  startDocumentService,
  statementsOf,
  submitAndWait,
  submitDocument,
} from '../support/documents.ts';
import { closeWithoutErrors, dataOf, type Body, type Service } from '../support/service.ts';
import { refusal } from './answers.ts';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = expect.stringMatching(/^\d{4}-.*Z$/);

let service: Service;
let writer: string;

beforeAll(async () => {
  ({ service, writer } = await startDocumentService());
});
afterAll(() => closeWithoutErrors(service));

const withdraw = (token: string, documentId: unknown) =>
  service.call({ method: 'DELETE', path: `/api/v1/documents/${String(documentId)}`, token });

const submitted = (text: string, body: Body = {}): Promise<Body> =>
  submitAndWait(service, writer, { content_base64: base64(text), ...body });

/** Withdraws the document and waits until its withdrawal is settled. */
async function withdrawn({ document_id: id }: Body): Promise<Body> {
  const { document_version_id: versionId } = dataOf(await withdraw(writer, id));
  return settledDocument(service, writer, versionId);
}

const statusOf = (token: string, { document_version_id: id }: Body) =>
  service.call({ path: `/api/v1/documents/${String(id)}`, token });

async function statesOf(...statements: readonly string[]): Promise<unknown[]> {
  const rows = await service.rows(
    `select state from knowledge where statement = any($1)
     order by array_position($1, statement), recorded_at`,
    [statements],
  );
  return rows.map(({ state }) => state);
}

/** What each index holds of messages, once it waits for nothing; throws unless that is what it should hold. */
async function messagesInIndexes(): Promise<number[]> {
  await service.quiet();
  const report = await service.operate(verifyIndex, { account: service.home.key });
  expect(report).toMatchObject({ consistent: true });
  return report.indexes.filter(({ unit }) => unit === 'message').map(({ present }) => present);
}

describe('a document that is withdrawn', () => {
  test('has no current statements, is found by no search, and keeps its bytes and chunks in the store', async () => {
    const said = 'The observatory lends its telescope to schools on Fridays.';
    const before = await messagesInIndexes();
    const first = await submitted(`# A\n\n${said}\n\n# B\n\nThe dome is painted green.`);
    expect(statementsOf(first)).toContain(said);
    expect(first['withdrawn_at']).toBeNull();
    expect(await messagesInIndexes()).toEqual(before.map((count) => count + 2));

    const answer = await withdraw(writer, first['document_id']);
    expect([answer.status, dataOf(answer)]).toEqual([
      202,
      { document_id: first['document_id'], document_version_id: UUID, status: 'withdrawn' },
    ]);
    const withdrawal = await settledDocument(
      service,
      writer,
      dataOf(answer)['document_version_id'],
    );
    expect(withdrawal).toMatchObject({
      document_id: first['document_id'],
      version: 2,
      chunk_count: 0,
      status: 'completed',
      withdrawn_at: TIME,
      knowledge: [],
    });
    expect(await statesOf(said)).toEqual(['superseded']);
    expect(dataOf(await statusOf(writer, first))).toMatchObject({
      status: 'completed',
      withdrawn_at: withdrawal['withdrawn_at'],
      chunk_count: 2,
      knowledge: [],
    });
    expect(await messagesInIndexes()).toEqual(before);
    const found = dataOf(await service.search(writer, { query: 'observatory telescope Fridays' }));
    expect(JSON.stringify(found)).not.toContain('telescope to schools');

    const kept = await service.rows(
      `select m.content, v.byte_size > 0 as bytes from messages m
       join document_versions v on v.id = m.document_version_id where v.id = $1 order by m.id`,
      [first['document_version_id']],
    );
    expect(kept).toEqual([
      { content: expect.stringContaining(said), bytes: true },
      { content: expect.stringContaining('dome'), bytes: true },
    ]);
  });

  test('attests no more what others say too: a statement placed for two sources needs a person', async () => {
    const said = 'Rosa Lima plays the flute in the harbour band.';
    const inPair = { scope_path: '/pair', session_id: randomUUID() };
    await service.ingestAndWait(writer, {
      ...inPair,
      peer_key: 'rosa',
      peer_name: 'Rosa Lima',
      content: 'Thanks.',
    });
    const admin = await signIn((call) => service.call(call), service.home.adminEmail);
    const rule = {
      gate_a: 'auto_keep',
      gate_b: 'auto_place',
      minimum_evidence_level: 'indirect',
      minimum_confidence: 0,
      minimum_corroboration: 2,
      requires_consent: false,
      automatic_consent: false,
      pending_max_age_hours: 24,
    };
    const rules = ['peer', 'scope', 'account'].flatMap((target_level) =>
      ['public', 'internal'].map((sensitivity) => ({ target_level, sensitivity, ...rule })),
    );
    const changed = await service.call({
      method: 'PUT',
      path: '/api/v1/governance/rules',
      token: admin,
      json: { scope_path: '/pair', version: 0, rules },
    });
    expect(changed.status).toBe(200);
    const document = await submitted(said, { scope_path: '/pair' });
    await service.ingestAndWait(writer, { ...inPair, peer_key: 'bruno', content: said });
    const rows = () =>
      service.rows(
        `select k.state, k.corroboration_count, i.kind
         from knowledge k left join review_items i on i.knowledge_id = k.id and i.decided_at is null
         where k.statement = $1`,
        [said],
      );
    expect(await rows()).toEqual([{ state: 'active', corroboration_count: 2, kind: null }]);
    await withdrawn(document);
    expect(await rows()).toEqual([
      { state: 'needs_revalidation', corroboration_count: 1, kind: 'revalidation' },
    ]);
    await service.rows(
      'select recount_evidence(account_id, array[id]) from knowledge where statement = $1',
      [said],
    );
    expect(await rows()).toMatchObject([{ corroboration_count: 1 }]);
    await submitted(said, { scope_path: '/pair' });
    expect(await rows()).toEqual([{ state: 'active', corroboration_count: 2, kind: null }]);
  });

  test('stays out of the indexes when they are rebuilt', async () => {
    const first = await submitted('The tide table hangs beside the harbour door.');
    await withdrawn(first);
    const before = await messagesInIndexes();
    const rebuilt = await service.operate(rebuildIndex, { account: service.home.key });
    expect(rebuilt).toMatchObject({ orphans_removed: 0, failed: 0 });
    expect(await messagesInIndexes()).toEqual(before);
  });

  test('is withdrawn once: each further request gets the same answer', async () => {
    const first = await submitted('The mill grinds rye in the autumn months.');
    const answers = await Promise.all([1, 2, 3].map(() => withdraw(writer, first['document_id'])));
    const last = await withdraw(writer, first['document_id']);
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([last.status, last.text]);
    }
    const events = await service.rows(
      `select category, metadata from audit_events
       where action = 'document.withdrawn' and resource_id = $1`,
      [first['document_id']],
    );
    const { document_version_id: version_id } = dataOf(last);
    expect(events).toEqual([{ category: 'lifecycle', metadata: { version: 2, version_id } }]);
  });

  test('keeps statements that another source attests, and reinstates what only it had superseded', async () => {
    const session_id = randomUUID();
    const carla = { session_id, peer_key: 'carla', peer_name: 'Carla Nunes' };
    const bruno = { session_id, peer_key: 'bruno', peer_name: 'Bruno Costa' };
    await service.ingestAndWait(writer, { ...carla, content: 'Good evening.' });
    const heard = 'Carla Nunes lives in Faro.';
    await service.ingestAndWait(writer, {
      ...bruno,
      content: heard,
      occurred_at: '2024-01-01T10:00:00Z',
    });
    const shared = 'Carla Nunes plays the viola in the town band.';
    await service.ingestAndWait(writer, { ...bruno, content: shared });
    const read = 'Carla Nunes lives in Porto.';
    const first = await submitted(`# A\n\n${read}\n\n# B\n\n${shared}`, {
      occurred_at: '2024-02-01T10:00:00Z',
    });
    expect(await statesOf(heard, read, shared)).toEqual(['superseded', 'active', 'active']);
    await withdrawn(first);
    expect(await statesOf(heard, read, shared)).toEqual(['active', 'superseded', 'active']);
  });

  test.each([
    ['with a name', { external_id: randomUUID() }],
    ['known by its bytes', {}],
  ])('%s is revived by the same bytes, as a new version', async (_what, body) => {
    const said = `The ${randomUUID().slice(0, 8)} ferry crosses the river every hour.`;
    const first = await submitted(said, body);
    await withdrawn(first);
    const answer = await submitDocument(service, writer, { content_base64: base64(said), ...body });
    expect([answer.status, dataOf(answer)]).toEqual([
      202,
      { document_id: first['document_id'], document_version_id: UUID, status: 'accepted' },
    ]);
    const third = await settledDocument(service, writer, dataOf(answer)['document_version_id']);
    expect(third).toMatchObject({ status: 'completed', version: 3, withdrawn_at: null });
    expect(statementsOf(third)).toEqual([said]);
    expect(dataOf(await statusOf(writer, first))['withdrawn_at']).toEqual(TIME);
    expect(
      (await submitDocument(service, writer, { content_base64: base64(said), ...body })).status,
    ).toBe(200);
    await messagesInIndexes();
    const again = await withdrawn(first);
    expect(again).toMatchObject({ version: 4, status: 'completed' });
    expect(new Set(await statesOf(said))).toEqual(new Set(['superseded']));
  });

  test('before it was read is completed without statements, and the evidence of its scope is settled', async () => {
    const scope_path = '/unread';
    const answer = await submitDocument(service, writer, {
      scope_path,
      content_base64: base64('The granary keeps the winter wheat dry.'),
    });
    await withdrawn(dataOf(answer));
    const version = await settledDocument(service, writer, dataOf(answer)['document_version_id']);
    expect(version).toMatchObject({ status: 'completed', withdrawn_at: TIME, knowledge: [] });
    const admin = (await service.home.agent('boss', { role: 'account_admin' })).token;
    const path = `/api/v1/operations/extraction-evidence?scope_root=${scope_path}`;
    expect(dataOf(await service.call({ path, token: admin }))).toMatchObject({
      accounting: { complete: true, settled: true },
    });
  });
});

describe('a withdrawal', () => {
  test('is allowed to callers that may write to the scope; others get 404, and callers without a peer 403', async () => {
    const first = await submitted('The rope walk is three hundred metres long.');
    const missing = await withdraw(writer, randomUUID());
    expect(refusal(missing)).toEqual([404, 'not_found']);
    const reader = (await service.home.agent('reader', { role: 'reader' })).token;
    const elsewhere = (await service.home.agent('elsewhere', { scope: '/elsewhere' })).token;
    const stranger = (await service.other.agent('stranger')).token;
    for (const token of [reader, elsewhere, stranger]) {
      const hidden = await withdraw(token, first['document_id']);
      expect([hidden.status, hidden.text]).toEqual([404, missing.text]);
    }
    const nobody = (await service.home.agent(null)).token;
    for (const id of [first['document_id'], randomUUID()]) {
      expect(refusal(await withdraw(nobody, id))).toEqual([403, 'forbidden']);
    }
    const version = await withdraw(writer, first['document_version_id']);
    expect([version.status, version.text]).toEqual([404, missing.text]);
    expect(dataOf(await statusOf(writer, first))['withdrawn_at']).toBeNull();
    const member = (await service.home.agent('member')).token;
    const { document_version_id: versionId } = dataOf(await withdraw(member, first['document_id']));
    expect(await settledDocument(service, member, versionId)).toMatchObject({ version: 2 });
  });
});

describe('a version that replaced an earlier one', () => {
  test('removes the text of earlier versions from the indexes, not from the store', async () => {
    const external_id = randomUUID();
    const before = await messagesInIndexes();
    const first = await submitted('# A\n\nThe tannery has two vats.\n\n# B\n\nIt is closed.', {
      external_id,
    });
    expect(await messagesInIndexes()).toEqual(before.map((count) => count + 2));
    const second = await submitted('The tannery has three vats.', { external_id });
    expect(second).toMatchObject({ status: 'completed', version: 2 });
    expect(await messagesInIndexes()).toEqual(before.map((count) => count + 1));
    const kept = await service.rows('select from messages where document_version_id = $1', [
      first['document_version_id'],
    ]);
    expect(kept).toHaveLength(2);
  });
});

describe('the same bytes again', () => {
  test('of a version that could not be read are read once more', async () => {
    const body = { content_base64: base64('no PDF'), media_type: 'application/pdf' };
    const first = await submitAndWait(service, writer, body);
    expect(first).toMatchObject({ status: 'terminal', attempt_count: 1 });
    const again = await submitDocument(service, writer, body);
    expect([again.status, dataOf(again)]).toEqual([
      202,
      {
        document_id: first['document_id'],
        document_version_id: first['document_version_id'],
        status: 'accepted',
      },
    ]);
    const second = await settledDocument(service, writer, first['document_version_id']);
    expect(second).toMatchObject({ status: 'terminal', version: 1, attempt_count: 2 });
  });

  test('under the correct media type are a new version, which is read', async () => {
    const said = 'The chapel bell was cast in Braga.';
    const body = { content_base64: base64(said), media_type: 'application/pdf' };
    const first = await submitAndWait(service, writer, body);
    const second = await submitAndWait(service, writer, { ...body, media_type: 'text/plain' });
    expect(second).toMatchObject({ document_id: first['document_id'], version: 2 });
    expect(statementsOf(second)).toEqual([said]);
  });
});
