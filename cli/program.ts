/** `vouch <noun> <verb>`: the whole command line. Every command is one operation, called in process. */
import { Command, CommanderError } from 'commander';
import type { Operation } from '../operations/operation.ts';
import { Complaint, operationOf } from './command.ts';
import type { CliDependencies } from './dependencies.ts';
import { describeFailure, UsageError } from './errors.ts';
import { NOUNS } from './nouns.ts';

const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** Makes every command of the tree throw instead of ending the process, and write to `dependencies`. */
function contain(command: Command, dependencies: CliDependencies): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => dependencies.out(text),
      writeErr: (text) => dependencies.err(text),
    })
    .allowExcessArguments(false);
  for (const child of command.commands) contain(child, dependencies);
}

/** The tree of commands. Only the nouns that are wanted have their verbs and options; of the others the help knows the line. */
async function buildProgram(
  dependencies: CliDependencies,
  isWanted: (noun: string) => boolean,
): Promise<Command> {
  const program = new Command('vouch')
    .description('Vouch: governed memory for agents')
    // A command that has others below it may have an option of the same name as one of those.
    .enablePositionalOptions();
  for (const [name, { load, summary }] of Object.entries(NOUNS)) {
    const noun = program.command(name).description(summary);
    if (isWanted(name)) (await load())(noun, dependencies);
  }
  contain(program, dependencies);
  return program;
}

export interface CommandOperation {
  /** `vouch key create` */
  readonly command: string;
  /** The line that the help has for it. */
  readonly description: string;
  readonly operation: Operation;
}

function operationsBelow(command: Command, words: readonly string[]): CommandOperation[] {
  const path = [...words, command.name()];
  const operation = operationOf(command);
  const own =
    operation === undefined
      ? []
      : [{ command: path.join(' '), description: command.description(), operation }];
  return [...own, ...command.commands.flatMap((child) => operationsBelow(child, path))];
}

const never = (): never => {
  throw new Error('no command is run');
};

/** Every command with the operation that it runs. Nothing is run. */
export async function commandOperations(): Promise<readonly CommandOperation[]> {
  const nothing: CliDependencies = {
    open: never,
    stdin: { [Symbol.asyncIterator]: never },
    out: never,
    err: never,
    now: never,
    receiptKeyPem: never,
    promiseLines: never,
    signal: new AbortController().signal,
  };
  return operationsBelow(await buildProgram(nothing, () => true), []);
}

/** Runs one command line (`args` without program names) and answers its exit code. Never throws. */
export async function runCli(
  args: readonly string[],
  dependencies: CliDependencies,
): Promise<number> {
  try {
    // `vouch help key` speaks of a noun as `vouch key` does.
    const program = await buildProgram(dependencies, (noun) => args.slice(0, 2).includes(noun));
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // Commander has written its own line already; help that was asked for is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    dependencies.err(
      `vouch: ${error instanceof Complaint ? error.message : await describeFailure(error)}\n`,
    );
    return error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}
