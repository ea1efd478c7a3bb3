import type { Command } from 'commander';
import { readReadiness } from '../../operations/health/read-readiness.ts';
import { fillCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { table } from '../text.ts';

/** Components that only inform. */
const INFORMATIONAL: ReadonlySet<string> = new Set(['model_calls', 'retention']);

/** `vouch status`: the report of `GET /api/ready`. Exit code 1 when a component is not ok. */
export function addStatus(noun: Command, dependencies: CliDependencies): void {
  fillCommand(noun, dependencies, {
    operation: readReadiness,
    perAccount: false,
    input: () => ({}),
    text: ({ status, checks, governance }) =>
      [
        status.replace('_', ' '),
        table(
          ['component', 'status'],
          Object.entries(checks).map(([name, check]) => [name, check.status]),
        ),
        `reviews waiting for a person: ${governance.pending_human_reviews ?? 'unknown'}; withheld: ${governance.restricted_withheld ?? 'unknown'}; unattended: ${governance.unattended ?? 'unknown'}`,
      ].join('\n'),
    complaint: ({ status, checks }) =>
      status === 'ready'
        ? null
        : `Not ready: ${Object.entries(checks)
            .filter(([name, check]) => !INFORMATIONAL.has(name) && check.status === 'error')
            .map(([name]) => name)
            .join(', ')}.`,
  });
}
