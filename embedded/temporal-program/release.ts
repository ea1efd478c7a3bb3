/** Which Temporal command line is installed when the machine has none, and where it is kept. */
import { join } from 'node:path';
import type { EnvironmentVariables } from '../names.ts';

export interface TemporalRelease {
  readonly version: string;
  /** Counts up when the same version is installed in another way than before, so that caches install it anew. */
  readonly revision: number;
  /** `<os>-<arch>` as the release names them. */
  readonly target: string;
  readonly archiveUrl: string;
  readonly archiveSha256: string;
  /** What Go builds, and from which modules, as `go.mod` requires them. */
  readonly goPackage: string;
  readonly goModules: readonly string[];
}

/**
 * 1.5.1 holds server 1.29.1. It is the last release that can be built from its published modules.
 *
 * A build takes a later SQLite than the release: the release's own keeps the rows of a query open whose caller gave up just
 * as it answered. They hold the only connection, and the server answers nothing more until it is started again. A program
 * that is downloaded or named by the operator has that fault, so a silent server is started again (`silence.ts`).
 *
 * The archive's SHA-256 is the one that two public package indexes record for this release asset
 * (github.com/cashapp/hermit-packages and github.com/zph/hermit-packages, temporal-cli.hcl); they
 * agree with each other. It is pinned, because a checksums.txt from the same host as the archive would
 * prove only that the transfer was complete.
 */
export const temporalRelease: TemporalRelease = {
  version: '1.5.1',
  revision: 2,
  target: 'linux-amd64',
  archiveUrl:
    'https://github.com/temporalio/cli/releases/download/v1.5.1/temporal_cli_1.5.1_linux_amd64.tar.gz',
  archiveSha256: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  goPackage: 'github.com/temporalio/cli/cmd/temporal',
  goModules: ['github.com/temporalio/cli v1.5.1', 'modernc.org/sqlite v1.51.0'],
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
  return `temporal-${release.version}-${release.revision}-${release.target}`;
}
