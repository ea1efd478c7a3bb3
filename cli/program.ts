/** `vouch <noun> <verb>`: the whole command line. Every command is one operation, called in process. */
import { Command, CommanderError } from 'commander';
import type { Operation } from '../operations/operation.ts';
import { Complaint, operationOf } from './command.ts';
import type { CliDependencies } from './dependencies.ts';
import { describeFailure, UsageError } from './errors.ts';
import { addAccount } from './nouns/account.ts';
import { addAudit } from './nouns/audit.ts';
import { addBootstrap } from './nouns/bootstrap.ts';
import { addEmbeddings } from './nouns/embeddings.ts';
import { addErasure } from './nouns/erasure.ts';
import { addPeer } from './nouns/peer.ts';
import { addGovernance } from './nouns/governance.ts';
import { addGrant } from './nouns/grant.ts';
import { addIndex } from './nouns/index-noun.ts';
import { addKey } from './nouns/key.ts';
import { addMcp } from './nouns/mcp.ts';
import { addModel } from './nouns/model.ts';
import { addRetrieval } from './nouns/retrieval.ts';
import { addScope } from './nouns/scope.ts';
import { addSkill } from './nouns/skill.ts';
import { addStatus } from './nouns/status.ts';
import { addUser } from './nouns/user.ts';

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

function buildProgram(dependencies: CliDependencies): Command {
  const program = new Command('vouch')
    .description('Vouch: governed memory for agents')
    // A command that has others below it may have an option of the same name as one of those.
    .enablePositionalOptions();
  addBootstrap(program, dependencies);
  addAccount(program, dependencies);
  addUser(program, dependencies);
  addKey(program, dependencies);
  addGrant(program, dependencies);
  addPeer(program, dependencies);
  addErasure(program, dependencies);
  addGovernance(program, dependencies);
  addScope(program, dependencies);
  addSkill(program, dependencies);
  addRetrieval(program, dependencies);
  addIndex(program, dependencies);
  addEmbeddings(program, dependencies);
  addAudit(program, dependencies);
  addMcp(program, dependencies);
  addModel(program, dependencies);
  addStatus(program, dependencies);
  contain(program, dependencies);
  return program;
}

export interface CommandOperation {
  /** `vouch key create` */
  readonly command: string;
  readonly operation: Operation;
}

function operationsBelow(command: Command, words: readonly string[]): CommandOperation[] {
  const path = [...words, command.name()];
  const operation = operationOf(command);
  const own = operation === undefined ? [] : [{ command: path.join(' '), operation }];
  return [...own, ...command.commands.flatMap((child) => operationsBelow(child, path))];
}

const never = (): never => {
  throw new Error('no command is run');
};

/** Every command with the operation that it runs. Nothing is run. */
export function commandOperations(): readonly CommandOperation[] {
  const nothing: CliDependencies = {
    open: never,
    stdin: { [Symbol.asyncIterator]: never },
    out: never,
    err: never,
    now: never,
    receiptKeyPem: never,
    signal: new AbortController().signal,
  };
  return operationsBelow(buildProgram(nothing), []);
}

/** Runs one command line (`args` without program names) and answers its exit code. Never throws. */
export async function runCli(
  args: readonly string[],
  dependencies: CliDependencies,
): Promise<number> {
  try {
    await buildProgram(dependencies).parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // Commander has written its own line already; help that was asked for is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    dependencies.err(
      `vouch: ${error instanceof Complaint ? error.message : describeFailure(error)}\n`,
    );
    return error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}
