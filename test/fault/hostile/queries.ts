/** Searches, lists and polls: what can be asked within the limits. */
import type { Attack, AttackContext } from './scene.ts';

const numbered = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join(' ');

interface Query {
  readonly what: string;
  readonly text: string;
}

/** Each with a small one that a bound on length may let through and a large one that it may refuse. */
const QUERIES: readonly Query[] = [
  { what: 'alternatives and exclusions of 4 KiB', text: '-a or -b '.repeat(455) },
  { what: 'alternatives and exclusions of 20 KB', text: '-a or -b '.repeat(2_222) },
  { what: 'alternatives of 4 KiB', text: numbered(400, (at) => `w${at} or`) },
  { what: '20,000 alternatives', text: numbered(20_000, (at) => `w${at} or`) },
  { what: 'exclusions of 4 KiB', text: numbered(600, (at) => `-t${at}`) },
  { what: '40,000 exclusions', text: numbered(40_000, (at) => `-t${at}`) },
  { what: 'quotation marks of 4 KiB', text: '"'.repeat(4_000) },
  { what: 'phrases of 4 KiB', text: numbered(400, (at) => `"p ${at}"`) },
  { what: 'thousands of phrases', text: numbered(9_000, (at) => `"p ${at}"`) },
  { what: 'beginnings of secrets of 4 KiB', text: 'pwd:"'.repeat(800) },
  { what: 'beginnings of secrets of 1 MiB', text: 'pwd:"'.repeat(200_000) },
  { what: 'one word of 4 KiB', text: 'q'.repeat(4_000) },
  { what: 'one word of 4 MB', text: 'q'.repeat(4_000_000) },
  { what: 'dots of 4 KiB', text: `a${'.'.repeat(4_000)}a` },
  { what: 'expanding characters of 4 KiB', text: '\u3316'.repeat(1_300) },
  { what: 'expanding characters of 3 MB', text: '\u3316'.repeat(1_000_000) },
  { what: 'Chinese without a space of 4 KiB', text: '我搬到了柏林市中心'.repeat(150) },
  { what: 'dates of 4 KiB', text: 'two weeks ago on 3 May '.repeat(170) },
];

function search(text: string, more: object = {}): { readonly body: string } {
  return { body: JSON.stringify({ scope_path: '/hostile', query: text, ...more }) };
}

/** Told to come again later is an answer too. */
const ANSWERS = [200, 413, 422, 429, 503];
const SIDE_BY_SIDE = 4;
const LONG_MESSAGE_BYTES = 228_000;

/** Something to be found, so that a search has work to do. */
async function sayThings({ ingest, eachOf, round }: AttackContext): Promise<void> {
  await eachOf(20, 4, (at) =>
    ingest({ session_id: `q-${round}`, content: `I bought the canoe number ${at} in Lima.` }),
  );
}

/** As long as the headers of a request may be. */
const LONG_TARGETS = [
  `/api/v1/knowledge?${'scope_path=/a&'.repeat(1_000)}`,
  `/api/v1/knowledge?${'scope_paths=/a&'.repeat(950)}`,
  `/api/v1/knowledge?${numbered(2_500, (at) => `${at}&`).replaceAll(' ', '')}`,
  `/api/health?${'a&'.repeat(7_000)}`,
  `/api/v1/ingest/${'%2e'.repeat(4_000)}`,
  `/${'a/'.repeat(7_000)}`,
] as const;

/** As many scopes as a read may name, as deep as they may lie, with names as long as they may be. */
const deepPaths = (round: number): readonly string[] =>
  Array.from({ length: 16 }, (_, nth) =>
    Array.from(
      { length: 32 },
      (__, depth) => `/${`${round} ${nth} ${depth} `.padEnd(128, '語')}`,
    ).join(''),
  );

export const QUERIES_ALONE: readonly Attack[] = QUERIES.map(({ what, text }): Attack => ({
  title: `searches for ${what} do not disturb other accounts`,
  answers: ANSWERS,
  run: ({ send, keepUp }) => keepUp(SIDE_BY_SIDE, () => send('/api/v1/search', search(text))),
}));

