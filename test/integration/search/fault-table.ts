/**
 * What a search says of its parts when a server fails: one table, for every profile. A group lists faults that must all
 * give the same rows, and the sentences of the contract and of the design that the rows follow from.
 *
 * A cell of a strategy: `ran`, `ran: <reason>`, `dropped: <reason>`, `-` for not applicable, blank where the profile
 * does not have the strategy. `degraded` lists `degraded_components`; the answer is `degraded` unless it is blank.
 * `nothing` is `disagreement.query_dependent_empty`. `finds` names statements by their last words (`STATEMENTS`).
 * No reranker is configured here, so every answer ends with a reranker that is not applicable.
 */
import { z } from 'zod';
import type { Fault } from '../../support/fault-proxy.ts';

export const SERVERS = ['qdrant', 'meilisearch', 'embedder'] as const;
export type ServerName = (typeof SERVERS)[number];

/** Everything that a row finds, by the name that the rows use. `sold`, `rented` and `lent` are planted in scopes below. */
export const STATEMENTS = {
  lake: 'Anna keeps a red canoe at the lake',
  painted: 'The canoe that is red was painted',
  Lima: 'Anna met a general in Lima',
  sold: 'Her red canoe was sold',
  rented: 'Her red canoe was rented',
  lent: 'Her red canoe was lent',
} as const;
/** What others may not know of, except that a word of it exists. */
export const HIDDEN_STATEMENT = 'Anna hides a submarine';

/** What is asked, by the name that the rows use. */
export const ASKED = {
  words: { query: 'red canoe' },
  blank: { query: ' ' },
  phrase: { query: '"red canoe"' },
  exclusion: { query: 'anna -canoe' },
  past: { query: 'red canoe', as_of: '2025-06-01' },
  phrase_past: { query: '"red canoe"', as_of: '2025-06-01' },
  hidden: { query: 'submarine' },
  words_below_late: { query: 'red canoe', scope_path: '/poc/late' },
  blank_below_late: { query: ' ', scope_path: '/poc/late' },
  phrase_below_late: { query: '"red canoe"', scope_path: '/poc/late' },
  words_below_soon: { query: 'red canoe', scope_path: '/poc/soon' },
  phrase_below_soon: { query: '"red canoe"', scope_path: '/poc/soon' },
} as const;
export type AskedName = keyof typeof ASKED;

export type Faults = Partial<Readonly<Record<ServerName, Fault>>>;

export interface FaultGroup {
  readonly when: string;
  /** The sentences that the rows follow from, each with its place. */
  readonly because: readonly string[];
  readonly faults: Readonly<Record<string, Faults>>;
  /** The rows need their time limits to be reached, so a search gets short ones. */
  readonly late?: true;
  /** The role is set to `none`. */
  readonly withoutEmbedder?: true;
  readonly rows: string;
}

const answers = (body: string): Fault => ({ kind: 'answers', body });
const SLOW: Fault = { kind: 'slow', ms: 150 };
const anId = '018f0000-0000-7000-8000-0000000000aa';
/** The same hit in every list that a strategy asks for: of statements, and of chunks. */
const searches = z.object({ searches: z.array(z.unknown()) });
const hits = (point: string): Fault => ({
  kind: 'answers',
  body: (asked) => {
    const lists = searches.safeParse(JSON.parse(asked || 'null')).data?.searches ?? [];
    const all = lists.map(() => `{"points":[${point}]}`).join(',');
    return `{"result":[${all}],"status":"ok"}`;
  },
});

const QDRANT_UNUSABLE: Readonly<Record<string, Fault>> = {
  'refuses connections': { kind: 'refuses' },
  'answers 500': { kind: 'fails' },
  'cuts the connection': { kind: 'cuts' },
  'answers HTML': answers('<html>Welcome</html>'),
  'answers null': answers('null'),
  'answers without a result': answers('{"result":null,"status":"ok"}'),
  'answers hits without scores': hits(`{"id":1,"payload":{"source_id":"${anId}"}}`),
  'answers a score in words': hits(`{"id":1,"score":"high","payload":{"source_id":"${anId}"}}`),
  'answers a score without end': hits(`{"id":1,"score":1e999,"payload":{"source_id":"${anId}"}}`),
};

