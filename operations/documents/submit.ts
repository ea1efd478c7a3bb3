/**
 * Accepts a version of a document. The answer says that its bytes and the job to read them are durable; the
 * same bytes as the latest version's change nothing.
 */
import { z } from 'zod';
import { DOCUMENT_MEDIA_TYPES, formatOf } from '../../domain/documents/media-type.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { mayWriteAt } from '../../domain/identity/caller.ts';
import { decodeText } from '../../engine/documents/text.ts';
import { requestHash } from '../idempotency.ts';
import { occurredAtField, optionalLabelField, scopePathField } from '../observations/fields.ts';
import { callerNow } from '../caller-now.ts';
import { defineOperation } from '../operation.ts';
import { assertTakenIn } from '../secrets.ts';

/** Of a document as it is, not as it is sent. */
export const MOST_DOCUMENT_BYTES = 32 * 1_048_576;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes in base64, or as they are from a door that decodes what it reads while it comes. */
const contentField = z.unknown().transform((value, context): string | Uint8Array => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  context.addIssue({ code: 'custom', message: 'must be a text' });
  return z.NEVER;
});

const input = z
  .object({
    scope_path: scopePathField,
    content_base64: contentField.meta({
      description:
        'The bytes of the document, at most 32 MiB, in base64 as RFC 4648 section 4 has it. An account may refuse text, Markdown and HTML that holds a credential.',
      wire: { type: 'string', minLength: 4, examples: ['QW5hIFNpbHZhIG1vdmVkIHRvIFBvcnRvLg=='] },
    }),
    media_type: z.string().meta({
      description: `What the bytes are: ${DOCUMENT_MEDIA_TYPES.map((type) => `\`${type}\``).join(', ')}. Parameters such as a charset are kept.`,
      wire: { minLength: 1, maxLength: 256, examples: ['text/markdown'] },
    }),
    title: optionalLabelField.meta({
      description: 'What people call it. 1 to 256 characters.',
    }),
    external_id: optionalLabelField.meta({
      description:
        'Names the document in its scope, so that other bytes become a new version of it. Without one a document is known by its bytes.',
      wire: { examples: ['handbook'] },
    }),
    occurred_at: occurredAtField,
  })
  .meta({
    wire: {
      examples: [
        {
          scope_path: '/team/project',
          external_id: 'handbook',
          title: 'Handbook',
          media_type: 'text/markdown',
          content_base64: 'QW5hIFNpbHZhIG1vdmVkIHRvIFBvcnRvLg==',
        },
      ],
    },
  });

const output = z.object({
  document_id: z.uuid().describe('Withdraws it at `DELETE /api/v1/documents/<document_id>`.'),
  document_version_id: z
    .uuid()
    .describe('Asks for its status at `GET /api/v1/documents/<document_version_id>`.'),
  status: z
    .enum(['accepted', 'unchanged'])
    .describe(
      '`unchanged`: these are the bytes of the latest version, and nothing was done. A latest version that could not be read is `accepted` once more.',
    ),
});

type Input = z.output<typeof input>;

function tooLarge(): Refusal {
  const message = 'must have at most 32 MiB';
  return new Refusal('payload_too_large', { fields: [{ path: 'content_base64', message }] });
}

function bytesOf({ content_base64: given }: Input): Uint8Array {
  if (given.length === 0) throw invalidField('content_base64', 'must not be empty');
  const bytes = typeof given === 'string' ? decoded(given) : given;
  if (bytes.length > MOST_DOCUMENT_BYTES) throw tooLarge();
  return bytes;
}

function decoded(text: string): Uint8Array {
  // Judged before it is decoded: four characters stand for three bytes.
  if (text.length > Math.ceil(MOST_DOCUMENT_BYTES / 3) * 4) throw tooLarge();
  if (text.length % 4 !== 0 || !BASE64.test(text)) {
    throw invalidField('content_base64', 'must be base64');
  }
  return Buffer.from(text, 'base64');
}

/** The text of the bytes as they are. Formats that pack it have none: it is masked when it is read. */
function plainText(bytes: Uint8Array, mediaType: string): string {
  const format = formatOf(mediaType);
  if (format === 'pdf' || format === 'docx') return '';
  try {
    return decodeText(bytes, mediaType);
  } catch {
    // Nobody will read it, and all the same it would be kept.
    return Buffer.from(bytes).toString('latin1');
  }
}

function hashOf(request: Input, sha256: string): Uint8Array {
  const { scope_path, media_type, title, external_id, occurred_at } = request;
  return requestHash([scope_path, sha256, media_type, title, external_id, occurred_at]);
}

export const submitDocument = defineOperation({
  id: 'document.submit',
  access: 'any_identity',
  effect: 'write',
  summary: 'Hand in a version of a document',
  description:
    'Answers once the bytes and the job to read them are durable. A version is immutable; a new one of the same document takes the place of the one before: what only earlier versions say is superseded when the new one has been read. The body is JSON, or `multipart/form-data` with the same fields and the bytes as `file`.',
  refusals: ['forbidden', 'payload_too_large', 'unsupported_media_type'],
  input,
  output,
  async run(context, request) {
    const { caller, idempotency, now, services, traceId } = context;
    const { documents } = services;
    const bytes = bytesOf(request);
    if (request.media_type.length > 256 || formatOf(request.media_type) === null) {
      throw new Refusal('unsupported_media_type');
    }
    // A version has an uploader, who answers for it and may read it.
    if (caller.peerId === null || !mayWriteAt(caller, request.scope_path)) {
      throw new Refusal('forbidden');
    }
    const { media_type: mediaType, title } = request;
    await assertTakenIn(context, 'title', () => title ?? '');
    await assertTakenIn(context, 'content_base64', () => plainText(bytes, mediaType));
    const sha256 = await documents.sha256Of(bytes);
    const { at, offsetMinutes } = request.occurred_at ?? {
      at: now.toISOString(),
      offsetMinutes: 0,
    };
    const submitted = await documents.submit(
      {
        accountId: caller.accountId,
        credentialId: caller.credentialId,
        uploaderPeerId: caller.peerId,
        scopePath: request.scope_path,
        externalId: request.external_id,
        title,
        mediaType,
        sha256,
        byteSize: bytes.length,
        occurredAt: at,
        occurredOffsetMinutes: offsetMinutes,
        traceId,
        idempotency: idempotency && { ...idempotency, requestHash: hashOf(request, sha256) },
      },
      bytes,
      async () => {
        if (!mayWriteAt(await callerNow(context), request.scope_path)) {
          throw new Refusal('forbidden');
        }
      },
    );
    if (submitted.outcome === 'conflict') throw new Refusal('conflict');
    const { documentId, outcome, replayed, versionId } = submitted;
    if (outcome === 'accepted' && !replayed) documents.startSoon();
    return { document_id: documentId, document_version_id: versionId, status: outcome };
  },
});
