/** `GET /api/v1/knowledge`: who sees which state, in which order, and how much of it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KNOWLEDGE_STATES, type KnowledgeState } from '../../domain/statements/states.ts';
import { knowledgeOutput } from '../../operations/observations/knowledge-output.ts';
import { rowsOf, startService, type Service } from '../support/service.ts';
import { refusal } from './answers.ts';

type Who =
  | 'relay'
  | 'speaker'
  | 'subject'
  | 'curator'
  | 'curator elsewhere'
  | 'reader'
  | 'machine without a peer';

const SUBMITTERS: readonly Who[] = ['relay', 'speaker'];
const REVIEW: readonly Who[] = [...SUBMITTERS, 'curator'];
/** An internal statement is for every peer that may read the scope. */
const PEERS: readonly Who[] = [...REVIEW, 'subject', 'reader'];

const MAY_SEE: Readonly<Record<KnowledgeState, readonly Who[]>> = {
  active: PEERS,
  proposed: REVIEW,
  provisional: SUBMITTERS,
  held: REVIEW,
  rejected: REVIEW,
  contested: REVIEW,
  needs_revalidation: PEERS,
  stale: PEERS,
  superseded: PEERS,
  expired: PEERS,
  redacted: [],
  retracted: [],
};

let service: Service;
const tokens = new Map<Who, string>();
const ids = new Map<KnowledgeState, string>();

function token(who: Who): string {
  const found = tokens.get(who);
  if (found === undefined) throw new Error('nobody');
  return found;
}

async function list(who: Who, query: Readonly<Record<string, string>> = {}) {
  return rowsOf(await service.knowledge(token(who), query));
}

async function listed(who: Who, query: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
  return (await list(who, query)).map(({ id }) => id);
}

async function change(id: unknown, assignment: string): Promise<void> {
  await service.rows(`update knowledge set ${assignment} where account_id = $1 and id = $2`, [
    service.home.id,
    id,
  ]);
}

beforeAll(async () => {
  service = await startService();
  const { home } = service;
  await home.preset('assisted');
  tokens.set('relay', (await home.agent('relay')).token);
  const content = KNOWLEDGE_STATES.map((_, n) => `I visited harbour number ${n + 100}.`).join(' ');
  const told = await service.ingestAndWait(token('relay'), { peer_key: 'speaker', content });
  expect(told.knowledge).toHaveLength(KNOWLEDGE_STATES.length);

  tokens.set('speaker', await home.person('speaker', { peer: 'speaker' }));
  tokens.set('subject', await home.person('subject', { role: 'reader' }));
  tokens.set('curator', await home.person('curator', { role: 'curator', scope: '/team' }));
  const away = { role: 'curator', scope: '/else' };
  tokens.set('curator elsewhere', await home.person('curator-elsewhere', away));
  tokens.set('reader', (await home.agent('reader', { role: 'reader' })).token);
  tokens.set('machine without a peer', (await home.agent(null)).token);

  // What brings a statement into each state is tested where it happens; here it is put there.
  for (const [index, state] of KNOWLEDGE_STATES.entries()) {
    const id = told.knowledge[index]?.['id'];
    ids.set(state, String(id));
    await change(
      id,
      `state = '${state}', subject_peer_id =
         (select id from peers where account_id = knowledge.account_id and key = '${home.emailOf('subject')}')`,
    );
  }
});

afterAll(() => service.close());

const ALL: readonly Who[] = [...PEERS, 'curator elsewhere', 'machine without a peer'];

describe.each(KNOWLEDGE_STATES.map((state) => [state] as const))('what is %s', (state) => {
  test.each(ALL.map((who) => [who, MAY_SEE[state].includes(who) ? 'shown' : 'hidden'] as const))(
    'for the %s is %s',
    async (who, outcome) => {
      const shown = await list(who, { state });
      const expected = outcome === 'shown' ? [ids.get(state)] : [];
      // The default view has the reader's own provisional rows too; they are marked.
      const ofState = shown.filter((row) => row['state'] === state).map(({ id }) => id);
      expect(ofState).toEqual(expected);
      if (state !== 'active') expect(shown).toHaveLength(expected.length);
    },
  );
});

describe('the default view', () => {
  test('shows active rows, and the provisional rows of the reader marked by their state', async () => {
    for (const query of [{}, { state: 'active' }]) {
      const rows = await list('relay', query);
      expect(rows.map(({ state }) => state).toSorted()).toEqual(['active', 'provisional']);
    }
    expect(await listed('reader')).toEqual([ids.get('active')]);
  });

  test('names the scope on every row, and has every field of a statement', async () => {
    const [row] = await list('reader');
    // The fields of the contract; a field that came since stands in the table of columns.
    expect(Object.keys(row ?? {}).toSorted()).toEqual(
      [...Object.keys(knowledgeOutput.shape), 'scope_path'].toSorted(),
    );
    expect(row).toMatchObject({
      id: ids.get('active'),
      scope_id: expect.any(String),
      scope_path: '/team',
      subject_peer_id: expect.any(String),
      subject_scope_id: null,
      statement: expect.stringMatching(/harbour/),
      kind: 'event',
      confidence: expect.any(Number),
      evidence_level: 'direct',
      sensitivity: 'internal',
      state: 'active',
      target_level: 'peer',
      verification: expect.any(String),
      held_scope_id: null,
      corroboration_count: 1,
      previously_refused: false,
      supersedes_id: null,
      expires_at: null,
      revalidate_after: expect.any(String),
      relevant_from: null,
      relevant_from_precision: null,
      relevant_until: null,
      relevant_until_precision: null,
      source_message_ids: [],
      source_count: 1,
      extracting_provider: 'deterministic',
      extracting_model: expect.any(String),
      extracting_model_version: expect.any(String),
      prompt_version: expect.any(String),
      embedding_provider: 'deterministic',
      embedding_model: expect.any(String),
      embedding_version: expect.any(String),
      embedding_dimensions: 384,
      pipeline_version: 'f5-1',
      recorded_at: expect.any(String),
    });
  });

  test('covers the scope and its ancestors, and nothing below', async () => {
    expect(await listed('reader', { scope_path: '/team/north/deep' })).toHaveLength(1);
    expect(await listed('reader', { scope_path: '/' })).toEqual([]);
    expect(await listed('reader', { scope_path: '/tea' })).toEqual([]);
  });

  test('is of /poc when no scope is named', async () => {
    const answer = await service.call({ path: '/api/v1/knowledge', token: token('relay') });
    expect([answer.status, answer.json()]).toEqual([200, { data: [] }]);
  });
});

