import type { IncomingHttpHeaders } from 'node:http';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { isMemberSomewhere } from '../../domain/identity/caller.ts';
import { Base64Text } from '../base64-text.ts';
import type { BodyIntake } from '../body-intake.ts';
import type { BodyRoom } from '../body-room.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import { JsonScan } from '../json-scan.ts';
import { cleanJson, isJsonObject, type JsonObject, type Nulls } from '../json-text.ts';
import type { LoopTurns } from '../loop-turns.ts';
import { readBody, type BodyBounds, type BodyPaces } from '../read-body.ts';
import { isForm, readForm } from './form-body.ts';

/** The members of a body, as its operation declares them. */
export interface BodyShape {
  /** The members that the operation knows; a refusal names no other. */
  readonly fieldNames: ReadonlySet<string>;
  /** Whether members that are null are absent afterwards. */
  readonly nulls: Nulls;
  /** The body may be any JSON value, is left as it is, and becomes the member of this name. */
  readonly whole?: string;
  /** What a form says of its file before and beside its bytes; left out, nothing. */
  readonly ofFile?: FormFile;
}

export interface FormFile {
  /** Asked with the fields before the file, before any of its bytes are kept. Throws the refusal of the form. */
  admit(ctx: ApiContext, fields: Readonly<Record<string, string>>): void;
  /** The member that becomes the file's own name. */
  readonly nameField: string;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Refuses any media type but JSON, any charset but UTF-8 and any content coding. */
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

/** A refusal names known fields only, because other member names are text that the caller chose. */
export function withKnownPaths(error: unknown, fieldNames: ReadonlySet<string>): unknown {
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
  if (shape.whole !== undefined) return { [shape.whole]: parseJson(bytes) };
  const body = cleanObject(bytes, shape);
  // When the body has no such member, or writes its name with escapes, nothing was lifted out of it.
  if (lifted === null || body[lifted.name] !== '') return body;
  return { ...body, [lifted.name]: lifted.finish() };
}

/** A file that may come in a body: as part of a form, or in base64 as a member of the JSON. */
export interface FileRules {
  readonly field: string;
  readonly mostBytes: number;
  /** Bytes of the JSON around the file. */
  readonly mostJsonBytes: number;
}

export interface BodyRules {
  readonly limitBytes: number;
  /** Null where the route takes no file. */
  readonly file: FileRules | null;
  readonly paces: BodyPaces;
  /** Whether the body holds one of the places of large bodies; those bound its memory instead of `room`. */
  isLarge(headers: IncomingHttpHeaders): boolean;
  readonly room: BodyRoom;
  readonly intake: BodyIntake;
  readonly turns: LoopTurns;
}

/** The `Content-Length` in bytes; null when the request has none. */
function declaredBytes({ 'content-length': length }: IncomingHttpHeaders): number | null {
  return length === undefined ? null : Number(length);
}

/**
 * Refuses a sender whose credential has ended, and a sender of a large body who may submit no documents any more. On a
 * public route there is nobody to ask.
 */
async function mayGoOn({ state }: ApiContext, isLarge: boolean): Promise<void> {
  const caller = await state.resolveCaller?.();
  if (isLarge && caller !== undefined && !isMemberSomewhere(caller)) throw new Refusal('forbidden');
}

function expectedForm(ctx: ApiContext, { fieldNames, ofFile }: BodyShape, mostFileBytes: number) {
  const { headers } = ctx.req;
  return {
    headers,
    fieldNames,
    mostFileBytes,
    expectedBytes: declaredBytes(headers),
    admit: (fields: Readonly<Record<string, string>>) => ofFile?.admit(ctx, fields),
    nameField: ofFile?.nameField ?? null,
  };
}

/**
 * Reads a JSON object or, where the route takes a file, a form with a file. A missing body counts as the empty object,
 * so that a route with optional fields only needs no body.
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
      mayGoOn: () => mayGoOn(ctx, isLarge),
    };
    const read: ReadPieces = (take) =>
      readBody(ctx.req, bounds, (piece) => {
        if (!isLarge) held.add(piece.length);
        take(piece);
      });
    try {
      ctx.state.body = asForm
        ? await readForm(expectedForm(ctx, shape, file.mostBytes), read)
        : await readJson(rules, shape, expectedBytes, read);
      await next();
    } finally {
      held.release();
    }
  };
}
