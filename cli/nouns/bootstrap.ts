import type { Command } from 'commander';
import { bootstrap } from '../../operations/identity/bootstrap.ts';
import { fillCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { readPassword, withPassword } from '../secret-input.ts';
import { pairs } from '../text.ts';

/** `vouch bootstrap`: once in the life of a deployment. */
export function addBootstrap(noun: Command, dependencies: CliDependencies): void {
  fillCommand(noun, dependencies, {
    operation: bootstrap,
    perAccount: false,
    options: (command) => {
      command
        .requiredOption('--email <address>', 'the e-mail address of the administrator, for sign-in')
        .option('--account <key>', 'the key of the account (default: community)');
      withPassword(command);
    },
    input: async (options) => ({
      email: options['email'],
      account: options['account'],
      password: await readPassword(options, dependencies),
    }),
    text: (output) =>
      output.changed
        ? `${pairs({ account: output.account_key, token: output.token, expires: output.expires_at })}\nVouch shows the token only once. When it has expired, sign in with e-mail and password.`
        : 'Nothing to do: this deployment is already bootstrapped.',
  });
}
