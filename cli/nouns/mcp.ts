import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Argument, type Command } from 'commander';
import type { Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { UsageError } from '../errors.ts';
import { runBridge } from '../mcp/bridge.ts';
import { CLIENTS, NotEditable, type Client, type Program } from '../mcp/clients.ts';
import { readKeyFile } from '../mcp/key-file.ts';
import { LineTooLong } from '../mcp/lines.ts';
import { changeUserFile, type Changed } from '../mcp/user-file.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/vouch.mjs', import.meta.url));
const DEFAULT_URL = 'http://127.0.0.1:4000';
/** What the one-command start leaves in the folder it was started in. */
const CREDENTIALS_FILE = '.vouch/credentials.json';

function checkedUrl(text: unknown): string | null {
  if (text === undefined) return null;
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new UsageError('Give --url as http://host:port or https://host.');
  }
  return url.href.replace(/\/(?:mcp\/?)?$/, '');
}

function keyFileOf({ keyFile }: Options): string {
  return typeof keyFile === 'string' ? keyFile : CREDENTIALS_FILE;
}

async function bridge(options: Options, dependencies: CliDependencies): Promise<void> {
  const url = checkedUrl(options['url']);
  const file = await readKeyFile(keyFileOf(options));
  try {
    await runBridge({
      url: url ?? file.url ?? DEFAULT_URL,
      key: file.key,
      lines: dependencies.stdin,
      out: (text) => dependencies.out(text),
      err: (text) => dependencies.err(text),
      signal: dependencies.signal,
    });
  } catch (error) {
    if (error instanceof LineTooLong)
      throw new UsageError('A line of the input is longer than 8 MiB.');
    throw error;
  }
}

/** What the client starts: this very command, by paths that hold from any folder. The key stays in its file. */
async function programOf(options: Options): Promise<Program> {
  const keyFile = resolve(keyFileOf(options));
  await access(keyFile).catch(() => {
    throw new UsageError(
      'Name the file that holds the key: --key-file <path>. `npm start` leaves one in .vouch/credentials.json.',
    );
  });
  const url = checkedUrl(options['url']);
  const address = url === null ? [] : ['--url', url];
  return {
    command: process.execPath,
    args: [LAUNCHER, 'mcp', ...address, '--key-file', keyFile],
  };
}

async function write(client: Client, path: string, program: Program): Promise<Changed> {
  try {
    return await changeUserFile(homedir(), path, (text) => client.edit(text, program));
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    throw new UsageError(
      `${path} has a form that this command cannot change safely. It changed nothing. Add the entry by hand.`,
    );
  }
}

function described(client: Client, path: string, entry: string, done: Changed | null): string {
  if (done === null) {
    return `Add this to ${path}, or run the command again with --write:\n\n${entry}`;
  }
  if (!done.changed) return `Nothing to do: ${path} already has the entry.\n`;
  const kept = done.backup === null ? '' : `The earlier file is ${done.backup}.\n`;
  return `Wrote the entry to ${path}.\n${kept}Start ${client.title} again to use it.\n`;
}

async function install(
  name: string,
  options: Options,
  dependencies: CliDependencies,
): Promise<void> {
  const client = CLIENTS.find((one) => one.name === name);
  if (client === undefined)
    throw new UsageError('Vouch knows no such client. vouch mcp install --help lists the clients.');
  const program = await programOf(options);
  const path = client.file(homedir(), process.platform);
  const entry = client.edit('', program);
  const done = options['write'] === true ? await write(client, path, program) : null;
  dependencies.out(
    options['json'] === true
      ? `${JSON.stringify({ client: name, file: path, entry, changed: done?.changed ?? false, backup: done?.backup ?? null })}\n`
      : described(client, path, entry, done),
  );
}

const KEY_FILE = 'the file that holds the key: the key alone, or the credentials of `npm start`';
const ADDRESS = 'the address of the service; without it, the address in the key file';

/** `vouch mcp`, `vouch mcp install`. */
export function addMcp(noun: Command, dependencies: CliDependencies): void {
  noun.option('--key-file <path>', KEY_FILE).option('--url <address>', ADDRESS);
  noun.action(() => bridge(noun.opts<Options>(), dependencies));
  const command = noun
    .command('install')
    .description(
      'print the entry that makes a client start `vouch mcp`; the entry never holds the key',
    )
    .addArgument(new Argument('<client>', 'the client').choices(CLIENTS.map(({ name }) => name)))
    .option('--key-file <path>', KEY_FILE)
    .option('--url <address>', ADDRESS)
    .option('--write', 'write the entry into the file of the client, and keep a copy of the file')
    .option('--json', 'print the result as one JSON value');
  command.action((name: string) => install(name, command.opts<Options>(), dependencies));
}
