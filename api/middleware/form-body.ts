/**
 * Reads a form with a file (`multipart/form-data`) as it comes, into the members that the same request has in JSON.
 * The file's bytes become `content_base64`; its type becomes `media_type` unless the form has a field of that name.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { bareMediaType, formatOf, mediaTypeOfName } from '../../domain/documents/media-type.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { GatheredBytes } from '../gathered-bytes.ts';
import { assertStorableText, type JsonObject } from '../json-text.ts';

const FORM = 'multipart/form-data';
const FILE_FIELD = 'file';
/** No form of the interface has more than ten. */
const MOST_FIELDS = 20;
/** Bytes of one field's value. */
const MOST_FIELD_BYTES = 65_536;
/** One file is taken. The parser must report a second one so that it can be refused. */
const MOST_FILES = 2;
/** Bytes outside the file: fields, heads of parts, boundaries. A part costs a hundred times what its bytes do. */
const MOST_AROUND_FILE_BYTES = 262_144;
/** Bytes that the parser gets before the form is checked again: a part can be as short as five bytes. */
const STEP_BYTES = 4_096;
/** Lines in the head of a part, and bytes of that head. */
const MOST_HEADER_PAIRS = 32;
const MOST_HEADER_BYTES = 8_192;

/** Whether the request says that its body is a form. */
export function isForm(headers: IncomingHttpHeaders): boolean {
  return bareMediaType(headers['content-type'] ?? '') === FORM;
}

interface ReadFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** As the sender calls it, without folders; empty when it says nothing. */
  readonly name: string;
}

/** The declared type of a part; when its format is not supported, the type that the file name suggests, if any. */
function typeOfFile(declared: string, name: string | undefined): string {
  if (formatOf(declared) !== null) return declared;
  return mediaTypeOfName(name ?? '') ?? declared;
}

/** Collects the parts of a form; they are complete when the parser is done. */
class Form {
  readonly fields: Record<string, string> = {};
  file: ReadFile | null = null;
  problem: Refusal | null = null;
  #files = 0;
  readonly #fieldNames: ReadonlySet<string>;
  readonly #fileBytes: GatheredBytes;
  readonly #admit: ExpectedForm['admit'];

  constructor({ admit, expectedBytes, fieldNames, mostFileBytes }: ExpectedForm) {
    this.#fieldNames = fieldNames;
    this.#fileBytes = new GatheredBytes(mostFileBytes, expectedBytes);
    this.#admit = admit;
  }

  field(name: string, value: string, nameTruncated: boolean, valueTruncated: boolean): void {
    if (nameTruncated || !this.#fieldNames.has(name)) return;
    if (valueTruncated) this.refuse(invalidField(name, 'is too long'));
    else if (Object.hasOwn(this.fields, name))
      this.refuse(invalidField(name, 'must be sent only once'));
    else this.fields[name] = value;
  }

  part(name: string, stream: BusboyFileStream, fileName: string | undefined, type: string): void {
    if (name === FILE_FIELD) this.#files += 1;
    if (this.#files > 1) this.refuse(invalidField(FILE_FIELD, 'must be sent only once'));
    if (name === FILE_FIELD) this.ask();
    const wanted = name === FILE_FIELD && this.#files === 1 && this.problem === null;
    // The parser cuts a file at the limit, so every piece that it gives fits.
    stream.on('data', (piece: Buffer) => wanted && this.#fileBytes.add(piece));
    stream.on('limit', () => this.refuse(new Refusal('payload_too_large')));
    stream.on('end', () => {
      if (!wanted) return;
      const mediaType = typeOfFile(type, fileName);
      this.file = { bytes: this.#fileBytes.bytes(), mediaType, name: fileName ?? '' };
    });
  }

  private ask(): void {
    try {
      this.#admit?.(this.fields);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refuse(error);
    }
  }

  /** Bytes of the file so far. */
  get fileSize(): number {
    return this.#fileBytes.bytes().length;
  }

  refuse(problem: Refusal): void {
    this.problem ??= problem;
  }
}

function incomplete(): Refusal {
  return invalidField('', 'must be a complete multipart form');
}

type Parser = InstanceType<typeof Busboy>;

function createParser(headers: IncomingHttpHeaders, form: Form, mostFileBytes: number): Parser {
  const parser = new Busboy({
    headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
    limits: {
      fields: MOST_FIELDS,
      files: MOST_FILES,
      parts: MOST_FIELDS + MOST_FILES,
      fieldSize: MOST_FIELD_BYTES,
      fileSize: mostFileBytes,
      headerPairs: MOST_HEADER_PAIRS,
      headerSize: MOST_HEADER_BYTES,
    },
  });
  parser.on('field', (name, value, nameTruncated, valueTruncated) =>
    form.field(name, value, nameTruncated, valueTruncated),
  );
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    parser.once(limit, () => form.refuse(invalidField('', 'has too many parts')));
  }
  parser.on('file', (name, stream, fileName, _encoding, type) => {
    // The form is incomplete; the parser reports that as well.
    stream.on('error', () => form.refuse(incomplete()));
    form.part(name, stream, fileName, type);
  });
  return parser;
}

/** What is known of a form before it is read. */
export interface ExpectedForm {
  readonly headers: IncomingHttpHeaders;
  /** Fields of other names are ignored. */
  readonly fieldNames: ReadonlySet<string>;
  readonly mostFileBytes: number;
  readonly expectedBytes: number | null;
  /** Asked with the fields before the file; throws a refusal before any of the file's bytes are kept. */
  readonly admit?: (fields: Readonly<Record<string, string>>) => void;
  /** The member that becomes the file's name; null for none. */
  readonly nameField?: string | null;
}

/**
 * The members of the form that `read` gives piece by piece. Throws `invalid_request` for a body that is no form, and
 * `payload_too_large` for a file of more than `mostFileBytes`.
 */
export async function readForm(
  expected: ExpectedForm,
  read: (take: (piece: Buffer) => void) => Promise<void>,
): Promise<JsonObject> {
  const { headers, mostFileBytes, nameField = null } = expected;
  const form = new Form(expected);
  const { promise: parsed, resolve, reject } = Promise.withResolvers<void>();
  parsed.catch(() => {});
  let parser: Parser;
  try {
    parser = createParser(headers, form, mostFileBytes);
  } catch {
    throw incomplete();
  }
  parser.once('finish', () => resolve());
  // The parser's own message is dropped, because it quotes the form.
  parser.on('error', () => reject(incomplete()));
  let size = 0;
  await read((piece) => {
    for (let at = 0; at < piece.length; at += STEP_BYTES) {
      const step = piece.subarray(at, at + STEP_BYTES);
      size += step.length;
      parser.write(step);
      const isAllAround = size - form.fileSize > MOST_AROUND_FILE_BYTES + STEP_BYTES;
      if (isAllAround) form.refuse(new Refusal('payload_too_large'));
      // Nothing more is read of a form that is refused.
      if (form.problem !== null) throw form.problem;
    }
  });
  parser.end();
  await parsed;
  if (form.problem !== null) throw form.problem;
  if (form.file === null) throw invalidField(FILE_FIELD, 'is required');
  for (const [name, value] of Object.entries(form.fields)) assertStorableText(value, name);
  const { bytes, mediaType, name } = form.file;
  const named = nameField === null ? {} : { [nameField]: name };
  return { media_type: mediaType, ...form.fields, ...named, content_base64: bytes };
}
