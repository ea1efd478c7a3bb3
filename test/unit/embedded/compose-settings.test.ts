/** The servers of docker-compose.yml have the settings of the embedded ones: they may log as little. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentFreeLog, planning } from '../../../embedded/servers/postgres.ts';
import { ROOT } from '../../architecture/source-tree.ts';

const compose = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

/** The lines of a service, up to the next. */
function service(name: string): string {
  const found = new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(compose)?.[1];
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
}

test('Postgres writes no message, detail, statement or parameter', () => {
  expect(contentFreeLog).toMatchObject({
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  });
  for (const [setting, value] of Object.entries(contentFreeLog)) {
    expect(service('postgres')).toContain(`- ${setting}=${value}\n`);
  }
});

test('Postgres plans as the embedded one does', () => {
  for (const [setting, value] of Object.entries(planning)) {
    expect(service('postgres')).toContain(`- ${setting}=${value}\n`);
  }
});

test.each([
  ['temporal', 'LOG_LEVEL: warn'],
  ['meilisearch', 'MEILI_LOG_LEVEL: ERROR'],
  ['qdrant', 'QDRANT__LOG_LEVEL: ERROR'],
])('%s is told %s', (name, setting) => {
  expect(service(name)).toContain(setting);
});
