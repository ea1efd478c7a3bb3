/** A new version of a document: what it keeps, ends, and brings back. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { base64, startDocumentService, statementsOf, submitAndWait } from '../support/documents.ts';
import { eventually } from '../support/patience.ts';
import { closeWithoutErrors, dataOf, type Service } from '../support/service.ts';

let service: Service;
let writer: string;

beforeAll(async () => {
  ({ service, writer } = await startDocumentService());
  const ana = { peer_key: 'ana', peer_name: 'Ana Silva', scope_path: '/elsewhere' };
  await service.ingest(writer, { ...ana, content: 'Good morning.' });
});
afterAll(() => closeWithoutErrors(service));

describe('a new version', () => {
  const FACTS = Array.from(
    { length: 10 },
    (_, n) => `The archive room ${'bcdefghjkl'.charAt(n)} holds ${n + 20} boxes of old letters.`,
  );

  test('that keeps nine of ten facts supersedes exactly one', async () => {
    const external_id = randomUUID();
    const first = await submitAndWait(service, writer, {
      external_id,
      content_base64: base64(FACTS.join('\n\n')),
    });
    expect(statementsOf(first)).toEqual(FACTS.toSorted());
    const kept = FACTS.filter((_, n) => n !== 4);
    const second = await submitAndWait(service, writer, {
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

  test('without text supersedes the statements of the version before, and a requeue does not revive them', async () => {
    const said = 'The lighthouse keeper counts the ships every evening.';
    const external_id = randomUUID();
    const first = await submitAndWait(service, writer, {
      external_id,
      content_base64: base64(said),
    });
    expect(statementsOf(first)).toEqual([said]);
    const empty = await submitAndWait(service, writer, {
      external_id,
      content_base64: base64('\n'),
    });
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

  test('never revives an older fact of its document, and reinstates what only the document had superseded', async () => {
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
      submitAndWait(service, writer, { external_id, occurred_at, content_base64: base64(text) });
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

  test('does not supersede a statement that another speaker attests too, and attests it no more', async () => {
    const said = 'Ana Silva plays the cello in the city orchestra.';
    const external_id = randomUUID();
    const session_id = randomUUID();
    await service.ingestAndWait(writer, { session_id, peer_key: 'ana', content: 'Thanks.' });
    await submitAndWait(service, writer, { external_id, content_base64: base64(said) });
    await service.ingestAndWait(writer, { session_id, peer_key: 'bruno', content: said });
    const text = 'The orchestra rehearses every Monday in the old theatre.';
    await submitAndWait(service, writer, { external_id, content_base64: base64(text) });
    const rows = await service.rows(
      'select state, corroboration_count from knowledge where statement = $1',
      [said],
    );
    expect(rows).toEqual([{ state: 'active', corroboration_count: 1 }]);
  });
});
