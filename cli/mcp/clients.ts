/** The clients that can be set up: where each keeps the servers of its user, and how it writes one down. */
import { join } from 'node:path';
import { NotEditable, withJsonEntry } from './json-entry.ts';
import { withTomlEntry } from './toml-entry.ts';

export { NotEditable };

/** The name of the server in every client. */
export const ENTRY_NAME = 'vouch';

/** The program that a client starts, with its arguments. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Client {
  readonly name: string;
  readonly title: string;
  /** The user's own file: never one of a project, which others read. */
  file(home: string, platform: NodeJS.Platform): string;
  /** `text` of the file with the entry in it; throws `NotEditable` for a text that it does not understand. */
  edit(text: string, program: Program): string;
}

const ofMcpServers =
  (withType: boolean) =>
  (text: string, program: Program): string =>
    withJsonEntry(text, 'mcpServers', ENTRY_NAME, {
      ...(withType ? { type: 'stdio' } : {}),
      ...program,
    });

/** The folder of VS Code's user settings, by system. */
function codeFolder(home: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Code', 'User');
  if (platform === 'win32') return join(home, 'AppData', 'Roaming', 'Code', 'User');
  return join(home, '.config', 'Code', 'User');
}

export const CLIENTS: readonly Client[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    file: (home) => join(home, '.claude.json'),
    edit: ofMcpServers(true),
  },
  {
    name: 'cursor',
    title: 'Cursor',
    file: (home) => join(home, '.cursor', 'mcp.json'),
    edit: ofMcpServers(false),
  },
  {
    name: 'codex',
    title: 'Codex',
    file: (home) => join(home, '.codex', 'config.toml'),
    edit: (text, program) => withTomlEntry(text, 'mcp_servers', ENTRY_NAME, { ...program }),
  },
  {
    name: 'vscode',
    title: 'VS Code',
    file: (home, platform) => join(codeFolder(home, platform), 'mcp.json'),
    edit: (text, program) =>
      withJsonEntry(text, 'servers', ENTRY_NAME, { type: 'stdio', ...program }),
  },
];
