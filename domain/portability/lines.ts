/** Lines of a resource: what each of them must be before anything is written. */
import { ArchiveError } from './archive-error.ts';
import { resourceName } from './entries.ts';
import { TRAVELLING, type TravellingName } from './tables.ts';

/** A row as its line has it. Numbers may have lost digits: what is written comes from the line. */
export type ArchivedRow = Readonly<Record<string, unknown>>;

/** Checks the lines of one resource, each once. */
export type CheckLine = (line: string, number: number) => ArchivedRow;

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A check that throws an `ArchiveError`, with the number of the line and nothing of its content. */
export function lineCheck(table: TravellingName, accountId: string): CheckLine {
  const { account, columns, marks } = TRAVELLING[table];
  const members = new Set([account, ...columns, ...Object.keys(marks)]);
  const refused = (number: number, why: string): ArchiveError =>
    new ArchiveError(`${resourceName(table)}, line ${number}: ${why}. Nothing was imported.`);
  return (line, number) => {
    const row = parse(line);
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      throw refused(number, 'this is no row');
    }
    const entries = Object.entries(row);
    if (entries.length !== members.size || entries.some(([name]) => !members.has(name))) {
      throw refused(number, 'the row lacks a column, or has one that this build does not know');
    }
    const values: ArchivedRow = Object.fromEntries(entries);
    if (values[account] !== accountId) throw refused(number, 'the row is of another account');
    if (Object.entries(marks).some(([name, value]) => values[name] !== value)) {
      throw refused(number, 'the record has another version');
    }
    return values;
  };
}
