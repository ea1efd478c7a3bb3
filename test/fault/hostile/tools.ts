/** The door for models: what can be posted to `/mcp` within the limits. */
import type { Attack } from './scene.ts';

const QUERIES: readonly string[] = [
  '-a or -b '.repeat(455),
  '"p 1" '.repeat(400),
  '\u3316'.repeat(1_300),
  'two weeks ago on 3 May '.repeat(170),
  'q'.repeat(1_000_000),
];
const MOST_IN_BATCH = 16;

const call = (id: number, name: string, args: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { scope_path: '/hostile', ...args } },
});

/** What a refused call is told stands in an answer of 200. */
const ANSWERS = [200, 202, 400, 413, 422, 429, 503];

export const TOOL_ATTACKS: readonly Attack[] = [
  {
    title: 'batches of expensive searches through tools do not disturb other accounts',
    answers: ANSWERS,
    run: ({ keepUp, send }) =>
      keepUp(4, (round) => {
        const calls = Array.from({ length: MOST_IN_BATCH }, (_, at) => {
          const query = QUERIES[(at + round) % QUERIES.length] ?? '';
          return at % 2 === 0
            ? call(at, 'search', { query: query.slice(0, 60_000), profile: 'thorough', limit: 100 })
            : call(at, 'ask', { question: query.slice(0, 4_000), effort: 'high' });
        });
        return send('/mcp', { body: JSON.stringify(calls) });
      }),
  },
  {
    title: 'messages with thousands of members and names do not disturb other accounts',
    answers: ANSWERS,
    run: ({ keepUp, send }) =>
      keepUp(4, (round) => {
        const members = Object.fromEntries(
          Array.from({ length: 4_500 }, (_, at) => [`${'k'.repeat(400)}${at}`, [at]]),
        );
        const messages = [
          call(1, 'search', { query: 'tea', ...members }),
          { jsonrpc: '2.0', id: 1, method: 'initialize', params: members },
          { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: members } },
          { ...members, jsonrpc: '2.0', id: 1, method: 'ping' },
          { jsonrpc: '2.0', id: 'i'.repeat(1_000_000), method: 'ping' },
        ];
        return send('/mcp', { body: JSON.stringify(messages[round % messages.length]) });
      }),
  },
];
