/** Questions to the people whom statements are about: kinds, verdicts and bounds. */

/**
 * `confirm` asks whether a waiting statement is true. `revalidate` asks whether a statement is still true.
 * `consent_upward`: whether it may be shared in a wider scope.
 */
export const ASKED_KINDS = ['confirm', 'revalidate', 'consent_upward'] as const;
export type AskedKind = (typeof ASKED_KINDS)[number];

/** What the person said, as whoever asked reports it. */
export const VERDICTS = ['confirm', 'reject', 'unsure', 'skip'] as const;
export type AnswerVerdict = (typeof VERDICTS)[number];

/** `verified`: somebody else than the one who reports it has seen the person answer. */
export const VERIFICATIONS = ['verified', 'unverified_channel'] as const;
export type AnswerVerification = (typeof VERIFICATIONS)[number];

/** Hours until a question is over that nobody has answered. */
export const QUESTION_HOURS = 14 * 24;

/** Questions that a person is asked in one session, and in any 24 hours. The person may want fewer. */
export const MOST_PER_SESSION = 3;
export const MOST_PER_DAY = 10;
/**
 * Hours between two deliveries of a question. For as long a question that nobody has answered keeps other ones from the
 * person.
 */
export const COOLDOWN_HOURS = 48;

/** How long a read waits for a question. */
export const LONGEST_ASKING_MS = 15;

/** Questions of one scope, and of a read, that are looked at: those with the earliest deadlines. */
export const MOST_LOOKED_AT_OF_A_SCOPE = 16;
export const MOST_LOOKED_AT = 32;

/** How often a person may be unwilling before a curator is asked instead. */
export const MOST_SKIPS = 2;

/** How far an answer that nobody can verify puts off the date of a statement, once for each question. */
export const PUT_OFF_DAYS = 7;

/** What a verified yes adds to the confidence of a statement, and what an unanswered question takes from it. */
export const GAINED_CONFIDENCE = 0.1;
export const LOST_CONFIDENCE = 0.15;

/** The confidence after a gain or a loss: 0 to 1, without the dust of binary fractions. */
export function changedConfidence(confidence: number, by: number): number {
  return Math.min(1, Math.max(0, Math.round((confidence + by) * 10_000) / 10_000));
}
