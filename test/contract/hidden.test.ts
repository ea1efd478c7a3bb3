/**
 * Hidden equals missing: what a reader may not see changes nothing in its answers. The one exception is the
 * contract's own: when free words of a query occur in a public or internal statement of the authorised chain that
 * is believed, and visibility removes all of them, `candidate_filter` says so, without a count.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpAnswer } from '../support/http.ts';
import {
  closeWithoutErrors,
  candidatesOf,
  dataOf,
  startService,
  type Body,
  type Service,
  type Settled,
} from '../support/service.ts';
import { withoutTimes } from './answers.ts';

let service: Service;
let relay: string;
let stranger: string;
let machine: string;
let serial = 0;

const search = (token: string, body: Body) =>
  service.search(token, { profile: 'thorough', ...body });

/** A scope of its own for each test, with names of one length. */
function place(): string {
  serial += 1;
  return `/place-${String(serial).padStart(3, '0')}`;
}

function tell(scope_path: string, content: string): Promise<Settled> {
  return service.ingestAndWait(relay, { scope_path, peer_key: 'alice', content });
}

/** The place that hides something answers as the one where nothing was said. */
async function expectSame(token: string, body: Body, full: string, empty: string): Promise<void> {
  const without = await search(token, { ...body, scope_path: empty });
  const hidden = await search(token, { ...body, scope_path: full });
  expect([body, JSON.stringify(withoutTimes(hidden)).replaceAll(full, empty)]).toEqual([
    body,
    JSON.stringify(withoutTimes(without)),
  ]);
}

/** What another says of Alice waits for a person, and is internal all the same. */
async function gossip(scope_path: string, content: string): Promise<Settled> {
  const session_id = `about-alice-${scope_path}`;
  const alice = { peer_key: 'alice', peer_name: 'Alice' };
  await service.ingestAndWait(relay, { scope_path, session_id, ...alice, content: 'Hello.' });
  const bruno = { peer_key: 'bruno', peer_name: 'Bruno' };
  const told = await service.ingestAndWait(relay, { scope_path, session_id, ...bruno, content });
  expect(told.knowledge.map(({ state, sensitivity }) => [state, sensitivity])).toEqual([
    ['provisional', 'internal'],
  ]);
  return told;
}

/** The outcome of the filter, taken out of an answer, and what is left of it. */
function apart(answer: HttpAnswer) {
  const data = dataOf(answer);
  const all = data['retrieval_outcomes'];
  const outcomes: readonly unknown[] = Array.isArray(all) ? all : [];
  const isFilter = (outcome: unknown) => Object(outcome).component === 'candidate_filter';
  const { degraded, degraded_components: degradedComponents } = data;
  const rest: unknown = JSON.parse(
    JSON.stringify({ ...data, degraded: null, degraded_components: null, scope_path: null }),
    (key: string, value: unknown) => (key.endsWith('_ms') ? null : value),
  );
  return {
    filter: outcomes.filter(isFilter),
    degraded,
    degradedComponents,
    rest: { ...Object(rest), retrieval_outcomes: null },
    others: outcomes
      .filter((outcome) => !isFilter(outcome))
      .map((outcome) => [Object(outcome).component, Object(outcome).status]),
  };
}

beforeAll(async () => {
  service = await startService();
  // What is internal is placed at once; what is personal waits for a person.
  await service.home.preset('assisted');
  relay = (await service.home.agent('relay')).token;
  stranger = (await service.home.agent('stranger')).token;
  machine = (await service.home.agent(null)).token;
});

afterAll(() => closeWithoutErrors(service));

