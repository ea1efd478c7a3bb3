/**
 * Who may read what is over depends on where it has been: a statement that was never placed is its submitters',
 * whatever ended it, and every other caller gets the very bytes of a place where nothing was ever said.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KNOWLEDGE_STATES } from '../../domain/governance/visibility.ts';
import { base64, settledDocument, submitAndWait } from '../support/documents.ts';
import {
  closeWithoutErrors,
  dataOf,
  rowsOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';
import { exactly, withoutTimes } from './answers.ts';

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

/** To all callers but the submitter, every listing of the place equals one of a place where nothing was said. */
async function expectHidden(full: string, others = [stranger, curator, machine]): Promise<void> {
  const empty = place();
  await say(empty, 'Hello.');
  for (const token of others) {
    for (const state of KNOWLEDGE_STATES) {
      const [without, hidden] = [
        await service.knowledge(token, { scope_path: empty, state }),
        await service.knowledge(token, { scope_path: full, state }),
      ];
      expect([state, exactly(hidden)]).toEqual([state, exactly(without)]);
    }
  }
}

async function instant(): Promise<string> {
  const [row] = await service.rows(
    `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
  );
  return String(row?.['at']);
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
    // Its successor waits for a person as well; a curator has the queue of what is held, not this.
    await expectHidden(scope);
  });

  test('and expired is listed to its submitter only', async () => {
    await service.home.preset('strict');
    const scope = place();
    const told = await say(scope, 'I keep a heron by the pond.');
    await service.home.rewrite(told.knowledge[0]?.['id'], { state: 'expired' });
    expect(await list(relay, scope, 'expired')).toHaveLength(1);
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
    for (const token of [stranger, curator, machine]) {
      expect(await list(token, scope_path, 'superseded')).toEqual([]);
    }
    if (next === '') await expectHidden(scope_path);
  });

  test('is like a missing one to a search of the time when it was believed', async () => {
    await service.home.preset('strict');
    const [empty, full] = [place(), place()];
    for (const scope of [empty, full]) await say(scope, 'Hello.');
    await say(full, 'I live in Bergen.');
    const then = await instant();
    await say(full, 'I live in Oslo.');
    await service.quiet();
    const search = (token: string, scope_path: string) =>
      service.search(token, { query: 'Bergen', scope_path, as_of: then, profile: 'thorough' });
    expect(JSON.stringify(dataOf(await search(relay, full)))).toContain('Ana lives in Bergen.');
    for (const token of [stranger, curator, machine]) {
      const [without, hidden] = [await search(token, empty), await search(token, full)];
      expect(JSON.stringify(withoutTimes(hidden)).replaceAll(full, empty)).toBe(
        JSON.stringify(withoutTimes(without)),
      );
    }
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
