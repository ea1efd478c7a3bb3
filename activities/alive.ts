/** Heartbeats of activities that may take long: a worker that dies is noticed by their absence. */
import { heartbeat } from '@temporalio/activity';

const HEARTBEAT_EVERY_MS = 1_000;

/** Does the work of an activity, with heartbeats while it lasts. */
export async function alive<T>(work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => heartbeat({}), HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
