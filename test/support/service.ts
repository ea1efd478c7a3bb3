/**
 * The whole service for one test file: HTTP door, doorbell and worker on the real servers. Accounts, people and keys
 * are made through the same operations as the command line's.
 */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { z } from 'zod';
import type { Operation } from '../../operations/operation.ts';
import type { OperationTable } from '../../operations/registry.ts';
import { createTestAccount, openTestAccount, type TestAccount } from './account.ts';
import { describedBy, send, sendChecked, type HttpAnswer, type HttpCall } from './http.ts';
import { inTurn } from './in-turn.ts';
import { asStarting } from './measured.ts';
import { eventually } from './patience.ts';
import { FIRST, startHere } from './running/here.ts';
import { hosted } from './running/hosted.ts';
import type { FirstAccount, Running } from './running/running.ts';

export type Body = Readonly<Record<string, unknown>>;

export interface Settled {
  readonly messageId: string;
  readonly status: Body;
  /** What the caller that sent it may read of what came out. */
  readonly knowledge: readonly Body[];
}

/** The HTTP door of one process. */
export interface Door {
  readonly url: string;
  call(call: HttpCall): Promise<HttpAnswer>;
}

export interface Service extends Door {
  /** The door of another process on the same servers, with connections and memory of its own. It ends with the service. */
  anotherDoor(): Promise<Door>;
  /** Two accounts that know nothing of each other, with the preset `strict`. */
  readonly home: TestAccount;
  readonly other: TestAccount;
  /** A further account. In a service that other files use, its key ends with a word of this file. */
  account(key: string): Promise<TestAccount>;
  ingest(
    token: string,
    body: Body,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer>;
  status(token: string, messageId: string, query?: string): Promise<HttpAnswer>;
  search(
    token: string,
    body: Body,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer>;
  knowledge(token: string, query?: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  /** Sends an observation and waits until its extraction has come to an end. */
  ingestAndWait(token: string, body: Body): Promise<Settled>;
  /** Returns once no search index waits for anything any more. */
  quiet(): Promise<void>;
  /** Runs an operation in the process of the service, as the command line does. */
  operate<O extends Operation>(operation: O, input: unknown): Promise<z.output<O['output']>>;
  /** As superuser, behind row security. */
  rows(query: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Log events of level error since the test file began: defects of ours. */
  errors(): Promise<readonly string[]>;
  /** For a test that makes the service fail: what was logged so far, which counts no more. */
  forgiveErrors(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A service that only one test file uses. */
export interface OwnService extends Service {
  /** What the first account was born with. */
  readonly bootstrapToken: FirstAccount;
  /** Another door to the same service, with other operations behind it. Its answers are held to no description. */
  door(table: OperationTable): Promise<Door>;
}

type Settings = Readonly<Record<string, string>>;
type Steps = (() => Promise<unknown>)[];

const OBSERVATION = { session_id: 's1', scope_path: '/team' };

/** The member `data` of an answer. Throws when there is none, showing status and body. */
export function dataOf(answer: HttpAnswer): Body {
  const body = answer.json();
  if (typeof body === 'object' && body !== null && 'data' in body) return Object(body.data);
  throw new Error(`no data in ${answer.status} ${answer.text}`);
}

/** `data` of an answer that is a list. */
export function rowsOf(answer: HttpAnswer): readonly Body[] {
  const rows: unknown = dataOf(answer);
  if (Array.isArray(rows)) return rows.map((row): Body => Object(row));
  throw new Error(`no list in ${answer.status} ${answer.text}`);
}

/** The candidates of a search. */
export function candidatesOf(answer: HttpAnswer): readonly Body[] {
  const { candidates } = dataOf(answer);
  if (Array.isArray(candidates)) return candidates.map((row): Body => Object(row));
  throw new Error(`no candidates in ${answer.status} ${answer.text}`);
}

/** The requests a test makes most, on a door that is open. */
function requests(call: Service['call']) {
  const status: Service['status'] = (token, messageId, query = '') =>
    call({ path: `/api/v1/ingest/${messageId}${query}`, token });
  const ingest: Service['ingest'] = (token, body, headers = {}) =>
    call({ path: '/api/v1/ingest', token, json: { ...OBSERVATION, ...body }, headers });
  return {
    ingest,
    status,
    search: (token: string, body: Body, headers: Readonly<Record<string, string>> = {}) =>
      call({ path: '/api/v1/search', token, json: { scope_path: '/team', ...body }, headers }),
    knowledge: (token: string, query: Readonly<Record<string, string>> = {}) => {
      const text = new URLSearchParams({ scope_path: '/team', ...query }).toString();
      return call({ path: `/api/v1/knowledge?${text}`, token });
    },
    async ingestAndWait(token: string, body: Body): Promise<Settled> {
      const messageId = String(dataOf(await ingest(token, body))['message_id']);
      const settled = await eventually(async () => {
        const answer = dataOf(await status(token, messageId, '?wait_ms=10000'));
        return answer['status'] !== 'pending' && answer;
      });
      const rows: unknown = settled['knowledge'];
      const knowledge = Array.isArray(rows) ? rows.map((row): Body => Object(row)) : [];
      return { messageId, status: settled, knowledge };
    },
  };
}

/** Waits until no mark of any account is left. */
async function untilNothingIsMarked(admin: Client): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await admin.query('select from dirty_marks limit 1');
    return rowCount === 0;
  });
}

/** Ends a service after the tests of a file. Fails the file when an error was logged: a defect that no answer showed. */
export async function closeWithoutErrors(service: Service | undefined): Promise<void> {
  const logged = (await service?.errors()) ?? [];
  await service?.close();
  if (logged.length > 0) throw new Error(`the service logged errors: ${logged.join('; ')}`);
}

/** What a test file needs of a service that runs. `close` ends what was opened here; the service goes on. */
async function opened(running: Running, steps: Steps) {
  const check = await describedBy(running.url);
  const admin = new Client({ connectionString: running.adminUrl });
  await admin.connect();
  steps.push(() => admin.end());
  let earlier = (await running.errors()).length;
  const errors = async () => (await running.errors()).slice(earlier);
  const call = (request: HttpCall) => sendChecked(running.url, check, request);
  const rows: Service['rows'] = inTurn(
    async (query: string, values: readonly unknown[] = []) =>
      (await admin.query<Record<string, unknown>>(query, [...values])).rows,
  );
  const operate: Service['operate'] = (operation, input) => running.operate(operation, input);
  const quiet = () => untilNothingIsMarked(admin);
  return {
    url: running.url,
    call,
    operate,
    rows,
    quiet,
    ...requests(call),
    account: (key: string) => createTestAccount(key, { operate, call, rows, quiet }),
    async anotherDoor() {
      const url = await running.openDoor();
      return { url, call: (request: HttpCall) => sendChecked(url, check, request) };
    },
    errors,
    async forgiveErrors() {
      const forgiven = await errors();
      earlier += forgiven.length;
      return forgiven;
    },
    close: () => undo(steps),
  };
}

/** Runs the steps, the last one first. */
async function undo(steps: Steps): Promise<void> {
  for (const step of steps.splice(0).toReversed()) await step();
}

async function undoneWhenItFails<T>(start: (steps: Steps) => Promise<T>): Promise<T> {
  const steps: Steps = [];
  try {
    return await asStarting(() => start(steps));
  } catch (error) {
    await undo(steps);
    throw error;
  }
}

/**
 * The service in a process of its own, which other test files use before and after, with two accounts for this file.
 * `settings` are environment variables, as an operator would set them; each choice has a process.
 */
export function startService(settings: Settings = {}): Promise<Service> {
  return undoneWhenItFails(async (steps) => {
    const service = await opened(await hosted(settings), steps);
    const name = randomBytes(4).toString('hex');
    const account = (key: string) => service.account(`${key}-${name}`);
    return { ...service, account, home: await account('home'), other: await account('other') };
  });
}

/**
 * A service for this file alone, in this process: for files that look at all its rows or stores, put operations of
 * their own behind a door, or disturb it. Its accounts are `home` and `other`.
 */
export function startOwnService(settings: Settings = {}): Promise<OwnService> {
  return undoneWhenItFails(async (steps) => {
    const running = await startHere(settings);
    steps.push(() => running.close());
    const service = await opened(running, steps);
    return {
      ...service,
      bootstrapToken: running.first,
      home: openTestAccount(FIRST, running.first.accountId, service),
      other: await service.account('other'),
      async door(table) {
        const url = await running.openDoor(table);
        return { url, call: (request) => send(url, request) };
      },
    };
  });
}
