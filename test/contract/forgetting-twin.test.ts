/**
 * What is to be forgotten leaves no trace: every read answers as in an account in which it was never said, to everybody but who
 * said it.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestAccount } from '../support/account.ts';
import { eventually } from '../support/patience.ts';
import { closeWithoutErrors, startOwnService, type OwnService } from '../support/service.ts';

/** What was said, and what is said of it where the values were never known; null: nothing. */
const CONVERSATION: readonly (readonly [string, string, string | null])[] = [
  ['bo', 'Good morning everybody, I am Bo.', 'same'],
  ['dora', 'Good morning, Bo.', 'same'],
  ['alice', 'My door code is 4471.', null],
  [
    'alice',
    'My telephone number is 020 7946 0011. I live in Porto with two parrots.',
    'I live in Porto with two parrots.',
  ],
  [
    'bo',
    'Alice has the number (020) 7946-0011. I paint the kitchen green.',
    'I paint the kitchen green.',
  ],
  ['dora', 'I keep the zither of my aunt.', 'same'],
  ['alice', 'I moved to Porto in March.', 'same'],
  [
    'alice',
    'Please delete my telephone number 02079460011 and the code 4471 from memory.',
    'Please delete my telephone number and the code from memory.',
  ],
  ['bo', 'The code was 4471, I think. I bought a red bicycle.', 'I bought a red bicycle.'],
  ['dora', 'Bo bought a red bicycle yesterday.', 'same'],
];

const QUERIES = [
  '4471',
  '020 7946 0011',
  'telephone number of Alice',
  'code',
  'Where does Alice live?',
  'bicycle',
  'parrots',
];

let service: OwnService;
const worlds: { readonly account: TestAccount; readonly relay: string; readonly admin: string }[] =
  [];

async function world(key: string, knows: boolean): Promise<void> {
  const account = await service.account(key);
  await account.preset('unattended');
  const relay = (await account.agent('relay')).token;
  const admin = await account.person('admin-of-all', { role: 'account-admin', scope: '/' });
  for (const [index, [speaker, said, otherwise]] of CONVERSATION.entries()) {
    const content = knows || otherwise === 'same' ? said : otherwise;
    if (content === null) continue;
    await service.ingestAndWait(relay, {
      session_id: 'tea',
      peer_key: speaker,
      content,
      occurred_at: `2026-03-02T09:${10 + index}:00Z`,
    });
  }
  await eventually(async () => {
    const rows = await service.rows(
      `select from pipeline_runs where account_id = $1 and kind = 'forgetting' and status <> 'completed'`,
      [account.id],
    );
    return rows.length === 0;
  });
  await service.quiet();
  worlds.push({ account, relay, admin });
}

beforeAll(async () => {
  service = await startOwnService();
  await world('twin-knows', true);
  await world('twin-never', false);
});
afterAll(() => closeWithoutErrors(service));

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
/** Times of the machine, and digests of ids. */
const BY_CHANCE =
  /^(?:.*_ms|recorded_at|projection_digest|updated_at|created_at|version|row_version|before|after|next_cursor)$/u;

/** An answer without what differs between any two accounts: ids become their place in it. */
function normalised(value: unknown): unknown {
  const text = JSON.stringify(value, (key, one: unknown) =>
    BY_CHANCE.test(key) ? undefined : one,
  );
  const ids = [...new Set(text.match(UUID))];
  return JSON.parse(text.replaceAll(UUID, (id) => `id ${ids.indexOf(id)}`));
}

type Read = (
  of: (typeof worlds)[number],
  as: string | null,
) => Promise<{ readonly json: () => unknown }>;

const post =
  (path: string, json: Readonly<Record<string, unknown>>): Read =>
  ({ admin, relay }, as) =>
    service.call({
      path,
      token: as === null ? admin : relay,
      json: { scope_path: '/team', ...(as === null ? {} : { peer_key: as }), ...json },
    });
const get =
  (path: string): Read =>
  ({ admin, relay }, as) =>
    service.call({
      path: as === null ? path : `${path}${path.includes('?') ? '&' : '?'}peer_key=${as}`,
      token: as === null ? admin : relay,
    });

const READS: Readonly<Record<string, Read>> = {
  ...Object.fromEntries(
    QUERIES.flatMap((query) => [
      [`search ${query}`, post('/api/v1/search', { query, limit: 50 })],
      [
        `thorough search ${query}`,
        post('/api/v1/search', { query, limit: 50, profile: 'thorough' }),
      ],
      [
        `exact source search ${query}`,
        post('/api/v1/source-search', { query, mode: 'exact', limit: 50 }),
      ],
      [
        `source search with neighbours ${query}`,
        post('/api/v1/source-search', {
          query,
          mode: 'semantic',
          limit: 50,
          include_neighbours: true,
        }),
      ],
      [`context ${query}`, post('/api/v1/context', { query })],
      [`ask ${query}`, post('/api/v1/ask', { question: query })],
    ]),
  ),
  statements: get('/api/v1/knowledge?scope_path=/team&limit=100'),
  'statements as of a past day': get(
    '/api/v1/knowledge?scope_path=/team&limit=100&as_of=2026-11-01T00:00:00Z',
  ),
  'stable profile': post('/api/v1/stable-profile', {}),
};

describe.each(['dora', null])('to %s', (as) => {
  test.each(Object.keys(READS))('%s is answered as if it had never been said', async (name) => {
    const read = READS[name];
    const [knows, never] = await Promise.all(
      worlds.map(async (of) => normalised((await read?.(of, as))?.json())),
    );
    expect(knows).toEqual(never);
  });
});
