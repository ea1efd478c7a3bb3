import { Argument, type Command } from 'commander';
import { CONSENT_MODES } from '../../domain/governance/consent-mode.ts';
import { GATE_PRESETS } from '../../domain/governance/presets.ts';
import { FORGET_SETTINGS } from '../../domain/forgetting/holds.ts';
import { SECRET_POLICIES } from '../../domain/identity/secret-policy.ts';
import { setConsentMode } from '../../operations/governance/consent.ts';
import { setPreset } from '../../operations/governance/preset.ts';
import { setForgetting } from '../../operations/forgetting/setting.ts';
import { setSecretPolicy } from '../../operations/governance/secrets.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { addRules } from './rules.ts';

/** `vouch governance preset|secrets|consent|forgetting|rules`. */
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
  addCommand(noun, dependencies, {
    name: 'consent',
    summary:
      'subject_required: a personal statement is shared only after its subject agreed; auto: the account agrees for its people',
    operation: setConsentMode,
    options: (command) => {
      command.addArgument(new Argument('<mode>').choices(CONSENT_MODES));
    },
    input: (_options, [mode]) => ({ mode }),
    text: (output) =>
      output.changed
        ? `The consent mode is now ${output.mode}. It was ${output.previous_mode}. Statements that wait for their subject go on waiting.`
        : `Nothing to do: the consent mode is already ${output.mode}.`,
  });
  addCommand(noun, dependencies, {
    name: 'forgetting',
    summary:
      'own: what people ask to be forgotten of themselves is hidden at once; all: whatever they ask; off: nothing before a curator decides',
    operation: setForgetting,
    options: (command) => {
      command.addArgument(new Argument('<acts>').choices(FORGET_SETTINGS));
    },
    input: (_options, [acts]) => ({ acts }),
    text: (output) =>
      output.changed
        ? `Requests to forget now act as "${output.acts}". It was "${output.previous_acts}". Requests that were made before stay as they are.`
        : `Nothing to do: requests to forget act as "${output.acts}" already.`,
  });
  addRules(noun, dependencies);
}