describe('a provisional statement of another peer', () => {
  const ZEBRA = 'Alice keeps a zebra in the stable.';

  test('is like a missing one to a query of words that it does not contain', async () => {
    const [empty, full] = [place(), place()];
    await tell(empty, 'Hello.');
    await gossip(full, ZEBRA);
    expect(candidatesOf(await search(relay, { query: 'zebra', scope_path: full }))).toHaveLength(1);
    for (const query of ['', 'submarine', '-submarine', '"submarine engine"']) {
      await expectSame(stranger, { query }, full, empty);
    }
  });

  test('adds only the candidate_filter outcome to the answer to a query of words that it contains', async () => {
    const [empty, full] = [place(), place()];
    await tell(empty, 'Hello.');
    await gossip(full, ZEBRA);
    // Phrases are resolved by the index that nothing waits for.
    await service.quiet();
    for (const query of ['zebra', 'submarine or zebra', 'zebra "purple stripes"']) {
      const without = apart(await search(stranger, { query, scope_path: empty }));
      const hidden = apart(await search(stranger, { query, scope_path: full }));
      expect(without).toMatchObject({ filter: [], degraded: false, degradedComponents: [] });
      expect(hidden.filter).toEqual([
        {
          component: 'candidate_filter',
          status: 'completed',
          reason_class: 'authorization_filtered',
          elapsed_ms: expect.any(Number),
          budget_remaining_ms: expect.any(Number),
        },
      ]);
      expect(hidden).toMatchObject({ degraded: true, degradedComponents: ['candidate_filter'] });
      expect(hidden.rest).toEqual(without.rest);
      expect(hidden.others).toEqual(without.others);
    }
  });

  test('is not reported when the reader sees another statement with the word', async () => {
    const scope = place();
    await tell(scope, 'I saw a zebra at the zoo.');
    const before = await search(stranger, { query: 'zebra', scope_path: scope });
    expect(candidatesOf(before)).toHaveLength(1);
    await gossip(scope, ZEBRA);
    const after = await search(stranger, { query: 'zebra', scope_path: scope });
    expect(withoutTimes(after)).toEqual(withoutTimes(before));
  });

  test('changes no score of the statements that the reader sees, whatever words it contains', async () => {
    const scope = place();
    await tell(scope, 'I saw a zebra at the zoo. I saw a giraffe at the zoo.');
    await service.quiet();
    const query = { query: 'zebra giraffe giraffes zebras stripes', scope_path: scope };
    const before = await search(stranger, query);
    expect(candidatesOf(before)).toHaveLength(2);
    await gossip(scope, 'Alice keeps a zebra numbered 0.');
    await service.quiet();
    expect(withoutTimes(await search(stranger, query))).toEqual(withoutTimes(before));
  });

  test('is not listed, and its message has no status', async () => {
    const [empty, full] = [place(), place()];
    await tell(empty, 'Hello.');
    const { messageId } = await gossip(full, ZEBRA);
    for (const state of ['active', 'provisional']) {
      const without = await service.knowledge(stranger, { scope_path: empty, state });
      const hidden = await service.knowledge(stranger, { scope_path: full, state });
      expect([hidden.status, hidden.text]).toEqual([without.status, without.text]);
    }
    expect((await service.status(stranger, messageId)).status).toBe(404);
  });

  test('does not confirm a guess of its wording, its sources or its extractor', async () => {
    const [empty, full] = [place(), place()];
    await tell(empty, 'Hello.');
    const { messageId } = await gossip(full, ZEBRA);
    await service.quiet();
    // Its own words in an order, or as the only ones that may not occur, say nothing of it.
    for (const query of ['"zebra"', '"zebra in the stable"', '"alice keeps" -"zebra"', '-zebra']) {
      await expectSame(stranger, { query }, full, empty);
    }
    const right = { query: 'zebra', scope_path: full };
    const answer = apart(await search(stranger, right));
    expect(answer.filter).toHaveLength(1);
    const pairs: readonly (readonly [Body, Body])[] = [
      [{ query: 'zebra -stable' }, { query: 'zebra -submarine' }],
      [{ query: 'zebra "the stable"' }, { query: 'zebra "the submarine"' }],
      [{ query: 'zebra or stable' }, { query: 'zebra or submarine' }],
      [
        { source_filters: { source_message_id: messageId } },
        { source_filters: { source_message_id: '018f0000-0000-7000-8000-000000000001' } },
      ],
      [
        { source_filters: { provider: 'deterministic' } },
        { source_filters: { provider: 'nobody' } },
      ],
      [
        { source_filters: { minimum_corroboration: 1 } },
        { source_filters: { minimum_corroboration: 9 } },
      ],
    ];
    for (const [one, other] of pairs) {
      const [guessed, wrong] = [
        apart(await search(stranger, { ...right, ...one })),
        apart(await search(stranger, { ...right, ...other })),
      ];
      expect([one, guessed.filter.length]).toEqual([one, 1]);
      expect([one, { ...guessed.rest, query: null }, guessed.others]).toEqual([
        one,
        { ...wrong.rest, query: null },
        wrong.others,
      ]);
      expect(wrong.filter).toHaveLength(1);
    }
  });

  test('is not reported when a filter or phrase leaves out the statement that the reader sees', async () => {
    const scope = place();
    await tell(scope, 'I saw a zebra at the zoo.');
    await gossip(scope, ZEBRA);
    await service.quiet();
    for (const narrowed of [
      { query: 'zebra "the stable"' },
      { query: 'zebra -zoo' },
      { query: 'zebra', source_filters: { provider: 'nobody' } },
      { query: 'zebra giraffe', min_score: 1, profile: 'balanced' },
    ]) {
      const answer = await search(stranger, { scope_path: scope, ...narrowed });
      expect([candidatesOf(answer), apart(answer).filter]).toEqual([[], []]);
    }
  });

  test('that has expired is like a missing one', async () => {
    const [empty, full] = [place(), place()];
    await tell(empty, 'Hello.');
    const told = await gossip(full, ZEBRA);
    await service.rows(
      `update knowledge set expires_at = now() - interval '1 second' where account_id = $1 and id = $2`,
      [service.home.id, told.knowledge[0]?.['id']],
    );
    await service.home.reindex();
    await expectSame(stranger, { query: 'zebra' }, full, empty);
  });

  test('of a past instant is reported only while it is still believed today', async () => {
    const [empty, full] = [place(), place()];
    await tell(empty, 'Hello.');
    const told = await gossip(full, ZEBRA);
    await service.quiet();
    const then = String(told.knowledge[0]?.['recorded_at']);
    const past = { query: 'zebra', scope_path: full, as_of: then };
    expect(apart(await search(stranger, past)).filter).toHaveLength(1);
    // Rejected today, and the index has not heard of it.
    await service.rows(
      `update knowledge set state = 'rejected' where account_id = $1 and id = $2`,
      [service.home.id, told.knowledge[0]?.['id']],
    );
    await expectSame(stranger, { query: 'zebra', as_of: then }, full, empty);
  });
});

