/**
 * Which anchors of a session share one call to an extractor. A call is bounded in anchors and in the tokens that it
 * shows, never crosses a session, a scope or an audience, and keeps the order. The speaker of each of its anchors can read every
 * message that it shows: an anchor of a peer that joined late never shares a call with earlier messages.
 */
import type { ErrorClass } from '../error-class.ts';

/** Earlier messages of the same session and scope that an anchor is read with. */
export const WINDOW_MESSAGES = 5;

export interface BatchingParameters {
  /** The most anchors of one call; 1 asks about each alone. */
  readonly anchors: number;
  /** The most tokens, as estimated by the service, of the messages that a call of several anchors shows. */
  readonly tokens: number;
}

export const NO_BATCHING: BatchingParameters = { anchors: 1, tokens: 0 };

/** Batching as responses report it. */
export interface BatchingDescription {
  readonly enabled: boolean;
  readonly identity: string;
}

/** Names the parameters that decide which anchors share a call; the first number is the version of the rules below. */
export function batchingIdentity({ anchors, tokens }: BatchingParameters): string {
  if (anchors <= 1) return `batch-2-a1-w${WINDOW_MESSAGES}`;
  return `batch-2-a${anchors}-t${tokens}-w${WINDOW_MESSAGES}`;
}

/** Whether and how anchors are batched. */
export function describeBatching(parameters: BatchingParameters): BatchingDescription {
  return { enabled: parameters.anchors > 1, identity: batchingIdentity(parameters) };
}

/** What the grouping needs to know of an anchor. */
export interface BatchableAnchor {
  /** Session, scope and audience. */
  readonly place: string;
  /** The messages that a call shows for it: its window and itself. */
  readonly shown: readonly string[];
  /** The messages of the batch that its speaker could read. */
  readonly readable: ReadonlySet<string>;
  /** Failed attempts before this one. */
  readonly failedAttempts: number;
}

/**
 * After so many failed attempts an anchor goes alone. Otherwise a neighbour that a provider keeps failing on, with
 * errors that look transient, could hold it back for ever.
 */
export const ALONE_AFTER_ATTEMPTS = 3;

/**
 * Cuts the anchors of a session into calls, each a run of neighbours. An anchor that is too large by itself
 * goes alone.
 * @param tokensOf estimated tokens of a message that is shown.
 */
export function groupIntoCalls<T extends BatchableAnchor>(
  anchors: readonly T[],
  limits: BatchingParameters,
  tokensOf: (messageId: string) => number,
): T[][] {
  const calls: T[][] = [];
  for (const anchor of anchors) {
    const call = calls.at(-1);
    if (call !== undefined && mayJoin(anchor, call, limits, tokensOf)) call.push(anchor);
    else calls.push([anchor]);
  }
  return calls;
}

function mayJoin(
  anchor: BatchableAnchor,
  call: readonly BatchableAnchor[],
  limits: BatchingParameters,
  tokensOf: (messageId: string) => number,
): boolean {
  const [first] = call;
  if (first === undefined || call.length >= limits.anchors || anchor.place !== first.place) {
    return false;
  }
  const all = [...call, anchor];
  if (all.some(({ failedAttempts }) => failedAttempts >= ALONE_AFTER_ATTEMPTS)) return false;
  const shown = new Set(all.flatMap((member) => member.shown));
  const tokens = [...shown].reduce((sum, messageId) => sum + tokensOf(messageId), 0);
  return tokens <= limits.tokens && all.every(({ readable }) => isSubset(shown, readable));
}

function isSubset(wanted: ReadonlySet<string>, held: ReadonlySet<string>): boolean {
  return [...wanted].every((id) => held.has(id));
}

/**
 * Failures that the content or the size of one anchor may cause, or their size together, including a defect of ours that it brings out. The
 * anchors of a call that fails in this way are asked about again, each alone, so that none fails for a neighbour. Any
 * other failure would fail each of them alike.
 */
const OF_ONE_ANCHOR: ReadonlySet<ErrorClass> = new Set([
  'source_too_large',
  'provider_output_truncated',
  'provider_content_filtered',
  'missing_structured_object',
  'missing_text_response',
  'internal_error',
  'token_budget_exhausted',
]);

/** Whether the anchors of a call that failed so are asked about again, each alone. */
export function isAskedAlone(errorClass: ErrorClass): boolean {
  return OF_ONE_ANCHOR.has(errorClass);
}
