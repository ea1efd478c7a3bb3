import type { IncomingHttpHeaders } from 'node:http';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { Base64Text } from '../base64-text.ts';
import type { BodyIntake } from '../body-intake.ts';
import type { BodyRoom } from '../body-room.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import { JsonScan } from '../json-scan.ts';
import { cleanJson, isJsonObject, type JsonObject, type Nulls } from '../json-text.ts';
import type { LoopTurns } from '../loop-turns.ts';
import { readBody, type BodyBounds, type BodyPaces } from '../read-body.ts';
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

function cleanObject(bytes: Uint8Array, { fieldNames, nulls }: BodyShape): JsonObject {
  const value = bytes.length === 0 ? {} : parseJson(bytes);
  try {
    const cleaned = cleanJson(value, nulls);
    if (isJsonObject(cleaned)) return cleaned;
  } catch (error) {
    throw withKnownPaths(error, fieldNames);
  }
  throw invalidField('', 'must be a JSON object');
}

type ReadPieces = (take: (piece: Buffer) => void) => Promise<void>;

async function readJson(
  { limitBytes, file, turns }: BodyRules,
  shape: BodyShape,
  expectedBytes: number | null,
  read: ReadPieces,
): Promise<JsonObject> {
  const lifted = file && new Base64Text(file.field, file.mostBytes, expectedBytes);
  const scan = new JsonScan(file === null ? limitBytes : file.mostJsonBytes, lifted);
  await read((piece) => scan.take(piece));
  const bytes = scan.finish();
  await turns.take(bytes.length);
  const body = cleanObject(bytes, shape);
  // A text of another spelling of the name, or none, stands in the body itself.
  if (lifted === null || body[lifted.name] !== '') return body;
  return { ...body, [lifted.name]: lifted.finish() };
}

/** A file that may come in a body: as a form, or in base64 as a member of the JSON. */
export interface FileRules {
  readonly field: string;
  readonly mostBytes: number;
  /** Of the JSON around it. */
  readonly mostJsonBytes: number;
}

export interface BodyRules {
  readonly limitBytes: number;
  /** Null where none is taken. */
  readonly file: FileRules | null;
  readonly paces: BodyPaces;
  /** Whether the body has one of the places of large bodies, which bound what these hold. */
  isLarge(headers: IncomingHttpHeaders): boolean;
  readonly room: BodyRoom;
  readonly intake: BodyIntake;
  readonly turns: LoopTurns;
}

/** Bytes that the body says it has; null when it does not say. */
function declaredBytes({ 'content-length': length }: IncomingHttpHeaders): number | null {
  return length === undefined ? null : Number(length);
}

/**
 * Reads a JSON object, or where a file is taken a form with one. No body at all is the empty object, so that routes
 * whose fields are all optional need none.
 */
export function jsonBody(rules: BodyRules, shape: BodyShape): ApiMiddleware {
  const { limitBytes, file, room, intake } = rules;
  return async function jsonBody(ctx, next) {
    const { headers } = ctx.req;
    const expectedBytes = declaredBytes(headers);
    if ((expectedBytes ?? 0) > limitBytes) throw new Refusal('payload_too_large');
    const hasBody = (expectedBytes ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
    if (!hasBody) return next();
    const asForm = file !== null && isForm(headers);
    if (!asForm) assertMediaType(ctx);
    const isLarge = rules.isLarge(headers);
    const accountId = ctx.state.caller?.accountId ?? null;
    const held = room.open(accountId);
    const sender = accountId ?? ctx.state.clientAddress ?? '';
    const bounds: BodyBounds = {
      limitBytes,
      pace: isLarge ? rules.paces.large : rules.paces.usual,
      pauseAfter: (bytes) => intake.pauseAfter(sender, bytes),
    };
    const read: ReadPieces = (take) =>
      readBody(ctx.req, bounds, (piece) => {
        if (!isLarge) held.add(piece.length);
        take(piece);
      });
    try {
      ctx.state.body = asForm
        ? await readForm(
            { headers, fieldNames: shape.fieldNames, mostFileBytes: file.mostBytes, expectedBytes },
            read,
          )
        : await readJson(rules, shape, expectedBytes, read);
      await next();
    } finally {
      held.release();
    }
  };
}
