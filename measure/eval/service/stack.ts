/** The one-command start in a directory of its own, with a separate account that has the preset `unattended`. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Access } from '../../bench/client.ts';
import { machineEnvironment, stackDirectory, startStack } from '../../stack.ts';

export interface MeasuredService {
  readonly access: Access;
  stop(): Promise<void>;
}

const VOUCH = fileURLToPath(new URL('../../../bin/vouch.ts', import.meta.url));
const ACCOUNT = 'eval';
const COMMAND_WITHIN_MS = 120_000;

/** Runs `vouch` with these arguments in the directory of a start; answers what it printed. */
function vouch(directory: string, args: readonly string[], stdin = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [VOUCH, ...args, '--json'],
      { cwd: directory, env: machineEnvironment(), timeout: COMMAND_WITHIN_MS },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`vouch ${args.slice(0, 2).join(' ')} failed: ${stderr}`));
      },
    );
    child.stdin?.end(stdin);
  });
}

async function ownAccount(directory: string): Promise<string> {
  const person = ['--email', 'eval@example.org', '--name', 'Evaluation', '--password-stdin'];
  await vouch(
    directory,
    ['account', 'create', '--key', ACCOUNT, ...person],
    randomBytes(16).toString('hex'),
  );
  await vouch(directory, ['governance', 'preset', 'unattended', '--account', ACCOUNT]);
  const access = ['--peer', 'evaluator', '--scope', '/', '--role', 'member'];
  const made = await vouch(directory, ['key', 'create', ...access, '--account', ACCOUNT]);
  return z.object({ api_key: z.string() }).parse(JSON.parse(made)).api_key;
}

/** Starts everything without remote models: extractor and embedder are the deterministic ones. */
export async function startMeasuredService(): Promise<MeasuredService> {
  const directory = stackDirectory();
  const stack = await startStack(directory, { SERVICE_LOG_LEVEL: 'warn' });
  const stop = async (): Promise<void> => {
    await stack.stop();
    directory.remove();
  };
  try {
    return { access: { baseUrl: stack.baseUrl, apiKey: await ownAccount(directory.path) }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