test.each(['personal', 'restricted'])(
  'a %s statement of another peer is like a missing one, whatever words the query has',
  async (sensitivity) => {
    const [empty, full] = [place(), place()];
    await tell(empty, 'Hello.');
    const told = await gossip(full, 'Alice keeps a llama in the barn.');
    await service.home.rewrite(told.knowledge[0]?.['id'], { sensitivity });
    await service.home.reindex();
    for (const query of ['llama', 'barn or llama', '"llama in the barn"', 'llama -barn']) {
      await expectSame(stranger, { query }, full, empty);
      await expectSame(machine, { query }, full, empty);
    }
  },
);

describe('the candidate_filter outcome reports only statements that are believed', () => {
  const STATES = [
    'proposed',
    'held',
    'rejected',
    'contested',
    'stale',
    'superseded',
    'expired',
    'redacted',
    'retracted',
  ] as const;
  const places = new Map<string, string>();
  const empty = place();

  beforeAll(async () => {
    await tell(empty, 'Hello.');
    for (const state of STATES) {
      const scope = place();
      places.set(state, scope);
      const told = await gossip(scope, 'Alice owns a walrus.');
      await service.home.rewrite(told.knowledge[0]?.['id'], { state });
    }
    await service.home.reindex();
  });

  test.each(STATES.map((state) => [state] as const))(
    'a statement that is %s is like a missing one',
    async (state) => {
      const full = places.get(state) ?? '';
      await expectSame(stranger, { query: 'walrus' }, full, empty);
    },
  );

  test('a statement that was redacted is like a missing one before the index is updated', async () => {
    const scope = place();
    const told = await gossip(scope, 'Alice owns a walrus.');
    await service.quiet();
    await service.home.rewrite(told.knowledge[0]?.['id'], { state: 'redacted' });
    const answer = apart(await search(stranger, { query: 'walrus', scope_path: scope }));
    expect(answer).toMatchObject({ filter: [], degradedComponents: [] });
  });

  test('a statement that is provisional is reported', async () => {
    const scope = place();
    await gossip(scope, 'Alice owns a walrus.');
    const answer = apart(await search(stranger, { query: 'walrus', scope_path: scope }));
    expect(answer.filter).toHaveLength(1);
  });
});

describe('the candidate_filter outcome reports only statements of the authorised chain', () => {
  test('a scope that is denied, beside or below the searched scope is like a missing one', async () => {
    const [top, other] = [place(), place()];
    await tell(`${top}/secret`, 'I hide a unicorn behind the barn.');
    await tell(`${other}/secret`, 'Hello.');
    await service.home.grant('stranger', { scope: `${top}/secret`, effect: 'deny' });
    await service.home.grant('stranger', { scope: `${other}/secret`, effect: 'deny' });
    const fresh = (await service.home.agent('stranger')).token;
    for (const below of ['', '/secret', '/beside', '/secret/deep']) {
      const hidden = await search(fresh, { query: 'unicorn', scope_path: `${top}${below}` });
      const without = await search(fresh, { query: 'unicorn', scope_path: `${other}${below}` });
      expect(JSON.stringify(withoutTimes(hidden)).replace(top, other)).toBe(
        JSON.stringify(withoutTimes(without)),
      );
    }
  });

  test('a statement of another account is like a missing one', async () => {
    const scope = place();
    const foreign = (await service.other.agent('relay')).token;
    await service.ingestAndWait(foreign, {
      scope_path: scope,
      peer_key: 'alice',
      content: 'I hide a dragon behind the barn.',
    });
    const answer = apart(await search(stranger, { query: 'dragon', scope_path: scope }));
    expect(answer).toMatchObject({ filter: [], degraded: false });
  });
});

test('a machine without a peer gets the candidate_filter outcome by the same rule', async () => {
  const scope = place();
  await tell(scope, 'I keep a heron by the pond.');
  const answer = apart(await search(machine, { query: 'heron', scope_path: scope }));
  expect(answer.filter).toHaveLength(1);
});
