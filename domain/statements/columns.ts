/**
 * A statement as a row of `knowledge`: one entry for each column. The SQL of commits and reads, the types of their
 * rows, the fields of API answers and the descriptions of these fields all follow from this table.
 */
import type { ColumnShape, ColumnValue } from '../columns.ts';
import { PRECISIONS, SENSITIVITIES, TARGET_LEVELS } from './candidate.ts';
import { EVIDENCE_LEVELS } from './confidence.ts';
import { SAID_COLUMNS, SAID_DESCRIPTIONS } from './said.ts';
import { KNOWLEDGE_STATES } from './states.ts';
import { CLAIM_MODES } from './attributes.ts';
import { VERIFICATIONS } from './statement.ts';

export interface Column extends ColumnShape {
  /**
   * `once`: by the commit that creates the statement. `always`: by each commit that changes it. `counted`: by the
   * commit that creates it; afterwards the database counts the sources that commits add.
   */
  readonly written?: 'once' | 'always' | 'counted';
  /** A period of belief has the column as well. A read of a past instant takes the value from the period. */
  readonly believed?: true;
  /** `found`: search shows it, and so does every answer. `listed`: answers that show statements in full. */
  readonly shown?: 'found' | 'listed';
}

const uuid = { type: 'uuid' } as const;
const text = { type: 'text' } as const;
const hash = { type: 'hash' } as const;
const instant = { type: 'instant' } as const;
const share = { type: 'share' } as const;
const count = { type: 'count' } as const;
const flag = { type: 'flag' } as const;
const evidenceLevel = { type: 'evidence_level', words: EVIDENCE_LEVELS } as const;
const sensitivity = { type: 'sensitivity', words: SENSITIVITIES } as const;
const targetLevel = { type: 'target_level', words: TARGET_LEVELS } as const;
const state = { type: 'knowledge_state', words: KNOWLEDGE_STATES } as const;
const verification = { type: 'verification', words: VERIFICATIONS } as const;
const precision = { type: 'time_precision', words: PRECISIONS } as const;
const claimMode = { type: 'claim_mode', words: CLAIM_MODES } as const;

const nullable = { nullable: true } as const;
const once = { written: 'once' } as const;
const always = { written: 'always' } as const;
const counted = { written: 'counted' } as const;
const believed = { believed: true } as const;
const found = { shown: 'found' } as const;
const listed = { shown: 'listed' } as const;

