import { Argument, type Command } from 'commander';
import { GATE_PRESETS } from '../../domain/governance/presets.ts';
import { SECRET_POLICIES } from '../../domain/identity/secret-policy.ts';
import { setPreset } from '../../operations/governance/preset.ts';
import { setSecretPolicy } from '../../operations/governance/secrets.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { addRules } from './rules.ts';

/** `vouch governance preset|rules|secrets`. */
export function addGovernance(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'preset',
    summary:
      'strict: a person decides everything; assisted: the gates keep direct statements that may be shared; unattended: no person reviews',
    operation: setPreset,
    options: (command) => {
      command.addArgument(new Argument('<preset>').choices(GATE_PRESETS));
    },
    input: (_options, [preset]) => ({ preset }),
    text: (output) =>
      output.changed
        ? `The preset is now ${output.preset}. It was ${output.previous_preset}. Run ${output.run_id} decides again on the waiting statements.`
        : `Nothing to do: the preset is already ${output.preset}.`,
  });
  addCommand(noun, dependencies, {
    name: 'secrets',
    summary:
      'keep: the account accepts observations that contain a credential; refuse: it refuses them',
    operation: setSecretPolicy,
    options: (command) => {
      command.addArgument(new Argument('<policy>').choices(SECRET_POLICIES));
    },
    input: (_options, [policy]) => ({ policy }),
    text: (output) =>
      output.changed
        ? `The policy is now ${output.policy}. It was ${output.previous_policy}.`
        : `Nothing to do: the policy is already ${output.policy}.`,
  });
  addRules(noun, dependencies);
}
