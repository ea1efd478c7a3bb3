/** What a filter expression of Meilisearch means, as far as the service writes such expressions. */
export type Fields = Readonly<
  Record<string, string | number | null | readonly string[] | undefined>
>;
type Test = (fields: Fields) => boolean;

const TOKEN = /\s*(?:([()[\],])|(<=|>=|=|<|>)|"((?:[^"\\]|\\["\\])*)"|([A-Za-z_][\w]*)|(-?\d+))/y;

interface Token {
  readonly kind: 'mark' | 'relation' | 'text' | 'word' | 'number';
  readonly value: string;
}

function tokensOf(text: string): Token[] {
  const kinds = ['mark', 'relation', 'text', 'word', 'number'] as const;
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) throw new Error(`not an expression: ${text}`);
    const at = kinds.findIndex((_, index) => found[index + 1] !== undefined);
    const kind = kinds[at] ?? 'mark';
    const value = found[at + 1] ?? '';
    tokens.push({ kind, value: kind === 'text' ? value.replaceAll(/\\(["\\])/g, '$1') : value });
  }
  return tokens;
}

const valuesOf = (fields: Fields, name: string): readonly (string | number)[] => {
  const value = fields[name];
  if (value === undefined || value === null) return [];
  return typeof value === 'object' ? value : [value];
};

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Test {
    const test = this.#alternatives();
    if (this.#at < this.#tokens.length) throw new Error('an expression goes on after its end');
    return test;
  }

  #takes(value: string): boolean {
    const token = this.#tokens[this.#at];
    const isIt = token !== undefined && token.kind !== 'text' && token.value === value;
    if (isIt) this.#at += 1;
    return isIt;
  }

  #next(kind: Token['kind']): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== kind) throw new Error(`a ${kind} should follow`);
    this.#at += 1;
    return token.value;
  }

  #alternatives(): Test {
    const tests = [this.#conjunction()];
    while (this.#takes('OR')) tests.push(this.#conjunction());
    return (fields) => tests.some((test) => test(fields));
  }

  #conjunction(): Test {
    const tests = [this.#one()];
    while (this.#takes('AND')) tests.push(this.#one());
    return (fields) => tests.every((test) => test(fields));
  }

  #one(): Test {
    if (this.#takes('(')) {
      const test = this.#alternatives();
      if (!this.#takes(')')) throw new Error('a bracket stays open');
      return test;
    }
    const name = this.#next('word');
    if (this.#takes('EXISTS')) return (fields) => fields[name] !== undefined;
    if (this.#takes('NOT')) {
      if (!this.#takes('EXISTS')) throw new Error('EXISTS should follow');
      return (fields) => fields[name] === undefined;
    }
    if (this.#takes('IS')) {
      if (!this.#takes('NULL')) throw new Error('NULL should follow');
      return (fields) => fields[name] === null;
    }
    if (this.#takes('IN')) {
      const wanted = this.#list();
      return (fields) => valuesOf(fields, name).some((value) => wanted.has(String(value)));
    }
    return this.#relation(name);
  }

  #list(): ReadonlySet<string> {
    if (!this.#takes('[')) throw new Error('a list should follow');
    const values = new Set<string>();
    while (!this.#takes(']')) {
      values.add(this.#next('text'));
      this.#takes(',');
    }
    return values;
  }

  #relation(name: string): Test {
    const relation = this.#next('relation');
    if (relation === '=') {
      const wanted = this.#next('text');
      return (fields) => valuesOf(fields, name).some((value) => value === wanted);
    }
    const bound = Number(this.#next('number'));
    const holds: Readonly<Record<string, (value: number) => boolean>> = {
      '<=': (value) => value <= bound,
      '>': (value) => value > bound,
    };
    const test = holds[relation];
    if (test === undefined) throw new Error(`nobody writes ${relation}`);
    return (fields) => valuesOf(fields, name).some((value) => test(Number(value)));
  }
}

/** The expression as a test of records. Throws where the service would not write such a one. */
export function parsed(expression: string): Test {
  return new Parser(tokensOf(expression)).whole();
}
