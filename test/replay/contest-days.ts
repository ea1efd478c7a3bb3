/** Changes what a recorded contest was told and how long it waited, as if its days had been others. */
import { z } from 'zod';

export const DAY_MS = 86_400_000;

const payloads = z.object({ payloads: z.array(z.looseObject({ data: z.string() })).length(1) });
const event = z.looseObject({
  eventTime: z.string(),
  activityTaskCompletedEventAttributes: z.looseObject({ result: payloads }).optional(),
  timerStartedEventAttributes: z.looseObject({ startToFireTimeout: z.string() }).optional(),
  timerFiredEventAttributes: z.looseObject({}).optional(),
});
const history = z.looseObject({ events: z.array(event) });

const encoded = (nextDueInMs: number | null): string =>
  Buffer.from(JSON.stringify({ nextDueInMs })).toString('base64');

/** The history with other answers of its activity, in their order. */
export function withAnswers(text: string, answers: readonly (number | null)[]): string {
  const changed = history.parse(JSON.parse(text));
  const told = changed.events.flatMap((one) => one.activityTaskCompletedEventAttributes ?? []);
  if (told.length !== answers.length) throw new Error('each look has one answer');
  for (const [at, { result }] of told.entries()) {
    const [payload] = result.payloads;
    if (payload !== undefined) payload.data = encoded(answers[at] ?? null);
  }
  return JSON.stringify(changed);
}

/** The same contest, each of whose two timers lasts 24 hours: what happened after a timer happened a day later. */
export function withDaysOf24Hours(text: string): string {
  const changed = history.parse(JSON.parse(withAnswers(text, [DAY_MS, DAY_MS, null])));
  let days = 0;
  for (const one of changed.events) {
    if (one.timerFiredEventAttributes !== undefined) days += 1;
    const timer = one.timerStartedEventAttributes;
    if (timer !== undefined) timer.startToFireTimeout = `${DAY_MS / 1_000}s`;
    const later = new Date(Date.parse(one.eventTime) + days * DAY_MS).toISOString();
    // Keeps the nanoseconds, which a date does not hold.
    one.eventTime = later.slice(0, 19) + one.eventTime.slice(19);
  }
  return JSON.stringify(changed);
}
