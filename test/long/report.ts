/** What the long run says of its suites. */

export type Outcome = 'green' | 'green before' | 'red' | 'out of time' | 'not run';

export interface SuiteResult {
  readonly name: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

const ALL = 'this run';

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** A line for each suite, with the time that it took, and one for all. */
export function tableOf(results: readonly SuiteResult[]): string {
  const width = Math.max(ALL.length, ...results.map(({ name }) => name.length));
  const line = (name: string, seconds: number, told: string): string =>
    `${name.padEnd(width)}  ${clock(seconds).padStart(6)}  ${told}`.trimEnd();
  const taken = results
    .filter(({ outcome }) => outcome !== 'green before')
    .reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    ...results.map(({ name, outcome, seconds }) => line(name, seconds, outcome)),
    line(ALL, taken, ''),
  ].join('\n');
}

/** Zero where every suite is green. */
export function exitCodeOf(results: readonly SuiteResult[]): number {
  return results.every(({ outcome }) => outcome.startsWith('green')) ? 0 : 1;
}
