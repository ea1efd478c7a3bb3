/** Time that passes only where a test lets it, beside servers of the test that go on. */
import { jest } from '@jest/globals';

/**
 * Timers and clocks stand still from now on; `jest.advanceTimersByTimeAsync` moves them, and `jest.useRealTimers` ends it.
 * Requests still come and go: sockets wait for none of these timers.
 */
export function holdTime(): void {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'],
  });
}
