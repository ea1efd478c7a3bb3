/** Every function of every store, and which of them a test called. */
import { readdirSync } from 'node:fs';
import { AccountStore } from '../../../stores/postgres/account-store.ts';
import { createStores, type Stores } from '../../../stores/postgres/stores.ts';

const FOLDER = new URL('../../../stores/postgres/', import.meta.url);

type Functions = Readonly<Record<string, unknown>>;

/** `stores.messages.settled`, `holds.store#takeAnchors`, `mailboxes.store#createMailboxStore.takeAnchors`. */
export class CalledStores {
  readonly called = new Set<string>();

  /** The stores of an account, noting what is called of them. */
  notingAll(stores: Stores): Stores {
    const entries = Object.entries(stores).map(([name, store]) => [
      name,
      this.#proxied(name, store),
    ]);
    return Object.fromEntries(entries) as Stores;
  }

  #proxied(name: string, store: AccountStore): AccountStore {
    return new Proxy(store, {
      get: (target, method) => {
        this.called.add(`stores.${name}.${String(method)}`);
        return Reflect.get(target, method) as unknown;
      },
    });
  }

  /** Functions on a pool, noting what is called of them. Those that make a store answer one that notes its methods. */
  noting<S extends object>(file: string, store: S): S {
    return this.#wrapped(`${file}#`, store);
  }

  #wrapped<S extends object>(prefix: string, store: S): S {
    const entries = Object.entries(store).map(([name, value]) => {
      if (typeof value !== 'function' || isStoreClass(value)) return [name, value] as const;
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

function isStoreClass(value: unknown): boolean {
  return typeof value === 'function' && value.prototype instanceof AccountStore;
}

const NO_DATABASE = new Proxy({}, { get: () => () => Promise.resolve(null) }) as never;

/** The names of all functions that the stores offer. */
export async function allStoreFunctions(): Promise<readonly string[]> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.store.ts'))
    .toSorted();
  const onPools = await Promise.all(
    files.map(async (file) => {
      const store = (await import(new URL(file, FOLDER).href)) as Functions;
      return Object.entries(store).flatMap(([name, value]) => functionNames(file, name, value));
    }),
  );
  return [...methodNames(), ...onPools.flat()].toSorted();
}

function methodNames(): string[] {
  return Object.entries(createStores(NO_DATABASE, 'an account')).flatMap(([name, store]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(store))
      .filter((method) => method !== 'constructor')
      .map((method) => `stores.${name}.${method}`),
  );
}

function functionNames(file: string, name: string, value: unknown): string[] {
  if (typeof value !== 'function' || isStoreClass(value)) return [];
  const full = `${file.replace(/\.ts$/, '')}#${name}`;
  if (!name.startsWith('create')) return [full];
  const made = Object(Reflect.apply(value, undefined, [NO_DATABASE, 'an account'])) as Functions;
  return Object.keys(made).map((method) => `${full}.${method}`);
}
