/** The inventory as a page for people. */
import type { Inventory } from './inventory.ts';
import { table } from './table.ts';

const HEAD = `# Surfaces

Every operation of the service, and the routes, tools, commands and pages that call it. \`npm run generate\` makes this page from
the tables of the doors; \`docs/surfaces.json\` holds the same for programs.
`;

const code = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : texts.map((text) => `\`${text}\``).join(', ');

/** The page in Markdown. */
export function surfacePage({ contract, gated, operations, schema_version }: Inventory): string {
  return [
    HEAD,
    `Schema: \`${schema_version}\`.\n`,
    '## Operations and their doors\n',
    table(
      [
        'operation',
        'what it does',
        'who',
        'effect',
        'REST',
        'MCP',
        'command line',
        'console',
        'state',
      ],
      operations.map(({ access, doors, effect, operation, state, summary }) => [
        `\`${operation}\``,
        summary ?? '',
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
