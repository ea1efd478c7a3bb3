/** Brings roles, schema, namespace and indexes up to this build, then ends. Run before the first process. */
import { loadConfig } from '../runtime/config/index.ts';
import { createContainer } from '../runtime/container/index.ts';
import { createLog } from '../engine/logging/logger.ts';
import { prepareExternalDatabase } from '../runtime/start/database.ts';
import { operatorText } from '../runtime/start/failures.ts';
import { prepared } from '../runtime/start/prepared.ts';

try {
  const config = loadConfig(process.env);
  const { settings } = config;
  const databaseUrl = await prepareExternalDatabase({
    databaseUrl: settings.DATABASE_URL ?? '',
    ownerUrl: settings.SERVICE_DATABASE_OWNER_URL,
    secretKey: settings.SERVICE_SECRET_KEY ?? '',
  });
  const log = createLog({ level: settings.SERVICE_LOG_LEVEL, process: 'migrate' });
  const container = await createContainer(
    { ...config, settings: { ...settings, DATABASE_URL: databaseUrl } },
    log,
  );
  await prepared(() => container.prepare());
  await container.close();
  log.info('migrate.done');
} catch (error) {
  process.stderr.write(`${operatorText(error)}\n`);
  process.exitCode = 1;
}
