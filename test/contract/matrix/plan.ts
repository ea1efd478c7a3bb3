/**
 * What is in the account of the matrix: statements that cover every pair of values, the messages they were drawn from, and
 * documents. Everything follows from this file, the ids too, so that a judge needs to ask no database.
 */
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { pairwise } from './cover.ts';
import { ADDRESSED, mayExist } from './statements/cells.ts';
import type { Cell } from './table.ts';
import { emailOf, SCOPE_NAMES, SCOPES, type ScopeName } from './world.ts';

/** A word of every statement and message. */
export const WORD = 'quince';
/** A word of every passage of a document, and of nothing else. */
export const WORD_OF_DOCUMENTS = 'harbour';

/** People joined the sessions at these times; the word of a message is from before or after the second. */
export const JOINED = '2026-01-01T00:00:00Z';
export const JOINED_LATE = '2026-01-15T00:00:00Z';
export const JOINED_LAST = '2026-01-27T00:00:00Z';
const SAID = { early: '2026-01-05T00:00:00Z', late: '2026-01-20T00:00:00Z' } as const;
/** Belief begins, is read as of, and may change; expiry comes after that, and before today. */
export const BELIEVED_FROM = '2026-01-28T00:00:00Z';
export const THEN = '2026-02-10T00:00:00Z';
export const CHANGED = '2026-03-01T00:00:00Z';
export const EXPIRED = '2026-06-01T00:00:00Z';

/** Attendances of every session, beside who speaks: the key, when it joined, and whether it reads what was said before. */
export const ATTENDANCES = [
  { peer: 'narrow', joinedAt: JOINED_LAST, readsAll: true },
  { peer: emailOf('reader'), joinedAt: JOINED, readsAll: false },
  { peer: emailOf('member'), joinedAt: JOINED_LATE, readsAll: false },
  { peer: emailOf('curator'), joinedAt: JOINED_LAST, readsAll: false },
] as const;

export interface Values {
  readonly state: string;
  readonly path: string;
  readonly sensitivity: string;
  readonly level: string;
}

export interface MessageFact {
  readonly id: string;
  readonly path: string;
  readonly speaker: string;
  readonly relay: string | null;
  readonly recordedAt: string;
  /** Nobody but the uploader was there for the passages of a document. */
  readonly isChunk: boolean;
  /** The keys that its audience names; absent without an audience. */
  readonly audience?: readonly string[];
}

export interface StatementFact {
  readonly id: string;
  readonly text: string;
  readonly now: Values;
  /** What it was until `CHANGED`; null when it never changed. */
  readonly before: Values | null;
  readonly expiresAt: string | null;
  /** The key of the person it is about; null for its scope. */
  readonly subject: string | null;
  readonly message: MessageFact;
  /** Says plainly where its subject lives: it belongs to a stable profile. */
  readonly isPlain: boolean;
  /** Holds left nothing of it. */
  readonly isUnserved?: boolean;
}

export const submittersOf = ({ message }: StatementFact): readonly string[] =>
  message.relay === null ? [message.speaker] : [message.speaker, message.relay];

/** An id that nothing else has: of a kind, the nth. */
export function idAt(kind: number, nth: number): string {
  const [high, low] = [kind.toString(16).padStart(4, '0'), nth.toString(16).padStart(12, '0')];
  return `01950000-${high}-7000-8000-${low}`;
}
const KINDS = { statement: 1, message: 2, plain: 3 } as const;

export const HISTORIES = [
  'new',
  'waited before',
  'placed before',
  'moved here',
  'was public',
] as const;

const DIMENSIONS = {
  state: KNOWLEDGE_STATES,
  scope: SCOPE_NAMES,
  history: HISTORIES,
  sensitivity: SENSITIVITIES,
  level: TARGET_LEVELS,
  subject: ['reader', 'member', 'curator', 'scope'],
  speaker: ['reader', 'member', 'stranger'],
  relay: ['relay', 'nobody'],
  addressed: ADDRESSED,
} as const;

