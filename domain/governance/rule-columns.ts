/**
 * The cell and the values of a gate rule as columns of `gate_rules`: one entry for each. The type of a rule, its SQL, the
 * fields of the API and the kinds of the command line's options follow from this table.
 */
import type { ColumnShape, ColumnValue } from '../columns.ts';
import { SENSITIVITIES, TARGET_LEVELS } from '../statements/candidate.ts';
import { EVIDENCE_LEVELS } from '../statements/confidence.ts';

const MOST_CORROBORATION = 1_000;
const MOST_PENDING_HOURS = 8_760;
const MOST_RULE_DAYS = 36_500;

/** A `count` is 1 or more. No column holds a text or an id, so no rule holds anything of a person. */
type Held =
  | { readonly type: 'flag' }
  | { readonly type: 'share' }
  | { readonly type: 'count'; readonly most: number }
  | { readonly type: string; readonly words: readonly string[] };

export type RuleColumnShape = Held &
  Pick<ColumnShape, 'nullable'> & {
    /** Its name in a `GateRule`. */
    readonly member: string;
    /** What the API says of it. */
    readonly description?: string;
  };

/** The cell that a rule is for. */
export const CELL_COLUMNS = {
  target_level: { member: 'targetLevel', type: 'target_level', words: TARGET_LEVELS },
  sensitivity: { member: 'sensitivity', type: 'sensitivity', words: SENSITIVITIES },
} as const satisfies Readonly<Record<string, RuleColumnShape>>;

/** The values that a rule gives its cell. Callers may leave out a value that may be null. */
export const VALUE_COLUMNS = {
  gate_a: {
    member: 'gateA',
    type: 'gate_a_mode',
    words: ['auto_keep', 'auto_reject', 'human'],
    description: 'Whether a statement is kept: by itself, never, or as a person decides.',
  },
  gate_b: {
    member: 'gateB',
    type: 'gate_b_mode',
    words: ['auto_place', 'human'],
    description:
      'Whether what is kept is placed where it asks to be. What is restricted is never placed by itself.',
  },
  minimum_evidence_level: {
    member: 'minimumEvidenceLevel',
    type: 'evidence_level',
    words: EVIDENCE_LEVELS,
  },
  minimum_confidence: { member: 'minimumConfidence', type: 'share' },
  minimum_corroboration: {
    member: 'minimumCorroboration',
    type: 'count',
    most: MOST_CORROBORATION,
    description: 'Speakers and documents that say it, each counted once.',
  },
  requires_consent: {
    member: 'requiresConsent',
    type: 'flag',
    description:
      'Whether a statement about a person needs that person to agree to a place wider than peer level. What is personal always does.',
  },
  /** The gates record such a consent as a row. */
  automatic_consent: {
    member: 'automaticConsent',
    type: 'flag',
    description: 'The account agrees in the place of the person.',
  },
  pending_max_age_hours: {
    member: 'pendingMaxAgeHours',
    type: 'count',
    most: MOST_PENDING_HOURS,
    description: 'When a person who is asked should have decided.',
  },
  revalidate_after_days: {
    member: 'revalidateAfterDays',
    type: 'count',
    most: MOST_RULE_DAYS,
    nullable: true,
    description: 'After how many days what was placed has to be confirmed again. Absent: never.',
  },
  expires_after_days: {
    member: 'expiresAfterDays',
    type: 'count',
    most: MOST_RULE_DAYS,
    nullable: true,
    description: 'After how many days it is no longer shown. Absent: never.',
  },
} as const satisfies Readonly<Record<string, RuleColumnShape>>;

export const RULE_COLUMNS = { ...CELL_COLUMNS, ...VALUE_COLUMNS };
type Columns = typeof RULE_COLUMNS;
export type RuleColumn = keyof Columns;
export type ValueColumn = keyof typeof VALUE_COLUMNS;

/** A rule as Postgres and callers have it. */
export type RuleRow = { readonly [N in RuleColumn]: ColumnValue<Columns[N]> };
/** A rule as this code has it. */
export type GateRule = {
  readonly [N in RuleColumn as Columns[N]['member']]: ColumnValue<Columns[N]>;
};

export const RULE_COLUMN_NAMES = Object.keys(RULE_COLUMNS) as readonly RuleColumn[];
export const VALUE_COLUMN_NAMES = Object.keys(VALUE_COLUMNS) as readonly ValueColumn[];

/** The rule of a row, without anything else that the row has. */
export function ruleOf(row: RuleRow): GateRule {
  const entries = RULE_COLUMN_NAMES.map((name) => [RULE_COLUMNS[name].member, row[name]]);
  return Object.fromEntries(entries) as GateRule;
}

/** The row of a rule, without anything else that the rule has. */
export function ruleRowOf(rule: GateRule): RuleRow {
  const entries = RULE_COLUMN_NAMES.map((name) => [name, rule[RULE_COLUMNS[name].member]]);
  return Object.fromEntries(entries) as RuleRow;
}
