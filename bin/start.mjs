/**
 * `npm start`. On Linux x64 (glibc) npm puts the Node of the lockfile first on the path. Elsewhere this file may run
 * under a Node that reads no TypeScript; it then prints one line that says what to do instead.
 */
import './compile-cache.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  const { addressOfProgram } = await import('../runtime/programs/prebuilt.ts');
  await import(addressOfProgram('dev', process.env));
} else {
  process.stderr.write(
    'The one-command start needs Linux x64 (glibc), where npm ci installs a Node of its own. On other systems run docker compose up.\n',
  );
  process.exitCode = 1;
}
