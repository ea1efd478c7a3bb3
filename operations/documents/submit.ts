/**
 * Accepts a version of a document. The answer says that its bytes and the job to read them are durable; the
 * same bytes as the latest version's change nothing.
 */
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { DOCUMENT_MEDIA_TYPES, formatOf } from '../../domain/documents/media-type.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { uploadStep } from '../../domain/documents/upload.ts';
import { mayWriteAt, type Caller } from '../../domain/identity/caller.ts';
import { decodeText } from '../../engine/documents/text.ts';
import { sha256Of } from '../../stores/blobs/sha256.ts';
import type { NewVersion, VersionPlace } from '../../stores/postgres/documents/documents.store.ts';
import type { DocumentUpload } from '../../stores/postgres/documents/uploads.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { ACCEPTED, earlierAnswer } from '../idempotency.ts';
import { occurredAtField, optionalLabelField, scopePathField } from '../fields/observation.ts';
import { callerNow } from '../caller-now.ts';
import { audienceBook } from '../audiences/find.ts';
import { audienceIdentity, documentAudienceField } from '../fields/audience.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { assertTakenIn } from '../secrets.ts';

/** Of the bytes of a document, before any encoding for the request. */
export const MOST_DOCUMENT_BYTES = 32 * 1_048_576;
const UNCHANGED = 200;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes in base64, or plain bytes from a door that decodes the body while it arrives. */
const contentField = z.unknown().transform((value, context): string | Uint8Array => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  context.addIssue({ code: 'custom', message: 'must be text' });
  return z.NEVER;
});

