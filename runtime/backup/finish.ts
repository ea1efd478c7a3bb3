/** The closing steps of a restore, on servers that nobody else reaches. */
import { createContainer, type Container } from '../container/index.ts';
import { loadConfig, type Config } from '../config/index.ts';
import { createLog } from '../../engine/logging/logger.ts';
import { execute } from '../../operations/execute.ts';
import { finishRestore } from '../../operations/restore/finish.ts';
import { fileSettings } from '../start/files.ts';
import { prepared } from '../start/prepared.ts';
import { connectionSettings, startServers, type StartOptions } from '../start/servers.ts';
import { readPromiseFiles } from '../../stores/promises/read-file.ts';
import { resolveBuildSha } from '../start/build.ts';

export type FinishedRestore = Awaited<ReturnType<typeof finishRestore.run>>;

export interface FinishOptions extends StartOptions {
  readonly config: Config;
  readonly backupAt: string;
  /** Lists of promises; empty where none is known. */
  readonly lists: readonly string[];
  /** Called once the restore is closed, while the servers run. */
  readonly andThen?: ((container: Container) => Promise<void>) | undefined;
}

/** Starts the servers, closes the restore on them, and stops them. */
export async function finishOnServers(options: FinishOptions): Promise<FinishedRestore> {
  const stack = await startServers(options.config, { ...options, restoring: true });
  try {
    const { SERVICE_DATABASE_OWNER_URL: _forMigrations, ...inherited } = options.environment;
    const config = loadConfig({
      ...inherited,
      ...(await connectionSettings(stack, options.config)),
      ...fileSettings(options.config.settings, { ...options, directory: stack.directory }),
      SERVICE_BUILD_SHA: options.config.settings.SERVICE_BUILD_SHA ?? resolveBuildSha(),
    });
    const log = createLog({ level: 'silent', process: 'cli' });
    const container = await createContainer(config, log);
    try {
      await prepared(() => container.prepare(), options);
      const context = { ...container.operatorContext(options.signal), progress: options.say };
      const finished = await execute(finishRestore, context, {
        backup_at: options.backupAt,
        ...(options.lists.length === 0 ? {} : { promises: readPromiseFiles(options.lists) }),
      });
      await options.andThen?.(container);
      return finished;
    } finally {
      await container.close();
    }
  } finally {
    await stack.stop();
  }
}
