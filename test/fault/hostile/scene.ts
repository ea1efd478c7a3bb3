/**
 * A whole start with two accounts: one is attacked from and one goes on living. The start keeps its API and its
 * worker as processes of their own, restarts what ends, and writes their logs.
 */
import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { stackDirectory, startStack, type StackDirectory } from '../../../measure/stack.ts';
import { vouch } from '../harness/command-line.ts';
import { openWatch, type Watch } from '../harness/database.ts';
import { adminToken, passwordFile } from '../harness/people.ts';
import { until } from '../harness/until.ts';
import { startBystander, type Bystander } from './bystander.ts';
import { delaysOf, faultsOf, figuresOf, holdsOf, type Sample } from './judge.ts';
import {
  errorsSince,
  PROCESSES,
  readProcesses,
  type ProcessName,
  type ProcessState,
} from './processes.ts';
import { eachOf, keepUp, send, type Sent, type Target } from './requests.ts';
import type { HostileSettings } from './settings.ts';

/** How often an attack is made before its delays count. */
export const MOST_TRIES = 4;
const BYSTANDER = 'bystander';
/** The account of a first start. */
const ATTACKER = 'community';

const madeKey = z.object({ api_key: z.string() });
const count = z.object({ total: z.number() });

export interface AttackContext {
  readonly target: Target;
  /** The first administrator of the same account, with the credential of a person. */
  readonly person: Target;
  readonly settings: HostileSettings;
  /** Another number each time, to make names of. */
  readonly round: number;
  /** An observation of the attacking account; its answer is judged. */
  readonly ingest: (body: Readonly<Record<string, unknown>>) => Promise<void>;
  /** A request of the attacking account; its answer is judged. */
  readonly send: (...request: Omitted<Parameters<typeof send>>) => Promise<Sent>;
  /** The same as that person. */
  readonly asPerson: (...request: Omitted<Parameters<typeof send>>) => Promise<Sent>;
  /** The same from the other account, which must get one of these answers. */
  readonly asBystander: (
    statuses: readonly number[],
    ...request: Omitted<Parameters<typeof send>>
  ) => Promise<void>;
  /** Does the work for every number below `count`, so many at a time. */
  readonly eachOf: (
    count: number,
    lanes: number,
    work: (index: number) => Promise<unknown>,
  ) => Promise<void>;
  /** Keeps the work up, side by side, for as long as an attack lasts. */
  readonly keepUp: (lanes: number, work: (index: number) => Promise<unknown>) => Promise<void>;
}

type Omitted<Arguments extends readonly unknown[]> = Arguments extends readonly [
  unknown,
  ...infer Rest,
]
  ? Rest
  : never;

export interface Attack {
  /** A sentence for a title: what it does and that it does not disturb other accounts. */
  readonly title: string;
  /** The answers that it may be given. */
  readonly answers: readonly number[];
  readonly run: (context: AttackContext) => Promise<unknown>;
}

export interface HostileScene {
  /**
   * What the other account and the operator have to complain of while the attack goes on and until all that it
   * sent has a status; empty when nothing. A defect repeats and a busy machine does not: an attack that only
   * delayed something is made again, four times in all, each time between two looks at what is undisturbed then. Delays
   * count only where the settings judge time.
   */
  complaints(attack: Attack): Promise<readonly string[]>;
  close(): Promise<void>;
}

async function run(directory: StackDirectory, args: readonly string[]): Promise<unknown> {
  const { exitCode, value } = await vouch(directory, args);
  if (exitCode !== 0) throw new Error(`vouch ${args[0]} ${args[1]} failed`);
  return value;
}

async function keyOf(
  directory: StackDirectory,
  account: string,
  peer: string,
  role: string,
): Promise<string> {
  const options = ['--account', account, '--peer', peer, '--scope', '/', '--role', role];
  return madeKey.parse(await run(directory, ['key', 'create', ...options])).api_key;
}

