/** The one-command start in a directory of its own, with separate accounts that have the preset `unattended`. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { createClient, type Access } from '../../bench/client.ts';
import { addForeignUnits } from '../../bench/load/foreign.ts';
import { machineEnvironment, stackDirectory, startStack } from '../../stack.ts';
import type { RetrievalAccess } from './retrieval.ts';

export interface MeasuredService {
  readonly access: Access;
  /** The same account, read by its agent. */
  readonly retrieval: RetrievalAccess;
  /** Another account of the service. */
  readonly elsewhere: RetrievalAccess;
  /** Signs in the person who administers the account. Some operations are for people only. */
  signIn(): Promise<Access>;
  /** `vouch governance forgetting` of the account: which requests to forget act before a person has decided. */
  setForgetting(acts: 'own' | 'all' | 'off'): Promise<void>;
  /** `vouch index rebuild` of the account; answers once both indexes are written. */
  rebuild(): Promise<void>;
  /** Adds so many units to the other account, by SQL; answers once both indexes hold them. */
  addForeign(units: number): Promise<void>;
  /** Starts it again with these settings; what it holds stays. */
  restart(settings: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

/** Where the other account has its many units, and what the first of them says. */
const FOREIGN = '/eval/foreign';
const FIRST_FOREIGN = 'I keep the lathe with number 1 in the yard of Ghent.';
const REBUILT_WITHIN_MS = 900_000;
const VOUCH = fileURLToPath(new URL('../../../bin/vouch.ts', import.meta.url));
const ACCOUNT = 'eval';
const AGENT = 'evaluator';
const COMMAND_WITHIN_MS = 120_000;
const SIGN_IN_WITHIN_MS = 30_000;

/** Runs `vouch` with these arguments in the directory of a start; answers what it printed. */
function vouch(
  directory: string,
  args: readonly string[],
  stdin = '',
  withinMs = COMMAND_WITHIN_MS,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [VOUCH, ...args, '--json'],
      { cwd: directory, env: machineEnvironment(), timeout: withinMs },
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

/** What the person who administers an account signs in with. */
interface Login {
  readonly email: string;
  readonly password: string;
}

/** A new account with the keys of an agent and of an administrator. */
async function newAccount(
  run: Vouch,
  baseUrl: string,
  account: string,
  { email, password }: Login,
): Promise<RetrievalAccess> {
  const person = ['--email', email, '--name', 'Evaluation', '--password-stdin'];
  await run(['account', 'create', '--key', account, ...person], password);
  await run(['governance', 'preset', 'unattended', '--account', account]);
  return {
    agent: { baseUrl, apiKey: await newKey(run, account, AGENT, 'member') },
    agentPeer: AGENT,
    administrator: { baseUrl, apiKey: await newKey(run, account, 'operator', 'account-admin') },
  };
}

function newLogin(account: string): Login {
  return { email: `${account}@example.org`, password: randomBytes(16).toString('hex') };
}

const signedIn = z.object({ data: z.object({ token: z.string() }) });

async function signInAt(baseUrl: string, login: Login): Promise<Access> {
  const response = await fetch(`${baseUrl}/api/auth/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
    signal: AbortSignal.timeout(SIGN_IN_WITHIN_MS),
  });
  if (!response.ok) throw new Error(`the sign-in answered ${response.status}`);
  return { baseUrl, apiKey: signedIn.parse(await response.json()).data.token };
}

const SETTINGS = { SERVICE_LOG_LEVEL: 'warn' };

/** Starts everything with these settings. Without any, extractor and embedder are the deterministic ones. */
export async function startMeasuredService(
  settings: Readonly<Record<string, string>> = {},
): Promise<MeasuredService> {
  const directory = stackDirectory();
  let stack = await startStack(directory, { ...SETTINGS, ...settings });
  const restart = async (changed: Readonly<Record<string, string>>): Promise<void> => {
    await stack.stop();
    stack = await startStack(directory, { ...SETTINGS, ...settings, ...changed });
  };
  const stop = async (): Promise<void> => {
    await stack.stop();
    directory.remove();
  };
  const run: Vouch = (args, stdin) => vouch(directory.path, args, stdin);
  try {
    const login = newLogin(ACCOUNT);
    const retrieval = await newAccount(run, stack.baseUrl, ACCOUNT, login);
    const other = 'eval-elsewhere';
    const elsewhere = await newAccount(run, stack.baseUrl, other, newLogin(other));
    const signIn = (): Promise<Access> => signInAt(stack.baseUrl, login);
    const rebuild = async (): Promise<void> => {
      const args = ['index', 'rebuild', '--account', ACCOUNT];
      await vouch(directory.path, args, '', REBUILT_WITHIN_MS);
    };
    const addForeign = async (units: number): Promise<void> => {
      await createClient(elsewhere.agent).ingest({
        session_id: 'foreign',
        scope_path: FOREIGN,
        peer_key: 'somebody',
        occurred_at: '2026-01-15T12:00:00.000Z',
        content: FIRST_FOREIGN,
      });
      await addForeignUnits(stack.databaseUrl, FOREIGN, units);
    };
    return {
      access: retrieval.agent,
      retrieval,
      elsewhere,
      signIn,
      setForgetting: async (acts) => {
        await run(['governance', 'forgetting', acts, '--account', ACCOUNT]);
      },
      rebuild,
      addForeign,
      restart,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
