/**
 * The rules of one place: those that are written for a scope, or for the account, and those that are in force there.
 * Rules are given whole, one for each cell of level and sensitivity.
 */
import {
  SENSITIVITIES,
  TARGET_LEVELS,
  type Sensitivity,
  type TargetLevel,
} from '../statements/candidate.ts';
import { ruleFor, type PlacedRule } from './gates.ts';
import type { GateRule } from './rule-columns.ts';

export interface Cell {
  readonly targetLevel: TargetLevel;
  readonly sensitivity: Sensitivity;
}

export const CELLS: readonly Cell[] = TARGET_LEVELS.flatMap((targetLevel) =>
  SENSITIVITIES.map((sensitivity) => ({ targetLevel, sensitivity })),
);

const keyOf = ({ targetLevel, sensitivity }: Cell): string => `${targetLevel} ${sensitivity}`;

/** The indexes of the cells that stand earlier in the list as well. */
export function repeatedCells(cells: readonly Cell[]): readonly number[] {
  const keys = cells.map(keyOf);
  return [...keys.keys()].filter((index) => keys.indexOf(keys[index] ?? '') < index);
}

/** The rule that each cell is decided by at the end of the chain (ids, outermost first), in the order of `CELLS`. */
export function rulesInForce(
  rules: readonly PlacedRule[],
  chain: readonly string[],
): readonly PlacedRule[] {
  return CELLS.map((cell) => ruleFor(rules, chain, cell));
}

/** Whether the rule would place what is restricted, which only a person does. No such rule may stand. */
export function placesRestricted({ gateB, sensitivity }: GateRule): boolean {
  return sensitivity === 'restricted' && gateB === 'auto_place';
}

function says(written: GateRule, rule: GateRule): boolean {
  const members = Object.keys(rule) as (keyof GateRule)[];
  return members.every((member) => written[member] === rule[member]);
}

export interface RuleChange {
  /** Cells that get a rule, or another one. */
  readonly rules: readonly GateRule[];
  /** Cells whose rule goes, so that the one above it is in force. */
  readonly remove: readonly Cell[];
}

export interface PlannedRules {
  /** Ids of written rules that end. */
  readonly retired: readonly string[];
  readonly entered: readonly GateRule[];
}

/** The changes that give a place the requested rules. A rule that is already as requested stays. */
export function planRules(
  written: readonly PlacedRule[],
  { rules, remove }: RuleChange,
): PlannedRules {
  const known = new Map(written.map((rule) => [keyOf(rule), rule]));
  const entered = rules.filter((rule) => {
    const before = known.get(keyOf(rule));
    return before === undefined || !says(before, rule);
  });
  const retired = [...entered, ...remove].flatMap((cell) => known.get(keyOf(cell))?.id ?? []);
  return { retired, entered };
}
