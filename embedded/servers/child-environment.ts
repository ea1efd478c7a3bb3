import type { EnvironmentVariables } from '../names.ts';

/**
 * The environment of a server. It takes only the search path from the parent's environment, because that holds
 * provider keys and because the servers read settings from theirs (MEILI_*, QDRANT__*, TEMPORAL_*). HOME is the
 * server's own directory, so that the server reads no configuration of the user either.
 */
export function childEnvironment(
  env: EnvironmentVariables,
  home: string,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return { PATH: env['PATH'] ?? '/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', TZ: 'UTC', ...more };
}
