import type { Command } from 'commander';
import { verifyDocuments } from '../../operations/documents/verify.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { pairs } from '../text.ts';

/** `vouch document verify`. Exit code 1 when bytes are missing. */
export function addDocument(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'verify',
    summary: 'compare the bytes of documents with their rows; exit code 1 if bytes are missing',
    operation: verifyDocuments,
    options: (command) => {
      command.option('--remove', 'delete bytes that no document names');
    },
    input: (options) => ({ remove: options['remove'] === true }),
    text: ({ missing, named, orphans, removed }) =>
      pairs({ named, missing, 'without a document': orphans, removed }),
    complaint: ({ examples, missing }) =>
      missing === 0
        ? null
        : `The bytes of ${missing} documents are missing. Put them back from a backup; their SHA-256 begin with ${examples.slice(0, 3).join(', ')}.`,
  });
}
