/** An installation of the one-command start in a directory of its own, started and asked as a person at a terminal does. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { randomPorts } from '../../embedded/port-numbers.ts';
import { removeStart } from '../../measure/remove-start.ts';
import { ROOT } from '../architecture/source-tree.ts';

const credentials = z.object({
  base_url: z.string(),
  admin: z.object({ email: z.string(), password: z.string(), token: z.string() }),
  agent: z.object({ peer_key: z.string(), api_key: z.string() }),
});

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Installation {
  readonly root: string;
  /** The settings of its processes, which a test may change between two starts. */
  readonly settings: NodeJS.ProcessEnv;
  /** Runs `npm start` until it is ready. */
  start(): Promise<void>;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>;
  vouch(args: readonly string[], stdin?: string): Promise<CommandResult>;
  /** Runs a command that succeeds; answers what it prints with `--json`. */
  json(args: readonly string[], stdin?: string): Promise<Record<string, unknown>>;
  /** Runs a command and kills it once its progress has the line of that number. False where it ends before. */
  killed(args: readonly string[], line: number): Promise<boolean>;
  credentials(): z.infer<typeof credentials>;
  /** Asks the running service, as the agent of the first start unless told otherwise. */
  ask(method: 'GET' | 'POST', path: string, body?: unknown, token?: string): Promise<Answer>;
  remove(): Promise<void>;
}

const SETTINGS = {
  api: 'SERVICE_PORT',
  metrics: 'SERVICE_METRICS_PORT',
  postgres: 'SERVICE_POSTGRES_PORT',
  temporal: 'SERVICE_TEMPORAL_PORT',
  temporalUi: 'SERVICE_TEMPORAL_UI_PORT',
  meilisearch: 'SERVICE_MEILI_PORT',
  qdrant: 'SERVICE_QDRANT_PORT',
} as const;

async function ownPorts(): Promise<Record<string, string>> {
  const ports = await randomPorts([
    'api',
    'metrics',
    'postgres',
    'temporal',
    'temporalUi',
    'meilisearch',
    'qdrant',
  ]);
  return Object.fromEntries(
    Object.entries(SETTINGS).map(([name, setting]) => [setting, String(Reflect.get(ports, name))]),
  );
}

const READY = 'Ctrl-C stops everything';

function startIn(root: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'bin/start.mjs')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      if (text.includes(READY)) resolve(child);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`npm start ended early:\n${text}`)));
  });
}

function runVouch(root: string, env: NodeJS.ProcessEnv, args: readonly string[], stdin = '') {
  const child = spawn(process.execPath, [join(ROOT, 'bin/vouch.mjs'), ...args], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(stdin);
  return child;
}

function finished(child: ReturnType<typeof runVouch>): Promise<CommandResult> {
  return new Promise((resolve) => {
    const written = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString('utf8')));
    child.once('close', (code) => resolve({ code, ...written }));
  });
}

/** Kills the command at the line of that number of its progress. */
function killedAt(child: ReturnType<typeof runVouch>, line: number): Promise<boolean> {
  return new Promise((resolve) => {
    let lines = 0;
    child.stderr.on('data', (chunk: Buffer) => {
      lines += chunk.toString('utf8').split('\n').length - 1;
      if (lines >= line) child.kill('SIGKILL');
    });
    child.stdout.resume();
    child.once('close', (_code, signal) => resolve(signal === 'SIGKILL'));
  });
}

function ended(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGINT');
  });
}

/** An empty directory; nothing runs there yet. */
export async function newInstallation(
  settings: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const root = mkdtempSync(join(tmpdir(), 'vouch-installation-'));
  const ports = await ownPorts();
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...ports, ...settings };
  let running: ChildProcess | null = null;
  const here: Installation = {
    root,
    settings: env,
    async start() {
      running = await startIn(root, env);
    },
    async stop() {
      await ended(running);
      running = null;
    },
    vouch: (args, stdin) => finished(runVouch(root, env, args, stdin)),
    async json(args, stdin) {
      const { code, err, out } = await here.vouch([...args, '--json'], stdin);
      if (code !== 0) throw new Error(`vouch ${args.join(' ')}: ${err}`);
      return JSON.parse(out);
    },
    killed: (args, line) => killedAt(runVouch(root, env, args), line),
    credentials: () =>
      credentials.parse(JSON.parse(readFileSync(join(root, '.vouch/credentials.json'), 'utf8'))),
    async ask(method, path, body, token) {
      const { agent } = here.credentials();
      const answer = await fetch(`http://127.0.0.1:${ports['SERVICE_PORT']}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token ?? agent.api_key}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
    async remove() {
      await here.stop();
      removeStart(root);
    },
  };
  return here;
}
