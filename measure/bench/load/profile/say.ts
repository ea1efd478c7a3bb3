/** Prints a profile: what a unit costs, and the largest items of each kind. */
import type { StatementCost } from './counters.ts';
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

function saySql(
  say: (line: string) => void,
  statements: readonly StatementCost[],
  units: number,
): void {
  for (const one of statements.slice(0, LINES)) {
    const { blocks, calls, ms, planning_ms: planning, query, rows, wal_bytes: wal } = one;
    const figures = [calls, ms + planning, planning, rows, blocks, wal];
    say(
      `${figures.map((value) => figure(value / units)).join('')}  ${query.slice(0, QUERY_CHARS)}`,
    );
  }
}

export function sayProfile(say: (line: string) => void, profile: Profile): void {
  const { database, functions, of, processor, seconds, transitions, units } = profile;
  say(`\n## ${of}: ${units} in ${seconds.toFixed(1)} s, ${(units / seconds).toFixed(1)}/s\n`);
  for (const [name, ms] of processor) say(`${figure(ms)}  ms of ${name}`);
  for (const [name, count] of Object.entries(database.counts)) {
    say(`${figure(count / units)}  ${name.replaceAll('_', ' ')}`);
  }
  const sent = database.statements.filter(({ toplevel }) => toplevel);
  const calls = sent.reduce((sum, one) => sum + one.calls, 0);
  say(`${figure(calls / units)}  SQL statements`);
  say(`${figure((1000 * transitions) / units)}  transitions for 1,000`);
  say('\ntables, rows a unit: inserted, updated, deleted, read');
  for (const { deleted, inserted, read, table, updated } of database.tables.slice(0, LINES)) {
    const rows = [inserted, updated, deleted, read].map((count) => figure(count / units));
    say(`${rows.join('')}  ${table}`);
  }
  const columns = 'a unit: calls, ms, of it planning, rows, blocks, WAL bytes';
  say(`\nSQL statements that the service sends, ${columns}`);
  saySql(say, sent, units);
  say(`\nSQL statements in functions of the database, ${columns}`);
  saySql(
    say,
    database.statements.filter(({ toplevel }) => !toplevel),
    units,
  );
  const { process, times } = functions;
  say(`\nmain thread of ${process}: ${figure(times.busyMs / units)} ms a unit`);
  largest(say, 'by package', times.packages, units);
  largest(say, 'functions of the product, with what they call', times.withCallees, units);
  largest(say, 'functions alone', times.self, units);
}