const AUDIENCES: Readonly<Record<string, readonly string[]>> = {
  'to the reader': [emailOf('reader')],
  'to others': [emailOf('member')],
};

/** What a statement with the history was before it came to be what it is now; null when it never changed. */
export function valuesBefore(history: string, now: Values): Values | null {
  switch (history) {
    case 'new':
      return null;
    case 'waited before':
      return { ...now, state: 'provisional' };
    case 'placed before':
      return { ...now, state: 'active' };
    case 'moved here':
      return { ...now, state: 'active', path: SCOPES.ancestor };
    default:
      return { ...now, state: 'active', sensitivity: 'public' };
  }
}

function audienceOf({ addressed = '' }: Cell): Pick<MessageFact, 'audience'> {
  const audience = AUDIENCES[addressed];
  return audience === undefined ? {} : { audience };
}

function factOf(cell: Cell, nth: number): StatementFact {
  const {
    history = '',
    level = '',
    relay,
    scope,
    sensitivity = '',
    speaker = '',
    state = '',
  } = cell;
  const path = SCOPES[scope as ScopeName];
  const now = { state, path, sensitivity, level };
  const isEarly = nth % 2 === 0;
  return {
    id: idAt(KINDS.statement, nth),
    text: `Somebody keeps ${WORD} jar number ${nth}.`,
    now,
    before: valuesBefore(history, now),
    expiresAt: nth % 5 === 0 ? EXPIRED : null,
    subject: cell['subject'] === 'scope' ? null : emailOf(cell['subject'] ?? ''),
    message: {
      id: idAt(KINDS.message, nth),
      path,
      speaker: emailOf(speaker),
      relay: relay === 'relay' ? 'relay' : null,
      recordedAt: isEarly ? SAID.early : SAID.late,
      isChunk: false,
      ...audienceOf(cell),
    },
    isPlain: false,
  };
}

/** What a reader says of where it lives. */
function plainFact(name: string, nth: number): StatementFact {
  const speaker = emailOf(name);
  const message = { id: idAt(KINDS.plain, 16 + nth), path: '/', relay: 'relay', speaker };
  return {
    id: idAt(KINDS.plain, nth),
    text: `${speaker} lives in Bergen`,
    now: { state: 'active', path: '/', sensitivity: 'internal', level: 'peer' },
    before: null,
    expiresAt: null,
    subject: speaker,
    message: { ...message, recordedAt: SAID.early, isChunk: false },
    isPlain: true,
  };
}

const may = (cell: Cell): boolean => mayExist(cell as unknown as Parameters<typeof mayExist>[0]);
/** The product is too large to be enumerated whole: the states in which most rows differ by reader are covered more densely. */
const believed = {
  ...DIMENSIONS,
  state: ['active', 'provisional'],
  history: ['new', 'moved here'],
};
const placed = {
  ...DIMENSIONS,
  relay: ['relay'],
  speaker: ['member'],
  subject: ['reader', 'scope'],
};

const cells = [...pairwise(placed, may), ...pairwise(believed, may)];

export const STATEMENTS: readonly StatementFact[] = [
  ...cells.map(factOf),
  ...['reader', 'member'].map(plainFact),
];

/** A few of them, for routes that take one id. */
export const someOf = <T>(list: readonly T[], nth: string | undefined, most: number): T => {
  const found = list[Math.floor((Number(nth) * list.length) / most)];
  if (found === undefined) throw new Error(`nothing is number ${String(nth)}`);
  return found;
};

/** Documents, with who uploaded them where. */
export const DOCUMENTS = [
  { path: SCOPES.own, by: 'an agent', peer: 'relay' },
  { path: SCOPES.own, by: 'a member', peer: emailOf('member') },
  { path: SCOPES.root, by: 'a denied member', peer: emailOf('denied') },
  { path: SCOPES.sibling, by: 'a member', peer: emailOf('member') },
  { path: SCOPES.denied, by: 'an agent', peer: 'relay' },
] as const;
