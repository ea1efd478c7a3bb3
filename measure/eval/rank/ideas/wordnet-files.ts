/** WordNet 3.0 as its makers publish it: `index.*` and `data.*` of nouns, verbs and adjectives (wndb(5WN)). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { irregularBase } from '../../../../domain/text/irregular.ts';

const PARTS = { noun: 'n', verb: 'v', adj: 'a' } as const;
type Part = keyof typeof PARTS;
const PART_NAMES: readonly Part[] = ['noun', 'verb', 'adj'];

interface Pointer {
  readonly symbol: string;
  readonly to: string;
}

export interface Synset {
  /** Single words of lower-case letters. */
  readonly words: readonly string[];
  readonly pointers: readonly Pointer[];
}

/** Endings that morphy(7WN) cuts or replaces. */
const ENDINGS: Readonly<Record<Part, readonly (readonly [ending: string, by: string])[]>> = {
  noun: [
    ['ses', 's'],
    ['ves', 'f'],
    ['xes', 'x'],
    ['zes', 'z'],
    ['ches', 'ch'],
    ['shes', 'sh'],
    ['men', 'man'],
    ['ies', 'y'],
    ['s', ''],
  ],
  verb: [
    ['ies', 'y'],
    ['es', 'e'],
    ['es', ''],
    ['s', ''],
    ['ed', 'e'],
    ['ed', ''],
    ['ing', 'e'],
    ['ing', ''],
  ],
  adj: [
    ['er', ''],
    ['est', ''],
    ['er', 'e'],
    ['est', 'e'],
  ],
};

function linesOf(folder: string, file: string): string[][] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '))
    .map((line) => (line.split('|')[0] ?? '').trim().split(' '));
}

function synsetOf(fields: readonly string[]): Synset {
  const words = Number.parseInt(fields[3] ?? '0', 16);
  const first = 5 + 2 * words;
  const pointers = Number(fields[first - 1]);
  return {
    words: Array.from({ length: words }, (_, n) => fields[4 + 2 * n] ?? '')
      .map((word) => word.toLowerCase().replace(/\([a-z]+\)$/u, ''))
      .filter((word) => /^[a-z]+$/u.test(word)),
    pointers: Array.from({ length: pointers }, (_, n) => {
      const [symbol = '', offset = '', part = ''] = fields.slice(first + 4 * n);
      return { symbol, to: `${part === 's' ? 'a' : part}${offset}` };
    }),
  };
}

export class WordNet {
  readonly #synsets = new Map<string, Synset>();
  readonly #offsets = new Map<string, readonly string[]>();

  /** Reads some 25 MB. @throws when a file is missing. */
  constructor(folder: string) {
    for (const part of PART_NAMES) {
      for (const fields of linesOf(folder, `index.${part}`)) {
        const offsets = fields.slice(-Number(fields[2]));
        this.#offsets.set(
          `${part} ${fields[0]}`,
          offsets.map((offset) => `${PARTS[part]}${offset}`),
        );
      }
      for (const fields of linesOf(folder, `data.${part}`)) {
        this.#synsets.set(`${PARTS[part]}${fields[0]}`, synsetOf(fields));
      }
    }
  }

  /** The first `most` senses of a word in each part of speech; the commonest sense comes first. */
  senses(word: string, most: number): Synset[] {
    return PART_NAMES.flatMap((part) => this.#offsetsOf(word, part).slice(0, most)).flatMap(
      (to) => this.#synsets.get(to) ?? [],
    );
  }

  /** What the pointers of these symbols lead to. */
  linked(synset: Synset, symbols: readonly string[]): Synset[] {
    return synset.pointers
      .filter(({ symbol }) => symbols.includes(symbol))
      .flatMap(({ to }) => this.#synsets.get(to) ?? []);
  }

  #offsetsOf(word: string, part: Part): readonly string[] {
    const bases = ENDINGS[part]
      .filter(([ending]) => word.endsWith(ending))
      .map(([ending, by]) => word.slice(0, word.length - ending.length) + by)
      .flatMap((base) => [base, base.replace(/(?<letter>.)\k<letter>$/u, '$<letter>')]);
    for (const form of [word, irregularBase(word), ...bases]) {
      const known = this.#offsets.get(`${part} ${form}`);
      if (known !== undefined) return known;
    }
    return [];
  }
}
