/** Questions to the people whom statements are about: kinds, verdicts and bounds. */

/**
 * `confirm` asks whether a waiting statement is true. `revalidate` asks whether a statement is still true.
 * `consent_upward`: whether it may be shared in a wider scope.
 */
export const ASKED_KINDS = ['confirm', 'revalidate', 'consent_upward'] as const;
export type AskedKind = (typeof ASKED_KINDS)[number];

/** The verdict of the person, as the caller that asked reports it. */
export const VERDICTS = ['confirm', 'reject', 'unsure', 'skip'] as const;
export type AnswerVerdict = (typeof VERDICTS)[number];

/**
 * `verified`: another caller than the reporting one has recorded the person's answer, or the person answered signed in.
 */
export const VERIFICATIONS = ['verified', 'unverified_channel'] as const;
export type AnswerVerification = (typeof VERIFICATIONS)[number];

/** Hours after which an unanswered question ends. */
export const QUESTION_HOURS = 14 * 24;

/** Questions that a person is asked in one session, and in any 24 hours. The person may want fewer. */
export const MOST_PER_SESSION = 3;
export const MOST_PER_DAY = 10;
/**
 * Hours between two deliveries of a question. For the same time an unanswered question keeps other questions from the
 * person.
 */
export const COOLDOWN_HOURS = 48;

/** How long a read waits for a question. */
export const LONGEST_ASKING_MS = 15;

/** Questions of one scope, and of a read, that are looked at: those with the earliest deadlines. */
export const MOST_LOOKED_AT_OF_A_SCOPE = 16;
export const MOST_LOOKED_AT = 32;

/** How often a person may skip a question before the service asks a curator instead. */
export const MOST_SKIPS = 2;

/** How far an answer that nobody can verify puts off the date of a statement, once for each question. */
export const PUT_OFF_DAYS = 7;

/** The gain in confidence by a verified yes, and the loss by an unanswered question. */
export const GAINED_CONFIDENCE = 0.1;
export const LOST_CONFIDENCE = 0.15;

/** The confidence after a gain or a loss: 0 to 1, without the dust of binary fractions. */
export function changedConfidence(confidence: number, by: number): number {
  return Math.min(1, Math.max(0, Math.round((confidence + by) * 10_000) / 10_000));
}
