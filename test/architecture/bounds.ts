/** The numeric constants of the product, read from its sources, for the page of limits. */
import { readFiles } from './source-tree.ts';

/** Where a constant bounds what a caller, a batch, a page or a wait may take. What starts the servers takes nothing from callers. */
const FOLDERS = [
  'activities',
  'api',
  'console',
  'domain',
  'engine',
  'operations',
  'runtime',
  'stores',
  'workflows',
];

export interface Bound {
  /** From the root. */
  readonly file: string;
  readonly name: string;
  readonly value: number;
}

const CONSTANT =
  /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: number)? =\s+([\dA-Z][+*. \n\dA-Z_]*);/gm;
const GROUP = /^(?:export )?const ([A-Z][A-Z0-9_]*) = \{([^{}]*)\} as const;/gm;
const MEMBER = /(\w+): ([\d_]+)/g;

/** A product or a sum of products of numbers and other constants; null for what is neither. */
function valueOf(expression: string, known: ReadonlyMap<string, number>): number | null {
  const factor = (text: string): number => {
    const word = text.trim();
    return /^[A-Z]/.test(word) ? (known.get(word) ?? Number.NaN) : Number(word.replaceAll('_', ''));
  };
  const product = (text: string): number =>
    text.split('*').reduce((whole, part) => whole * factor(part), 1);
  const value = expression.split('+').reduce((whole, part) => whole + product(part), 0);
  return expression.trim() === '' || Number.isNaN(value) ? null : value;
}

/** Every numeric constant of a module, members of constant groups as `GROUP.member`. */
export function productConstants(): Bound[] {
  const files = readFiles(FOLDERS, '.ts');
  const found: Bound[] = [];
  const known = new Map<string, number>();
  const waiting = files.flatMap(({ path, text }) => [
    ...[...text.matchAll(CONSTANT)].map(([, name = '', expression = '']) => ({
      path,
      name,
      expression,
    })),
    ...[...text.matchAll(GROUP)].flatMap(([, group = '', members = '']) =>
      [...members.matchAll(MEMBER)].map(([, member = '', expression = '']) => ({
        path,
        name: `${group}.${member}`,
        expression,
      })),
    ),
  ]);
  // A constant may be said by means of another one that is read later.
  for (let round = 0; round < 3; round += 1) {
    for (const one of waiting.splice(0)) {
      const value = valueOf(one.expression, known);
      if (value === null) waiting.push(one);
      else {
        known.set(one.name, value);
        found.push({ file: one.path, name: one.name, value });
      }
    }
  }
  return found;
}

const SAYS_BOUND =
  /(?:^|_)(?:MAX|MOST|LONGEST|DEEPEST|LARGEST|FASTEST|SLOWEST|LIMIT|TIMEOUT|DEADLINE|PATIENCE)(?:_|$)|_(?:BYTES|CHARS|CHARACTERS)$|_PER_(?:REQUEST|PASS|BATCH|SLICE|PAGE)|BATCH_SIZE|CONCURRENT/;

/** Sizes of things that we make, estimates, and least values: their names end like those of bounds. */
const SIZES = new Set([
  'api/console/browser.ts RANDOM_BYTES',
  'console/assets.ts HASH_CHARACTERS',
  'domain/identity/password.ts MIN_CHARACTERS',
  'runtime/identity/secret-text.ts CHECKSUM_BYTES',
  'runtime/identity/secret-text.ts KEY_ID_BYTES',
  'runtime/identity/secret-text.ts RANDOM_BYTES',
  'runtime/identity/secrets.ts RANDOM_BYTES',
  'stores/qdrant/point-index.ts TERM_BYTES',
  'stores/qdrant/point-index.ts NUMBER_BYTES',
  'stores/qdrant/point-index.ts LISTED_BYTES',
  'stores/qdrant/point-index.ts PAYLOAD_BYTES',
]);

/** Whether the name of a constant says that it bounds something; such a constant belongs on the page. */
export function saysBound({ file, name }: Bound): boolean {
  return SAYS_BOUND.test(name) && !SIZES.has(`${file} ${name}`);
}
