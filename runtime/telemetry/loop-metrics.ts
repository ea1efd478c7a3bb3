/** How late the event loop of the process is: while one piece of work holds it, no request is answered. */
import { Histogram, type Registry } from 'prom-client';
import { LAG_SECONDS, seconds } from './buckets.ts';

/** How often lateness is measured, and so the shortest lateness that is certainly seen. */
const TICK_MS = 20;

/**
 * Measures how much later than due a timer is called. A piece of work that holds the loop is seen once, with its whole
 * length. Call the result to end the timer.
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
