/** The form of the tables of routes, and the rows that most of them begin with. */
import type { Maker } from '../asking.ts';
import type { Borrowed } from '../borrowed.ts';
import type { Check } from '../checks.ts';
import type { Dimensions } from '../cover.ts';
import type { Cell, Row, Table } from '../table.ts';

/** Statuses and codes that are right, as `404 not_found`. Mostly one. */
export type HttpAnswers = readonly string[];

export interface RouteTable {
  /** Method and path, as the routes of the service have them. */
  readonly route: string;
  /** The request that a cell stands for. */
  readonly request: Maker;
  /** What an answer that lets the caller in shows that it must not, and hides that it must not. */
  readonly shows?: Check;
  /** What varies beside who asks. */
  readonly vary: Dimensions;
  /** What a long run found wrong once: the short one asks it too. */
  readonly examples?: readonly Cell[];
  /** Who asks; everybody when left out. */
  readonly identities?: readonly string[];
  /** Leaves out cells that cannot be. */
  readonly may?: (cell: Cell) => boolean;
  readonly rows: Table<HttpAnswers>;
  /** Where, beside its target, a request takes a name that may be another account's. */
  readonly borrows?: readonly Borrowed[];
  /** Whether it shows a curator messages of the scope of its item, also such as the curator was not there for. */
  readonly showsTurns?: boolean;
  /** Asked after the reads of the plan: it changes rows, or is about rows that were made for it. */
  readonly isLate?: boolean;
}

export const NO_CREDENTIAL: Row<HttpAnswers> = {
  when: { credential: ['none', 'ended'] },
  answer: ['401 unauthorized'],
  from: 'decisions 2: no or bad credential',
};

/** For any identity. */
export const ANYBODY: Table<HttpAnswers> = [NO_CREDENTIAL];

/** An id in a path that is none leads nowhere, whoever asks. */
const NO_ID: Row<HttpAnswers> = {
  when: { target: ['malformed'] },
  answer: ['404 not_found'],
  from: 'decisions 2: an id that is no UUID',
};

/** The same for routes with an id in their path. */
export const withId = ([first, ...others]: Table<HttpAnswers>): Table<HttpAnswers> => {
  if (first === undefined) throw new Error('no rows');
  return [first, NO_ID, ...others];
};

export const NO_PERSON: Row<HttpAnswers> = {
  when: { kind: ['machine'] },
  answer: ['403 human_identity_required'],
  from: 'decisions 2: an API key on a human route',
};

/** For people. */
export const PEOPLE: Table<HttpAnswers> = [NO_CREDENTIAL, NO_PERSON];

export const CURATOR_NOWHERE: Row<HttpAnswers> = {
  when: { curates: ['nowhere'] },
  answer: ['403 forbidden'],
  from: 'decisions 17: curator nowhere',
};

/** For curators, who are people. */
export const CURATORS: Table<HttpAnswers> = [...PEOPLE, CURATOR_NOWHERE];

export const NO_ADMIN: Row<HttpAnswers> = {
  when: { isAdmin: ['no'] },
  answer: ['403 forbidden'],
  from: 'interface 4: operator endpoints, other roles get 403',
};

/** For account-admins. */
export const ADMINS: Table<HttpAnswers> = [NO_CREDENTIAL, NO_ADMIN];

export const MALFORMED_PATH: Row<HttpAnswers> = {
  when: { place: ['malformed'] },
  answer: ['422 invalid_request'],
  from: 'decisions 2: an invalid scope path',
};

/** Rows for whose words a read is done. */
export const NAMED_READER: Table<HttpAnswers> = [
  MALFORMED_PATH,
  {
    when: { naming: ['refused'] },
    answer: ['403 forbidden'],
    from: 'decisions 3: who may name a reader, before the name is looked up',
  },
  {
    when: { naming: ['unknown'] },
    answer: ['422 unknown_peer'],
    from: 'decisions 2: peer_key naming nobody on a read',
  },
];

/** A thing that the caller may not know of, or that is not there. */
export const HIDDEN: Row<HttpAnswers> = {
  when: { sees: ['no'] },
  answer: ['404 not_found'],
  from: 'decisions 2: a hidden or missing resource',
};

export const answered = (status: number, from: Row<HttpAnswers>['from']): Row<HttpAnswers> => ({
  when: {},
  answer: [String(status)],
  from,
});
