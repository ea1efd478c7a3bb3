/**
 * What a file depends on, for `npm run test:changed`: what it imports, and what it reaches by another way. Jest's
 * option `dependencyExtractor` names this file.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MIGRATIONS = 'stores/postgres/migrations';

const migrations = () => readdirSync(join(ROOT, MIGRATIONS)).map((name) => join(MIGRATIONS, name));

/** Paths below the root, by the file that reaches them without an import. */
const REACHED = {
  'runtime/temporal/prebuilt-bundle.ts': () => ['workflows/index.ts'],
  'runtime/temporal/bundle.ts': () => ['workflows/index.ts'],
  'stores/postgres/migrate.ts': migrations,
  'test/support/running/hosted.ts': () => ['test/support/running/process.ts'],
};

function reachedBy(path) {
  const reached = REACHED[path.slice(ROOT.length)]?.() ?? [];
  return reached.map((to) => join(ROOT, to));
}

/** The specifiers of what the file at `path` depends on. */
export function extract(code, path, imports) {
  return new Set([...imports(code, path), ...reachedBy(path)]);
}

/** Changes when other files are reached. */
export function getCacheKey() {
  return JSON.stringify(Object.entries(REACHED).map(([path, reached]) => [path, reached()]));
}
