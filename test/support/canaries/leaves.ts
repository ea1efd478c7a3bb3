/** Walks a decoded message of an API: histories, descriptions, lists. */

export interface Leaf {
  /** Names and indexes from the root, for a reader of a failed test. */
  readonly path: string;
  readonly value: string | Uint8Array;
}

/** Typed arrays of another realm are no instances of ours, so only the tag counts. */
function isBytes(value: object): value is Uint8Array {
  return Object.prototype.toString.call(value) === '[object Uint8Array]' || Buffer.isBuffer(value);
}

/** Every key, text and byte string below `value`. Numbers hold no text. */
export function* leavesOf(value: unknown, path = '', seen = new Set<object>()): Generator<Leaf> {
  if (typeof value === 'string') {
    yield { path, value };
    return;
  }
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  if (isBytes(value)) {
    yield { path, value };
    return;
  }
  seen.add(value);
  for (const [key, item] of value instanceof Map ? value : Object.entries(value)) {
    const at = `${path}.${String(key)}`;
    yield { path: `${at}#name`, value: String(key) };
    yield* leavesOf(item, at, seen);
  }
}
