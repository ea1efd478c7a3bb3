/**
 * Scans the bytes of a JSON body as they come, piece by piece, so that no value is built of a body that holds more than
 * any operation asks for. `JSON.parse` of 4 MiB of `[],[],[]` holds the event loop for a tenth of a second, and the
 * code that walks the value afterwards holds it longer. The scan costs the same for every body, and little at a time.
 *
 * One text of a body may be taken out while it comes: see `LiftedText`.
 */
import { invalidField, Refusal } from '../domain/errors.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import { DEEPEST_JSON } from './json-text.ts';

/** Values of a body, on all levels together. An operation takes about twenty; 10,000 are built in two milliseconds. */
export const MOST_JSON_VALUES = 10_000;
/** Bytes of a member's name as it is written. No operation has a name of more than thirty. */
export const LONGEST_JSON_NAME_BYTES = 1_024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

const isOpening = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number): boolean => byte === 0x5d || byte === 0x7d;

/** The text of one top-level member, which is handed over here instead of becoming part of the value. */
export interface LiftedText {
  readonly name: string;
  /** A text of that name begins and replaces an earlier one. */
  begin(): void;
  /** Bytes between its quotes, as they are written. */
  take(piece: Uint8Array): void;
}

/** Scans a body once. Give it every piece in order; `finish` answers the bytes to parse. */
export class JsonScan {
  readonly #lifted: LiftedText | null;
  readonly #kept: GatheredBytes;
  #depth = 0;
  #deepest = 0;
  #values = 1;
  #inText = false;
  #escaped = false;
  /** Bytes of the text that is being read, or was read last. */
  #textBytes = 0;
  /** The beginning of that text, kept where it may be the lifted name. */
  #name = '';
  /** Whether the next text is the value of the lifted name. */
  #expectsLifted = false;
  #lifting = false;

  /** Keeps at most `mostBytes` of the body without its lifted text. */
  constructor(mostBytes: number, lifted: LiftedText | null = null) {
    this.#kept = new GatheredBytes(mostBytes);
    this.#lifted = lifted;
  }

  /** Throws `invalid_request`, or `payload_too_large`, as soon as a bound is passed. */
  take(piece: Uint8Array): void {
    let keptTo = 0;
    let at = 0;
    while (at < piece.length) {
      if (!this.#inText) {
        at = this.#endOfMarks(piece, at);
        continue;
      }
      const end = this.#endOfText(piece, at);
      this.#textBytes += end - at;
      if (this.#lifting) {
        this.#keep(piece.subarray(keptTo, at));
        this.#lifted?.take(piece.subarray(at, end));
        keptTo = end;
      } else if (this.#lifted !== null && this.#depth === 1) {
        this.#name += latin1(piece, at, Math.min(end, at + this.#lifted.name.length + 1));
      }
      // The closing quote is no part of the text.
      at = this.#inText ? end : end + 1;
    }
    this.#keep(piece.subarray(keptTo));
  }

  /** The bytes to parse, without the lifted text. Throws `malformed_json`, or `invalid_request` when too deep. */
  finish(): Uint8Array {
    if (this.#deepest <= DEEPEST_JSON) return this.#kept.bytes();
    // A body that is not closed is malformed, however deep it is.
    if (this.#inText || this.#depth !== 0) throw new Refusal('malformed_json');
    throw invalidField('', `must not nest deeper than ${DEEPEST_JSON} levels`);
  }

  #keep(bytes: Uint8Array): void {
    if (this.#deepest > DEEPEST_JSON || this.#kept.add(bytes)) return;
    throw new Refusal('payload_too_large');
  }

  /** The position behind the quote that opens the next text, or the end of the piece. */
  #endOfMarks(piece: Uint8Array, from: number): number {
    for (let at = from; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      if (byte === QUOTE) {
        this.#beginText();
        return at + 1;
      }
      if (byte === COMMA) this.#beginValue();
      else if (byte === COLON) this.#endOfName();
      else if (isOpening(byte)) {
        this.#depth += 1;
        this.#deepest = Math.max(this.#deepest, this.#depth);
        this.#beginValue();
      } else if (isClosing(byte)) this.#depth -= 1;
    }
    return piece.length;
  }

  /** Where the current text ends: at its closing quote, or with the piece. */
  #endOfText(piece: Uint8Array, from: number): number {
    for (let at = from; at < piece.length; at += 1) {
      if (this.#escaped) this.#escaped = false;
      else if (piece[at] === BACKSLASH) this.#escaped = true;
      else if (piece[at] === QUOTE) {
        this.#inText = false;
        return at;
      }
    }
    return piece.length;
  }

  #beginText(): void {
    this.#inText = true;
    this.#textBytes = 0;
    this.#name = '';
    this.#lifting = this.#expectsLifted;
    this.#expectsLifted = false;
    if (this.#lifting) this.#lifted?.begin();
  }

  #endOfName(): void {
    if (this.#textBytes > LONGEST_JSON_NAME_BYTES) {
      throw invalidField('', `must have no name of more than ${LONGEST_JSON_NAME_BYTES} bytes`);
    }
    this.#expectsLifted = this.#depth === 1 && this.#name === this.#lifted?.name;
  }

  #beginValue(): void {
    this.#expectsLifted = false;
    this.#values += 1;
    // A body that is too deep is read to its end without this limit; `finish` refuses it.
    if (this.#values > MOST_JSON_VALUES && this.#deepest <= DEEPEST_JSON) {
      throw invalidField('', `must hold at most ${MOST_JSON_VALUES} values`);
    }
  }
}

function latin1(piece: Uint8Array, from: number, to: number): string {
  return Buffer.from(piece.buffer, piece.byteOffset + from, to - from).toString('latin1');
}
