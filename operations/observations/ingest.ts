/**
 * Accepts a raw observation: the only way in for agents. Nothing in the request can create knowledge. The
 * answer says that the observation and its extraction job are durable; it waits for nothing more.
 */
import { audienceBook } from '../audiences/find.ts';
import { defineOperation } from '../operation.ts';
import { accepted, acceptedOutput, newObservation, observationInput } from './observation.ts';

export const ingestObservation = defineOperation({
  id: 'observation.ingest',
  access: 'any_identity',
  effect: 'write',
  summary: 'Send an observation',
  description:
    'The service answers as soon as it has stored the observation and its extraction job durably. It does not wait for the extraction. No field of the request creates a statement directly. Send a conversation of several speakers as one request for each turn, all with the same `session_id`, or many turns in one request to `POST /api/v1/ingest/batch`.',
  refusals: ['forbidden', 'payload_too_large'],
  input: observationInput,
  output: acceptedOutput,
  async run(context, request) {
    const audiences = await audienceBook(context, [request]);
    const observation = await newObservation(context, request, context.idempotency, audiences);
    const [outcome] = await context.recordObservations(context.caller.accountId, [observation]);
    if (outcome?.status !== 'fulfilled') throw outcome?.reason;
    return accepted(context, outcome.value);
  },
});
