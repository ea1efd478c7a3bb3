/** What the built-in answerer is given, and what it answers. */

/** One thing that an answer may quote. */
export interface ExtractiveEvidence {
  readonly id: string;
  readonly text: string;
  /** The name of the person that it is about, if known. */
  readonly about: string | null;
  /** The name of the person who said it, if known. */
  readonly spokenBy: string | null;
  /** When it holds: ISO 8601, `until` is exclusive. Null where neither end is known. */
  readonly validity: { readonly from: string | null; readonly until: string | null } | null;
  /** ISO 8601. */
  readonly saidAt: string | null;
  /** How well it fits the question, within this answer only. */
  readonly score: number;
  /** Ids of other evidence that says otherwise. */
  readonly disagreesWith: readonly string[];
  readonly level: string;
  readonly isProvisional: boolean;
}

export interface ExtractiveAnswer {
  readonly text: string;
  readonly citedIds: readonly string[];
  /** 0 to 100. */
  readonly confidence: number;
  readonly abstained: boolean;
}
