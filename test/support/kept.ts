/**
 * What a process of the test run keeps from one test file to the next. Modules under `test/` are loaded anew for each
 * file (test/runner/native-runtime.mjs), so what is dear to make is kept here instead.
 */
const KEPT = Symbol.for('vouch.kept-between-test-files');

function shelf(): Map<string, unknown> {
  const found: unknown = Reflect.get(globalThis, KEPT);
  if (found instanceof Map) return found;
  const made = new Map<string, unknown>();
  Reflect.set(globalThis, KEPT, made);
  return made;
}

/** What was kept under `name`, or else what `make` makes, which is kept from then on. */
export function kept<T>(name: string, make: () => T): T {
  const all = shelf();
  if (!all.has(name)) all.set(name, make());
  // One name belongs to one call, which always makes the same type.
  return all.get(name) as T;
}
