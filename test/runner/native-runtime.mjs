/**
 * How a test file is loaded: by Node itself, like the product, and not by Jest's own module system, which makes every
 * module anew for every file. The product and its packages are loaded once in a process; what lies under `test/` is
 * loaded anew for each file, so that no file finds what another left in a variable.
 *
 * Jest's option `runtime` names this file; Jest asks an instance for each test file. It does the part of
 * `jest-runtime` that the circus runner uses. Modules cannot be mocked: no test does, and seams are arguments here.
 */
import { createHash } from 'node:crypto';
import module, { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const TESTS = new URL('../', import.meta.url).href;
const GLOBALS = new URL('./globals.mjs', import.meta.url).href;

/**
 * Which test file a module under `test/` was loaded for, as the query of its address. It follows from the path of the
 * file, so that the next run finds again what Node has kept of the module (`bin/compile-cache.mjs`).
 */
const OF_FILE = /\?file=[\da-f]{12}(?:-\d+)?$/;
/** How often each file has run in this process: when one changes while Jest watches it, it is loaded anew. */
const runs = new Map();

function queryOf(testPath) {
  const run = (runs.get(testPath) ?? 0) + 1;
  runs.set(testPath, run);
  const name = relative(fileURLToPath(TESTS), testPath);
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `?file=${digest}${run === 1 ? '' : `-${run}`}`;
}

/** Where `globals.mjs` finds what `@jest/globals` gives to the file that runs. */
const RUNNING = Symbol.for('vouch.test-file');

module.registerHooks({
  resolve(specifier, context, next) {
    const [query] = OF_FILE.exec(context.parentURL ?? '') ?? [''];
    if (specifier === '@jest/globals') return { url: GLOBALS + query, shortCircuit: true };
    const resolved = next(specifier, context);
    const anew = query !== '' && resolved.url.startsWith(TESTS) && !OF_FILE.test(resolved.url);
    return anew && !resolved.url.includes('?')
      ? { ...resolved, url: resolved.url + query }
      : resolved;
  },
});

/** Circus keeps its state at the global object under symbols of its own; each file begins without. */
const OF_CIRCUS =
  /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY)$/;

function forgetCircus() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (OF_CIRCUS.test(symbol.description ?? '')) Reflect.deleteProperty(globalThis, symbol);
  }
}

/** The object `jest` of a test file: timers, spies, the time a test may take, and its retries. */
function jestOf({ moduleMocker, fakeTimersModern, global }) {
  const jest = {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
  };
  const chained =
    (act) =>
    (...given) => {
      act(...given);
      return jest;
    };
  const timers = (name) => fakeTimersModern[name].bind(fakeTimersModern);
  return Object.assign(jest, {
    restoreAllMocks: chained(() => moduleMocker.restoreAllMocks()),
    useFakeTimers: chained(timers('useFakeTimers')),
    useRealTimers: chained(timers('useRealTimers')),
    setTimeout: chained((ms) => void (global[Symbol.for('TEST_TIMEOUT_SYMBOL')] = ms)),
    retryTimes: chained((times, { logErrorsBeforeRetry = false } = {}) => {
      global[Symbol.for('RETRY_TIMES')] = times;
      global[Symbol.for('LOG_ERRORS_BEFORE_RETRY')] = logErrorsBeforeRetry;
    }),
    setSystemTime: timers('setSystemTime'),
    getTimerCount: timers('getTimerCount'),
    clearAllTimers: timers('clearAllTimers'),
    advanceTimersByTime: timers('advanceTimersByTime'),
    advanceTimersByTimeAsync: timers('advanceTimersByTimeAsync'),
  });
}

export default class NativeRuntime {
  #environment;
  #query;

  constructor(...[, environment, , , , , testPath]) {
    this.#environment = environment;
    this.#query = queryOf(testPath);
    forgetCircus();
  }

  setGlobalsForRuntime(globals) {
    globalThis[RUNNING] = { ...globals, jest: jestOf(this.#environment) };
  }

  /** Circus keeps what a file declares in a module: each file gets a new one. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href + this.#query);
  }

  /** Node strips types and moves nothing: places in a stack are places in the source. */
  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {
    delete globalThis[RUNNING];
    forgetCircus();
  }
}
