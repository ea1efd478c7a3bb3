/**
 * A text of base64 in a JSON body, decoded as it comes. Decoding 44 MiB at once, first to one text and then to bytes,
 * would hold the event loop for a quarter of a second and take three times the memory.
 */
import { invalidField, Refusal } from '../domain/errors.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import type { LiftedText } from './json-scan.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Characters of JSON's longest escape; some senders write a slash as `\u002f`. */
const LONGEST_ESCAPE = 6;

export class Base64Text implements LiftedText {
  readonly name: string;
  readonly #gathered: GatheredBytes;
  /** Text that came and is not decoded yet: less than an escape and a group of four. */
  #rest = '';
  #isPadded = false;
  #problem: Refusal | null = null;

  /** At most `mostBytes` when decoded. The body that holds the text has `expectedBytes`, where that is known. */
  constructor(name: string, mostBytes: number, expectedBytes: number | null) {
    this.name = name;
    const decoded = expectedBytes === null ? null : Math.ceil(expectedBytes / 4) * 3;
    this.#gathered = new GatheredBytes(mostBytes, decoded);
  }

  begin(): void {
    this.#gathered.clear();
    this.#rest = '';
    this.#isPadded = false;
    this.#problem = null;
  }

  take(piece: Uint8Array): void {
    if (this.#problem !== null) return;
    const text = this.#rest + latin1Of(piece);
    const escape = text.lastIndexOf('\\');
    const isCut = escape !== -1 && text.length - escape < LONGEST_ESCAPE;
    const whole = isCut ? text.slice(0, escape) : text;
    this.#rest = isCut ? text.slice(escape) : '';
    const plain = this.#unescaped(whole);
    const groups = plain.length - (plain.length % 4);
    // A cut escape is the end of the text, so it follows the plain characters that wait.
    this.#rest = plain.slice(groups) + this.#rest;
    this.#decode(plain.slice(0, groups));
  }

  /** The bytes. Throws `invalid_request` for a text that is not base64, and `payload_too_large` for too many bytes. */
  finish(): Uint8Array {
    this.#decode(this.#unescaped(this.#rest));
    if (this.#problem !== null) throw this.#problem;
    return this.#gathered.bytes();
  }

  #unescaped(text: string): string {
    if (!text.includes('\\')) return text;
    try {
      return String(JSON.parse(`"${text}"`));
    } catch {
      this.#refuse();
      return '';
    }
  }

  #decode(text: string): void {
    if (text === '' || this.#problem !== null) return;
    if (this.#isPadded || text.length % 4 !== 0 || !BASE64.test(text)) this.#refuse();
    else if (!this.#gathered.add(Buffer.from(text, 'base64'))) {
      this.#problem = new Refusal('payload_too_large', {
        fields: [{ path: this.name, message: 'is too long' }],
      });
    }
    this.#isPadded = text.endsWith('=');
  }

  #refuse(): void {
    this.#problem ??= invalidField(this.name, 'must be base64');
  }
}

function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}