const MEILISEARCH_UNUSABLE: Readonly<Record<string, Fault>> = {
  'refuses connections': { kind: 'refuses' },
  'answers 500': { kind: 'fails' },
  'cuts the connection': { kind: 'cuts' },
  'answers HTML': answers('<html>Welcome</html>'),
  'answers null': answers('null'),
  'answers without results': answers('{}'),
  'answers too few results': answers('{"results":[]}'),
  'answers hits without ids': answers('{"results":[{"hits":[{"source_id":5}]}]}'),
  'answers an id that is none': answers('{"results":[{"hits":[{"source_id":"x"}]}]}'),
};

const embedding = (vector: string): Fault =>
  answers(`{"object":"list","data":[{"object":"embedding","index":0,"embedding":${vector}}]}`);

const EMBEDDER_UNUSABLE: Readonly<Record<string, Fault>> = {
  'refuses connections': { kind: 'refuses' },
  'answers 500': { kind: 'fails' },
  'cuts the connection': { kind: 'cuts' },
  'answers HTML': answers('<html>Welcome</html>'),
  'answers null': answers('null'),
  'answers another protocol': answers('{"vectors":[[1,2,3]]}'),
  'answers no vector': answers('{"object":"list","data":[]}'),
  'answers a vector of words': embedding('["one","two"]'),
  'answers a number without end': embedding(`[1e999${',0'.repeat(31)}]`),
};

function each(server: ServerName, faults: Readonly<Record<string, Fault>>): Record<string, Faults> {
  return Object.fromEntries(
    Object.entries(faults).map(([does, fault]) => [`${server} ${does}`, { [server]: fault }]),
  );
}

const HANGS: Fault = { kind: 'hangs' };
const REFUSES: Fault = { kind: 'refuses' };

/** As the contract describes an answer to which nothing is missing. */
const HEALTHY = `
profile  | asked       | semantic | lexical | temporal | entity_match | salience_recency | relation_expand | candidate_filter | contributed               | empty | dropped | degraded | nothing | finds
fast     | words       | ran      |         |          |              | -                |                 |                  | semantic                  |       |         |          | false   | lake painted Lima
fast     | blank       | -        |         |          |              | ran              |                 |                  | salience_recency          |       |         |          | true    | lake painted Lima
fast     | phrase      | ran      |         |          |              | -                |                 |                  | semantic                  |       |         |          | false   | lake
balanced | words       | ran      | ran     | -        | ran          |                  |                 |                  | semantic lexical          | entity_match |         |          | false   | lake painted Lima
balanced | blank       | -        | -       | -        | -            |                  |                 |                  |                           |       |         |          | true    |
balanced | phrase      | ran      | ran     | -        | ran          |                  |                 |                  | semantic lexical          | entity_match |         |          | false   | lake
balanced | exclusion   | ran      | ran     | -        | ran          |                  |                 |                  | semantic lexical entity_match |       |         |          | false   | Lima
balanced | past        | ran      | ran     | ran      | -            |                  |                 |                  | semantic lexical temporal |       |         |          | false   | lake painted Lima
thorough | words       | ran      | ran     | -        | ran          | -                | ran             |                  | semantic lexical relation_expand | entity_match |         |          | false   | lake painted Lima
thorough | blank       | -        | -       | -        | -            | ran              | -               |                  | salience_recency          |       |         |          | true    | lake painted Lima
thorough | phrase_past | ran      | ran     | ran      | -            | -                | -               |                  | semantic lexical temporal |       |         |          | false   | lake
minimal  | words       | ran      | ran     |          |              |                  |                 |                  | semantic lexical          |       |         |          | false   | lake painted Lima
minimal  | blank       | -        | -       |          |              |                  |                 |                  |                           |       |         |          | true    |
minimal  | exclusion   | ran      | ran     |          |              |                  |                 |                  | semantic lexical          |       |         |          | false   | Lima
`;

