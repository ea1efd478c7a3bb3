/**
 * What a newcomer does: clone, install, start, paste the three printed lines. Once below a directory that
 * only root may enter, once as an ordinary user; where the test itself is not root, only the second. A short run
 * has the ordinary user alone, gives the clone the packages that are installed here, and a shorter `npx`.
 */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  freshCheckout,
  interrupt,
  paste,
  pastePage,
  processesOf,
  readStartCredentials,
  start,
  vouch,
  type Checkout,
  type Person,
  type Start,
} from '../support/checkout.ts';
import { eventually, SERVERS_MS } from '../support/patience.ts';
import { sized } from '../support/run.ts';

function ordinaryUser(): Person {
  if (process.getuid?.() !== 0) return { name: 'an ordinary user' };
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { name: 'an ordinary user', uid: id('-u'), gid: id('-g') };
}

const ROOTS: readonly Person[] = process.getuid?.() === 0 ? [{ name: 'root' }] : [];
const people = [...sized({ short: [], long: ROOTS }), ordinaryUser()];
const packages = sized({ short: 'linked', long: 'installed' } as const);

const accepted = z.object({
  data: z.object({ message_id: z.uuid(), status: z.literal('accepted') }),
});
const status = z.object({
  data: z.object({
    status: z.string(),
    knowledge: z.array(
      z.object({ id: z.uuid(), state: z.string(), source_message_ids: z.array(z.uuid()) }),
    ),
  }),
});
const own = z.object({
  data: z.array(z.object({ statement: z.string(), state: z.string(), scope_path: z.string() })),
});
const found = z.object({
  data: z.object({
    reader_posture: z.string(),
    degraded: z.boolean(),
    candidates: z.array(z.object({ id: z.uuid(), source_message_ids: z.array(z.uuid()) })),
  }),
});

async function call(
  url: string,
  bearer: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** The first answer of `search` that had its time: a busy machine can use up the deadline of a search, which says so. */
async function undegraded(search: () => unknown): Promise<z.infer<typeof found>['data']> {
  return eventually(async () => {
    const { data } = found.parse(await search());
    return !data.degraded && data;
  });
}

const QUESTION = { query: 'Where does Ada live?', scope_path: '/first-steps' };

describe.each(people)('$name, in a fresh clone with an empty home', (person) => {
  let checkout: Checkout;
  let started: Start | undefined;
  let messageId: string;

  beforeAll(async () => {
    checkout = await freshCheckout(person, packages);
    started = await start(checkout);
  }, SERVERS_MS);

  afterAll(async () => {
    await interrupt(started);
    checkout?.remove();
  }, SERVERS_MS);

  test('the start reports that it builds the workflow bundle, which a fresh clone lacks', () => {
    expect(started?.output).toContain(
      'The workflow bundle is missing. Building takes a few seconds.',
    );
  });

  test('three lines of curl are printed', () => {
    expect(started?.curls).toHaveLength(3);
  });

  test('the first line is accepted, the second waits for its provisional statement', async () => {
    const { base_url, agent } = readStartCredentials(checkout);
    const earlier = await call(`${base_url}/api/v1/ingest`, agent.api_key, {
      session_id: 'first-steps',
      scope_path: '/first-steps',
      peer_key: 'grace',
      content: 'Grace plays the violin in a small orchestra.',
    });
    const earlierId = accepted.parse(earlier.body).data.message_id;
    await call(`${base_url}/api/v1/ingest/${earlierId}?wait_ms=10000`, agent.api_key);

    const said = paste(checkout, started?.curls[0] ?? '');
    expect(said.status).toBe(202);
    messageId = accepted.parse(said.body).data.message_id;

    const waited = paste(checkout, started?.curls[1] ?? '');
    expect(waited.status).toBe(200);
    const { data } = status.parse(waited.body);
    expect(data.status).toBe('completed');
    expect(data.knowledge.length).toBeGreaterThan(0);
    for (const row of data.knowledge) {
      expect(row).toMatchObject({ state: 'provisional', source_message_ids: [messageId] });
    }
  });

  test('the third line finds that statement first, before one about another person', async () => {
    const data = await undegraded(() => {
      const asked = paste(checkout, started?.curls[2] ?? '');
      expect(asked.status).toBe(200);
      return asked.body;
    });
    expect(data.reader_posture).toBe('peer');
    expect(data.candidates[0]?.source_message_ids).toEqual([messageId]);
  });

  test(
    'the lines of docs/guides/people.md do what it says when they are pasted',
    () => {
      const output = pastePage(checkout, 'docs/guides/people.md');
      const lines = output.trim().split('\n');
      expect(lines.at(-1)).toMatch(/^Erasure [0-9a-f-]{36} \(proportionate\) is \w+\.$/);
      const [last = ''] = lines.filter((line) => line.startsWith('{"data":[')).slice(-1);
      const { data } = own.parse(JSON.parse(last));
      expect(
        data.map(({ scope_path, state, statement }) => [statement, state, scope_path]).toSorted(),
      ).toEqual([
        ['Alice keeps goats.', 'active', '/'],
        ['Alice keeps two goats.', 'superseded', '/club'],
        ['Alice plays the cello.', 'rejected', '/club'],
      ]);
    },
    SERVERS_MS,
  );

  test.each([
    // What was said is answered, what nobody said is not.
    ['README.md', ['"abstained":false', '"abstained":true']],
    ['docs/guides/first-hour.md', ['"state":"contested"', '"abstained":false', '"abstained":true']],
    ['docs/guides/agents.md', ['Porto']],
    ['docs/guides/curators.md', ['"state":"active"']],
    ['docs/guides/operators.md', ['verified']],
    ['docs/guides/mcp.md', ['"name":"ask"']],
  ])(
    'the lines of %s can be pasted, and show %s',
    (name, shown) => {
      const output = pastePage(checkout, name);
      for (const text of shown) expect(output).toContain(text);
    },
    SERVERS_MS,
  );

  test(
    'a start after kill -9 of the parent has the same account, key, port and data',
    async () => {
      const before = readStartCredentials(checkout);
      const parent = started?.process.pid ?? 0;
      process.kill(-parent, 'SIGKILL');
      started = await start(checkout);
      expect(readStartCredentials(checkout)).toEqual(before);
      const { base_url, agent } = before;
      const still = await call(`${base_url}/api/v1/ingest/${messageId}`, agent.api_key);
      expect(status.parse(still.body).data.status).toBe('completed');
      const again = await undegraded(
        async () => (await call(`${base_url}/api/v1/search`, agent.api_key, QUESTION)).body,
      );
      expect(again.candidates[0]?.source_message_ids).toEqual([messageId]);
    },
    SERVERS_MS,
  );

  test('a second bootstrap changes nothing and reports it', () => {
    const answer = z
      .object({ changed: z.boolean() })
      .parse(
        vouch(
          checkout,
          ['bootstrap', '--email', 'x@example.org', '--password-stdin'],
          'a long enough password\n',
        ),
      );
    expect(answer.changed).toBe(false);
  });

  test(
    'Ctrl-C leaves no process behind',
    async () => {
      await interrupt(started);
      await eventually(() => processesOf(checkout).length === 0).catch(() => undefined);
      expect(processesOf(checkout)).toEqual([]);
    },
    SERVERS_MS,
  );
});
