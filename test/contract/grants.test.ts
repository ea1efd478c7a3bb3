/** Allow, deny, propagation, pin, expiry, missing scopes, siblings and ancestors, each seen through HTTP. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeWithoutErrors, rowsOf, startService, type Service } from '../support/service.ts';
import { refusal } from './answers.ts';

interface Grant {
  readonly scope: string;
  readonly role?: string;
  readonly effect?: 'allow' | 'deny';
  readonly propagate?: boolean;
}

interface Cell {
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly pin?: string;
  readonly at: string;
  /** Scopes of the chain whose statements are shown. */
  readonly reads: readonly string[];
  readonly writes: boolean;
}

const member = (scope: string, more: Partial<Grant> = {}): Grant => ({
  scope,
  role: 'member',
  ...more,
});
const deny = (scope: string, more: Partial<Grant> = {}): Grant => ({
  scope,
  role: 'reader',
  effect: 'deny',
  ...more,
});

/** Statements stand at each of these. */
const PLACES = ['/', '/a', '/a/b', '/a/b/c', '/a/x'];

const CELLS: readonly Cell[] = [
  {
    name: 'an allow that propagates holds below',
    grants: [member('/a/b')],
    at: '/a/b/c',
    reads: ['/a/b', '/a/b/c'],
    writes: true,
  },
  {
    name: 'an allow that does not propagate holds only there',
    grants: [member('/a/b', { propagate: false })],
    at: '/a/b/c',
    reads: ['/a/b'],
    writes: false,
  },
  {
    name: 'a grant gives nothing at a sibling',
    grants: [member('/a/b')],
    at: '/a/x',
    reads: [],
    writes: false,
  },
  {
    name: 'a grant gives nothing at a scope whose name begins alike',
    grants: [member('/a/b')],
    at: '/a/bc',
    reads: [],
    writes: false,
  },
  {
    name: 'a scope that does not exist yet has the role of its path',
    grants: [member('/a/b')],
    at: '/a/b/new/deep',
    reads: ['/a/b'],
    writes: true,
  },
  {
    name: 'a reader reads and does not write',
    grants: [member('/', { role: 'reader' })],
    at: '/a/b',
    reads: ['/', '/a', '/a/b'],
    writes: false,
  },
  {
    name: 'a deny wins over an allow from above',
    grants: [member('/'), deny('/a/b')],
    at: '/a/b',
    reads: ['/', '/a'],
    writes: false,
  },
  {
    name: 'a deny that does not propagate leaves what lies below',
    grants: [member('/'), deny('/a/b', { propagate: false })],
    at: '/a/b/c',
    reads: ['/', '/a', '/a/b/c'],
    writes: true,
  },
  {
    name: 'a pin leaves its scope, with what it inherits',
    grants: [member('/')],
    pin: '/a/b',
    at: '/a/b',
    reads: ['/', '/a', '/a/b'],
    writes: true,
  },
  {
    name: 'a pin takes its ancestors from what may be named',
    grants: [member('/')],
    pin: '/a/b',
    at: '/a',
    reads: [],
    writes: false,
  },
];

let service: Service;
let serial = 0;

/** A key of a new peer with exactly these grants that matter. */
async function keyWith(cell: Pick<Cell, 'grants' | 'pin'>): Promise<string> {
  serial += 1;
  const peer = `agent-${serial}`;
  const key = await service.home.agent(peer, {
    // A key is born with a grant: it is put where nothing is.
    scope: '/nowhere',
    role: 'reader',
    ...(cell.pin === undefined ? {} : { pin: cell.pin }),
  });
  for (const grant of cell.grants) await service.home.grant(peer, grant);
  return key.token;
}

async function readAt(token: string, scope_path: string): Promise<unknown[]> {
  const rows = rowsOf(await service.knowledge(token, { scope_path }));
  return rows.map((row) => row['scope_path']).toSorted();
}

beforeAll(async () => {
  service = await startService();
  await service.home.preset('assisted');
  const relay = (await service.home.agent('relay')).token;
  for (const scope_path of PLACES) {
    await service.ingestAndWait(relay, {
      scope_path,
      peer_key: 'alice',
      session_id: scope_path,
      content: 'I keep bees in the garden.',
    });
  }
});

afterAll(() => closeWithoutErrors(service));

describe.each(CELLS)('$name', (cell) => {
  test(`reading at ${cell.at} shows ${cell.reads.join(', ') || 'nothing'}`, async () => {
    const token = await keyWith(cell);
    expect(await readAt(token, cell.at)).toEqual(cell.reads.toSorted());
    const found = await service.search(token, {
      scope_path: cell.at,
      query: 'bees garden',
      profile: 'thorough',
    });
    const data = Object(Object(found.json()).data);
    const paths = [...data.candidates].map((row) => Object(row).scope_path).toSorted();
    expect([found.status, paths]).toEqual([200, cell.reads.toSorted()]);
  });

  test(`writing at ${cell.at} is ${cell.writes ? 'accepted' : 'refused'}`, async () => {
    const token = await keyWith(cell);
    const answer = await service.ingest(token, { scope_path: cell.at, content: 'Hello.' });
    if (cell.writes) expect(answer.status).toBe(202);
    else expect(refusal(answer)).toEqual([403, 'forbidden']);
  });
});

test('a refused write creates no scope', async () => {
  const token = await keyWith({ grants: [member('/a/b')] });
  await service.ingest(token, { scope_path: '/a/refused/deep', content: 'Hello.' });
  const rows = await service.rows(
    `select from scopes where account_id = $1 and path like '/a/refused%'`,
    [service.home.id],
  );
  expect(rows).toHaveLength(0);
});

test('an expired key has no role anywhere', async () => {
  const key = await service.home.agent('expired', { expires_in_seconds: 3600 });
  await service.rows(
    `update credentials set expires_at = now() - interval '1 second' where account_id = $1 and id = $2`,
    [service.home.id, key.id],
  );
  expect(refusal(await service.knowledge(key.token))).toEqual([401, 'unauthorized']);
});

test('naming a reader does not give the caller a scope that it may not read', async () => {
  const token = await keyWith({ grants: [member('/a/x')] });
  const rows = rowsOf(await service.knowledge(token, { scope_path: '/a/b', peer_key: 'alice' }));
  expect(rows).toEqual([]);
});
