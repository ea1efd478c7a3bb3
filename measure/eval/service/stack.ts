/** The one-command start in a directory of its own, with separate accounts that have the preset `unattended`. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Access } from '../../bench/client.ts';
import { machineEnvironment, stackDirectory, startStack } from '../../stack.ts';
import type { RetrievalAccess } from './retrieval.ts';

export interface MeasuredService {
  readonly access: Access;
  /** The same account, read by its agent. */
  readonly retrieval: RetrievalAccess;
  /** Another account of the service. */
  readonly elsewhere: RetrievalAccess;
  stop(): Promise<void>;
}

const VOUCH = fileURLToPath(new URL('../../../bin/vouch.ts', import.meta.url));
const AGENT = 'evaluator';
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

type Vouch = (args: readonly string[], stdin?: string) => Promise<string>;

async function newKey(
  run: Vouch,
  account: string,
  peer: string,
  role: 'member' | 'account-admin',
): Promise<string> {
  const access = ['--peer', peer, '--scope', '/', '--role', role];
  const made = await run(['key', 'create', ...access, '--account', account]);
  return z.object({ api_key: z.string() }).parse(JSON.parse(made)).api_key;
}

/** A new account with the keys of an agent and of an administrator. */
async function newAccount(run: Vouch, baseUrl: string, account: string): Promise<RetrievalAccess> {
  const person = ['--email', `${account}@example.org`, '--name', 'Evaluation', '--password-stdin'];
  await run(['account', 'create', '--key', account, ...person], randomBytes(16).toString('hex'));
  await run(['governance', 'preset', 'unattended', '--account', account]);
  return {
    agent: { baseUrl, apiKey: await newKey(run, account, AGENT, 'member') },
    agentPeer: AGENT,
    administrator: { baseUrl, apiKey: await newKey(run, account, 'operator', 'account-admin') },
  };
}

/** Starts everything without remote models: extractor and embedder are the deterministic ones. */
export async function startMeasuredService(): Promise<MeasuredService> {
  const directory = stackDirectory();
  const stack = await startStack(directory, { SERVICE_LOG_LEVEL: 'warn' });
  const stop = async (): Promise<void> => {
    await stack.stop();
    directory.remove();
  };
  const run: Vouch = (args, stdin) => vouch(directory.path, args, stdin);
  try {
    const retrieval = await newAccount(run, stack.baseUrl, 'eval');
    const elsewhere = await newAccount(run, stack.baseUrl, 'eval-elsewhere');
    return { access: retrieval.agent, retrieval, elsewhere, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
