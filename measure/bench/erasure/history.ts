/**
 * What the history of an erasure's workflow says of its steps. It is read through the client of Temporal, because the
 * HTTP API of Temporal finds no workflow with a slash in its id.
 */
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';

export interface StepFigure {
  readonly name: string;
  readonly pages: number;
  /** From the beginning of its first page to the end of its last. */
  readonly seconds: number;
}

const NAMESPACE = 'vouch';

const pageInput = z.object({ step: z.string().optional() });

/** Of a 64-bit number of the protocol, whichever form the client gave it. */
const integer = z.coerce.number();
const event = z.object({
  eventId: integer,
  eventTime: z.object({ seconds: integer, nanos: z.number().nullish() }),
  activityTaskScheduledEventAttributes: z
    .object({
      activityType: z.object({ name: z.string() }),
      input: z.object({ payloads: z.array(z.object({ data: z.instanceof(Uint8Array) })) }),
    })
    .nullish(),
  activityTaskCompletedEventAttributes: z.object({ scheduledEventId: integer }).nullish(),
});
type HistoryEvent = z.infer<typeof event>;

async function eventsOf(address: string, id: string): Promise<HistoryEvent[]> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection, namespace: NAMESPACE });
    const { events } = await workflow.getHandle(`erasure/${id}`).fetchHistory();
    return z.array(event).parse(events);
  } finally {
    await connection.close();
  }
}

/** The step that the activity works on; null where the activity is none of a step. */
function stepOf(payload: { readonly data: Uint8Array } | undefined): string | null {
  if (payload === undefined) return null;
  const input = pageInput.safeParse(JSON.parse(Buffer.from(payload.data).toString('utf8')));
  return input.success ? (input.data.step ?? null) : null;
}

/** The steps of the erasure `id`, in the order in which they began. Each page of a step is an activity. */
export async function stepsOf(address: string, id: string): Promise<StepFigure[]> {
  const begun = new Map<number, { readonly name: string; readonly at: number }>();
  const steps = new Map<string, { pages: number; from: number; to: number }>();
  for (const each of await eventsOf(address, id)) {
    const at = each.eventTime.seconds * 1_000 + (each.eventTime.nanos ?? 0) / 1e6;
    const scheduled = each.activityTaskScheduledEventAttributes;
    if (scheduled !== null && scheduled !== undefined) {
      const name = stepOf(scheduled.input.payloads[0]) ?? scheduled.activityType.name;
      begun.set(each.eventId, { name, at });
    }
    const completed = each.activityTaskCompletedEventAttributes;
    const start = completed ? begun.get(completed.scheduledEventId) : undefined;
    if (start === undefined) continue;
    const { from, pages } = steps.get(start.name) ?? { pages: 0, from: start.at };
    steps.set(start.name, { pages: pages + 1, from, to: at });
  }
  return [...steps].map(([name, { from, pages, to }]) => ({
    name,
    pages,
    seconds: (to - from) / 1_000,
  }));
}
