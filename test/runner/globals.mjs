/** What `import { ... } from '@jest/globals'` gives in a test file: that of the file that runs (native-runtime.mjs). */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis[Symbol.for('vouch.test-file')];
