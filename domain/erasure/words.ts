/** The words of erasure: modes, states, steps in their order, and what is counted. */

export const ERASURE_MODES = ['proportionate', 'strict'] as const;
/**
 * What becomes of a statement about somebody else, or about a scope, whose words only the erased person gave:
 * `proportionate` keeps its row without the text, `strict` deletes it.
 */
export type ErasureMode = (typeof ERASURE_MODES)[number];

export const ERASURE_STATES = ['accepted', 'running', 'verifying', 'completed'] as const;
export type ErasureState = (typeof ERASURE_STATES)[number];

/**
 * The steps of an erasure in their order. Each is repeated, a page at a time, until it finds nothing: extractions that
 * wait; statements about the person; what the person said, with the chunks of what the person uploaded; what the person passed on for others;
 * versions of documents; sessions; login, credentials and grants; entries of the indexes; bytes of documents.
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

/** What a receipt counts. */
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

/** For how long the credential that asked may read how the erasure stands. */
export const ERASURE_ACCESS_DAYS = 7;
