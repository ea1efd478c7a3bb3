/** How much a recall may take, by the effort that a caller names. */

export const EFFORTS = ['low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

/** What can be used up. */
export const RECALL_BOUNDS = [
  'rounds',
  'retrieval_calls',
  'planner_calls',
  'items',
  'query_tokens',
  'evidence_tokens',
  'time',
] as const;
export type RecallBound = (typeof RECALL_BOUNDS)[number];

export interface RecallCaps {
  readonly rounds: number;
  /** The search that everything begins with is one of them. */
  readonly retrievalCalls: number;
  readonly plannerCalls: number;
  /** Items that tools add. */
  readonly items: number;
  /** Of all queries of tools together. */
  readonly queryTokens: number;
  /** Of all items that tools add together. */
  readonly evidenceTokens: number;
  /** From the beginning of the first search to the end of the last tool. */
  readonly timeMs: number;
  /** The share of the context that the first candidates keep. */
  readonly headShare: number;
}

/** The contract's presets. */
export const RECALL_CAPS: Readonly<Record<Effort, RecallCaps>> = {
  low: {
    rounds: 1,
    retrievalCalls: 2,
    plannerCalls: 1,
    items: 4,
    queryTokens: 64,
    evidenceTokens: 1_000,
    timeMs: 2_000,
    headShare: 1,
  },
  medium: {
    rounds: 2,
    retrievalCalls: 5,
    plannerCalls: 2,
    items: 8,
    queryTokens: 128,
    evidenceTokens: 2_500,
    timeMs: 6_000,
    headShare: 2 / 3,
  },
  high: {
    rounds: 3,
    retrievalCalls: 10,
    plannerCalls: 3,
    items: 16,
    queryTokens: 256,
    evidenceTokens: 5_000,
    timeMs: 15_000,
    headShare: 1 / 2,
  },
};

/** How many of the first candidates are kept, of a context of `limit` items: 12, 8 and 6 of 12. */
export function headSize(effort: Effort, limit: number): number {
  return Math.ceil(limit * RECALL_CAPS[effort].headShare);
}

const BYTES_PER_TOKEN = 4;

/** UTF-8 bytes of a text; counted without encoding it. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}

/** Tokens of a text, as the caps count them: a quarter of its UTF-8 bytes, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(bytesOf(text) / BYTES_PER_TOKEN);
}
