/**
 * A service in a process of its own, one for each worker of the test run and each choice of settings. The process
 * outlives the test file: the next one that asks for the same settings finds it running.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { kept } from '../kept.ts';
import { errorOf, type Answered, type Ask, type Asked, type Started } from './messages.ts';
import type { Running } from './running.ts';

/** Services that a worker keeps; the one that was asked for the longest ago ends first. Each takes memory. */
const MOST_KEPT = 1;

const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url));
const COMPILE_CACHE = new URL('../../../bin/compile-cache.mjs', import.meta.url).href;

type Settings = Readonly<Record<string, string>>;

class ServiceProcess {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  #calls = 0;

  constructor() {
    this.#child = fork(PROCESS, [], {
      serialization: 'advanced',
      execArgv: ['--import', COMPILE_CACHE],
    });
    this.#child.on('message', (answered: Answered) => this.#settle(answered));
    this.#child.once('exit', (code, signal) => this.#ended(`${code ?? signal}`));
    this.#hold(false);
  }

  /** Whether this process waits for the other one to end. */
  #hold(waits: boolean): void {
    this.#child[waits ? 'ref' : 'unref']();
    this.#child.channel?.[waits ? 'ref' : 'unref']();
  }

  #settle(answered: Answered): void {
    const waiting = this.#open.get(answered.call);
    this.#open.delete(answered.call);
    if (this.#open.size === 0) this.#hold(false);
    if ('failure' in answered) waiting?.reject(errorOf(answered.failure));
    else waiting?.resolve(answered.value);
  }

  #ended(how: string): void {
    for (const { reject } of this.#open.values()) {
      reject(new Error(`the process of the service ended: ${how}`));
    }
    this.#open.clear();
  }

  ask(ask: Ask): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    const call = (this.#calls += 1);
    this.#open.set(call, answer);
    this.#hold(true);
    const asked: Asked = { call, ask };
    this.#child.send(asked, (error) => error && this.#ended(error.message));
    return answer.promise;
  }

  async end(): Promise<void> {
    await this.ask({ do: 'close' });
    this.#child.disconnect();
  }
}

async function startHosted(settings: Settings): Promise<Running> {
  const service = new ServiceProcess();
  // The process answers each call with what the call asks for: `process.ts`.
  const ask = <T>(it: Ask): Promise<T> => service.ask(it) as Promise<T>;
  const started = await ask<Started>({ do: 'start', settings });
  return {
    ...started,
    operate: ({ id }, input) => ask({ do: 'operate', id, input }),
    openDoor: () => ask({ do: 'open-door' }),
    errors: () => ask({ do: 'errors' }),
    close: () => service.end(),
  };
}

/** The service with these settings, which runs already or is started now. Nobody closes it. */
export async function hosted(settings: Settings): Promise<Running> {
  const services = kept('hosted services', () => new Map<string, Promise<Running>>());
  const key = JSON.stringify(Object.entries(settings).toSorted());
  const service = services.get(key) ?? startHosted(settings);
  services.delete(key);
  services.set(key, service);
  service.catch(() => services.delete(key));
  const [oldest] = services;
  if (services.size > MOST_KEPT && oldest !== undefined) {
    services.delete(oldest[0]);
    await (await oldest[1]).close();
  }
  return service;
}
