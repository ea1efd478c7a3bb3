/** The id of this build: the commit of the checkout, or without one the hash of `package.json`. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** 40 hexadecimal characters. */
export function resolveBuildSha(): string {
  try {
    const commit = execFileSync('git', ['-C', ROOT, 'rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    if (/^[0-9a-f]{40}$/.test(commit)) return commit;
  } catch {
    // No git, or no repository: an unpacked archive has neither.
  }
  return createHash('sha1')
    .update(readFileSync(`${ROOT}package.json`))
    .digest('hex');
}
