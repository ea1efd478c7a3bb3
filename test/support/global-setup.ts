/** Starts the four real servers once for a test run, prepares the template database and makes the bundle. */
import { migrate } from '../../stores/postgres/migrate.ts';
import { provision } from '../../stores/postgres/provision.ts';
import buildBundle from './global-bundle.ts';
import { startTestServers } from './servers.ts';
import { testServers } from './environment.ts';

export default async function globalSetup(): Promise<void> {
  await buildBundle();
  if (process.env['VOUCH_TEST_SERVERS'] === undefined) await startTestServers();
  const servers = testServers();
  await provision({
    adminUrl: `${servers.postgresAdminUrl}/postgres`,
    database: servers.templateDatabase,
    appPassword: servers.appPassword,
  });
  await migrate(`${servers.postgresAdminUrl}/${servers.templateDatabase}`);
}
