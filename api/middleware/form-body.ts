/**
 * A form with a file in it (`multipart/form-data`), read into the members that the same request has in JSON: the
 * file's bytes become `content_base64`, and its type `media_type` where no field of that name says otherwise.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { bareMediaType, formatOf, mediaTypeOfName } from '../../domain/documents/media-type.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { assertStorableText, type JsonObject } from '../json-text.ts';

const FORM = 'multipart/form-data';
const FILE_FIELD = 'file';
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 65_536;

/** Whether the request says that its body is a form. */
export function isForm(headers: IncomingHttpHeaders): boolean {
  return bareMediaType(headers['content-type'] ?? '') === FORM;
}

interface ReadFile {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** What a part calls itself, or what its name says where that tells more. */
function typeOfFile(declared: string, name: string | undefined): string {
  if (formatOf(declared) !== null) return declared;
  return mediaTypeOfName(name ?? '') ?? declared;
}

/** Collects the parts of a form; each resolves when the parser is done. */
class Form {
  readonly fields: Record<string, string> = {};
  file: ReadFile | null = null;
  problem: Refusal | null = null;
  #files = 0;
  readonly #fieldNames: ReadonlySet<string>;

  constructor(fieldNames: ReadonlySet<string>) {
    this.#fieldNames = fieldNames;
  }

  field(name: string, value: string, nameTruncated: boolean, valueTruncated: boolean): void {
    if (nameTruncated || !this.#fieldNames.has(name)) return;
    if (valueTruncated) this.refuse(invalidField(name, 'is too long'));
    else if (Object.hasOwn(this.fields, name)) this.refuse(invalidField(name, 'must be sent once'));
    else this.fields[name] = value;
  }

  part(name: string, stream: BusboyFileStream, fileName: string | undefined, type: string): void {
    const chunks: Buffer[] = [];
    if (name === FILE_FIELD) this.#files += 1;
    if (this.#files > 1) this.refuse(invalidField(FILE_FIELD, 'must be sent once'));
    const wanted = name === FILE_FIELD && this.#files === 1;
    stream.on('data', (chunk: Buffer) => wanted && chunks.push(chunk));
    stream.on('limit', () => this.refuse(new Refusal('payload_too_large')));
    stream.on('end', () => {
      if (wanted)
        this.file = { bytes: Buffer.concat(chunks), mediaType: typeOfFile(type, fileName) };
    });
  }

  refuse(problem: Refusal): void {
    this.problem ??= problem;
  }
}

function incomplete(): Refusal {
  return invalidField('', 'must be a complete multipart form');
}

function parse(
  headers: IncomingHttpHeaders,
  body: Buffer,
  form: Form,
  maxFileBytes: number,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  try {
    const parser = new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        fields: MAX_FIELDS,
        files: 2,
        parts: MAX_FIELDS + 2,
        fieldSize: MAX_FIELD_BYTES,
        fileSize: maxFileBytes,
      },
    });
    parser.on('field', (name, value, nameTruncated, valueTruncated) =>
      form.field(name, value, nameTruncated, valueTruncated),
    );
    parser.on('file', (name, stream, fileName, _encoding, type) => {
      stream.on('error', () => reject(incomplete()));
      form.part(name, stream, fileName, type);
    });
    parser.once('finish', () => resolve());
    // Its words quote the form.
    parser.once('error', () => reject(incomplete()));
    parser.end(body);
  } catch {
    reject(incomplete());
  }
  return promise;
}

/**
 * The members of a form. Fields of other names than `fieldNames` are ignored. Throws `invalid_request` for what
 * is no form, and `payload_too_large` for a file of more than `maxFileBytes`.
 */
export async function readForm(
  headers: IncomingHttpHeaders,
  body: Buffer,
  fieldNames: ReadonlySet<string>,
  maxFileBytes: number,
): Promise<JsonObject> {
  const form = new Form(fieldNames);
  await parse(headers, body, form, maxFileBytes);
  if (form.problem !== null) throw form.problem;
  if (form.file === null) throw invalidField(FILE_FIELD, 'is required');
  for (const [name, value] of Object.entries(form.fields)) assertStorableText(value, name);
  const { bytes, mediaType } = form.file;
  return { media_type: mediaType, ...form.fields, content_base64: bytes.toString('base64') };
}
