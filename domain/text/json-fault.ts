/** Where a text stops to be JSON. `JSON.parse` says so for some faults only, and with words of the text. */

export interface TextPlace {
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units of the line, from 1. */
  readonly column: number;
}

const SPACE = /[ \t\n\r]*/y;
const TOKEN =
  /[{}[\],:]|"(?:[^"\\\p{Cc}]|[\u007F-\u009F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end';

/** Reads token after token; `open` are the brackets that are not closed yet. */
class JsonReader {
  readonly #open: ('{' | '[')[] = [];
  #wanted: Wanted = 'value';

  /** Whether the token may stand here. */
  take(token: string): boolean {
    if (this.isOver()) return false;
    switch (token) {
      case '{':
      case '[':
        return this.opens(token);
      case '}':
      case ']':
        return this.closes(token);
      case ',':
        return this.goesOn();
      case ':':
        return this.when(this.#wanted === ':', 'value');
      default:
        return this.scalar(token.startsWith('"'));
    }
  }

  isOver(): boolean {
    return this.#wanted === ', or end' && this.#open.length === 0;
  }

  private when(isMeant: boolean, next: Wanted): boolean {
    if (isMeant) this.#wanted = next;
    return isMeant;
  }

  private wantsValue(): boolean {
    return this.#wanted === 'value' || this.#wanted === 'value or ]';
  }

  private opens(bracket: '{' | '['): boolean {
    if (!this.wantsValue()) return false;
    this.#open.push(bracket);
    return this.when(true, bracket === '{' ? 'key or }' : 'value or ]');
  }

  private closes(bracket: '}' | ']'): boolean {
    const isObject = bracket === '}';
    const isOpen = this.#open.at(-1) === (isObject ? '{' : '[');
    const isEmpty = this.#wanted === (isObject ? 'key or }' : 'value or ]');
    if (!isOpen || !(isEmpty || this.#wanted === ', or end')) return false;
    this.#open.pop();
    return this.when(true, ', or end');
  }

  private goesOn(): boolean {
    return this.when(this.#wanted === ', or end', this.#open.at(-1) === '{' ? 'key' : 'value');
  }

  private scalar(isText: boolean): boolean {
    if (this.#wanted === 'key' || this.#wanted === 'key or }') return this.when(isText, ':');
    return this.when(this.wantsValue(), ', or end');
  }
}

function matchedAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function placeAt(text: string, at: number): TextPlace {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** The first place at which the text cannot go on as JSON; null when it is JSON. Takes time linear in the text. */
export function placeOfJsonFault(text: string): TextPlace | null {
  const reader = new JsonReader();
  let at = 0;
  for (;;) {
    at += matchedAt(SPACE, text, at).length;
    if (at === text.length) return reader.isOver() ? null : placeAt(text, at);
    const token = matchedAt(TOKEN, text, at);
    if (token === '' || !reader.take(token)) return placeAt(text, at);
    at += token.length;
  }
}
