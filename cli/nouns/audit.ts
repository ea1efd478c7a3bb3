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
  missing: 'the event that was sealed here is gone, and later ones stand.',
  repeated: 'two events have this position.',
  changed: 'the event is not as it was sealed.',
  reordered: 'the event that was sealed here stands at another position.',
  end_missing: 'the chain ends before it, and the database says that it went on.',
  end_differs: 'the database says that the chain ends here, and its events say otherwise.',
  head_missing: 'the chain ends here without the expected head: its end was removed or rewritten.',
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
    summary: 'walk over the whole chain; exit code 1 names the first place that is wrong',
    operation: verifyAudit,
    options: (command) => {
      command.option('--head <hash>', 'a head that was printed before: it must be in the chain');
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
