/**
 * Where a test file runs: in the process itself, with its globals and nothing in between. What a file sets in the
 * environment of the process, and the timers that it fakes, are put back after it.
 */
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { FileProfile } from './profile.mjs';
import { seedProperties } from './seed.mjs';

const MOST_FRAMES = 15;

export default class ProcessEnvironment {
  global = globalThis;
  profile = new FileProfile();
  moduleMocker = new ModuleMocker(globalThis);
  #variables = { ...process.env };

  constructor({ projectConfig }) {
    seedProperties();
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest wants a hundred frames, and every `expect` makes errors in advance: a fifth of the time of unit tests.
    Error.stackTraceLimit = MOST_FRAMES;
  }

  handleTestEvent({ name }) {
    if (name === 'run_start') this.profile.loaded();
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#variables)) delete process.env[name];
    }
    Object.assign(process.env, this.#variables);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
