/**
 * The values that an extractor gives to a statement and that the statement keeps unchanged: one entry for each. The
 * members of candidates and wordings, the schema of a model's answer and its instructions, the columns of `knowledge`
 * and their erasure follow from this table.
 */
import type { ColumnShape, ColumnValue } from '../columns.ts';
import { KINDS } from './kinds.ts';

/** No text: a statement that is redacted or erased loses its words, and nothing here may hold any. */
type Held =
  | { readonly type: 'flag' }
  | { readonly type: 'share' }
  | { readonly type: string; readonly words: readonly string[] };

type SaidShape = Held &
  Pick<ColumnShape, 'nullable'> & {
    readonly written: 'always';
    /** `found`: search shows it, and so does every answer. `listed`: answers that show statements in full. */
    readonly shown: 'found' | 'listed';
    /** The instruction to a model. Another text needs another `PROMPT_VERSION`. */
    readonly told: string;
    /** The API's description of it, if its name does not explain it. */
    readonly description?: string;
  };

export const CONFIDENCE_LEVELS = ['stated_explicitly', 'clearly_implied', 'inferred'] as const;
export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number];

export const SAID_COLUMNS = {
  confidence_level: {
    type: 'confidence_level',
    words: CONFIDENCE_LEVELS,
    nullable: true,
    written: 'always',
    shown: 'listed',
    told: 'stated_explicitly if the words say it, clearly_implied if they leave no doubt, inferred if it is a reading, is hedged or told in jest.',
    description: 'How openly the source says it. Null for statements of before it was kept.',
  },
  kind: {
    type: 'statement_kind',
    words: KINDS,
    written: 'always',
    shown: 'found',
    told: '"event" only if the whole content is an occurrence; otherwise fact, preference, relation (between people or things) or skill.',
  },
} as const satisfies Readonly<Record<string, SaidShape>>;

type Columns = typeof SAID_COLUMNS;
export type SaidColumn = keyof Columns;

/** As a row has it. */
export type SaidRow = { readonly [N in SaidColumn]: ColumnValue<Columns[N]> };

type Nullable<Shapes> = {
  [N in keyof Shapes]: Shapes[N] extends { readonly nullable: true } ? N : never;
}[keyof Shapes];
type LeavingOut<Row, Optional extends keyof Row> = Omit<Row, Optional> &
  Partial<Pick<Row, Optional>>;
/** As an extractor says it: what may be null may be left out. */
export type SaidValues = LeavingOut<SaidRow, Nullable<Columns>>;

/** What the API's description says of those whose name does not say it. */
export const SAID_DESCRIPTIONS: Readonly<Partial<Record<SaidColumn, string>>> = Object.fromEntries(
  Object.entries<SaidShape>(SAID_COLUMNS).flatMap(([name, { description }]) =>
    description === undefined ? [] : [[name, description]],
  ),
);

export const SAID_COLUMN_NAMES = Object.keys(SAID_COLUMNS) as readonly SaidColumn[];

/** The columns of what was said, without anything else that it has. */
export function saidOf(said: SaidValues): SaidRow {
  const entries = SAID_COLUMN_NAMES.map((name) => [name, said[name] ?? null]);
  return Object.fromEntries(entries) as SaidRow;
}

/** What a row says, as an extractor would say it: what is null is left out. */
export function saidBy(row: SaidRow): SaidValues {
  const said = Object.entries(saidOf(row)).filter(([, value]) => value !== null);
  return Object.fromEntries(said) as unknown as SaidValues;
}

/** The same as a text, for an order of sayings. */
export const saidText = (said: SaidValues): string => JSON.stringify(Object.values(saidOf(said)));