/** The key of a member of a further account. */
async function bystanderKey(directory: StackDirectory): Promise<string> {
  const account = ['account', 'create', '--key', BYSTANDER];
  const admin = ['--email', `admin@${BYSTANDER}.example`, '--name', 'Admin'];
  await run(directory, [...account, ...admin, '--password-file', passwordFile(directory)]);
  return keyOf(directory, BYSTANDER, 'walker', 'member');
}

/** Messages and documents of the attacking account without a status, and what no search can find yet. */
const UNSETTLED = `select (
    (select count(*) from extraction_anchors where account_id = a.id and status = 'pending')
    + (select count(*) from document_versions where account_id = a.id and parsed_at is null
         and last_error_class is null and not is_withdrawal)
    + (select count(*) from dirty_marks where account_id = a.id)
  )::int as total from accounts a where a.key = '${ATTACKER}'`;

function report(
  name: string,
  before: readonly Sample[],
  during: readonly Sample[],
  processes: Readonly<Record<ProcessName, ProcessState>>,
): void {
  const [calm, now] = [figuresOf(before), figuresOf(during)];
  const figures = (['observation', 'accept', 'poll', 'search', 'health'] as const).map(
    (kind) => `${kind} ${now[kind].toFixed(0)} (${calm[kind].toFixed(0)})`,
  );
  const held = PROCESSES.map((process) => `${process} ${processes[process].heldMs.toFixed(0)}`);
  process.stderr.write(
    `hostile: ${name}: p95 in ms, undisturbed in brackets: ${figures.join(', ')}; event loops held for ${held.join(', ')}\n`,
  );
}

/**
 * An attacker's own program runs elsewhere: here it takes only the time that the service and its servers leave, so that
 * what the bystander notices is what the service does. Answers what undoes it.
 */
function stepAside(): () => void {
  const before = getPriority();
  setPriority(constants.priority.PRIORITY_LOW);
  return () => {
    try {
      setPriority(before);
    } catch {
      // Only a privileged process may take its priority back; what it starts next is as low, and judged alike.
    }
  };
}