const BLANK = `
fast     | blank       | -        |         |          |              | ran              |                 |                  | salience_recency          |       |         |          | true    | lake painted Lima
balanced | blank       | -        | -       | -        | -            |                  |                 |                  |                           |       |         |          | true    |
thorough | blank       | -        | -       | -        | -            | ran              | -               |                  | salience_recency          |       |         |          | true    | lake painted Lima
minimal  | blank       | -        | -       |          |              |                  |                 |                  |                           |       |         |          | true    |
`;

export const FAULT_TABLE: readonly FaultGroup[] = [
  {
    when: 'every server answers, soon or late within the time',
    because: [
      '"Inapplicable strategies report not_applicable with reason class applicability." (interface.md, search)',
      '"empty_strategies (ran, matched nothing)" (interface.md, search): a query that names nobody is looked up all the same',
      '"relation_expand — from ≤10 interleaved contracts, one hop: … shared entity" (reference.md 6.2): lake and Lima are about Anna',
      '"salience_recency: only for blank query", "temporal: runs only when as_of is given" (reference.md 6.2)',
      '"query_dependent_empty is true when no query-reading strategy produced a candidate" (interface.md, search)',
      '"candidate_filter outcome with reason class authorization_filtered is added" (interface.md, search)',
    ],
    faults: {
      nothing: {},
      'qdrant is slow': { qdrant: SLOW },
      'meilisearch is slow': { meilisearch: SLOW },
      'embedder is slow': { embedder: SLOW },
    },
    rows: `${HEALTHY}
balanced | hidden      | ran      | ran     | -        | ran          |                  |                 | ran: authorization_filtered | semantic         | lexical entity_match |       | candidate_filter | false | lake painted Lima
`,
  },
  {
    when: 'Qdrant gives no answer that can be used',
    because: [
      '"Qdrant away: lexical falls back to Meilisearch, one query per stem rescored here, semantic is dropped, the answer says degraded and names both." (search-engines.md, When an engine is away)',
      '"degraded is true when any component was dropped or completed with a reason class." (interface.md, search)',
      '"never returns an excluded hit" (search-engines.md); the temporal strategy ranks what the lexical one found, and has its outcome',
      '"no recency list fills the gap, so candidates is usually empty" (interface.md, search): fast with words finds nothing',
    ],
    faults: each('qdrant', QDRANT_UNUSABLE),
    rows: `${BLANK}
fast     | words       | dropped: dependency_unavailable |       |       |   | - |   |   |                  |   | semantic | semantic                  | true  |
fast     | phrase      | dropped: dependency_unavailable |       |       |   | - |   |   |                  |   | semantic | semantic                  | true  |
balanced | words       | dropped: dependency_unavailable | ran: dependency_unavailable | - | ran |   |   |   | lexical | entity_match | semantic | semantic lexical | false | lake painted
balanced | phrase      | dropped: dependency_unavailable | ran: dependency_unavailable | - | ran |   |   |   | lexical | entity_match | semantic | semantic lexical | false | lake
balanced | exclusion   | dropped: dependency_unavailable | ran: dependency_unavailable | - | ran |   |   |   | lexical entity_match |   | semantic | semantic lexical | false | Lima
balanced | past        | dropped: dependency_unavailable | ran: dependency_unavailable | ran: dependency_unavailable | - |   |   |   | lexical temporal |   | semantic | semantic lexical temporal | false | lake painted
balanced | hidden      | dropped: dependency_unavailable | ran: dependency_unavailable | - | ran |   |   |   |         | lexical entity_match | semantic | semantic lexical | true |
thorough | words       | dropped: dependency_unavailable | ran: dependency_unavailable | - | ran | - | ran |   | lexical relation_expand | entity_match | semantic | semantic lexical | false | lake painted Lima
minimal  | words       | dropped: dependency_unavailable | ran: dependency_unavailable |   |   |   |   |   | lexical |   | semantic | semantic lexical | false | lake painted
minimal  | exclusion   | dropped: dependency_unavailable | ran: dependency_unavailable |   |   |   |   |   | lexical |   | semantic | semantic lexical | false | Lima
`,
  },
  {
    when: 'Qdrant names statements that do not exist, or nothing that could be one',
    because: [
      '"a stale index costs recall, never confidentiality" (decisions.md 5): the strategies ran and found nothing',
    ],
    faults: each('qdrant', {
      'names an unknown statement': hits(`{"id":1,"score":0.9,"payload":{"source_id":"${anId}"}}`),
      'names no statement': hits('{"id":1,"score":0.9,"payload":{"source_id":"x"}}'),
      'answers without payloads': hits('{"id":1,"score":0.9,"payload":null}'),
    }),
    rows: `${BLANK}
fast     | words       | ran      |         |          |              | -                |                 |                  |                           | semantic                  |   |   | true | 
balanced | words       | ran      | ran     | -        | ran          |                  |                 |                  |                           | semantic lexical entity_match |   |   | true |
balanced | past        | ran      | ran     | ran      | -            |                  |                 |                  |                           | semantic lexical temporal |   |   | true |
thorough | words       | ran      | ran     | -        | ran          | -                | ran             |                  |                           | semantic lexical entity_match relation_expand |   |   | true |
minimal  | words       | ran      | ran     |          |              |                  |                 |                  |                           | semantic lexical          |   |   | true |
`,
  },
  {
    when: 'Qdrant does not answer in time',
    because: [
      '"A late strategy is killed and reported dropped/timeout." (reference.md 6.1)',
      '"Qdrant away: lexical falls back to Meilisearch" (search-engines.md): after a share of its time',
    ],
    faults: { 'qdrant hangs': { qdrant: HANGS } },
    late: true,
    rows: `${BLANK}
fast     | words       | dropped: timeout |                             |   |   | - |   |   |                  |   | semantic | semantic                  | true  |
balanced | words       | dropped: timeout | ran: dependency_unavailable | - | ran |   |   |   | lexical          | entity_match | semantic | semantic lexical          | false | lake painted
balanced | phrase      | dropped: timeout | ran: dependency_unavailable | - | ran |   |   |   | lexical          | entity_match | semantic | semantic lexical          | false | lake
thorough | past        | dropped: timeout | ran: dependency_unavailable | ran: dependency_unavailable | - | - | - |   | lexical temporal |   | semantic | semantic lexical temporal | false | lake painted
minimal  | exclusion   | dropped: timeout | ran: dependency_unavailable |   |   |   |   |   | lexical          |   | semantic | semantic lexical          | false | Lima
`,
  },
  {
    when: 'Meilisearch gives no answer that can be used, or none in time, and Qdrant answers',
    because: [
      '"Meilisearch away: plain questions are unchanged and not degraded; one with a phrase or exclusion is checked on the hydrated texts of a wider pool, says degraded, and never returns an excluded hit." (search-engines.md, When an engine is away)',
    ],
    faults: each('meilisearch', MEILISEARCH_UNUSABLE),
    rows: `${BLANK}
fast     | words       | ran                         |                             |   |   | - |   |   | semantic         |   |   |                  | false | lake painted Lima
fast     | phrase      | ran: dependency_unavailable |                             |   |   | - |   |   | semantic         |   |   | semantic         | false | lake
balanced | words       | ran                         | ran                         | - | ran |   |   |   | semantic lexical | entity_match |   |                  | false | lake painted Lima
balanced | phrase      | ran                         | ran: dependency_unavailable | - | ran |   |   |   | semantic lexical | entity_match |   | lexical          | false | lake
balanced | exclusion   | ran                         | ran: dependency_unavailable | - | ran |   |   |   | semantic lexical entity_match |   |   | lexical          | false | Lima
balanced | past        | ran                         | ran                         | ran | - |   |   |   | semantic lexical temporal |   |   |       | false | lake painted Lima
thorough | words       | ran                         | ran                         | - | ran | - | ran |   | semantic lexical relation_expand | entity_match |   |                  | false | lake painted Lima
thorough | phrase_past | ran                         | ran: dependency_unavailable | ran: dependency_unavailable | - | - | - |   | semantic lexical temporal |   |   | lexical temporal | false | lake
minimal  | words       | ran                         | ran                         |   |   |   |   |   | semantic lexical |   |   |                  | false | lake painted Lima
minimal  | exclusion   | ran                         | ran: dependency_unavailable |   |   |   |   |   | semantic lexical |   |   | lexical          | false | Lima
`,
  },
  {
    when: 'Meilisearch does not answer in time, and Qdrant does',
    because: [
      '"Meilisearch away: plain questions are unchanged and not degraded; one with a phrase or exclusion … says degraded" (search-engines.md): late is away',
    ],
    faults: { 'meilisearch hangs': { meilisearch: HANGS } },
    late: true,
    rows: `${BLANK}
fast     | phrase      | ran: dependency_unavailable |                             |   |   | - |   |   | semantic         |   |   | semantic         | false | lake
balanced | words       | ran                         | ran                         | - | ran |   |   |   | semantic lexical | entity_match |   |                  | false | lake painted Lima
balanced | exclusion   | ran                         | ran: dependency_unavailable | - | ran |   |   |   | semantic lexical entity_match |   |   | lexical          | false | Lima
thorough | phrase_past | ran                         | ran: dependency_unavailable | ran: dependency_unavailable | - | - | - |   | semantic lexical temporal |   |   | lexical temporal | false | lake
minimal  | phrase      | ran                         | ran: dependency_unavailable |   |   |   |   |   | semantic lexical |   |   | lexical          | false | lake
`,
  },
  {
    when: 'both indexes are away',
    because: [
      '"dropped_strategies (disabled, timed out or failed)" (interface.md, search): neither index ranks',
      '"No request waits for … Meilisearch": what Postgres alone finds is found (blank, Lima for the name Anna, and what stands out and holds a word of the query)',
    ],
    faults: {
      'both refuse': { qdrant: REFUSES, meilisearch: REFUSES },
      'both answer 500': { qdrant: { kind: 'fails' }, meilisearch: { kind: 'fails' } },
      'both answer HTML': { qdrant: answers('<html>'), meilisearch: answers('<html>') },
    },
    rows: `${BLANK}
fast     | words       | dropped: dependency_unavailable |                                 |   |   | - |   |   |   |   | semantic         | semantic         | true |
balanced | words | dropped: dependency_unavailable | dropped: dependency_unavailable | - | ran |  |  |  | lexical | entity_match | semantic lexical | semantic lexical | false | lake painted
balanced | phrase      | dropped: dependency_unavailable | dropped: dependency_unavailable | - | ran |   |   |   |   | entity_match | semantic lexical | semantic lexical | true |
balanced | past | dropped: dependency_unavailable | dropped: dependency_unavailable | dropped: dependency_unavailable | - |  |  |  | lexical |  | semantic lexical temporal | semantic lexical temporal | false | lake painted
thorough | exclusion   | dropped: dependency_unavailable | dropped: dependency_unavailable | - | ran | - | ran |   | entity_match | relation_expand | semantic lexical | semantic lexical | false | Lima
minimal | words | dropped: dependency_unavailable | dropped: dependency_unavailable |  |  |  |  |  | lexical |  | semantic lexical | semantic lexical | false | lake painted
`,
  },
  {
    when: 'no index answers in time',
    because: [
      '"A late strategy is killed and reported dropped/timeout." (reference.md 6.1)',
      '"Contracts run in parallel …; expanders after" (reference.md 6.1): they leave no time to expand anything',
    ],
    faults: { 'both hang': { qdrant: HANGS, meilisearch: HANGS } },
    late: true,
    rows: `${BLANK}
fast     | words       | dropped: timeout |                  |   |   | - |   |   |   |   | semantic         | semantic         | true |
balanced | words | dropped: timeout | dropped: timeout | - | ran |  |  |  | lexical | entity_match | semantic lexical | semantic lexical | false | lake painted
thorough | words | dropped: timeout | dropped: timeout | - | ran | - | dropped: deadline_exhausted_before_start |  | lexical | entity_match | semantic lexical relation_expand | semantic lexical relation_expand | false | lake painted
minimal  | phrase      | dropped: timeout | dropped: timeout |   |   |   |   |   |   |   | semantic lexical | semantic lexical | true |
`,
  },
  {
    when: 'there is no embedder',
    because: [
      '"A role set to none makes its component not_applicable (reason applicability), never dropped, never degraded." (decisions.md 9)',
    ],
    faults: { nothing: {} },
    withoutEmbedder: true,
    rows: `${BLANK}
fast     | words       | -        |         |          |              | -                |                 |                  |                           |       |         |          | true    |
balanced | words       | -        | ran     | -        | ran          |                  |                 |                  | lexical                   | entity_match |         |          | false   | lake painted
balanced | phrase      | -        | ran     | -        | ran          |                  |                 |                  | lexical                   | entity_match |         |          | false   | lake
balanced | past        | -        | ran     | ran      | -            |                  |                 |                  | lexical temporal          |       |         |          | false   | lake painted
thorough | exclusion   | -        | ran     | -        | ran          | -                | ran             |                  | lexical entity_match      | relation_expand |         |          | false   | Lima
minimal  | words       | -        | ran     |          |              |                  |                 |                  | lexical                   |       |         |          | false   | lake painted
`,
  },
  {
    when: 'there is no embedder and Qdrant is away',
    because: [
      '"A role set to none …, never degraded" (decisions.md 9), and "lexical falls back to Meilisearch" (search-engines.md)',
    ],
    faults: { 'qdrant refuses': { qdrant: REFUSES } },
    withoutEmbedder: true,
    rows: `${BLANK}
fast     | words       | -        |         |          |              | -                |                 |                  |                           |       |         |          | true    |
balanced | words       | -        | ran: dependency_unavailable | - | ran |                  |                 |                  | lexical                   | entity_match |         | lexical  | false   | lake painted
thorough | words       | -        | ran: dependency_unavailable | - | ran | -                | ran             |                  | lexical relation_expand   | entity_match |         | lexical  | false   | lake painted Lima
minimal  | words       | -        | ran: dependency_unavailable |   |     |                  |                 |                  | lexical                   |       |         | lexical  | false   | lake painted
`,
  },
  {
    when: 'the embedder gives no answer that can be used',
    because: [
      '"Provider failures are not request errors on ask or search: they appear as … degraded, or failure classes." (interface.md 7)',
      '"reason_class ∈ … dependency_unavailable, provider_error, invalid_result" (reference.md 1.3): the provider failed, no index did',
    ],
    faults: each('embedder', EMBEDDER_UNUSABLE),
    rows: `${BLANK}
fast     | words       | dropped: provider_error |         |       |   | - |   |   |                  |   | semantic | semantic | true  |
balanced | words       | dropped: provider_error | ran     | -     | ran |   |   |   | lexical          | entity_match | semantic | semantic | false | lake painted
balanced | phrase      | dropped: provider_error | ran     | -     | ran |   |   |   | lexical          | entity_match | semantic | semantic | false | lake
balanced | past        | dropped: provider_error | ran     | ran   | - |   |   |   | lexical temporal |   | semantic | semantic | false | lake painted
thorough | words       | dropped: provider_error | ran     | -     | ran | - | ran |   | lexical relation_expand | entity_match | semantic | semantic | false | lake painted Lima
minimal  | exclusion   | dropped: provider_error | ran     |       |   |   |   |   | lexical          |   | semantic | semantic | false | Lima
`,
  },
  {
    when: 'the embedder answers vectors that are none of the configured space',
    because: [
      '"A vector-space identity is provider, model, version, dimensions." (decisions.md 9): an answer came, and it is invalid',
    ],
    faults: each('embedder', {
      'answers narrow vectors': embedding('[0.6,0.8]'),
      'answers empty vectors': embedding('[]'),
    }),
    rows: `${BLANK}
fast     | words       | dropped: invalid_result |         |       |   | - |   |   |                  |   | semantic | semantic | true  |
balanced | words       | dropped: invalid_result | ran     | -     | ran |   |   |   | lexical          | entity_match | semantic | semantic | false | lake painted
thorough | past        | dropped: invalid_result | ran     | ran   | - | - | - |   | lexical temporal |   | semantic | semantic | false | lake painted
minimal  | words       | dropped: invalid_result | ran     |       |   |   |   |   | lexical          |   | semantic | semantic | false | lake painted
`,
  },
  {
    when: 'the embedder does not answer in time',
    because: ['"A late strategy is killed and reported dropped/timeout." (reference.md 6.1)'],
    faults: { 'embedder hangs': { embedder: HANGS } },
    late: true,
    rows: `${BLANK}
fast     | words       | dropped: timeout        |         |       |   | - |   |   |                  |   | semantic | semantic | true  |
balanced | words       | dropped: timeout        | ran     | -     | ran |   |   |   | lexical          | entity_match | semantic | semantic | false | lake painted
thorough | past        | dropped: timeout        | ran     | ran   | - | - | - |   | lexical temporal |   | semantic | semantic | false | lake painted
minimal  | phrase      | dropped: timeout        | ran     |       |   |   |   |   | lexical          |   | semantic | semantic | false | lake
`,
  },
  {
    when: 'a statement of the chain was not written to Qdrant in time',
    because: [
      '"Only overdue Qdrant marks of statements in the chain make a search read those rows from Postgres and say degraded" (decisions.md 7)',
      'where there is no lexical strategy, the semantic one finds them',
    ],
    faults: { nothing: {} },
    rows: `
fast     | words_below_late  | ran: dependency_unavailable |                             |   |   | -   |   |   | semantic         |   |   | semantic | false | lake painted Lima sold
fast     | blank_below_late  | -                           |                             |   |   | ran |   |   | salience_recency |   |   |          | true  | lake painted Lima sold
balanced | words_below_late  | ran                         | ran: dependency_unavailable | - | ran |     |   |   | semantic lexical | entity_match |   | lexical  | false | lake painted Lima sold
balanced | phrase_below_late | ran                         | ran: dependency_unavailable | - | ran |     |   |   | semantic lexical | entity_match |   | lexical  | false | lake sold
thorough | words_below_late  | ran                         | ran: dependency_unavailable | - | ran | -   | ran |   | semantic lexical relation_expand | entity_match |   | lexical  | false | lake painted Lima sold
minimal  | words_below_late  | ran                         | ran: dependency_unavailable |   |   |     |   |   | semantic lexical |   |   | lexical  | false | lake painted Lima sold
balanced | words             | ran                         | ran                         | - | ran |     |   |   | semantic lexical | entity_match |   |          | false | lake painted Lima
`,
  },
  {
    when: 'statements of the chain wait for Meilisearch, or for Qdrant and are not overdue',
    because: [
      '"marks of messages, of Meilisearch, or of anchors not yet completed never do" (decisions.md 7)',
      '"rows of the chain whose Meilisearch mark is still dirty are candidates through that check alone" (decisions.md 11)',
    ],
    faults: { nothing: {} },
    rows: `
fast     | words_below_soon  | ran                         |                             |   |   | -   |   |   | semantic         |   |   |          | false | lake painted Lima rented
balanced | words_below_soon  | ran                         | ran                         | - | ran |     |   |   | semantic lexical | entity_match |   |          | false | lake painted Lima rented
balanced | phrase_below_soon | ran                         | ran                         | - | ran |     |   |   | semantic lexical | entity_match |   |          | false | lake rented
thorough | words_below_soon  | ran                         | ran                         | - | ran | -   | ran |   | semantic lexical relation_expand | entity_match |   |          | false | lake painted Lima rented
minimal  | words_below_soon  | ran                         | ran                         |   |   |     |   |   | semantic lexical |   |   |          | false | lake painted Lima rented
`,
  },
];