describe('a curator', () => {
  test('that names another reader gets the view of that reader, not the review queue', async () => {
    for (const state of ['held', 'proposed', 'rejected', 'contested']) {
      expect(await listed('curator', { state, peer_key: 'reader' })).toEqual([]);
      expect(await listed('curator', { state, peer_key: 'speaker' })).toHaveLength(1);
    }
  });

  test('sees what is restricted in the queue of items only, and not in a list', async () => {
    const states = ['held', 'proposed', 'rejected', 'contested'] as const;
    const shown = async (who: Who) => Promise.all(states.map((state) => listed(who, { state })));
    const all = states.map((state) => [ids.get(state)]);
    expect(await shown('curator')).toEqual(all);
    for (const state of states) await change(ids.get(state), "sensitivity = 'restricted'");
    expect(await shown('curator')).toEqual([[], [], [], []]);
    expect(await shown('speaker')).toEqual(all);
    for (const state of states) await change(ids.get(state), "sensitivity = 'internal'");
  });

  test('of a scope above sees the review queue of the scopes below it', async () => {
    const above = await service.home.person('above', { role: 'curator' });
    const rows = rowsOf(await service.knowledge(above, { state: 'held' }));
    expect(rows.map(({ id }) => id)).toEqual([ids.get('held')]);
  });
});

describe('expiry', () => {
  test('hides an active statement at once, although its state is still active', async () => {
    await change(ids.get('active'), `expires_at = now() - interval '1 second'`);
    for (const who of PEERS) expect(await listed(who)).not.toContain(ids.get('active'));
    await change(ids.get('active'), `expires_at = now() + interval '1 hour'`);
    expect(await listed('reader')).toEqual([ids.get('active')]);
  });

  test('does not filter a state that is asked for by name', async () => {
    for (const state of ['stale', 'superseded', 'held'] as const) {
      await change(ids.get(state), `expires_at = now() - interval '1 day'`);
      expect(await listed('relay', { state })).toEqual([ids.get(state)]);
    }
  });
});

describe('order and limit', () => {
  beforeAll(async () => {
    const content = Array.from({ length: 30 }, (_, n) => `I painted boat number ${n + 100}.`);
    for (const part of [content.slice(0, 15), content.slice(15)]) {
      await service.ingestAndWait(token('relay'), {
        scope_path: '/boats',
        peer_key: 'speaker',
        content: part.join(' '),
      });
    }
    await service.ingestAndWait(token('relay'), {
      scope_path: '/boats',
      peer_key: 'speaker',
      content: 'Maybe I sold boat number 99.',
    });
  });

  const boats = (limit?: string) =>
    list('reader', { scope_path: '/boats', ...(limit === undefined ? {} : { limit }) });

  test('is by confidence, then by recency', async () => {
    const rows = await boats('100');
    expect(rows).toHaveLength(31);
    const keys = rows.map(
      (row) => [Number(row['confidence']), String(row['recorded_at'])] as const,
    );
    const ordered = keys.toSorted(
      ([a, early], [b, late]) => b - a || Date.parse(late) - Date.parse(early),
    );
    expect(keys).toEqual(ordered);
    expect(rows.at(-1)?.['statement']).toMatch(/99/);
  });

  test.each([
    [undefined, 12],
    ['', 12],
    ['many', 12],
    ['5', 5],
    ['0', 1],
    ['-3', 1],
    ['1000', 31],
  ])('a limit of %j gives %i rows', async (limit, count) => {
    expect(await boats(limit)).toHaveLength(count);
  });
});

describe('a query that cannot be', () => {
  test.each([
    [{ state: 'imaginary' }, 'state'],
    [{ state: 'Active' }, 'state'],
    [{ scope_path: '/a/../b' }, 'scope_path'],
  ])('%j is 422', async (query, field) => {
    const answer = await service.knowledge(token('reader'), query);
    expect(refusal(answer)).toEqual([422, 'invalid_request', field]);
  });

  test('a parameter given twice is 422, and there is no POST', async () => {
    const twice = await service.call({
      path: '/api/v1/knowledge?state=held&state=active',
      token: token('reader'),
    });
    expect(refusal(twice)).toEqual([422, 'invalid_request', 'state']);
    const posted = await service.call({
      path: '/api/v1/knowledge',
      token: token('reader'),
      json: {},
    });
    expect([posted.status, posted.headers['allow']]).toEqual([405, expect.stringMatching(/GET/)]);
  });
});

test('the service logs no error during the tests of this file', async () => {
  expect(await service.errors()).toEqual([]);
});
