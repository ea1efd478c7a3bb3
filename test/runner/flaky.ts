/** Which tests passed only at a second try, and when they are too many. */

/** As Jest tells of a test. */
export interface TriedTest {
  readonly fullName: string;
  readonly status: string;
  /** How often it was played. */
  readonly invocations?: number;
  /** Why each try but the last one failed. */
  readonly retryReasons?: readonly string[];
}

/** So many in one run are no longer an accident of the machine. */
export const TOO_MANY = 3;

/** A line for each test that passed at a later try, with its first failure below. */
export function flakyLines(tests: readonly TriedTest[]): readonly string[] {
  return tests
    .filter(({ invocations = 1, status }) => status === 'passed' && invocations > 1)
    .map(({ fullName, retryReasons = [] }) =>
      [`flaky: ${fullName}`, ...retryReasons.slice(0, 1)].join('\n'),
    );
}

/** Why so many make the run fail; undefined where they do not. */
export function tooManyFlaky(count: number): Error | undefined {
  if (count < TOO_MANY) return undefined;
  return new Error(`${count} tests passed only at their second try; ${TOO_MANY} are too many`);
}
