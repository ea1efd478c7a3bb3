import { invalidField, Refusal } from '../../domain/errors.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import { cleanJson, isJsonObject, type Nulls } from '../json-text.ts';
import { readBody } from '../read-body.ts';
import { isForm, readForm } from './form-body.ts';

/** What a body is to the operation that takes it. */
export interface BodyShape {
  /** The members that it knows; a refusal names no other. */
  readonly fieldNames: ReadonlySet<string>;
  /** Whether members that are null are absent afterwards. */
  readonly nulls: Nulls;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** JSON in UTF-8, sent as it is: another type, charset or content coding is refused. */
function assertMediaType(ctx: ApiContext): void {
  const charset = ctx.request.charset.toLowerCase();
  const coding = ctx.get('content-encoding').toLowerCase();
  const supported =
    ctx.request.type === 'application/json' &&
    (charset === '' || charset === 'utf-8' || charset === 'utf8') &&
    (coding === '' || coding === 'identity');
  if (!supported) throw new Refusal('unsupported_media_type');
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch (cause) {
    throw new Refusal('malformed_json', { cause });
  }
}

/** Names of members are callers' text unless the operation knows them: a refusal names known fields only. */
function withKnownPaths(error: unknown, fieldNames: ReadonlySet<string>): unknown {
  if (!(error instanceof Refusal) || error.fields === null) return error;
  const fields = error.fields.map(({ path, message }) => {
    const [first = ''] = path.split('.', 1);
    return { path: fieldNames.has(first) ? first : '', message };
  });
  return new Refusal(error.code, { fields });
}

function readJson(bytes: Uint8Array, { fieldNames, nulls }: BodyShape): unknown {
  const value = parseJson(bytes);
  try {
    return cleanJson(value, nulls);
  } catch (error) {
    throw withKnownPaths(error, fieldNames);
  }
}

/**
 * Reads a JSON object of at most `limitBytes`. No body at all is the empty object, so that routes whose
 * fields are all optional need none. Where a file is taken, the body may be a form with one of at most
 * `largestFileBytes`.
 */
export function jsonBody(
  limitBytes: number,
  shape: BodyShape,
  largestFileBytes: number | null = null,
): ApiMiddleware {
  return async function jsonBody(ctx, next) {
    const declaredBytes = Number(ctx.req.headers['content-length'] ?? 0);
    if (declaredBytes > limitBytes) throw new Refusal('payload_too_large');
    const { headers } = ctx.req;
    const hasBody = declaredBytes > 0 || headers['transfer-encoding'] !== undefined;
    if (hasBody && largestFileBytes !== null && isForm(headers)) {
      const bytes = await readBody(ctx.req, limitBytes);
      ctx.state.body = await readForm(headers, bytes, shape.fieldNames, largestFileBytes);
    } else if (hasBody) {
      assertMediaType(ctx);
      const bytes = await readBody(ctx.req, limitBytes);
      const value = bytes.length === 0 ? {} : readJson(bytes, shape);
      if (!isJsonObject(value)) throw invalidField('', 'must be a JSON object');
      ctx.state.body = value;
    }
    await next();
  };
}
