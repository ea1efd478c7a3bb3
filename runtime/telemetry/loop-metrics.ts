/** How late the event loop of the process is: while one piece of work holds it, nobody else is answered. */
import { Histogram, type Registry } from 'prom-client';
import { LAG_SECONDS, seconds } from './buckets.ts';

/** How often the loop is looked at, and so the shortest lateness that is certainly seen. */
const TICK_MS = 20;

/**
 * Measures with a timer, each time how much later than due it is called; a stretch of work is seen once, with its whole
 * length. Ends with what it answers.
 */
export function watchLoop(
  registry: Registry,
  now: () => number = () => performance.now(),
): () => void {
  const lag = new Histogram({
    name: 'vouch_event_loop_lag_seconds',
    help: 'How late a timer of 20 ms is called.',
    buckets: [...LAG_SECONDS],
    registers: [registry],
  });
  let dueAt = now() + TICK_MS;
  const timer = setInterval(() => {
    const at = now();
    lag.observe(seconds(at - dueAt));
    dueAt = at + TICK_MS;
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
