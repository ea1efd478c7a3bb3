/** Which Temporal command line is installed when the machine has none, and where it is kept. */
import { join } from 'node:path';
import type { EnvironmentVariables } from '../names.ts';

export interface TemporalRelease {
  readonly version: string;
  /** `<os>-<arch>` as the release names them. */
  readonly target: string;
  readonly archiveUrl: string;
  readonly archiveSha256: string;
  readonly goModule: string;
}

/**
 * 1.5.1 holds server 1.29.1. It is the last release that `go install` can build, so a download and a build
 * give the same program.
 *
 * The archive's SHA-256 is the one that two public package indexes record for this release asset
 * (github.com/cashapp/hermit-packages and github.com/zph/hermit-packages, temporal-cli.hcl); they
 * agree with each other. It is pinned, because a checksums.txt from the same host as the archive would
 * prove only that the transfer was complete.
 */
export const temporalRelease: TemporalRelease = {
  version: '1.5.1',
  target: 'linux-amd64',
  archiveUrl:
    'https://github.com/temporalio/cli/releases/download/v1.5.1/temporal_cli_1.5.1_linux_amd64.tar.gz',
  archiveSha256: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  goModule: 'github.com/temporalio/cli/cmd/temporal@v1.5.1',
};

/** The oldest server that the service is tested with. */
export const oldestServer = { major: 1, minor: 29 } as const;

/**
 * The user's cache of programs: outside the checkout, so that a second checkout finds it.
 * Undefined when the environment names no home.
 */
export function binaryCache(env: EnvironmentVariables): string | undefined {
  const base = env['XDG_CACHE_HOME'];
  // The base directory specification: a relative path is to be ignored.
  if (base?.startsWith('/') === true) return join(base, 'vouch', 'bin');
  const home = env['HOME'];
  return home === undefined || home === '' ? undefined : join(home, '.cache', 'vouch', 'bin');
}

/** The file name carries the version, because a program built by Go calls itself 0.0.0-DEV. */
export function cachedName(release: TemporalRelease): string {
  return `temporal-${release.version}-${release.target}`;
}
