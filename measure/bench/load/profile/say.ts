/** Prints a profile: what a unit costs, and the largest items of each kind. */
import type { Profile } from './index.ts';

const LINES = 25;
const QUERY_CHARS = 150;

const figure = (value: number): string => value.toFixed(value < 10 ? 2 : 0).padStart(9);

function largest(
  say: (line: string) => void,
  title: string,
  times: readonly (readonly [string, number])[],
  units: number,
): void {
  say(`\n${title}, ms a unit`);
  for (const [name, ms] of times.slice(0, LINES)) say(`${figure(ms / units)}  ${name}`);
}

export function sayProfile(say: (line: string) => void, profile: Profile): void {
  const { database, functions, of, processor, seconds, transitions, units } = profile;
  say(`\n## ${of}: ${units} in ${seconds.toFixed(1)} s, ${(units / seconds).toFixed(1)}/s\n`);
  for (const [name, ms] of processor) say(`${figure(ms)}  ms of ${name}`);
  for (const [name, count] of Object.entries(database.counts)) {
    say(`${figure(count / units)}  ${name.replaceAll('_', ' ')}`);
  }
  const calls = database.statements.reduce((sum, one) => sum + one.calls, 0);
  say(`${figure(calls / units)}  SQL statements`);
  say(`${figure((1000 * transitions) / units)}  transitions for 1,000`);
  say('\ntables, rows a unit: inserted, updated, deleted, read');
  for (const { deleted, inserted, read, table, updated } of database.tables.slice(0, LINES)) {
    const rows = [inserted, updated, deleted, read].map((count) => figure(count / units));
    say(`${rows.join('')}  ${table}`);
  }
  say('\nSQL statements, a unit: calls, ms, of it planning, rows, blocks, WAL bytes');
  for (const one of database.statements.slice(0, LINES)) {
    const { blocks, calls: count, ms, planning_ms: planning, query, rows, wal_bytes: wal } = one;
    const figures = [count, ms + planning, planning, rows, blocks, wal];
    say(
      `${figures.map((value) => figure(value / units)).join('')}  ${query.slice(0, QUERY_CHARS)}`,
    );
  }
  const { process, times } = functions;
  say(`\nmain thread of ${process}: ${figure(times.busyMs / units)} ms a unit`);
  largest(say, 'by package', times.packages, units);
  largest(say, 'functions of the product, with what they call', times.withCallees, units);
  largest(say, 'functions alone', times.self, units);
}
