/**
 * The four real servers of a test run, started once in the process that runs jest. When one of them cannot
 * start the run fails: nothing on real servers is ever skipped.
 */
import { startEmbedded, type EmbeddedStack } from '../../embedded/index.ts';
import type { StartedServers } from './environment.ts';

let stack: EmbeddedStack | null = null;

function settingsOf(started: EmbeddedStack): StartedServers {
  const { postgres, temporal, meilisearch, qdrant } = started;
  if (!postgres || !temporal || !meilisearch || !qdrant) throw new Error('a server is missing');
  return {
    postgresAdminUrl: postgres.superuserUrl.replace(/\/[^/]*$/, ''),
    templateDatabase: 'vouch_template',
    appPassword: postgres.appPassword,
    temporalAddress: temporal.address,
    temporalUiUrl: temporal.uiUrl,
    meilisearch,
    qdrant,
  };
}

/** Starts the servers and leaves their addresses where `testServers` finds them. */
export async function startTestServers(): Promise<void> {
  stack = await startEmbedded({
    ephemeral: true,
    env: process.env,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  process.env['VOUCH_TEST_SERVERS'] = JSON.stringify(settingsOf(stack));
  // Was found, and its digest compared, just now: whole starts of this run need not do it again, for two seconds each.
  if (stack.temporal) process.env['TEMPORAL_CLI_PATH'] ??= stack.temporal.program;
}

export async function stopTestServers(): Promise<void> {
  await stack?.stop();
  stack = null;
}
