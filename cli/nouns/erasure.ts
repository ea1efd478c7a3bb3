import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { verifyReceipt, type ReceiptVerdict } from '../../operations/erasure/receipt.ts';
import { readErasureAsOperator } from '../../operations/erasure/read-as-operator.ts';
import { addCommand, Complaint, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { UsageError } from '../errors.ts';

const COMPLAINTS: Readonly<Record<Exclude<ReceiptVerdict, 'valid'>, string>> = {
  malformed: 'The file holds no receipt of an erasure.',
  other_key: 'Another key signed this receipt.',
  changed: 'The receipt was changed after it was signed.',
};

function fileText(path: unknown): string {
  try {
    return readFileSync(String(path), 'utf8');
  } catch {
    throw new UsageError('The file cannot be read.');
  }
}

function publicKeyIn(text: string): KeyObject {
  try {
    return createPublicKey(text);
  } catch {
    throw new UsageError('The file holds no key in PEM.');
  }
}

/** Both commands work on files alone: they open no server. */
function addOffline(noun: Command, dependencies: CliDependencies): void {
  const keyOf = async (options: Options): Promise<KeyObject> =>
    publicKeyIn(
      options['publicKey'] === undefined
        ? await dependencies.receiptKeyPem()
        : fileText(options['publicKey']),
    );
  const verify = noun
    .command('verify')
    .description('check the signature of a receipt; needs no server')
    .requiredOption('--file <path>', 'the receipt in JSON, unchanged')
    .option('--public-key <path>', 'the public key in PEM; without it, the key of this service');
  verify.action(async () => {
    const options = verify.opts<Options>();
    const verdict = verifyReceipt(fileText(options['file']), await keyOf(options));
    if (verdict !== 'valid') throw new Complaint(COMPLAINTS[verdict]);
    dependencies.out('The receipt is valid.\n');
  });
  noun
    .command('public-key')
    .description('print the public key that checks receipts; needs no server')
    .action(async () => {
      dependencies.out((await keyOf({})).export({ type: 'spki', format: 'pem' }).toString());
    });
}

/** `vouch erasure status|verify|public-key`. */
export function addErasure(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'status',
    summary: 'show the state of an erasure; with --json also its receipt',
    operation: readErasureAsOperator,
    options: (command) => {
      command.requiredOption('--id <id>', 'the id of the erasure');
    },
    input: (options) => ({ id: options['id'] }),
    text: ({ id, mode, state }) => `Erasure ${id} (${mode}) is ${state}.`,
  });
  addOffline(noun, dependencies);
}
