/**
 * One command = one operation: options to input, output to text. Everything commands share is here: the
 * account, `--json`, opening and closing the container, and the context of a caller at the terminal.
 */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { execute } from '../operations/execute.ts';
import type { Access, Operation } from '../operations/operation.ts';
import type { CliContainer, CliDependencies, Server } from './dependencies.ts';

export type Options = Readonly<Record<string, unknown>>;
type Schema = Operation['input'];
type OutputOf<O extends Operation> = Awaited<
  ReturnType<typeof execute<Access, O['input'], O['output']>>
>;

export interface CommandAction<O extends Operation> {
  readonly operation: O;
  /** Servers the operation needs besides Postgres. */
  readonly servers?: readonly Server[];
  readonly options?: (command: Command) => void;
  /** Makes the operation's input; `--account` is added to it. `positional` are the command's arguments. */
  readonly input: (options: Options, positional: readonly string[]) => unknown;
  /** Makes the text that is printed without `--json`. */
  readonly text: (output: OutputOf<O>) => string;
  /** A line for standard error when the operation succeeded but reports a problem: exit code 1. */
  readonly complaint?: (output: OutputOf<O>) => string | null;
  /** False for commands about the deployment as a whole. */
  readonly perAccount?: boolean;
}

export interface CommandSpec<O extends Operation> extends CommandAction<O> {
  readonly name: string;
  readonly summary: string;
}

/** Thrown after the output was printed: exit code 1, with one line on standard error. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
}

async function runOperation<A extends Access, I extends Schema, O extends Schema>(
  operation: Operation<A, I, O>,
  container: CliContainer,
  dependencies: CliDependencies,
  input: unknown,
) {
  const operations = await import('../operations/execute.ts');
  return operations.execute(
    operation,
    {
      caller: null,
      traceId: randomBytes(16).toString('hex'),
      now: dependencies.now(),
      ...container.environment,
      signal: dependencies.signal,
      progress: (line) => dependencies.err(`${line}\n`),
      clientAddress: null,
      idempotency: null,
    },
    input,
  );
}

const operationsOfCommands = new WeakMap<Command, Operation>();

/** The operation that a command runs; undefined for a noun. */
export function operationOf(command: Command): Operation | undefined {
  return operationsOfCommands.get(command);
}

/** Gives a command its options and its work. */
export function fillCommand<O extends Operation>(
  command: Command,
  dependencies: CliDependencies,
  spec: CommandAction<O>,
): void {
  operationsOfCommands.set(command, spec.operation);
  spec.options?.(command);
  command.option('--json', 'print the result as one JSON value');
  if (spec.perAccount !== false) {
    command.option('--account <key>', 'the account; required only if several exist');
  }
  command.action(async () => {
    const options = command.opts<Options>();
    const account = options['account'] === undefined ? {} : { account: options['account'] };
    const given = await spec.input(options, command.args);
    const container = await dependencies.open(['postgres', ...(spec.servers ?? [])]);
    let output: OutputOf<O>;
    try {
      output = await runOperation<Access, O['input'], O['output']>(
        spec.operation,
        container,
        dependencies,
        { ...Object(given), ...account },
      );
    } finally {
      await container.close();
    }
    dependencies.out(
      options['json'] === true ? `${JSON.stringify(output)}\n` : `${spec.text(output)}\n`,
    );
    const complaint = spec.complaint?.(output) ?? null;
    if (complaint !== null) throw new Complaint(complaint);
  });
}

/** Adds the command to its noun, and answers it. */
export function addCommand<O extends Operation>(
  noun: Command,
  dependencies: CliDependencies,
  spec: CommandSpec<O>,
): Command {
  const command = noun.command(spec.name).description(spec.summary);
  fillCommand(command, dependencies, spec);
  return command;
}
