import type { Command } from 'commander';
import type { ChainFault } from '../../domain/audit/chain.ts';
import { verifyAudit } from '../../operations/audit/verify.ts';
import { addCommand, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { UsageError } from '../errors.ts';
import { pairs } from '../text.ts';

const HASH = /^[0-9a-f]{64}$/i;

/** What a fault means, as the end of a sentence about its place. */
const FAULTS: Readonly<Record<ChainFault, string>> = {
  missing: 'the event at this position is missing, and later events exist.',
  repeated: 'two events have this position.',
  changed: 'somebody changed the event after it was sealed.',
  reordered: 'the event of this position stands at another position.',
  end_missing: 'the chain ends before this position, but the database says that it goes on.',
  end_differs: 'the database says that the chain ends here, but the events differ.',
  head_missing:
    'the chain does not contain the expected head: somebody removed or rewrote its end.',
};

function headOf(options: Options): string | undefined {
  const { head } = options;
  if (typeof head !== 'string') return undefined;
  if (!HASH.test(head)) throw new UsageError('--head takes the 64 hexadecimal digits of a head.');
  return head.toLowerCase();
}

/** `vouch audit verify`. Exit code 1 when the chain is broken. */
export function addAudit(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'verify',
    summary: 'check the whole chain; exit code 1 if it is broken, with the first broken position',
    operation: verifyAudit,
    options: (command) => {
      command.option(
        '--head <hash>',
        'a head that an earlier run printed; the chain must contain it',
      );
    },
    input: (options) => ({ head: headOf(options) }),
    text: ({ head, oldest_unsealed_seconds: oldest, unsealed, verified }) =>
      pairs({
        verified,
        unsealed,
        'oldest unsealed (seconds)': oldest,
        position: head.position,
        head: head.hash,
      }),
    complaint: ({ finding }) => {
      if (finding === null) return null;
      const event = finding.event_id === null ? '' : ` (event ${finding.event_id})`;
      return `The audit chain is broken at position ${finding.position}${event}: ${FAULTS[finding.fault]}`;
    },
  });
}
