/** One observation as callers send it, and what it becomes: alone in a request or among others. */
import { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { mayWriteAt, type Caller } from '../../domain/identity/caller.ts';
import { attribute, type Speaker } from '../../domain/observations/attribution.ts';
import { DEFAULT_ROLE } from '../../domain/observations/roles.ts';
import type {
  NewObservation,
  RecordedObservation,
} from '../../stores/postgres/observations/observations.store.ts';
import type { AudienceBook } from '../audiences/find.ts';
import { audienceField, audienceIdentity } from '../fields/audience.ts';
import { requestHash } from '../idempotency.ts';
import type { RequestContext } from '../operation.ts';
import { assertTakenIn } from '../secrets.ts';
import {
  contentField,
  labelField,
  occurredAtField,
  optionalLabelField,
  scopePathField,
} from '../fields/observation.ts';

const MAX_CONTENT_BYTES = 1_048_576;

export const observationInput = z
  .object({
    session_id: labelField.meta({
      description:
        'A stable text of 1 to 256 characters. The service creates the session if it does not exist.',
      wire: { minLength: 1, examples: ['standup-2026-03-02'] },
    }),
    scope_path: scopePathField,
    content: contentField.meta({
      description:
        'The words of the speaker. The service keeps the text unchanged. At most 1 MiB of UTF-8. An account may refuse content that contains a credential.',
      minLength: 1,
      maxLength: MAX_CONTENT_BYTES,
      examples: ['Ana moved to Porto last month.'],
    }),
    peer_key: optionalLabelField.meta({
      description:
        'The key of the speaker. The service creates the peer if it does not exist. The default is the peer of the caller. A person who signed in always speaks as their own peer. A machine credential without a peer must name a speaker.',
      wire: { examples: ['ana'] },
    }),
    peer_name: optionalLabelField.meta({
      description:
        'The display name of the speaker. The service uses it only when it creates the peer. The default is the key.',
    }),
    role: optionalLabelField
      .transform((role) => role ?? DEFAULT_ROLE)
      .meta({
        description:
          'The role of the speaker, a free text. The service keeps and indexes turns of machines (`assistant`, `system`, `tool`, `ai`, `bot`, `developer`, `function`, `model`, `tool_call`, `tool_result`), but draws no statements from them.',
        wire: { default: DEFAULT_ROLE },
      }),
    occurred_at: occurredAtField,
    audience: audienceField,
  })
  .meta({
    id: 'IngestObservationRequest',
    wire: {
      examples: [
        {
          session_id: 'standup-2026-03-02',
          scope_path: '/team/project',
          content: 'Ana moved to Porto last month.',
          peer_key: 'ana',
          occurred_at: '2026-03-02T09:30:00+01:00',
        },
      ],
    },
  });

export const acceptedOutput = z.object({
  message_id: z
    .uuid()
    .describe('The id of the observation. Read its status at `GET /api/v1/ingest/{message_id}`.'),
  status: z.literal('accepted'),
  occurred_at: z.iso
    .datetime()
    .describe('When the speaker said it, as the service understood the request. UTC.'),
});

export type SentObservation = z.output<typeof observationInput>;

function hashOf(request: SentObservation): Uint8Array {
  const { session_id, scope_path, content, peer_key, peer_name, role, occurred_at } = request;
  return requestHash([
    session_id,
    scope_path,
    content,
    peer_key,
    peer_name,
    role,
    occurred_at,
    ...audienceIdentity(request.audience),
  ]);
}

function namedSpeaker(speaker: Speaker) {
  return speaker.as === 'self' ? null : speaker;
}

/**
 * The observation as it is to be recorded. Throws `payload_too_large`, `forbidden`, or `invalid_request` for a speaker
 * that is missing, for a circle that is not known, and for a credential that the account does not take in.
 */
export async function newObservation(
  context: RequestContext<Caller>,
  request: SentObservation,
  idempotency: RequestContext['idempotency'],
  audiences: AudienceBook,
): Promise<NewObservation> {
  const { caller, now, traceId } = context;
  if (Buffer.byteLength(request.content, 'utf8') > MAX_CONTENT_BYTES) {
    throw new Refusal('payload_too_large', {
      fields: [{ path: 'content', message: 'must have at most 1 MiB' }],
    });
  }
  const speaker = attribute(caller, {
    peerKey: request.peer_key,
    peerName: request.peer_name,
    role: request.role,
  });
  if (speaker === null)
    throw invalidField('peer_key', 'is required, because this credential has no peer');
  if (!mayWriteAt(caller, request.scope_path)) throw new Refusal('forbidden');
  const audience = audiences(request);
  await assertTakenIn(context, 'content', () => request.content);

  const { at, offsetMinutes } = request.occurred_at ?? {
    at: now.toISOString(),
    offsetMinutes: 0,
  };
  return {
    credentialId: caller.credentialId,
    callerPeerId: caller.peerId,
    scopePath: request.scope_path,
    sessionId: request.session_id,
    namedSpeaker: namedSpeaker(speaker),
    audience,
    role: request.role,
    content: request.content,
    occurredAt: at,
    occurredOffsetMinutes: offsetMinutes,
    traceId,
    idempotency: idempotency && { ...idempotency, requestHash: hashOf(request) },
  };
}

/**
 * What a recorded observation is answered with, after its mailboxes were rung. Throws `conflict` when another request used
 * its idempotency key.
 */
export function accepted(
  { caller, doorbell }: Pick<RequestContext<Caller>, 'caller' | 'doorbell'>,
  recorded: RecordedObservation,
): z.input<typeof acceptedOutput> {
  if (recorded.outcome === 'conflict') throw new Refusal('conflict');
  const { messageId, occurredAt, outcome, shard } = recorded;
  if (outcome === 'accepted') {
    const { accountId } = caller;
    doorbell.ring({ accountId, kind: 'ingest', shard });
    doorbell.ring({ accountId, kind: 'projection', shard });
  }
  return { message_id: messageId, status: 'accepted', occurred_at: occurredAt };
}
