/** Figures with their floors, as a table and as an exit code. */

export interface Row {
  readonly metric: string;
  readonly value: number;
  /** Decimals shown; one unless given. */
  readonly digits?: number;
  /** Below it (above it, where less is better) the run fails. */
  readonly floor?: number;
  readonly target?: number;
  /** True for errors, repetitions and times. */
  readonly lessIsBetter?: boolean;
}

/** The result of one ability; `rows` is null where its data is missing. */
export interface Section {
  readonly ability: string;
  readonly rows: readonly Row[] | null;
}

const WIDTH = { metric: 52, number: 10 };

/** A row that counts something that must not happen at all. */
export function none(metric: string, value: number): Row {
  return { metric, value, digits: 0, floor: 0, lessIsBetter: true };
}

/** Whether the row has a floor and does not reach it. NaN reaches no floor. */
export function isBelowFloor({ value, floor, lessIsBetter }: Row): boolean {
  if (floor === undefined) return false;
  return lessIsBetter === true ? !(value <= floor) : !(value >= floor);
}

/** The exit code: 1 when a figure is below its floor. Missing data does not change it. */
export function exitCodeOf(sections: readonly Section[]): 0 | 1 {
  const rows = sections.flatMap((section) => section.rows ?? []);
  return rows.some(isBelowFloor) ? 1 : 0;
}

function cell(value: number | undefined, digits: number): string {
  return (value === undefined ? '' : value.toFixed(digits)).padStart(WIDTH.number);
}

function line(row: Row): string {
  const digits = row.digits ?? 1;
  const numbers = [row.value, row.floor, row.target].map((value) => cell(value, digits)).join('');
  return `${row.metric.padEnd(WIDTH.metric)}${numbers}${isBelowFloor(row) ? '  below the floor' : ''}`;
}

/** The lines of one section, its heading first. */
export function tableOf({ ability, rows }: Section): string[] {
  if (rows === null) return [`${ability}: skipped, no data`];
  const columns = ['value', 'floor', 'target'].map((name) => name.padStart(WIDTH.number)).join('');
  return [`${ability.padEnd(WIDTH.metric)}${columns}`, ...rows.map(line)];
}
