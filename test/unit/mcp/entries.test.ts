/** Entries in the files of clients: only their own place changes. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { CLIENTS } from '../../../cli/mcp/clients.ts';
import { NotEditable, withJsonEntry } from '../../../cli/mcp/json-entry.ts';
import { withTomlEntry } from '../../../cli/mcp/toml-entry.ts';
import { sized } from '../../support/run.ts';

const ENTRY = { command: '/bin/node "x"', args: ['a\\b', 'mcp'] };
const put = (text: string) => withJsonEntry(text, 'mcpServers', 'vouch', ENTRY);

describe('an entry in a file of JSON', () => {
  test.each(['', ' \n', '{}', '{ }\n', '{"mcpServers": {}}', '{"mcpServers":{"vouch":7}}'])(
    'is put into %j',
    (text) => {
      expect(JSON.parse(put(text))).toEqual({ mcpServers: { vouch: ENTRY } });
    },
  );

  test('leaves every other character as it was', () => {
    const text =
      '{\r\n\t"n": 1.0, "big": 12345678901234567890, "s": "}{\\"]", "n": 2e5,\n' +
      '\t"mcpServers": {"other": {"command": "x", "args": [ ]} , "vouch": {"command": "old"}, "z": null},\n\t"last": [1,2 ,3]\n}\r\n';
    const own = '{"command": "old"}';
    const at = text.indexOf(own);
    const edited = put(text);
    expect(edited.startsWith(text.slice(0, at))).toBe(true);
    expect(edited.endsWith(text.slice(at + own.length))).toBe(true);
    const written = edited.slice(at, edited.length - (text.length - at - own.length));
    expect(JSON.parse(written)).toEqual(ENTRY);
    expect(put(edited)).toBe(edited);
  });

  test('is the only change to any object', () => {
    const names = fc.constantFrom('a', 'mcpServers', 'vouch', 'b"c', 'd\\e', '}', '');
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(null, true, 0, -1.5e9, '', '"}', '\\"', ']'),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(names, tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    const object = fc.dictionary(names, value, { maxKeys: 5 });
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1, 2, '\t'), (before, indent) => {
        const group: unknown = before['mcpServers'];
        const isObject = typeof group === 'object' && group !== null && !Array.isArray(group);
        const edit = (): unknown => JSON.parse(put(JSON.stringify(before, null, indent)));
        if ('mcpServers' in before && !isObject) {
          expect(edit).toThrow(NotEditable);
          return;
        }
        expect(edit()).toEqual({ ...before, mcpServers: { ...Object(group), vouch: ENTRY } });
      }),
      { numRuns: sized({ short: 100, long: 500 }) },
    );
  });

  test.each(['{', '[]', '7', 'null', '{"a":1}x', '// remark\n{}', '{"a":1,}', '{"mcpServers":[]}'])(
    'is not put into %j',
    (text) => {
      expect(() => put(text)).toThrow(NotEditable);
    },
  );
});

describe('a table in a file of TOML', () => {
  const add = (text: string) =>
    withTomlEntry(text, 'mcp_servers', 'vouch', { command: 'n', args: ['m'] });
  const TABLE = '[mcp_servers.vouch]\ncommand = "n"\nargs = ["m"]';

  test('is put at the end, or in the place of the one that was there', () => {
    expect(add('')).toBe(`${TABLE}\n`);
    expect(add('model = "x"')).toBe(`model = "x"\n\n${TABLE}\n`);
    const text =
      'a = 1\n[mcp_servers.vouch]\ncommand = "old"\nenv = 1\n\n# of the next\n[b]\nc = 2\n';
    expect(add(text)).toBe(`a = 1\n${TABLE}\n\n# of the next\n[b]\nc = 2\n`);
    expect(add(add(text))).toBe(add(text));
  });

  test('is not looked for inside a text of several lines', () => {
    const text = 'a = """\n[mcp_servers.vouch]\n"""\n';
    expect(add(text)).toBe(`${text}\n${TABLE}\n`);
  });

  test.each([
    'mcp_servers = {}',
    'mcp_servers.vouch.command = "x"',
    '[mcp_servers]\nvouch = {}',
    '["a',
    'a = """',
  ])('is put nowhere where another form may stand: %j', (text) => {
    if (text === '["a') expect(add(text)).toContain(text);
    else expect(() => add(text)).toThrow(NotEditable);
  });
});

test('each client has a file in the home of its user, and its own form', () => {
  const program = { command: '/n', args: ['mcp'] };
  const forms = CLIENTS.map((client) => [
    client.name,
    client.file('/home/ana', 'linux'),
    client.edit('', program).replaceAll(/\s+/g, ''),
  ]);
  expect(forms).toEqual([
    [
      'claude-code',
      '/home/ana/.claude.json',
      '{"mcpServers":{"vouch":{"type":"stdio","command":"/n","args":["mcp"]}}}',
    ],
    [
      'cursor',
      '/home/ana/.cursor/mcp.json',
      '{"mcpServers":{"vouch":{"command":"/n","args":["mcp"]}}}',
    ],
    ['codex', '/home/ana/.codex/config.toml', '[mcp_servers.vouch]command="/n"args=["mcp"]'],
    [
      'vscode',
      '/home/ana/.config/Code/User/mcp.json',
      '{"servers":{"vouch":{"type":"stdio","command":"/n","args":["mcp"]}}}',
    ],
  ]);
});
