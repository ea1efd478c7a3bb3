/**
 * Reads a form with a file (`multipart/form-data`) as its bytes come, with the places and bounds that documents have at
 * the other doors. The token of the form stands before the file in it, and is checked before any byte of the file is kept.
 */
import { Refusal } from '../../domain/errors.ts';
import type { SentFile } from '../../console/design/page.ts';
import { CSRF_FIELD } from '../../console/session/csrf.ts';
import { MOST_DOCUMENT_BYTES } from '../../operations/documents/submit.ts';
import { bodyGuards, type Bounds } from '../bounds.ts';
import type { ApiMiddleware, ApiState } from '../context.ts';
import { isForm } from '../middleware/form-body.ts';
import { assertOwnToken } from './browser.ts';

/** Fields, heads and boundaries around the file; the parser takes fewer. */
const MOST_BYTES_AROUND = 1_048_576;
const BYTES_MEMBER = 'content_base64';
const NAME_MEMBER = 'file_name';

const formsOnly: ApiMiddleware = async function formsOnly(ctx, next) {
  if (!isForm(ctx.req.headers)) throw new Refusal('unsupported_media_type');
  await next();
};

/** The middlewares that read the form. Fields of other names are ignored. */
export function fileForm(fields: readonly string[], { bodies }: Bounds): ApiMiddleware[] {
  const shape = {
    fieldNames: new Set([CSRF_FIELD, ...fields]),
    nulls: 'kept',
    ofFile: {
      nameField: NAME_MEMBER,
      admit(ctx, sent) {
        assertOwnToken(ctx, sent);
        // What was typed is shown again, should the file be refused.
        ctx.state.body = sent;
        ctx.state.isFormAdmitted = true;
      },
    },
  } as const satisfies Parameters<typeof bodyGuards>[0]['shape'];
  const file = { field: BYTES_MEMBER, mostBytes: MOST_DOCUMENT_BYTES };
  const limitBytes = MOST_DOCUMENT_BYTES + MOST_BYTES_AROUND;
  return [formsOnly, ...bodyGuards({ shape, limitBytes, file }, bodies)];
}

/** The file that a form brought; null for a form without one. */
export function fileOf({ body }: Pick<ApiState, 'body'>): SentFile | null {
  const { [BYTES_MEMBER]: bytes, [NAME_MEMBER]: name, media_type: mediaType } = body;
  if (!(bytes instanceof Uint8Array) || typeof mediaType !== 'string') return null;
  return { bytes, mediaType, name: typeof name === 'string' ? name : '' };
}
