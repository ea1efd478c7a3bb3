/** Connections: many, idle, slow, deaf, or gone before they are answered. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { drip, headOf, type Target } from './requests.ts';
import type { Attack, AttackContext } from './scene.ts';

const DRIPPING_CONNECTIONS = 100;
const IDLE_CONNECTIONS = 1_000;
const DEAF_CONNECTIONS = 20;
const PIPELINED = 500;

const JSON_HEAD = ['content-type: application/json', 'content-length: 4000000'];

const dripping = (
  what: string,
  beginning: (context: AttackContext) => string,
  drops: string,
): Attack => ({
  title: `${what} over ${DRIPPING_CONNECTIONS} connections do not disturb other accounts`,
  answers: [],
  run: (context) =>
    drip(context.target, {
      count: DRIPPING_CONNECTIONS,
      forMs: context.settings.attackMs,
      beginning: beginning(context),
      drops,
    }),
});

/** Opens so many connections, does `begin` on each and closes all when the time is over. */
async function hold(
  { baseUrl }: Target,
  count: number,
  forMs: number,
  begin: (socket: Socket) => void,
): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    // What the service closes on it is its right.
    socket.on('error', () => undefined);
    begin(socket);
    return socket;
  });
  await sleep(forMs);
  for (const socket of sockets) socket.destroy();
}

export const CONNECTION_ATTACKS: readonly Attack[] = [
  dripping('headers that drip', () => 'GET /api/health HTTP/1.1\r\nhost: vouch\r\nx-a: ', 'a'),
  dripping(
    'sign-in bodies that drip',
    () => headOf('POST', '/api/auth/password', JSON_HEAD),
    '{"email":"a',
  ),
  dripping(
    'observations that drip',
    ({ target }) =>
      headOf('POST', '/api/v1/ingest', [`authorization: Bearer ${target.apiKey}`, ...JSON_HEAD]),
    '{"content":"a',
  ),
  {
    title: 'a thousand idle connections do not disturb other accounts',
    answers: [],
    run: ({ target, settings }) =>
      hold(target, IDLE_CONNECTIONS, settings.attackMs, () => undefined),
  },
  {
    title: 'hundreds of requests on connections that read no answer do not disturb other accounts',
    answers: [],
    run: ({ target, settings }) =>
      hold(target, DEAF_CONNECTIONS, settings.attackMs, (socket) => {
        socket.pause();
        socket.write(headOf('GET', '/api/openapi.json', []).repeat(PIPELINED));
      }),
  },
  {
    title: 'searches whose caller leaves before the answer do not disturb other accounts',
    // 0: the caller has left before its answer.
    answers: [0, 200],
    run: ({ send, keepUp }) =>
      keepUp(16, (at) =>
        send('/api/v1/search', {
          body: JSON.stringify({ query: `canoe number ${at}`, profile: 'thorough' }),
          signal: AbortSignal.timeout(5),
        }),
      ),
  },
  {
    title: 'headers of the largest size do not disturb other accounts',
    answers: [200, 400, 431],
    run: ({ send, keepUp }) =>
      keepUp(8, () => {
        const headers = Object.fromEntries(
          Array.from({ length: 900 }, (_, at) => [`x-${at}`, 'abcdefgh']),
        );
        return send('/api/health', { headers });
      }),
  },
];
