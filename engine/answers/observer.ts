/**
 * What answers report to metrics and traces: durations, counts and words of closed lists, never a question or a text. An
 * observer must not throw and must not block.
 */
import type { Effort, RecallBound } from '../../domain/answers/recall/caps.ts';
import type { ErrorClass } from '../../domain/error-class.ts';
import type { ModelProvider } from '../../domain/models/roles.ts';

/** What an answer came to, as its confidence and its citations say. */
export const ANSWER_KINDS = ['supported', 'lead', 'empty', 'unjudged', 'failed'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

export interface AnswerObserver {
  /** A question that was answered. One whose caller left is not reported. */
  answered(answer: {
    readonly provider: ModelProvider;
    readonly kind: AnswerKind;
    readonly errorClass: ErrorClass | null;
    /** Of the answerer, without the searches before it. */
    readonly durationMs: number;
  }): void;
}

export interface RecallObserver {
  /** A round of a recall: its plan and its calls. */
  round(round: {
    readonly effort: Effort;
    /** Reads that were made. */
    readonly calls: number;
    readonly durationMs: number;
  }): void;
  /** A recall that has ended, from the beginning of its first search on. */
  recalled(recall: {
    readonly effort: Effort;
    readonly exhausted: readonly RecallBound[];
    readonly durationMs: number;
  }): void;
}
