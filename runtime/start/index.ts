/**
 * The one-command start: servers, database, account, API and workers, as one process tree. Progress is printed
 * as it happens; at the end everything a newcomer needs is printed once.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig, type Config } from '../config/index.ts';
import type { Variables } from '../config/model-settings.ts';
import { createContainer } from '../container/index.ts';
import type { EmbeddedStack } from '../../embedded/index.ts';
import type { ServiceName } from '../../embedded/names.ts';
import { readIfPresent } from '../../embedded/private-files.ts';
import { createLog } from '../../engine/logging/logger.ts';
import { describeRole, type ModelRoles } from '../../domain/models/role-config.ts';
import { execute } from '../../operations/execute.ts';
import { listRules } from '../../operations/governance/operator-rules.ts';
import { ensureCredentials, type AccountFiles } from './account.ts';
import { banner, type BannerFacts } from './banner.ts';
import { resolveBuildSha } from './build.ts';
import { ensureBundles } from './bundle.ts';
import { fileSettings } from './files.ts';
import { prepared } from './prepared.ts';
import {
  connectionSettings,
  metricsPortsOf,
  serverLines,
  startServers,
  type MetricsPorts,
  type StartOptions,
} from './servers.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/program.mjs', import.meta.url));

/**
 * Starts the API and a worker and waits until both work. Each writes its process id to a file of its own then: an
 * answer on the port could come from another program.
 */
async function runProcesses(
  stack: EmbeddedStack,
  environment: Variables,
  metricsPorts: MetricsPorts,
): Promise<void> {
  const run = (name: ServiceName): Promise<void> => {
    const readyFile = join(stack.directory, `${name}.ready`);
    rmSync(readyFile, { force: true });
    return stack.run({
      name,
      command: [PROGRAM, name],
      env: {
        ...environment,
        SERVICE_READY_FILE: readyFile,
        SERVICE_METRICS_PORT: String(metricsPorts[name]),
      },
      isReady: async () => {
        const child = stack.children().find((running) => running.name === name);
        const pid = readIfPresent(readyFile);
        return pid !== undefined && (child?.pid === undefined || pid === String(child.pid));
      },
    });
  };
  await Promise.all([run('api'), run('worker')]);
}

function describeModels(roles: ModelRoles): BannerFacts['models'] {
  return Object.fromEntries(
    Object.entries(roles).map(([role, config]) => [role, describeRole(config)]),
  );
}

/**
 * Who answers where no answerer is named, outside production: the built-in one, which quotes the statements that answer a
 * question and abstains where none does. Without any, the first statements found would stand under each question.
 */
function answererFor(environment: Variables): Variables {
  const name = 'SERVICE_MODEL_DIALECTIC_AGENT';
  const isNamed = (environment[name] ?? '') !== '';
  return isNamed || environment['NODE_ENV'] === 'production' ? {} : { [name]: 'deterministic' };
}

/** The account, its credentials file and its preset. Also creates the indexes. */
async function prepareAccount(
  environment: Variables,
  stack: EmbeddedStack,
  baseUrl: string,
  signal: AbortSignal,
): Promise<{
  readonly credentialsFile: string | null;
  readonly preset: string;
  readonly config: Config;
}> {
  const config = loadConfig(environment);
  const container = await createContainer(config, createLog({ level: 'error', process: 'start' }));
  try {
    await prepared(() => container.prepare(), { signal });
    const context = container.operatorContext();
    const files: AccountFiles = {
      credentials: join(stack.directory, 'credentials.json'),
      pendingPassword: join(stack.directory, 'bootstrap-password'),
    };
    const credentials = await ensureCredentials(context, files, {
      base_url: baseUrl,
      console_url: `${baseUrl}/console`,
      temporal_ui_url: stack.temporal?.uiUrl ?? '',
    });
    const accounts = await container.environment.directory.accountIds();
    const preset =
      accounts.length === 1
        ? (await execute(listRules, context, {})).preset
        : `set per account (${accounts.length} accounts)`;
    return { credentialsFile: credentials === null ? null : files.credentials, preset, config };
  } finally {
    await container.close();
  }
}

/**
 * Starts everything and prints what a newcomer needs. The stack runs until its `stop`.
 * @throws ConfigError, EmbeddedError or PreconditionError with text for the operator; nothing keeps running.
 */
export async function startService(options: StartOptions): Promise<EmbeddedStack> {
  const startedAt = performance.now();
  const config = loadConfig(options.environment);
  await ensureBundles(options);
  const stack = await startServers(config, options);
  try {
    const connections = await connectionSettings(stack, config);
    // The address for migrations is not passed on: the API and the worker connect as vouch_app.
    const { SERVICE_DATABASE_OWNER_URL: _forMigrations, ...inherited } = options.environment;
    const environment = {
      ...inherited,
      ...answererFor(inherited),
      ...connections,
      ...fileSettings(config.settings, { ...options, directory: stack.directory }),
      SERVICE_BUILD_SHA: config.settings.SERVICE_BUILD_SHA ?? resolveBuildSha(),
    };
    const host =
      config.settings.SERVICE_HOST === '0.0.0.0' ? '127.0.0.1' : config.settings.SERVICE_HOST;
    const baseUrl = config.settings.SERVICE_PUBLIC_URL ?? `http://${host}:${stack.ports.api}`;
    const account = await prepareAccount(environment, stack, baseUrl, options.signal);
    options.signal.throwIfAborted();
    const metricsPorts = metricsPortsOf(stack, config);
    await runProcesses(stack, environment, metricsPorts);
    const lines = banner({
      baseUrl,
      temporalUiUrl: stack.temporal?.uiUrl ?? 'next to the server of TEMPORAL_ADDRESS',
      metricsPorts,
      servers: serverLines(stack, connections),
      models: describeModels(account.config.models),
      preset: account.preset,
      credentialsFile: account.credentialsFile,
      answerFile: join(stack.directory, 'first-observation.json'),
      seconds: (performance.now() - startedAt) / 1000,
    });
    for (const line of lines) options.say(line);
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
