/** The form of the tables of pages: who opens a page or sends a form, of which thing, and what the browser is answered. */
import { sized } from '../../../support/run.ts';
import { covering, product } from '../cover.ts';
import { rowFor, type Row, type Table } from '../table.ts';

/** Who sits at the browser. Who changes what others look at stands last. */
export const AT_THE_BROWSER = [
  'nobody',
  'a key of an agent',
  'a reader',
  'a member',
  'a curator',
  'an administrator',
  "another account's administrator",
  'the subject',
] as const;
export type Viewer = (typeof AT_THE_BROWSER)[number];

export const STRANGER = "another account's administrator";
/** People of the account who read all of it, with what they said or uploaded, and curate nothing. */
export const READERS = ['a reader', 'a member', 'the subject'] as const;
export const ADMIN: readonly Viewer[] = ['an administrator'];
export const CURATORS: readonly Viewer[] = ['a curator', 'an administrator'];

/** Kinds of things that an address or a field of a form names by an id, each with the things of the scene that are asked for. */
export const THINGS = {
  statement: ['believed', 'contested', 'waiting', 'waiting elsewhere', 'foreign'],
  'own statement': ['waiting for her word', 'foreign'],
  'statement asked about': ['of the subject', 'foreign'],
  question: ['put to the subject', 'foreign'],
  item: ['in the scope', 'contested', 'elsewhere', 'foreign'],
  message: ['in the scope', 'elsewhere', 'foreign'],
  version: ['in the scope', 'elsewhere', 'foreign'],
  document: ['in the scope', 'elsewhere', 'foreign'],
  card: ['in the scope', 'elsewhere', 'foreign'],
  circle: ['in the scope', 'elsewhere', 'foreign'],
  hold: ['in the scope', 'elsewhere', 'foreign'],
  consent: ['of the subject'],
  erasure: ['of somebody who left'],
} as const;
export type Kind = keyof typeof THINGS;

/** What can be named that is not there: an id of nothing, and a text that is no id. */
const NOTHING = ['missing', 'malformed'] as const;
/** Scopes as an address or a form names them. */
const PLACES = ['the scope', 'elsewhere', 'missing'] as const;
/** The one thing of a route that names none. */
export const NO_THING = 'no thing';

/** As `200`, or `303 /sign-in` with where it leads, its query left out. Mostly one. */
export type PageAnswers = readonly string[];

export interface PageTable {
  /** Method and path, as the routes of the console have them. */
  readonly route: string;
  /**
   * What the request names: a thing by its id, a scope by the parameter of that name, a tool, a scope in what the form
   * holds, or nothing. A thing whose id is not in the path stands in a field of the form.
   */
  readonly names:
    | { readonly kind: Kind }
    | { readonly parameter: string }
    | 'tool'
    | 'scope of the form'
    | null;
  readonly rows: Table<PageAnswers>;
}

export interface PageCell {
  readonly table: PageTable;
  readonly viewer: Viewer;
  readonly thing: string;
  readonly row: Row<PageAnswers>;
}

/** What requests of the route name, what is missing first. */
export function thingsOf({ names }: PageTable): readonly string[] {
  if (names === null) return [NO_THING];
  if (names === 'tool') return ['missing', 'search'];
  if (names === 'scope of the form' || 'parameter' in names) return PLACES.toReversed();
  return [...NOTHING, ...THINGS[names.kind]];
}

/** Every cell of the table: it is small enough to be asked whole. Throws when a cell lacks a row. */
export function cellsOf(table: PageTable): PageCell[] {
  const cells = product({ thing: thingsOf(table), viewer: AT_THE_BROWSER });
  return cells.map((cell) => ({
    table,
    viewer: cell['viewer'] as Viewer,
    thing: cell['thing'] ?? '',
    row: rowFor(table.rows, cell),
  }));
}

/**
 * What is asked. The long run asks all. In the short one every viewer asks for what is missing, which hidden things are
 * compared with; and every viewer meets every row that it can meet, and every thing every row.
 */
export function coverOf(table: PageTable): PageCell[] {
  const all = cellsOf(table);
  const [first] = thingsOf(table);
  const thin = (): PageCell[] =>
    covering(all, ({ row, thing, viewer }) => [
      ...(thing === first ? [`missing for ${viewer}`] : []),
      `${table.rows.indexOf(row)} for ${viewer}`,
      `${table.rows.indexOf(row)} of ${thing}`,
    ]);
  return sized({ short: thin, long: () => all })();
}

const SIGN_IN: Row<PageAnswers> = {
  when: { viewer: ['nobody', 'a key of an agent'] },
  answer: ['303 /sign-in'],
  from: 'interface 4: agent API keys cannot open browser sessions',
};

const NO_ID: Row<PageAnswers> = {
  when: { thing: ['malformed'] },
  answer: ['404'],
  from: 'decisions 2: an id that is no UUID',
};

/** Rows of pages for people; whoever has not signed in is led to the sign-in, whatever the address names. */
export const people = (...rows: Table<PageAnswers>): Table<PageAnswers> => [SIGN_IN, ...rows];

/** The same for pages below `/governance`, which have a sign-in of their own. */
export const atGovernance = ([, ...rows]: Table<PageAnswers>): Table<PageAnswers> => [
  { ...SIGN_IN, answer: ['303 /governance/sign-in'] },
  ...rows,
];

/** The same as `people` where the address names a thing: whoever no row lets in is told that it is not there. */
export const peopleOfThing = (...rows: Table<PageAnswers>): Table<PageAnswers> => [
  SIGN_IN,
  NO_ID,
  ...rows,
  { when: {}, answer: ['404'], from: 'decisions 2: a hidden or missing resource' },
];

/** Whoever is left is answered so. */
export const others = (answer: string, from: Row<PageAnswers>['from']): Row<PageAnswers> => ({
  when: {},
  answer: [answer],
  from,
});

/** The viewers, of the things, are answered so. */
export const when = (
  viewer: readonly Viewer[],
  thing: readonly string[] | null,
  answer: string | PageAnswers,
  from: Row<PageAnswers>['from'],
): Row<PageAnswers> => ({
  when: thing === null ? { viewer } : { viewer, thing },
  answer: typeof answer === 'string' ? [answer] : answer,
  from,
});
