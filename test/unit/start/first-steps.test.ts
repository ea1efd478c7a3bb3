import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { firstSteps, shellQuote } from '../../../runtime/start/first-steps.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "it's a path "));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a printed line with a curl that prints its arguments, one a line. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\n' "$@"; }\n${line}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', cwd: '/' }).trimEnd().split('\n');
}

describe('the printed lines', () => {
  test('read address and key from the credentials file, whatever its path and the directory', () => {
    const credentials = join(directory, 'credentials.json');
    const value = { base_url: 'http://127.0.0.1:4007', agent: { api_key: 'vch_abc' } };
    writeFileSync(credentials, JSON.stringify(value, null, 2));
    const answer = join(directory, 'answer.json');
    const [say, , ask] = firstSteps(credentials, answer);
    for (const line of [say, ask]) {
      const args = argumentsOf(line);
      expect(args.some((arg) => arg.startsWith('http://127.0.0.1:4007/api/v1/'))).toBe(true);
      expect(args).toContain('authorization: Bearer vch_abc');
    }
  });

  test('find the message id in the answer that the first line left', () => {
    const credentials = join(directory, 'credentials.json');
    writeFileSync(credentials, JSON.stringify({ base_url: 'http://h', api_key: 'k' }, null, 2));
    const answer = join(directory, 'answer.json');
    writeFileSync(answer, '{"data":{"message_id":"0199-id","status":"accepted"}}\n202\n');
    const [, wait] = firstSteps(credentials, answer);
    expect(argumentsOf(wait)).toContain('http://h/api/v1/ingest/0199-id?wait_ms=10000');
  });

  test('name a speaker only where something is said', () => {
    const [say, wait, ask] = firstSteps('/c', '/a');
    expect(say).toContain('peer_key');
    expect(wait).not.toContain('peer_key');
    expect(ask).not.toContain('peer_key');
  });
});

test('quoting survives a quote', () => {
  expect(
    execFileSync('sh', ['-c', `printf %s ${shellQuote("a'b $c")}`], { encoding: 'utf8' }),
  ).toBe("a'b $c");
});