/** Starts it. `settings` are environment variables of the service. */
export async function startHostileScene(
  settings: HostileSettings,
  environment: Readonly<Record<string, string>> = {},
  prepare: Prepare | null = null,
): Promise<HostileScene> {
  const directory = stackDirectory();
  const closing: (() => unknown)[] = [() => directory.remove()];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    const stack = await startStack(directory, { SERVICE_LOG_LEVEL: 'warn', ...environment });
    closing.push(() => stack.stop());
    const watch = openWatch(stack.databaseUrl);
    closing.push(() => watch.close());
    const other = { baseUrl: stack.baseUrl, apiKey: await bystanderKey(directory) };
    const { mostOpen, paceTimes } = settings;
    const bystander = await startBystander({ ...other, mostOpen, paceTimes });
    closing.push(() => bystander.stop());
    if (settings.judgesTime) closing.push(stepAside());
    // Who may do all that an account may.
    const admin = await keyOf(directory, ATTACKER, 'ringleader', 'account-admin');
    const target = { baseUrl: stack.baseUrl, apiKey: admin };
    const person = { baseUrl: stack.baseUrl, apiKey: adminToken(directory) };
    await prepare?.({ target, person, settings, databaseUrl: stack.databaseUrl });
    const output = (): string => stack.outputSoFar();
    const complaints = complainer({
      directory,
      bystander,
      watch,
      target,
      person,
      other,
      settings,
      output,
    });
    return { complaints, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What there is to make ready before anything is measured. */
export type Prepare = (ready: {
  readonly target: Target;
  readonly person: Target;
  readonly settings: HostileSettings;
  /** As superuser, behind row security. */
  readonly databaseUrl: string;
}) => Promise<void>;

interface Attempt {
  /** What went wrong, whatever the time it took. */
  readonly faults: readonly string[];
  /** How often the event loops were held. */
  readonly holds: readonly string[];
  readonly during: readonly Sample[];
}

interface Parts {
  readonly directory: StackDirectory;
  readonly bystander: Bystander;
  readonly watch: Watch;
  readonly target: Target;
  readonly person: Target;
  /** The bystander's credential. */
  readonly other: Target;
  readonly settings: HostileSettings;
  readonly output: () => string;
}

/** What an attack is given, and what its answers gave cause to complain of. */
function contextOf({ target, person, other, settings }: Parts, { answers }: Attack, round: number) {
  const unexpected = new Map<string, number>();
  const judge = (who: string, allowed: readonly number[], { status }: Sent): void => {
    if (allowed.includes(status)) return;
    const words = `${who} was answered ${status === 0 ? 'nothing' : status}`;
    unexpected.set(words, (unexpected.get(words) ?? 0) + 1);
  };
  const context: AttackContext = {
    target,
    person,
    settings,
    round,
    async send(...request) {
      const answer = await send(target, ...request);
      judge('the attacker', answers, answer);
      return answer;
    },
    async ingest(body) {
      const json = { scope_path: '/hostile', peer_key: 'mallory', ...body };
      await context.send('/api/v1/ingest', { body: JSON.stringify(json) });
    },
    async asPerson(...request) {
      const answer = await send(person, ...request);
      judge('the attacker', answers, answer);
      return answer;
    },
    async asBystander(statuses, ...request) {
      judge('the bystander', statuses, await send(other, ...request));
    },
    eachOf: (count, lanes, work) => eachOf(count, lanes, settings.pauseMs, work),
    keepUp: (lanes, work) => keepUp(settings.attackMs, lanes, settings.pauseMs, work),
  };
  return {
    context,
    unexpected: () => [...unexpected].map(([what, times]) => `${times} x ${what}`),
  };
}

function complainer(parts: Parts): HostileScene['complaints'] {
  const { directory, bystander, watch, settings, output } = parts;
  let round = 0;
  let undisturbed: readonly Sample[] | null = null;

  const settle = (): Promise<number> =>
    until('everything that was sent has a status', settings.settledWithinMs, async () => {
      const rows = await watch.ask(count, UNSETTLED);
      return rows?.[0]?.total === 0;
    });
  const calm = (): Promise<readonly Sample[]> => bystander.during(() => sleep(settings.calmMs));

  const attempt = async (attack: Attack, calmly: readonly Sample[]): Promise<Attempt> => {
    const before = await readProcesses(directory);
    const written = output().length;
    const faults: string[] = [];
    const { context, unexpected } = contextOf(parts, attack, ++round);
    const during = await bystander.during(async () => {
      const startedAt = performance.now();
      await attack.run(context);
      await settle().catch((error: unknown) => faults.push(String(error)));
      await sleep(Math.max(0, settings.attackMs - (performance.now() - startedAt)));
    });
    const after = await readProcesses(directory);
    report(attack.title, calmly, during, after);
    for (const name of PROCESSES) {
      const [was, is] = [before[name].identity, after[name].identity];
      if (was.pid !== is.pid || was.startedAtSeconds !== is.startedAtSeconds) {
        faults.push(`${name} was started again`);
      }
    }
    for (const event of errorsSince(output(), written)) faults.push(`logged: ${event}`);
    const holds = PROCESSES.flatMap((name) =>
      holdsOf(name, before[name].ticks, after[name].ticks, during),
    );
    return { faults: [...faults, ...unexpected(), ...faultsOf(during)], holds, during };
  };

  return async (attack) => {
    if (!settings.judgesTime) return (await attempt(attack, [])).faults;
    if (undisturbed === null) {
      // Just started everything is slower, and a slow reference would forgive the first attacks.
      await calm();
      undisturbed = await calm();
    }
    for (let tries = 1; ; tries += 1) {
      const before: readonly Sample[] = tries === 1 ? undisturbed : await calm();
      const { during, faults, holds } = await attempt(attack, before);
      if (tries > 1) undisturbed = [...before, ...(await calm())];
      const delays = [...delaysOf(undisturbed, during), ...holds];
      const isOver = faults.length > 0 || delays.length === 0 || tries === MOST_TRIES;
      if (isOver) return [...faults, ...delays];
      process.stderr.write(`hostile: ${attack.title}: ${delays.join('; ')}; once more\n`);
    }
  };
}
