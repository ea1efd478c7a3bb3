/** Every function of every store, and which of them a test called. */
import { readdirSync } from 'node:fs';

const FOLDER = new URL('../../../stores/postgres/', import.meta.url);

type Functions = Readonly<Record<string, unknown>>;

/** `messages.store#readSettled`, `mailboxes.store#createMailboxStore.claimAnchors`. */
export class CalledStores {
  readonly called = new Set<string>();

  /** The store, noting what is called of it. Functions that make a store answer one that notes its methods. */
  noting<S extends object>(file: string, store: S): S {
    return this.#wrapped(`${file}#`, store);
  }

  #wrapped<S extends object>(prefix: string, store: S): S {
    const entries = Object.entries(store).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value] as const;
      const noted = (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, undefined, args);
        if (name.startsWith('create') && typeof answer === 'object' && answer !== null) {
          return this.#wrapped(`${prefix}${name}.`, answer);
        }
        this.called.add(`${prefix}${name}`);
        return answer;
      };
      return [name, noted] as const;
    });
    return Object.fromEntries(entries) as S;
  }
}

const NO_DATABASE = new Proxy({}, { get: () => () => Promise.resolve(null) });

/** The names of all functions that the stores offer. */
export async function allStoreFunctions(): Promise<readonly string[]> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.store.ts'))
    .toSorted();
  const names = await Promise.all(
    files.map(async (file) => {
      const store = (await import(new URL(file, FOLDER).href)) as Functions;
      return Object.entries(store).flatMap(([name, value]) => functionNames(file, name, value));
    }),
  );
  return names.flat().toSorted();
}

function functionNames(file: string, name: string, value: unknown): string[] {
  if (typeof value !== 'function') return [];
  const full = `${file.replace(/\.ts$/, '')}#${name}`;
  if (!name.startsWith('create')) return [full];
  const made = Object(Reflect.apply(value, undefined, [NO_DATABASE, 'an account'])) as Functions;
  return Object.keys(made).map((method) => `${full}.${method}`);
}
