/**
 * Why a search does not return a message or a statement: the closed list of causes. Each says what it means and what an
 * operator does about it. Pages and answers use these words and no others.
 */

/**
 * Which reads a cause keeps it from. Statements are found by `search`, messages by `source_search`; `phrases` are quoted
 * words and exclusions of either.
 */
export const KEPT_FROM = ['every_search', 'search', 'source_search', 'phrases'] as const;
export type KeptFrom = (typeof KEPT_FROM)[number];

interface CauseText {
  readonly means: string;
  readonly remedy: string;
}

export const CAUSES = {
  speaker_being_erased: {
    means: 'The speaker is being erased, and no read shows the message any more.',
    remedy: 'Do nothing: the erasure deletes the message.',
  },
  role_without_evidence: {
    means: 'The role of the speaker is one of machines, and extraction draws no statement from it.',
    remedy:
      'Look for the message with a source search. Send what a person said under another role.',
  },
  extraction_missing: {
    means: 'The message has no extraction job.',
    remedy: 'Report it: every accepted message has one.',
  },
  statements_unacknowledged: {
    means: 'The statements are stored, and Qdrant has not acknowledged them yet.',
    remedy: 'Check Qdrant with vouch status. The worker goes on by itself.',
  },
  mailbox_paused: {
    means: 'An operator paused the mailbox of the session.',
    remedy: 'Send its actor the update setPaused with false, in the Temporal UI.',
  },
  circuit_open: {
    means: 'The circuit of the extractor keeps calls back after failures in a row.',
    remedy:
      'Repair the provider (docs/RUNBOOK.md, A provider that fails). Work then continues by itself.',
  },
  token_limit_reached: {
    means: 'A daily token limit leaves no room for the call.',
    remedy:
      'Wait for the next UTC day, or raise SERVICE_BUDGET_LIMITS_JSON and restart. Work then continues by itself.',
  },
  budget_closed: {
    means: 'The extraction budget of the nearest root is closed or past its deadline.',
    remedy: 'Register another root and send the observation there. A closed budget stays closed.',
  },
  extraction_under_way: {
    means: 'A drain holds the message now.',
    remedy: 'Wait. If it stays so for ten minutes, restart the workers.',
  },
  extraction_retried: {
    means: 'An attempt failed with the class named here, and another one follows.',
    remedy: 'Look the class up in docs/RUNBOOK.md, Error classes.',
  },
  extraction_waits: {
    means: 'No drain has taken the message yet.',
    remedy: 'Check with vouch status that Temporal answers, and in the log that a worker runs.',
  },
  extraction_repairable: {
    means: 'The extraction failed with the class named here and waits for an operator.',
    remedy: 'Correct what docs/RUNBOOK.md says of the class, then requeue the message.',
  },
  extraction_given_up: {
    means: 'The service gave the extraction up with the class named here.',
    remedy:
      'Look the class up in docs/RUNBOOK.md. Requeue the message if another attempt may succeed.',
  },
  nothing_extracted: {
    means: 'The extraction ended and drew no statement from the message.',
    remedy:
      'Look for the message with a source search. If it says something, try another extractor.',
  },
  no_statement_believed: {
    means: 'Statements were drawn from the message, and none of them is believed now.',
    remedy: 'Run vouch explain statement for the ids that are listed.',
  },
  chunk_replaced: {
    means: 'A later version or a withdrawal of the document took the place of this chunk.',
    remedy: 'Look for the chunks of the latest version.',
  },
  subject_being_erased: {
    means: 'The subject is being erased, and no read shows the statement any more.',
    remedy: 'Do nothing: the erasure deletes the statement.',
  },
  redacted: {
    means: 'The subject withdrew the statement.',
    remedy: 'Do nothing: a redaction is final.',
  },
  retracted: {
    means: 'Every source of the statement was erased, and its text with them.',
    remedy: 'Do nothing: the text is gone.',
  },
  merged: {
    means: 'A curator merged the statement into the one named here.',
    remedy: 'Look for that statement.',
  },
  superseded: {
    means: 'A newer statement took the place of this one.',
    remedy: 'Look for the newer statement, or search with as_of an earlier instant.',
  },
  rejected: {
    means: 'A gate or a curator rejected the statement.',
    remedy: 'Read the last decision. Change the gate rule if it rejects too much.',
  },
  expired: {
    means: 'The statement is past its expires_at.',
    remedy:
      'Have it said again. Change expires_after_days of the gate rule if it expires too early.',
  },
  contested: {
    means: 'The subject contested the statement.',
    remedy: 'Have a curator decide the item in /governance.',
  },
  needs_revalidation: {
    means: 'The statement is due for a confirmation. Searches return active statements only.',
    remedy: 'Have the subject or a curator confirm it.',
  },
  stale: {
    means: 'Nobody confirmed the statement in time. Searches return active statements only.',
    remedy: 'Have the subject or a curator confirm it.',
  },
  consent_missing: {
    means: 'The statement waits for the consent of its subject.',
    remedy: 'Ask the subject to decide on /console/me.',
  },
  gate_pending: {
    means: 'A gate has the statement wait for a person, in the state named here.',
    remedy: 'Have a curator decide the item in /governance, or change the preset or the gate rule.',
  },
  provisional: {
    means: 'No gate has placed the statement. Only its submitting peers find it.',
    remedy: 'Have a curator decide the item in /governance, or change the preset or the gate rule.',
  },
  index_away: {
    means: 'The index named here does not answer.',
    remedy: 'Start it. Without Qdrant searches go by words and say degraded.',
  },
  index_write_waits: {
    means: 'The write to the index named here waits for a worker.',
    remedy: 'Check that a worker runs. Writes follow within seconds.',
  },
  index_write_fails: {
    means: 'Writes to the index named here were tried and did not succeed.',
    remedy:
      'Read projection.engine_failed and projection.units_set_aside in the log of the worker.',
  },
  index_lost: {
    means: 'The index named here does not hold it, and no write waits.',
    remedy: 'Run vouch index rebuild, with --scope for its scope alone.',
  },
  index_outdated: {
    means: 'The index named here holds another version of it, and no write waits.',
    remedy: 'Run vouch index rebuild, with --scope for its scope alone.',
  },
  reader_without_scope: {
    means: 'No grant lets the reader read the scope, or a deny closes it.',
    remedy: 'Read vouch grant list for the peer, then add or remove a grant.',
  },
  reader_was_absent: {
    means: 'The reader neither said nor relayed the message, and was not in the session.',
    remedy: 'Do nothing: only the people who were there read a message.',
  },
  reader_outside_audience: {
    means: 'The visibility predicate does not let the reader read the statement.',
    remedy: 'Compare the conditions that are listed. Sharing it is a decision of a curator.',
  },
} as const satisfies Readonly<Record<string, CauseText>>;

export type CauseWord = keyof typeof CAUSES;
export const CAUSE_WORDS = Object.keys(CAUSES) as readonly CauseWord[];

/** A cause that holds. */
export interface Obstacle {
  readonly cause: CauseWord;
  readonly from: KeptFrom;
  /** What the cause is about: an index, an error class, a state, the id of another statement. */
  readonly of: string | null;
}

/** In the order of the way; what keeps from phrases alone comes last, because everything else is graver. */
export function inOrder(obstacles: readonly Obstacle[]): readonly Obstacle[] {
  const ofPhrases = ({ from }: Obstacle): boolean => from === 'phrases';
  return [...obstacles.filter((one) => !ofPhrases(one)), ...obstacles.filter(ofPhrases)];
}

/** Whether what was asked about is found in spite of the obstacles: by any search but one for a phrase. */
export function isFindable(obstacles: readonly Obstacle[]): boolean {
  return obstacles.every(({ from }) => from === 'phrases');
}
