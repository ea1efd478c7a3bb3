/**
 * Who may read what is over depends on where it has been: a statement that was never placed is its submitters',
 * whatever ended it. Here the pipeline ends them; that what is hidden is like what is missing is said by `matrix.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { base64, settledDocument, submitAndWait } from '../support/documents.ts';
import {
  closeWithoutErrors,
  dataOf,
  rowsOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';

let service: Service;
let relay: string;
let stranger: string;
let curator: string;
let machine: string;
let serial = 0;

function place(): string {
  serial += 1;
  return `/past-${String(serial).padStart(3, '0')}`;
}

const say = (scope_path: string, content: string, body: Body = {}) =>
  service.ingestAndWait(relay, {
    scope_path,
    session_id: `at-${scope_path}`,
    peer_key: 'ana',
    peer_name: 'Ana',
    content,
    ...body,
  });

const list = async (token: string, scope_path: string, state: string) =>
  rowsOf(await service.knowledge(token, { scope_path, state }));

const statementsOf = async (token: string, scope: string, state: string) =>
  (await list(token, scope, state)).map(({ statement }) => statement);

/** No caller but the submitter is told of what the place holds, whatever it is now. */
async function expectHidden(scope: string): Promise<void> {
  for (const token of [stranger, curator, machine]) {
    expect(await list(token, scope, 'superseded')).toEqual([]);
  }
}

beforeAll(async () => {
  service = await startService();
  const { home } = service;
  relay = (await home.agent('relay')).token;
  stranger = (await home.agent('stranger')).token;
  machine = (await home.agent(null)).token;
  curator = await home.person('curator', { role: 'curator' });
});
afterAll(() => closeWithoutErrors(service));

describe('a statement that was never placed', () => {
  test('and was superseded by a newer one is listed to its submitter only', async () => {
    await service.home.preset('strict');
    const scope = place();
    await say(scope, 'I live in Bergen.');
    await say(scope, 'I live in Oslo.');
    expect(await statementsOf(relay, scope, 'superseded')).toEqual(['Ana lives in Bergen.']);
    // A curator has the queue of what is held, not this.
    await expectHidden(scope);
  });

  test.each([
    ['withdrawn', ''],
    ['replaced by another version', 'The new mill grinds oats.'],
  ])('and came from a document that was %s is listed to its uploader only', async (_end, next) => {
    await service.home.preset('strict');
    const scope_path = place();
    const version = { scope_path, external_id: 'handbook' };
    const said = 'The old mill grinds rye.';
    const first = await submitAndWait(service, relay, { ...version, content_base64: base64(said) });
    if (next === '') {
      const path = `/api/v1/documents/${String(first['document_id'])}`;
      const answer = await service.call({ method: 'DELETE', path, token: relay });
      await settledDocument(service, relay, dataOf(answer)['document_version_id']);
    } else {
      await submitAndWait(service, relay, { ...version, content_base64: base64(next) });
    }
    expect(await statementsOf(relay, scope_path, 'superseded')).toEqual([said]);
    await expectHidden(scope_path);
  });

  test('is not named by the statement that superseded it, to readers that may not see it', async () => {
    await service.home.preset('assisted');
    const scope = place();
    // What another says of Ana waits for a person; what she says herself does not.
    await say(scope, 'Hello.');
    await say(scope, 'Ana lives in Bergen.', { peer_key: 'bruno', peer_name: 'Bruno' });
    await say(scope, 'I live in Oslo.');
    const [hers] = await list(relay, scope, 'active');
    const [older] = await list(relay, scope, 'superseded');
    expect([hers?.['statement'], older?.['statement']]).toEqual([
      'Ana lives in Oslo.',
      'Ana lives in Bergen.',
    ]);
    expect(hers?.['supersedes_id']).toBe(older?.['id']);
    for (const token of [stranger, curator]) {
      const [row] = await list(token, scope, 'active');
      expect(row).toMatchObject({ id: hers?.['id'], supersedes_id: null });
    }
  });
});

describe('a statement that was placed', () => {
  test('keeps its audience when it is superseded', async () => {
    await service.home.preset('assisted');
    const scope = place();
    const told = await say(scope, 'I live in Bergen.');
    await say(scope, 'I live in Oslo.');
    expect(await statementsOf(stranger, scope, 'superseded')).toEqual(['Ana lives in Bergen.']);
    const [newer] = await list(stranger, scope, 'active');
    expect(newer?.['supersedes_id']).toBe(told.knowledge[0]?.['id']);
    // Internal: a machine without a peer reads what is public only.
    expect(await list(machine, scope, 'superseded')).toEqual([]);
  });
});
