/**
 * Hidden equals missing: what a reader may not see changes nothing in its answers. The one exception is the
 * contract's own: when words of a query occur in a statement of the authorised chain that somebody believes,
 * and visibility removes all of them, `candidate_filter` says so, without a count.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpAnswer } from '../support/http.ts';
import {
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
});

afterAll(() => service.close());

describe('a provisional statement of somebody else', () => {
  const ZEBRA = 'I keep a zebra in the stable and take medicine for asthma.';

  test('answers like no statement at all to words that it does not have', async () => {
    const [empty, full] = [place(), place()];
    await tell(empty, 'Hello.');
    await tell(full, ZEBRA);
    expect(candidatesOf(await search(relay, { query: 'zebra', scope_path: full }))).toHaveLength(1);
    for (const query of ['', 'submarine', '-submarine', '"submarine engine"']) {
      const without = await search(stranger, { query, scope_path: empty });
      const hidden = await search(stranger, { query, scope_path: full });
      expect(JSON.stringify(withoutTimes(hidden)).replace(full, empty)).toBe(
        JSON.stringify(withoutTimes(without)),
      );
    }
  });

  test('answers words that it has with the filter’s outcome, and is otherwise like none', async () => {
    const [empty, full] = [place(), place()];
    await tell(empty, 'Hello.');
    await tell(full, ZEBRA);
    // Phrases are resolved by the engine that nothing waits for.
    await service.quiet();
    for (const query of ['zebra', '"zebra in the stable"']) {
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

  test('is not spoken of when the reader sees another statement with the word', async () => {
    const scope = place();
    await tell(scope, 'I saw a zebra at the zoo.');
    const before = await search(stranger, { query: 'zebra', scope_path: scope });
    expect(candidatesOf(before)).toHaveLength(1);
    await tell(scope, ZEBRA);
    const after = await search(stranger, { query: 'zebra', scope_path: scope });
    expect(withoutTimes(after)).toEqual(withoutTimes(before));
  });

  test('moves no score of what the reader sees, whatever words it has', async () => {
    const scope = place();
    await tell(scope, 'I saw a zebra at the zoo. I saw a giraffe at the zoo.');
    await service.quiet();
    const query = { query: 'zebra giraffe giraffes zebras stripes', scope_path: scope };
    const before = await search(stranger, query);
    expect(candidatesOf(before)).toHaveLength(2);
    await tell(scope, 'I keep a zebra numbered 0 and take medicine for asthma.');
    await service.quiet();
    expect(withoutTimes(await search(stranger, query))).toEqual(withoutTimes(before));
  });

  test('is not listed, and its message has no status', async () => {
    const [empty, full] = [place(), place()];
    await tell(empty, 'Hello.');
    const { messageId } = await tell(full, ZEBRA);
    for (const state of ['active', 'provisional']) {
      const without = await service.knowledge(stranger, { scope_path: empty, state });
      const hidden = await service.knowledge(stranger, { scope_path: full, state });
      expect([hidden.status, hidden.text]).toEqual([without.status, without.text]);
    }
    expect((await service.status(stranger, messageId)).status).toBe(404);
  });
});

describe('the filter’s outcome speaks only of what somebody believes', () => {
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
      const told = await tell(scope, 'I own a walrus and take medicine for asthma.');
      expect(told.knowledge).toHaveLength(1);
      await service.home.rewrite(told.knowledge[0]?.['id'], { state });
    }
    await service.home.reindex();
  });

  test.each(STATES.map((state) => [state] as const))(
    'a statement that is %s is like none',
    async (state) => {
      const full = places.get(state) ?? '';
      const without = await search(stranger, { query: 'walrus', scope_path: empty });
      const hidden = await search(stranger, { query: 'walrus', scope_path: full });
      expect(JSON.stringify(withoutTimes(hidden)).replace(full, empty)).toBe(
        JSON.stringify(withoutTimes(without)),
      );
    },
  );

  test('a statement that was redacted is like none before the index has heard of it', async () => {
    const scope = place();
    const told = await tell(scope, 'I own a walrus and take medicine for asthma.');
    await service.quiet();
    await service.home.rewrite(told.knowledge[0]?.['id'], { state: 'redacted' });
    const answer = apart(await search(stranger, { query: 'walrus', scope_path: scope }));
    expect(answer).toMatchObject({ filter: [], degradedComponents: [] });
  });

  test('a statement that is provisional is not', async () => {
    const scope = place();
    await tell(scope, 'I own a walrus and take medicine for asthma.');
    const answer = apart(await search(stranger, { query: 'walrus', scope_path: scope }));
    expect(answer.filter).toHaveLength(1);
  });
});

describe('the filter’s outcome speaks only of the authorised chain', () => {
  test('a scope that may not be read, or lies beside or below, is like none', async () => {
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

  test('another account is like none', async () => {
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

test('a machine without a peer hears of hidden matches by the same rule', async () => {
  const scope = place();
  await tell(scope, 'I keep a heron by the pond.');
  const machine = (await service.home.agent(null)).token;
  const answer = apart(await search(machine, { query: 'heron', scope_path: scope }));
  expect(answer.filter).toHaveLength(1);
});

test('nothing of all this was a defect', () => {
  expect(service.errors).toEqual([]);
});
