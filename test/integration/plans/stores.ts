/** Every function of every store, and which of them a test called. */
import { readdirSync } from 'node:fs';
import { AccountStore } from '../../../stores/postgres/account-store.ts';
import { PoolStore } from '../../../stores/postgres/pool-store.ts';
import { createStores, type Stores } from '../../../stores/postgres/stores.ts';

const FOLDER = new URL('../../../stores/postgres/', import.meta.url);

type Functions = Readonly<Record<string, unknown>>;

/** `stores.messages.settled`, `actors/mailboxes.store#takeAnchors`. */
export class CalledStores {
  readonly called = new Set<string>();

  /** The stores of an account, noting what is called of them. */
  notingAll(stores: Stores): Stores {
    const entries = Object.entries(stores).map(([name, store]) => [
      name,
      this.#proxied(`stores.${name}.`, store, (method) => method),
    ]);
    return Object.fromEntries(entries) as Stores;
  }

  /** A store on a pool, noting what is called of it. */
  noting<S extends PoolStore>(file: string, store: S): S {
    // Bound to the store itself, which may have private fields.
    return this.#proxied(`${file}#`, store, (method): unknown =>
      typeof method === 'function' ? method.bind(store) : method,
    );
  }

  #proxied<S extends object>(prefix: string, store: S, give: (method: unknown) => unknown): S {
    return new Proxy(store, {
      get: (target, method) => {
        this.called.add(`${prefix}${String(method)}`);
        return give(Reflect.get(target, method));
      },
    });
  }
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

function methodsOf(prototype: object): string[] {
  return Object.getOwnPropertyNames(prototype).filter((method) => method !== 'constructor');
}

function methodNames(): string[] {
  return Object.entries(createStores(NO_DATABASE, 'an account')).flatMap(([name, store]) =>
    methodsOf(Object.getPrototypeOf(store) as object).map((method) => `stores.${name}.${method}`),
  );
}

function functionNames(file: string, name: string, value: unknown): string[] {
  if (typeof value !== 'function' || value.prototype instanceof AccountStore) return [];
  const store = file.replace(/\.ts$/, '');
  if (!(value.prototype instanceof PoolStore)) return [`${store}#${name}`];
  return methodsOf(value.prototype).map((method) => `${store}#${method}`);
}