type Both<Traits> = (Traits extends unknown ? (trait: Traits) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** A column with all of these traits. */
function column<const Traits extends readonly Partial<Column>[]>(
  ...traits: Traits
): Both<Traits[number]> {
  return Object.assign({}, ...traits) as Both<Traits[number]>;
}

const shown = {
  id: column(uuid, once, found),
  scope_id: column(uuid, always, believed, found),
  statement: column(text, nullable, always, found),
  ...SAID_COLUMNS,
  confidence: column(share, always, believed, found),
  sensitivity: column(sensitivity, always, believed, found),
  state: column(state, always, believed, found),
  corroboration_count: column(count, always, found),
  relevant_from: column(instant, nullable, once, believed, found),
  relevant_from_precision: column(precision, nullable, always, believed, found),
  relevant_until: column(instant, nullable, always, believed, found),
  relevant_until_precision: column(precision, nullable, always, believed, found),
  source_count: column(count, counted, found),
  extracting_provider: column(text, always, found),
  extracting_model: column(text, nullable, always, found),
  pipeline_version: column(text, always, found),
  recorded_at: column(instant, once, found),
  subject_peer_id: column(uuid, nullable, once, listed),
  subject_scope_id: column(uuid, nullable, once, listed),
  evidence_level: column(evidenceLevel, always, listed),
  target_level: column(targetLevel, always, believed, listed),
  verification: column(verification, always, listed),
  held_scope_id: column(uuid, nullable, always, listed),
  previously_refused: column(flag, once, listed),
  supersedes_id: column(uuid, nullable, always, listed),
  expires_at: column(instant, nullable, always, listed),
  revalidate_after: column(instant, nullable, always, listed),
  extracting_model_version: column(text, nullable, always, listed),
  prompt_version: column(text, nullable, always, listed),
  embedding_provider: column(text, nullable, listed),
  embedding_model: column(text, nullable, listed),
  embedding_version: column(text, nullable, listed),
  embedding_dimensions: column(count, nullable, listed),
} satisfies Readonly<Record<string, Column>>;

const kept = {
  audience_id: column(uuid, nullable, always, believed),
  statement_hash: column(hash, always),
  text_occurred_at: column(instant, always),
  text_source_hash: column(hash, always),
  claim_about: column(text, nullable, always),
  claim_value: column(text, nullable, always),
  claim_mode: column(claimMode, nullable, always),
  state_before_contest: column(state, nullable, always),
  is_withheld: column(flag, always),
  derivation_level: column(count, always),
  replaces_id: column(uuid, nullable, once),
  merged_into_id: column(uuid, nullable, always),
  updated_by_id: column(uuid, nullable, always),
  state_before_update: column(state, nullable, always),
  stated_until: column(instant, nullable, always),
  stated_until_precision: column(precision, nullable, always),
  submitter_count: column(count, counted),
  first_attester_id: column(uuid, nullable, counted),
  first_said_at: column(instant, nullable, counted),
  first_said_hash: column(hash, nullable, counted),
  row_version: column(count),
  updated_at: column(instant),
} satisfies Readonly<Record<string, Column>>;

export const STATEMENT_COLUMNS = { ...shown, ...kept };
type Columns = typeof STATEMENT_COLUMNS;
export type StatementColumn = keyof Columns;

/** The columns `Name` of a row. */
export type StatementRow<Name extends StatementColumn = StatementColumn> = {
  readonly [N in Name]: ColumnValue<Columns[N]>;
};

type Having<Trait> = {
  [N in StatementColumn]: Columns[N] extends Trait ? N : never;
}[StatementColumn];

export type WrittenColumn = Having<{ readonly written: 'once' | 'always' }>;
export type CountedColumn = Having<{ readonly written: 'counted' }>;
export type BelievedColumn = Having<{ readonly believed: true }>;
export type FoundColumn = Having<{ readonly shown: 'found' }>;
export type ShownColumn = keyof typeof shown;

/** The API's descriptions of shown columns whose names do not explain them. */
export const COLUMN_DESCRIPTIONS: Readonly<Partial<Record<ShownColumn, string>>> = {
  ...SAID_DESCRIPTIONS,
  statement: 'The text of the statement. Null after a redaction or an erasure.',
  corroboration_count: 'The number of speakers and documents that attest it, each counted once.',
  relevant_from: 'The time from which the statement is true, if a source says so. UTC.',
  relevant_until:
    'The time until which the statement is true, if a source or a newer statement says so. UTC.',
  subject_peer_id: 'The peer that the statement is about. Null if it is about a scope.',
  evidence_level: 'Whether the subject said it, or another speaker.',
  target_level:
    'The level at which the statement is placed: `peer` for its subject alone, `scope` for the scope, `account` for the whole account.',
  held_scope_id:
    'The scope whose curators have to decide about the statement. Null if it does not wait.',
  supersedes_id: 'The statement that this one replaced, if the caller may read it.',
};

function having(isMeant: (column: Column) => boolean): readonly StatementColumn[] {
  const all = Object.entries<Column>(STATEMENT_COLUMNS);
  return all.filter(([, column]) => isMeant(column)).map(([name]) => name as StatementColumn);
}

/** Written by each commit that changes a statement. */
export const CHANGED_COLUMNS = having(({ written }) => written === 'always');
/** The values of a statement itself: `CHANGED_COLUMNS`, and those that never change. */
export const WRITTEN_COLUMNS = having(
  ({ written }) => written === 'once' || written === 'always',
) as readonly WrittenColumn[];
/** The counts of its sources. */
export const COUNTED_COLUMNS = having(
  ({ written }) => written === 'counted',
) as readonly CountedColumn[];
/** The columns that a period of belief has too. */
export const BELIEVED_COLUMNS = having(
  ({ believed }) => believed === true,
) as readonly BelievedColumn[];
export const FOUND_COLUMNS = having(({ shown }) => shown === 'found') as readonly FoundColumn[];
export const SHOWN_COLUMNS = having(({ shown }) => shown !== undefined) as readonly ShownColumn[];
