/** The inventory as a page for people. */
import type { Inventory } from './inventory.ts';

const HEAD = `# Surfaces

Which surfaces of the service exist, are gated or unavailable. Generated from the tables of the doors by
\`npm run surfaces\`; \`docs/surfaces.json\` has the same for programs.
`;

const code = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : texts.map((text) => `\`${text}\``).join(', ');

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The page in Markdown. */
export function surfacePage({ contract, gated, operations, schema_version }: Inventory): string {
  return [
    HEAD,
    `Schema: \`${schema_version}\`.\n`,
    '## Operations and their doors\n',
    table(
      ['operation', 'who', 'does', 'REST', 'MCP', 'command line', 'console', 'state'],
      operations.map(({ access, doors, effect, operation, state }) => [
        `\`${operation}\``,
        access.replaceAll('_', ' '),
        effect,
        code(doors.rest),
        code(doors.mcp),
        code(doors.cli),
        code(doors.console),
        state,
      ]),
    ),
    '\n## What the contract names\n',
    table(
      ['door', 'surface', 'state'],
      contract.map(({ door, state, surface }) => [door, `\`${surface}\``, state]),
    ),
    '\n## Gated\n',
    table(
      ['surface', 'switched on by'],
      gated.map(({ by, surface }) => [surface, `\`${by}\``]),
    ),
    '',
  ].join('\n');
}
