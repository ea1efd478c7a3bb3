/**
 * What Meilisearch holds of a unit: its text for phrases and exclusions, the coded bigrams of scripts without
 * spaces, its term ids for searches while Qdrant is away, and the fields that access conditions read.
 * The fields have the same meaning as in a point; instants are milliseconds.
 */
import type { AccessFields } from '../access-fields.ts';

/** Its id follows from account and unit. */
interface CommonRecord {
  readonly account: string;
  readonly source_id: string;
  readonly now_scope: string;
  readonly row_version: number;
  /** The text as its folded words, separated by spaces. */
  readonly text: string;
  /** Coded bigrams of Han, kana and Thai runs, separated by spaces. */
  readonly coded: string;
  /** Term ids, stored in the form of `termWord`. */
  readonly terms: ArrayLike<number>;
}

export interface StatementRecord extends CommonRecord, AccessFields {
  readonly subject_peer: string | null;
}

export interface MessageRecord extends CommonRecord {
  readonly session: string;
  readonly speaker: string;
  readonly role: string;
  readonly readers: readonly string[];
  readonly order: number;
}

const COMMON_FILTERS = ['id', 'account', 'source_id', 'now_scope', 'row_version'];

/** Fields that conditions read, per unit; everything else is not filterable. */
export const FILTERABLE = {
  statement: [
    ...COMMON_FILTERS,
    'subject_peer',
    'submitters',
    'audience',
    'believed_from',
    'believed_until',
    'now_state',
    'now_sensitivity',
    'now_level',
    'ever_scope',
    'ever_state',
    'ever_sensitivity',
    'ever_level',
    'expires_at',
  ],
  message: [...COMMON_FILTERS, 'session', 'speaker', 'role', 'readers', 'order'],
} as const;

const LETTERS = 'abcdefghijklmnop';

/** A term id as a word of letters only, which no tokenizer cuts: base 16 in the letters `a` to `p`. */
export function termWord(termId: number): string {
  const digits = termId.toString(16).padStart(8, '0');
  return `t${digits.replaceAll(/./g, (digit) => LETTERS.charAt(Number.parseInt(digit, 16)))}`;
}