export const QUERY_ATTACKS: readonly Attack[] = [
  {
    title: 'searches for every expensive query in turn do not disturb other accounts',
    answers: ANSWERS,
    run: ({ send, keepUp }) =>
      keepUp(SIDE_BY_SIDE, (at) =>
        send('/api/v1/search', search(QUERIES[at % QUERIES.length]?.text ?? '')),
      ),
  },
  {
    title:
      'searches of as many, deep and long scopes as may be named do not disturb other accounts',
    answers: ANSWERS,
    run: ({ send, keepUp }) =>
      keepUp(SIDE_BY_SIDE, (at) =>
        send('/api/v1/search', search('canoe', { scope_path: null, scope_paths: deepPaths(at) })),
      ),
  },
  {
    title: 'many concurrent searches of one account do not disturb other accounts',
    answers: [...ANSWERS, 202],
    async run(context) {
      const { send, eachOf, settings } = context;
      await sayThings(context);
      await eachOf(settings.searches * 3, settings.searches, (at) =>
        send('/api/v1/search', search(`canoe number ${at}`, { profile: 'thorough', limit: 100 })),
      );
    },
  },
  {
    title:
      'searches over messages, each for another expensive query, do not disturb other accounts',
    answers: [...ANSWERS, 202],
    async run(context) {
      const { keepUp, send } = context;
      await sayThings(context);
      await keepUp(SIDE_BY_SIDE, (at) =>
        send(
          '/api/v1/source-search',
          search(QUERIES[at % QUERIES.length]?.text ?? '', {
            mode: at % 2 === 0 ? 'exact' : 'semantic',
            limit: 100,
            excerpt_chars: 2_000,
          }),
        ),
      );
    },
  },
  {
    title:
      'searches over long messages that a phrase is looked for in do not disturb other accounts',
    answers: [...ANSWERS, 202],
    async run({ eachOf, ingest, keepUp, round, send, settings }) {
      const sentence = 'I keep the canoe at the lake and the ladder in the barn. ';
      const bytes = Math.min(settings.textBytes, LONG_MESSAGE_BYTES);
      const text = sentence.repeat(Math.floor(bytes / sentence.length));
      await eachOf(8, 2, (at) => ingest({ session_id: `long-${round}`, content: `${at} ${text}` }));
      await keepUp(SIDE_BY_SIDE, (at) =>
        send(
          '/api/v1/source-search',
          search(`"canoe at the lake" -saddle${at}`, { mode: 'exact', limit: 100 }),
        ),
      );
    },
  },
  {
    title: 'searches without a time limit do not disturb other accounts',
    answers: ANSWERS,
    run: ({ send, keepUp }) =>
      keepUp(SIDE_BY_SIDE, (at) =>
        send(
          '/api/v1/search',
          search(`canoe or ladder or saddle ${at}`, { deadline: 'disabled', limit: 100 }),
        ),
      ),
  },
  {
    title: 'searches that check every chunk of a long document do not disturb other accounts',
    answers: [...ANSWERS, 202],
    async run({ send, keepUp, settings, round }) {
      const sentence = (at: number): string => `The canoe number ${at} has \u3316 of rope.`;
      const text = numbered(Math.floor(settings.textBytes / 40), sentence);
      const content_base64 = Buffer.from(`${round}\n\n${text}`).toString('base64');
      const uploaded = { scope_path: '/hostile', media_type: 'text/plain', content_base64 };
      await send('/api/v1/documents', { body: JSON.stringify(uploaded) });
      await keepUp(SIDE_BY_SIDE, (at) =>
        send('/api/v1/search', search(`"canoe number ${at}" or ladder or -rope`, { limit: 100 })),
      );
    },
  },
  {
    title: 'repeated requests to operator routes do not disturb other accounts',
    answers: [...ANSWERS, 202, 404],
    run: ({ send, keepUp }) =>
      keepUp(SIDE_BY_SIDE, (at) =>
        at % 2 === 0
          ? send('/api/v1/operations/reconcile', { body: '{}' })
          : send('/api/v1/operations/extraction-evidence?scope_root=/'),
      ),
  },
  {
    title: 'repeated listings of statements do not disturb other accounts',
    answers: ANSWERS,
    run: ({ send, keepUp }) =>
      keepUp(8, (at) => {
        const state = ['active', 'superseded', 'provisional'][at % 3] ?? 'active';
        return send(`/api/v1/knowledge?scope_path=/hostile&limit=100&state=${state}`);
      }),
  },
  {
    title: 'paths and parameters of the longest kind do not disturb other accounts',
    answers: [200, 400, 404, 413, 414, 422, 431],
    run: ({ send, keepUp }) =>
      keepUp(8, (at) => send(LONG_TARGETS[at % LONG_TARGETS.length] ?? '')),
  },
  {
    title: 'hundreds of polls do not disturb other accounts',
    answers: [200, 202, 429, 503],
    async run({ send, eachOf, settings, round }) {
      const body = { session_id: `p-${round}`, scope_path: '/hostile', peer_key: 'mallory' };
      const ids: string[] = [];
      await eachOf(20, 4, async (at) => {
        const content = `I sold the ladder number ${at} in Perth.`;
        const { text } = await send('/api/v1/ingest', {
          body: JSON.stringify({ ...body, content }),
        });
        ids.push(/[0-9a-f-]{36}/.exec(text)?.[0] ?? '');
      });
      await eachOf(settings.polls * 4, settings.polls, (at) =>
        send(`/api/v1/ingest/${ids[at % ids.length]}?wait_ms=10000`),
      );
    },
  },
];
