/**
 * Milliseconds of processor that this thread spends on work that never waits: the same on a busy machine and an
 * idle one, which the clock is not.
 */
export function processorMs(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
