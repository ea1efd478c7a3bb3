/** Where the values of a template stand: worked out once for each template, from its fixed parts. */

export interface Place {
  readonly in: 'text' | 'attribute' | 'tag';
  /** The name of the attribute; empty elsewhere. */
  readonly attribute: string;
  /** Whether the value is the first of the attribute. */
  readonly isStart: boolean;
}

const TEXT: Place = { in: 'text', attribute: '', isStart: false };
const TAG: Place = { in: 'tag', attribute: '', isStart: false };
/** Their content is no HTML, so no value may stand there. */
const RAW = new Set(['script', 'style']);

class Reader {
  #state: 'text' | 'tag' | 'attribute' | 'raw' = 'text';
  #tag = '';
  #attribute = '';

  /** Reads a fixed part and answers where the value after it stands. */
  read(part: string): Place {
    let at = 0;
    while (at < part.length) at = this.step(part, at);
    if (this.#state === 'raw') throw new TypeError(`no value may stand in <${this.#tag}>`);
    if (this.#state === 'text') return TEXT;
    if (this.#state === 'tag') return TAG;
    return { in: 'attribute', attribute: this.#attribute, isStart: part.endsWith('="') };
  }

  private step(part: string, at: number): number {
    switch (this.#state) {
      case 'text':
        return this.inText(part, at);
      case 'raw':
        return this.inRaw(part, at);
      case 'tag':
        return this.inTag(part, at);
      case 'attribute': {
        const end = part.indexOf('"', at);
        if (end === -1) return part.length;
        this.#state = 'tag';
        return end + 1;
      }
    }
  }

  private inText(part: string, at: number): number {
    const start = part.indexOf('<', at);
    if (start === -1) return part.length;
    const [name] = /^[!/]?[a-z0-9]*/i.exec(part.slice(start + 1)) ?? [''];
    if (name === '' || name === '!' || name === '/')
      throw new TypeError('a value is no name of an element');
    this.#tag = name.toLowerCase();
    this.#state = 'tag';
    return start + 1 + name.length;
  }

  private inTag(part: string, at: number): number {
    const next = /[>"'=]/.exec(part.slice(at));
    if (next === null) return part.length;
    const where = at + next.index;
    if (next[0] === '>') {
      this.#state = RAW.has(this.#tag) ? 'raw' : 'text';
      return where + 1;
    }
    if (next[0] !== '=' || part[where + 1] !== '"') {
      throw new TypeError('a value of an attribute stands between double quotes');
    }
    this.#attribute = nameBefore(part, where).toLowerCase();
    if (this.#attribute === '' || this.#attribute.startsWith('on') || this.#attribute === 'style') {
      throw new TypeError('no such attribute is allowed');
    }
    this.#state = 'attribute';
    return where + 2;
  }

  private inRaw(part: string, at: number): number {
    const end = part.toLowerCase().indexOf(`</${this.#tag}`, at);
    if (end === -1) return part.length;
    this.#state = 'text';
    return end;
  }

  /** Throws where the template ends inside of a tag. */
  end(): void {
    if (this.#state !== 'text') throw new TypeError('a template ends outside of its tags');
  }
}

/** The name that ends before `end`. Read backwards, because a pattern would be tried from each place before it. */
function nameBefore(part: string, end: number): string {
  let begin = end;
  while (begin > 0 && /[^\s"'>/=]/.test(part[begin - 1] ?? '')) begin -= 1;
  return part.slice(begin, end);
}

/** The places of the values between the parts. Throws a `TypeError` for a template that may not take a value there. */
export function placesOf(parts: readonly string[]): readonly Place[] {
  const reader = new Reader();
  const last = parts.length - 1;
  const places = parts.slice(0, last).map((part) => reader.read(part));
  reader.read(parts[last] ?? '');
  reader.end();
  return places;
}
