/**
 * Writes what every file of the run cost into one JSON, the dearest first, and names on the screen what it is worth to
 * look at. `build/test-profile.json`, or what VOUCH_TEST_PROFILE names.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { runningDescendantsMs } from './processor-times.mjs';

export default class ProfileReporter {
  #root;
  #files = [];

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  onTestResult(test, { profile, numFailingTests, numPassingTests }) {
    if (profile === undefined) return;
    const file = relative(this.#root, test.path);
    this.#files.push({ file, tests: numFailingTests + numPassingTests, ...profile });
  }

  onRunComplete(_contexts, { startTime }) {
    const path = resolve(this.#root, process.env.VOUCH_TEST_PROFILE ?? 'build/test-profile.json');
    const files = this.#files.toSorted((a, b) => b.all.wall - a.all.wall);
    const total = (of) => files.reduce((sum, file) => sum + of(file), 0);
    const totals = {
      wallMs: Date.now() - startTime,
      processorMs: total(({ all }) => all.processor + all.children),
      loadingMs: total(({ loading }) => loading.processor),
      startingMs: total(({ starting }) => starting.processor),
      waitingMs: total(({ waitingMs }) => waitingMs),
      // The four servers, and Postgres with all its connections.
      stillRunningMs: runningDescendantsMs(),
      memoryMb: Math.max(0, ...files.map(({ memoryMb }) => memoryMb)),
    };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify({ totals, files }, null, 1)}\n`);
  }
}
