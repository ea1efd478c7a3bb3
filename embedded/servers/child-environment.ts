import type { EnvironmentVariables } from '../names.ts';

/**
 * The environment of a server: nothing of ours but the search path, because ours holds provider keys
 * and because the servers read settings from it (MEILI_*, QDRANT__*, TEMPORAL_*). HOME is the
 * server's own directory, so that no configuration of the user is picked up either.
 */
export function childEnvironment(
  env: EnvironmentVariables,
  home: string,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return { PATH: env['PATH'] ?? '/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', TZ: 'UTC', ...more };
}
