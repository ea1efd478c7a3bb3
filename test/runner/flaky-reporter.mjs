/** Names the tests that passed only at their second try (test/support/tried-again.ts). Many of them fail the run. */
import { flakyLines, tooManyFlaky } from './flaky.ts';

export default class FlakyReporter {
  #lines = [];

  onTestResult(_test, { testResults }) {
    this.#lines.push(...flakyLines(testResults));
  }

  onRunComplete() {
    const error = this.getLastError();
    const all = error === undefined ? this.#lines : [...this.#lines, error.message];
    if (all.length > 0) process.stderr.write(`${all.join('\n')}\n`);
  }

  /** Jest calls a run failed whose reporter has an error. */
  getLastError() {
    return tooManyFlaky(this.#lines.length);
  }
}