const input = z
  .object({
    scope_path: scopePathField,
    content_base64: contentField.meta({
      description:
        'The bytes of the document, at most 32 MiB, in base64 (RFC 4648, section 4). An account may refuse text, Markdown and HTML that contain a credential.',
      wire: { type: 'string', minLength: 4, examples: ['QW5hIFNpbHZhIG1vdmVkIHRvIFBvcnRvLg=='] },
    }),
    media_type: z.string().meta({
      description: `The media type of the bytes: ${DOCUMENT_MEDIA_TYPES.map((type) => `\`${type}\``).join(', ')}. The service keeps parameters such as a charset.`,
      wire: { minLength: 1, maxLength: 256, examples: ['text/markdown'] },
    }),
    title: optionalLabelField.meta({
      description: 'The name of the document for people. 1 to 256 characters.',
    }),
    external_id: optionalLabelField.meta({
      description:
        'Identifies the document among those that the caller uploads to its scope. Other bytes with the same `external_id` become a new version of the document. Without an `external_id` the bytes identify the document. Two callers never share a document.',
      wire: { examples: ['handbook'] },
    }),
    occurred_at: occurredAtField,
    audience: documentAudienceField,
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
  document_id: z
    .uuid()
    .describe('The id of the document. Withdraw it at `DELETE /api/v1/documents/<document_id>`.'),
  document_version_id: z
    .uuid()
    .describe(
      'The id of the version. Read its status at `GET /api/v1/documents/<document_version_id>`.',
    ),
  status: z
    .enum(['accepted', 'unchanged'])
    .describe(
      '`unchanged`: the bytes are those of the latest version, and the service did nothing. `accepted` for the same bytes: the service could not read the latest version and tries again.',
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
  // Checked before it is decoded: four characters stand for three bytes.
  if (text.length > Math.ceil(MOST_DOCUMENT_BYTES / 3) * 4) throw tooLarge();
  if (text.length % 4 !== 0 || !BASE64.test(text)) {
    throw invalidField('content_base64', 'must be base64');
  }
  return Buffer.from(text, 'base64');
}

/** The text that the bytes hold. Formats that pack their text give none here: it is masked when it is read. */
function plainText(bytes: Uint8Array, mediaType: string): string {
  const format = formatOf(mediaType);
  if (format === 'pdf' || format === 'docx') return '';
  try {
    return decodeText(bytes, mediaType);
  } catch {
    // A text that cannot be decoded is never parsed, but its bytes would be kept.
    return Buffer.from(bytes).toString('latin1');
  }
}

/** What identifies the request when it is sent again. */
function identityOf(request: Input, sha256: string): readonly unknown[] {
  const { audience, scope_path, media_type, title, external_id, occurred_at } = request;
  const identity = [scope_path, sha256, media_type, title, external_id, occurred_at];
  return [...identity, ...audienceIdentity(audience)];
}

interface SubmittedVersion {
  readonly outcome: 'accepted' | 'unchanged';
  readonly documentId: string;
  readonly versionId: string;
  /** Whether this request entered the run that reads it. */
  readonly hasRun: boolean;
}

/**
 * Enters the version with its run, or finds that it is there. Uploads of one document pass one by one, so that
 * twins find each other's version.
 */
async function enterVersion(
  context: RequestContext<Caller>,
  stores: Stores,
  request: Input,
  added: NewVersion,
): Promise<SubmittedVersion> {
  const { sha256 } = added;
  const known = {
    ownerPeerId: added.uploaderPeerId,
    scopePath: request.scope_path,
    externalId: request.external_id,
    sha256,
  };
  await stores.documents.lock(known);
  const { audience, mediaType } = added;
  const latest = await stores.documents.latestBeside({ ...known, mediaType, audience });
  const step = uploadStep(latest);
  const isNew = latest === null || step === 'add';
  const versionId = isNew ? uuidv7() : latest.versionId;
  const earlier = await earlierAnswer(context, stores, identityOf(request, sha256), {
    status: step === 'unchanged' ? UNCHANGED : ACCEPTED,
    resourceId: versionId,
  });
  if (earlier !== null) {
    const outcome = earlier.status === UNCHANGED ? 'unchanged' : 'accepted';
    const documentId = await stores.documents.ofVersion(earlier.resourceId);
    return { outcome, documentId, versionId: earlier.resourceId, hasRun: false };
  }
  if (!isNew && step === 'unchanged') {
    return { outcome: 'unchanged', documentId: latest.documentId, versionId, hasRun: false };
  }
  const documentId =
    latest?.documentId ??
    (await stores.documents.create(await stores.scopes.ensureChain(known.scopePath), known));
  const version = (latest?.version ?? 0) + (isNew ? 1 : 0);
  const place = { documentId, versionId, version };
  if (isNew) await stores.documents.addVersion(place, added);
  else await stores.documents.reopen(versionId);
  await enterReading(context, stores, place, added, isNew);
  return { outcome: 'accepted', documentId, versionId, hasRun: true };
}

/** Enters a new run that reads the version: the run of an earlier reading may still be ending. */
async function enterReading(
  { caller }: RequestContext<Caller>,
  stores: Stores,
  { version, versionId }: VersionPlace,
  { byteSize, sha256, traceId }: NewVersion,
  isNew: boolean,
): Promise<void> {
  await stores.runs.enter({ kind: 'document', traceId, targetId: versionId });
  await stores.audit.record({
    category: 'observation',
    action: isNew ? 'document.accepted' : 'document.read_again',
    actor: auditActor(caller),
    resourceType: 'document_version',
    resourceId: versionId,
    metadata: { version, bytes: byteSize },
    contentHash: Buffer.from(sha256, 'hex'),
    contentOf: caller.peerId,
  });
}

/**
 * Puts the bytes and calls `enter` in the transaction that ends the upload. The row of the upload is there before the
 * bytes are; where nothing comes of it, both go. What a process leaves that dies meanwhile, the reconcile finds.
 */
async function uploaded<T>(
  context: RequestContext<Caller>,
  upload: DocumentUpload,
  bytes: Uint8Array,
  enter: (stores: Stores, still: Caller) => Promise<T>,
): Promise<T> {
  const { blobs, caller, inAccount } = context;
  const { accountId } = caller;
  const hasBegun = await inAccount(accountId, ({ uploads }) => uploads.begin(upload));
  if (!hasBegun) throw new Refusal('unavailable');
  try {
    await blobs.put({ accountId, sha256: upload.sha256 }, bytes, upload.id);
    // Storing the bytes may have taken long, so the caller is resolved again.
    const still = await callerNow(context);
    return await inAccount(accountId, async (stores) => {
      if (!(await stores.uploads.end(upload.id))) throw new Refusal('unavailable');
      return enter(stores, still);
    });
  } catch (error) {
    // The caller gets the first error.
    await inAccount(accountId, ({ uploads }) => uploads.abandon(upload, blobs)).catch(() => {});
    throw error;
  }
}

export const submitDocument = defineOperation({
  id: 'document.submit',
  access: 'any_identity',
  effect: 'write',
  summary: 'Upload a version of a document',
  description:
    'The service answers as soon as it has stored the bytes and the job that reads them durably. A version never changes. A new version of the same document replaces the one before: as soon as the service has read the new version, it supersedes the statements that only earlier versions attest. The body is JSON, or `multipart/form-data` with the same fields and the bytes as `file`.',
  refusals: ['forbidden', 'payload_too_large', 'unsupported_media_type'],
  input,
  output,
  async run(context, request) {
    const { caller, now, sweep, traceId } = context;
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
    const sha256 = await sha256Of(bytes);
    const audience = (await audienceBook(context, [request]))(request);
    const { at, offsetMinutes } = request.occurred_at ?? {
      at: now.toISOString(),
      offsetMinutes: 0,
    };
    const added = {
      credentialId: caller.credentialId,
      uploaderPeerId: caller.peerId,
      title,
      audience,
      mediaType,
      sha256,
      byteSize: bytes.length,
      occurredAt: at,
      occurredOffsetMinutes: offsetMinutes,
      traceId,
    };
    const { documentId, hasRun, outcome, versionId } = await uploaded(
      context,
      { id: uuidv7(), sha256, uploaderPeerId: caller.peerId },
      bytes,
      (stores, still) => {
        if (!mayWriteAt(still, request.scope_path)) throw new Refusal('forbidden');
        return enterVersion(context, stores, request, added);
      },
    );
    if (hasRun) sweep.soon();
    return { document_id: documentId, document_version_id: versionId, status: outcome };
  },
});
