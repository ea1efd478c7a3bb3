/** The words of erasure: modes, states, steps in their order, and the counters of a receipt. */

export const ERASURE_MODES = ['proportionate', 'strict'] as const;
/**
 * The mode decides about statements about another person or a scope for which the erased person is the only source:
 * `proportionate` keeps the row without its text, `strict` deletes the row.
 */
export type ErasureMode = (typeof ERASURE_MODES)[number];

export const ERASURE_STATES = ['accepted', 'running', 'verifying', 'completed'] as const;
export type ErasureState = (typeof ERASURE_STATES)[number];

/**
 * The steps of an erasure in their order. The workflow repeats each step, a page at a time, until it finds nothing:
 * waiting extractions; statements about the person; the person's messages, with the chunks of the person's documents;
 * messages that the person relayed for others; versions of documents; sessions; login, credentials, grants and circles;
 * entries of the indexes; bytes of documents.
 */
export const ERASURE_STEPS = [
  'anchors',
  'statements',
  'messages',
  'relays',
  'documents',
  'sessions',
  'identity',
  'indexes',
  'blobs',
] as const;
export type ErasureStep = (typeof ERASURE_STEPS)[number];

/** The counters of a receipt. */
export const ERASED_KINDS = [
  'statements_deleted',
  'statements_retracted',
  'statements_reworded',
  'messages_deleted',
  'relays_scrubbed',
  'versions_deleted',
  'sessions_left',
  'credentials_ended',
  'blobs_deleted',
] as const;
export type ErasedKind = (typeof ERASED_KINDS)[number];
export type ErasedCounts = Readonly<Record<ErasedKind, number>>;

export const NOTHING_ERASED = Object.fromEntries(
  ERASED_KINDS.map((kind) => [kind, 0]),
) as unknown as ErasedCounts;

/** The mailbox that the marks of an erasure are left in. */
export const ERASURE_SHARD = 0;

/** How long the credential that asked may read the state of the erasure. */
export const ERASURE_ACCESS_DAYS = 7;
