/**
 * The form in which every extractor proposes statements. A candidate is only a proposal: the service decides its
 * confidence, evidence level and expiry.
 */
import type { SaidValues } from './said.ts';

export const SENSITIVITIES = ['public', 'internal', 'personal', 'restricted'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

export const TARGET_LEVELS = ['peer', 'scope', 'account'] as const;
export type TargetLevel = (typeof TARGET_LEVELS)[number];

export const PRECISIONS = ['year', 'month', 'day', 'time'] as const;
/** Precision of one end of a validity window; the timestamp is the start of that period. */
export type Precision = (typeof PRECISIONS)[number];

/** One end of a validity window: an instant (ISO 8601, UTC) and how precisely the source names it. */
export interface WindowEnd {
  readonly at: string;
  readonly precision: Precision;
}

/** A message as an extractor sees it. `occurredAt` is ISO 8601 UTC; the offset (minutes) is the sender's. */
export interface SourceMessage {
  readonly id: string;
  readonly content: string;
  readonly role: string;
  readonly peerKey: string;
  readonly peerName: string;
  readonly occurredAt: string;
  readonly occurredOffsetMinutes: number;
}

export interface Participant {
  readonly peerKey: string;
  readonly name: string;
  readonly kind: 'human' | 'agent';
}

/** The title and the headings above a chunk of a document. They are content. */
export interface DocumentContext {
  readonly title: string | null;
  /** Outermost first. */
  readonly headings: readonly string[];
}

/** One anchor with up to five earlier messages of the same session and scope, oldest first. */
export interface ExtractionRequest {
  readonly scopePath: string;
  readonly anchor: SourceMessage;
  readonly window: readonly SourceMessage[];
  /** For a chunk of a document: the people of the account that it names. */
  readonly participants: readonly Participant[];
  /** Set when the anchor is a chunk of a document, which has no speaker. */
  readonly document?: DocumentContext | null;
}

export interface Candidate extends SaidValues {
  readonly supportingSpan: string;
  readonly statement: string;
  /**
   * How often what proposed it is right, 0 to 1, where that has been measured. A model's proposals are taken to be right as
   * often as `confidence_level` says.
   */
  readonly precision?: number;
  readonly subjectType: 'peer' | 'scope';
  /** A peer key or a scope path, by `subjectType`. */
  readonly subjectRef: string;
  readonly sensitivity: Sensitivity;
  readonly targetLevel: TargetLevel;
  /** Always contains the anchor's id. */
  readonly sourceMessageIds: readonly string[];
  readonly relevantFrom: WindowEnd | null;
  readonly relevantUntil: WindowEnd | null;
}
