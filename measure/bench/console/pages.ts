/** The pages that are measured, by their names, with the address of each round. */
import { scopeOf, SCOPES } from '../search/fill.ts';
import type { Question } from '../search/asked.ts';
import { DESK, SKILL } from './fill.ts';
import type { Person } from './person.ts';

/** A page: its name, and its address in a round. */
export type MeasuredPage = readonly [name: string, path: (round: number) => string];

export interface Addresses {
  /** Ids of statements that the person may read. */
  readonly statements: readonly string[];
  readonly questions: readonly Question[];
  /** Whether the person may see `/console/operations`. */
  readonly isAdministrator: boolean;
}

const QUEUE = '/governance';

const at = <T>(list: readonly T[], round: number): T | undefined => list[round % list.length];

const query = (path: string, parameters: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(parameters).toString()}`;

const linkOf = (page: string, pattern: RegExp): string | null =>
  pattern.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? null;

/** The next page of a list; the link to the next item has a key. */
const NEXT = /class="button quiet"\s+rel="next"\s+href="([^"]*)"/;
const ITEM = /href="(\/governance\/[0-9a-f-]{36})/;

/** Goes through the list to its end. */
async function lastPageOf(person: Person, first: string): Promise<string> {
  let path = first;
  for (;;) {
    const next = linkOf(await person.open(path), NEXT);
    if (next === null) return path;
    path = next;
  }
}

/** The scope of a round: no two rounds in a row have the same. */
const scope = (round: number): string => scopeOf(round % SCOPES);

function ofKnowledge({ questions, statements }: Addresses): readonly MeasuredPage[] {
  return [
    ['overview', () => '/console'],
    ['knowledge of a scope', (round) => query('/console/knowledge', { scope: scope(round) })],
    [
      'knowledge, a search',
      (round) => {
        const { query: q = '', scopePath = '/' } = at(questions, round) ?? {};
        return query('/console/knowledge', { scope: scopePath, q });
      },
    ],
    ['one statement', (round) => `/console/knowledge/${at(statements, round) ?? ''}`],
    ['scopes', () => '/console/scopes'],
    ['one scope', (round) => query('/console/scopes', { scope: scope(round) })],
    ['a graph, for the first time', (round) => query('/console/graph', { scope: scope(round) })],
    ['the same graph again', (round) => query('/console/graph', { scope: scope(round) })],
    [
      'a graph of 150, with all scopes below',
      () => query('/console/graph', { scope: '/bench', descendants: '1', limit: '150' }),
    ],
  ];
}

const OTHERS: readonly MeasuredPage[] = [
  ['documents', () => '/console/sources'],
  ['sessions', () => '/console/sources/sessions'],
  ['observations', () => '/console/sources/observations'],
  [
    'observations of a session',
    (round) => {
      const path = scope(round);
      return query('/console/sources/observations', { scope_path: path, session_id: path });
    },
  ],
  ['observations that wait', () => query('/console/sources/observations', { state: 'pending' })],
  ['skills', () => query('/console/skills', { scope: '/bench' })],
  [
    'what holds of a skill, with a check',
    () => query('/console/skills/held', { skill: SKILL, scope: '/bench', check: 'me' }),
  ],
  ['tools', () => '/console/tools'],
  ['about me', () => '/console/me'],
];

/** The queue: its filters, its pages, and one item of it. */
async function ofQueue(person: Person): Promise<readonly MeasuredPage[]> {
  const newest = query(QUEUE, { order: 'newest' });
  const last = await lastPageOf(person, QUEUE);
  const item = linkOf(await person.open(QUEUE), ITEM);
  if (item === null) throw new Error('the queue is empty');
  return [
    ['the queue', () => QUEUE],
    ['the queue, newest first', () => newest],
    ['the queue, its last page', () => last],
    ['the queue, of one scope', () => query(QUEUE, { scope: DESK })],
    ['the queue, about one person', () => query(QUEUE, { subject: 'somebody' })],
    ['the queue, of a kind that is not there', () => query(QUEUE, { kind: 'conflict' })],
    ['the queue, about a person without items', () => query(QUEUE, { subject: 'keeper-1' })],
    ['one item of the queue', () => item],
  ];
}

/** All pages that the person may see. */
export async function pagesOf(
  person: Person,
  addresses: Addresses,
): Promise<readonly MeasuredPage[]> {
  return [
    ...ofKnowledge(addresses),
    ...OTHERS,
    ...(addresses.isAdministrator
      ? [['operations', () => '/console/operations'] satisfies MeasuredPage]
      : []),
    ...(await ofQueue(person)),
  ];
}
