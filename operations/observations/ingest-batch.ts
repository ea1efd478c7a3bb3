/** Accepts many observations in one request. Each is judged, recorded and answered as if it had come alone. */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { NewObservation } from '../../stores/postgres/observations/observations.store.ts';
import { fieldProblems, problemWords } from '../field-problems.ts';
import { LENIENT } from '../lenient.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { audienceBook, type AudienceBook } from '../audiences/find.ts';
import {
  accepted,
  acceptedOutput,
  newObservation,
  observationInput,
  type SentObservation,
} from './observation.ts';

const MOST_OBSERVATIONS_OF_A_BATCH = 500;
/** Observations that are judged at a stretch: some milliseconds. */
const OBSERVATIONS_OF_A_TURN = 32;

const { message_id, occurred_at } = acceptedOutput.shape;

const result = z.object({
  status: z.enum(['accepted', 'refused']),
  message_id: message_id.nullable(),
  occurred_at: occurred_at.nullable(),
  code: z
    .string()
    .nullable()
    .describe('The code of the error, if the service refused the observation.'),
  fields: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .nullable()
    .describe('The invalid fields of the observation, if the refusal is about fields.'),
});
type Result = z.input<typeof result>;

const NOT_ACCEPTED = { message_id: null, occurred_at: null, code: null, fields: null };

/** What the refusal of one observation is answered with. An error that is our own fails the request. */
function refused(error: unknown): Result {
  if (!(error instanceof Refusal)) throw error;
  const { code, fields } = error;
  return {
    ...NOT_ACCEPTED,
    status: 'refused',
    code,
    fields: fields?.map(({ path, message }) => ({ path, message })) ?? null,
  };
}

/** Each observation of the request has a key of its own: the key of the request, at the place of the observation. */
function keyAt(
  idempotency: RequestContext['idempotency'],
  index: number,
): RequestContext['idempotency'] {
  return idempotency && { ...idempotency, path: `${idempotency.path}/${index}` };
}

/** The observation as it was sent, or its refusal. */
function read(sent: unknown): SentObservation | Refusal {
  const parsed = observationInput.safeParse(sent, { error: problemWords });
  return parsed.success
    ? parsed.data
    : new Refusal('invalid_request', { fields: fieldProblems(parsed.error) });
}

/** The observation to record, or the refusal of what was sent. */
async function judged(
  context: RequestContext<Caller>,
  sent: SentObservation,
  index: number,
  audiences: AudienceBook,
): Promise<NewObservation | Refusal> {
  try {
    return await newObservation(context, sent, keyAt(context.idempotency, index), audiences);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

type Outcome = Awaited<ReturnType<RequestContext['recordObservations']>>[number];

function resultOf(context: RequestContext<Caller>, outcome: Outcome | undefined): Result {
  try {
    if (outcome?.status !== 'fulfilled') throw outcome?.reason;
    return { ...NOT_ACCEPTED, ...accepted(context, outcome.value) };
  } catch (error) {
    return refused(error);
  }
}

function isUnavailable(outcome: Outcome): boolean {
  if (outcome.status === 'fulfilled') return false;
  return outcome.reason instanceof Refusal && outcome.reason.code === 'unavailable';
}

export const ingestBatch = defineOperation({
  id: 'observation.ingest_batch',
  access: 'any_identity',
  effect: 'write',
  summary: 'Send many observations',
  description: `A request holds at most ${MOST_OBSERVATIONS_OF_A_BATCH} observations. The service judges and stores each observation as if the caller had sent it alone, and answers in the same order. It stores the other observations even if it refuses one. It stores an \`accepted\` observation durably, together with its extraction job. With an \`Idempotency-Key\` the caller may send the request again, with the same observations in the same order: the service stores nothing twice.`,
  input: z.object({
    observations: z
      .array(
        // Parsed one by one: one that is wrong is refused alone.
        z.unknown().meta({
          wire: { $ref: '#/components/schemas/IngestObservationRequest', [LENIENT]: true },
        }),
      )
      .min(1)
      .max(MOST_OBSERVATIONS_OF_A_BATCH),
  }),
  output: z.object({ results: z.array(result) }),
  async run(context, { observations }) {
    const sent: (SentObservation | Refusal)[] = [];
    for (const [index, one] of observations.entries()) {
      // Other requests have a turn in between.
      if (index % OBSERVATIONS_OF_A_TURN === 0) await setImmediate();
      sent.push(read(one));
    }
    const audiences = await audienceBook(
      context,
      sent.filter((one): one is SentObservation => !(one instanceof Refusal)),
    );
    const all: (NewObservation | Refusal)[] = [];
    for (const [index, one] of sent.entries()) {
      if (index % OBSERVATIONS_OF_A_TURN === 0) await setImmediate();
      all.push(one instanceof Refusal ? one : await judged(context, one, index, audiences));
    }
    const taken = all.filter((one): one is NewObservation => !(one instanceof Refusal));
    const outcomes = await context.recordObservations(context.caller.accountId, taken);
    // Nothing is stored, and nothing is wrong with what was sent: the whole request can be sent again.
    if (outcomes[0]?.status === 'rejected' && outcomes.every(isUnavailable)) {
      throw outcomes[0].reason;
    }
    let answered = 0;
    const results = all.map((one) => {
      if (one instanceof Refusal) return refused(one);
      answered += 1;
      return resultOf(context, outcomes[answered - 1]);
    });
    return { results };
  },
});
