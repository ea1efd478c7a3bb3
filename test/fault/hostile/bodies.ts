/** Bodies: what can be sent to the API before an operation reads it. */
import { send } from './requests.ts';
import type { Attack } from './scene.ts';

const SIGN_IN = '/api/auth/password';
const MIB = 1_048_576;
/** Just below what a body may have. */
const LARGEST_BODY_BYTES = 4 * MIB - 64;

/** JSON of about so many bytes. */
interface Shape {
  readonly what: string;
  readonly make: (bytes: number) => string;
}

const SHAPES: readonly Shape[] = [
  {
    what: 'one long key over many strings',
    make: (bytes) => `{"${'k'.repeat(bytes / 2)}":[${'"",'.repeat(Math.floor(bytes / 6) - 8)}""]}`,
  },
  { what: 'many strings', make: (bytes) => `{"k":[${'"",'.repeat(bytes / 3 - 8)}""]}` },
  {
    what: 'deep arrays',
    make: (bytes) => `{"k":${'['.repeat(bytes / 2 - 8)}${']'.repeat(bytes / 2 - 8)}}`,
  },
  {
    what: 'deep objects',
    make: (bytes) => `{"k":${'{"":'.repeat(bytes / 5 - 8)}0${'}'.repeat(bytes / 5 - 8)}}`,
  },
  {
    what: 'hundreds of thousands of keys',
    make: (bytes) =>
      `{${Array.from({ length: Math.floor(bytes / 11) - 2 }, (_, at) => `"${at.toString(36).padStart(6, '0')}":0`).join(',')}}`,
  },
  { what: 'one key of the largest size', make: (bytes) => `{"${'k'.repeat(bytes - 8)}":0}` },
  {
    what: 'long keys in long keys',
    make: (bytes) => {
      const depth = 100;
      const key = 'k'.repeat(bytes / depth / 2);
      return `${`{"${key}":[`.repeat(depth)}${'"",'.repeat(bytes / 8)}""${']}'.repeat(depth)}`;
    },
  },
  { what: 'escaped characters', make: (bytes) => `{"k":"${'\\u0041'.repeat(bytes / 6 - 8)}"}` },
  { what: 'a number of the largest size', make: (bytes) => `{"k":${'9'.repeat(bytes - 16)}}` },
  { what: 'no JSON at all', make: (bytes) => '['.repeat(bytes) },
];

/** Refused for its size, its form or its content, or told to come again later: all are answers. */
const REFUSED = [400, 401, 408, 413, 422, 429, 503];

const signIn = (what: string, body: () => string, answers: readonly number[]): Attack => ({
  title: `a sign-in body of ${what} does not disturb other accounts`,
  answers,
  async run({ send, keepUp }) {
    const bytes = Buffer.from(body());
    await keepUp(2, () => send(SIGN_IN, { body: bytes, credential: false }));
  },
});

const JSON_DOORS = ['/api/v1/ingest', '/api/v1/search'] as const;

const toDoors = ({ what, make }: Shape): Attack => ({
  title: `4 MiB of ${what} to ingest and to search do not disturb other accounts`,
  answers: [...REFUSED, 200],
  async run({ send, keepUp }) {
    const bytes = Buffer.from(make(LARGEST_BODY_BYTES));
    await keepUp(2, (at) => send(JSON_DOORS[at % 2] ?? JSON_DOORS[0], { body: bytes }));
  },
});

export const BODY_ATTACKS: readonly Attack[] = [
  signIn('0.75 MB', () => SHAPES[0]?.make(750_000) ?? '', [413]),
  signIn('4 MiB', () => SHAPES[0]?.make(LARGEST_BODY_BYTES) ?? '', [413]),
  signIn('many strings', () => SHAPES[1]?.make(LARGEST_BODY_BYTES) ?? '', [413]),
  {
    title: 'malformed sign-ins, one after the other, do not disturb other accounts',
    answers: REFUSED,
    async run({ send, keepUp }) {
      const bodies = [
        '{',
        '[]',
        'null',
        '{"email":1}',
        '{"email":"a@example.org","password":{}}',
        '{"email":"\\ud800"}',
        `{"email":"${'a'.repeat(4_000)}@example.org","password":"${'b'.repeat(3_000)}"}`,
        '\u0000',
      ];
      await keepUp(8, (at) =>
        send(SIGN_IN, { body: bodies[at % bodies.length] ?? '', credential: false }),
      );
    },
  },
  {
    title: 'sign-ins with wrong passwords do not disturb other accounts',
    answers: REFUSED,
    run: ({ send, keepUp }) =>
      keepUp(8, (at) => {
        const body = { email: `nobody-${at}@example.org`, password: `wrong horse battery ${at}` };
        return send(SIGN_IN, { body: JSON.stringify(body), credential: false });
      }),
  },
  {
    title: 'requests without a credential do not disturb other accounts',
    answers: [401],
    run: ({ target, send: judged, keepUp }) =>
      keepUp(32, async (at) => {
        const headers = { authorization: `Bearer vch_${'a'.repeat(4_000)}${at}` };
        await judged('/api/v1/knowledge', { headers });
        await send(target, '/api/nowhere', { credential: false });
      }),
  },
  {
    title: '4 MiB of every shape to ingest and to search in turns do not disturb other accounts',
    answers: [...REFUSED, 200],
    async run({ send, keepUp }) {
      const bodies = SHAPES.map(({ make }) => Buffer.from(make(LARGEST_BODY_BYTES)));
      await keepUp(2, (at) => {
        const body = bodies[at % bodies.length] ?? '';
        return send(JSON_DOORS[at % 2] ?? JSON_DOORS[0], { body });
      });
    },
  },
];

export const BODIES_ALONE: readonly Attack[] = SHAPES.map(toDoors);
