/**
 * What was accepted is found, and what is gone is not: messages and statements with neighbours, in sessions that go on side
 * by side. Times are measured elsewhere (measure/bench): here only the order of events counts.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/patience.ts';
import {
  candidatesOf,
  closeWithoutErrors,
  dataOf,
  startService,
  type Service,
} from '../support/service.ts';

/** They go on in turn. */
const SESSIONS = 5;
const ERASURE = '/api/v1/self/erasure';

let service: Service;
let relay: string;
let anna: string;

beforeAll(async () => {
  service = await startService({ SERVICE_ERASURE_SETTLE_SECONDS: '1' });
  await service.home.preset('unattended');
  relay = (await service.home.agent('relay')).token;
  // Anna reads all sessions whole, because she says something in each.
  for (let session = 0; session < SESSIONS; session += 1) {
    for (const peer of ['anna', 'ben']) await say(peer, 'Good morning.', session);
  }
  anna = await service.home.person('anna', { peer: 'anna' });
});
afterAll(() => closeWithoutErrors(service));

/** Words that nothing else says, one for each round. */
const WORDS =
  `accordion anvil barometer bassoon beehive binoculars blanket bonsai bridle bugle candlestick canoe carpet
  chandelier chessboard chisel compass crossbow cymbal dulcimer easel fiddle flagpole funnel gramophone greenhouse hammock
  harmonica hatchet jukebox kayak kettle ladder lantern lathe locket mandolin microscope orchard parasol pendulum quilt
  rowboat saddle sextant sledge telescope trombone vineyard wheelbarrow`.split(/\s+/);
const wordOf = (round: number): string => WORDS[round] ?? '';
const speakerOf = (round: number): 'anna' | 'ben' =>
  Math.floor(round / SESSIONS) % 2 === 0 ? 'anna' : 'ben';

function say(peer: string, content: string, session: number) {
  return service.ingestAndWait(relay, {
    peer_key: peer,
    session_id: `talk-${session}`,
    content,
  });
}

interface Said {
  readonly messageId: string;
  readonly statementId: string;
}

/** Says the word of the round; answers once that is `completed`. */
async function sayWord(round: number): Promise<Said> {
  const { knowledge, messageId, status } = await say(
    speakerOf(round),
    `I own a red ${wordOf(round)}.`,
    round % SESSIONS,
  );
  expect([status['status'], knowledge.length, wordOf(round)]).toEqual([
    'completed',
    1,
    wordOf(round),
  ]);
  return { messageId, statementId: String(knowledge[0]?.['id']) };
}

/** Ids of the statements that Anna finds. */
async function statementsFor(query: string): Promise<string[]> {
  const answer = await service.search(anna, { query, profile: 'balanced' });
  return candidatesOf(answer)
    .filter(({ strategies }) => Array.isArray(strategies) && strategies.includes('lexical'))
    .map(({ id }) => String(id));
}

async function sources(query: string, mode: 'exact' | 'semantic') {
  const json = { query, mode, scope_path: '/team', limit: 50 };
  const data = dataOf(await service.call({ path: '/api/v1/source-search', token: anna, json }));
  const rows: unknown = data['results'];
  const found = Array.isArray(rows) ? rows.map((row) => String(Object(row).message_id)) : [];
  return { found, status: data['status'] };
}

/** Until the service says that all that Anna may read was compared. */
const untilReady = () =>
  eventually(async () => (await sources('morning', 'semantic')).status === 'ready');

const messagesFor = async (query: string): Promise<string[]> =>
  (await sources(query, 'exact')).found;

const rounds: Said[] = [];

test('a statement is found once its observation is completed, a message and its neighbours once the status says so', async () => {
  for (let round = 0; round < WORDS.length; round += 1) {
    const before = rounds[round - SESSIONS];
    const said = await sayWord(round);
    rounds.push(said);
    const { messageId, statementId } = said;
    expect((await statementsFor(wordOf(round)))[0]).toBe(statementId);
    await untilReady();
    const found = await messagesFor(wordOf(round));
    expect(found[0]).toBe(messageId);
    if (before === undefined) continue;
    // The turn before it is found by its word, and it by the word of the turn before.
    expect(found).toContain(before.messageId);
    const beside = await messagesFor(wordOf(round - SESSIONS));
    expect(beside[0]).toBe(before.messageId);
    expect(beside).toContain(messageId);
    expect(await statementsFor(wordOf(round - SESSIONS))).toContain(statementId);
  }
});

test('a statement that was withdrawn is found no more once that is answered, its message and others are', async () => {
  for (const [round, { messageId, statementId }] of rounds.entries()) {
    if (speakerOf(round) !== 'anna') continue;
    const next = rounds[round + SESSIONS];
    const path = `/api/v1/self/knowledge/${statementId}/redact`;
    const answer = await service.call({ path, token: anna, method: 'POST', json: {} });
    expect(answer.status).toBe(200);
    const found = await statementsFor(wordOf(round));
    expect(found).not.toContain(statementId);
    if (next !== undefined) {
      expect(found).toContain(next.statementId);
      expect(await statementsFor(wordOf(round + SESSIONS))).not.toContain(statementId);
    }
    expect((await messagesFor(wordOf(round)))[0]).toBe(messageId);
  }
});

test('messages of who was erased are found no more, nor does anything beside them keep their words', async () => {
  const ben = await service.home.person('ben', { peer: 'ben' });
  const own = [...rounds.entries()].filter(([round]) => speakerOf(round) === 'ben');
  for (const [round] of own) expect(await messagesFor(wordOf(round))).not.toEqual([]);
  const asked = await service.call({ path: ERASURE, token: ben, method: 'POST', json: {} });
  const id = String(dataOf(asked)['id']);
  for (const [round, { statementId }] of own) {
    expect(await statementsFor(wordOf(round))).not.toContain(statementId);
  }
  await eventually(async () => {
    const state = await service.call({ path: `${ERASURE}/${id}`, token: ben });
    return dataOf(state)['state'] === 'completed';
  });
  for (const [round, { messageId }] of rounds.entries()) {
    const isBens = speakerOf(round) === 'ben';
    expect(await messagesFor(wordOf(round))).toEqual(
      isBens ? [] : expect.arrayContaining([messageId]),
    );
    if (isBens) expect(await statementsFor(wordOf(round))).toEqual([]);
  }
});
