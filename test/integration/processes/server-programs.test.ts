import { describe, expect, test } from '@jest/globals';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerSpec } from '../../../embedded/processes/server-process.ts';
import { meilisearchServer } from '../../../embedded/servers/meilisearch.ts';
import { qdrantServer } from '../../../embedded/servers/qdrant.ts';
import { temporalServer } from '../../../embedded/servers/temporal.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const env = { PATH: '/usr/bin', OPENAI_API_KEY: 'provider-key', MEILI_LOG_LEVEL: 'TRACE' };
const key = 'a-key-of-more-than-sixteen-bytes';

/** The values that follow an option on the command line. */
function values(spec: ServerSpec, option: string): readonly string[] {
  return spec.args.filter((_value, index) => spec.args[index - 1] === option);
}

describe('Temporal', () => {
  const directory = '/data/.vouch';
  const spec = temporalServer({
    program: '/bin/temporal',
    databaseFile: `${directory}/temporal.db`,
    logFile: `${directory}/logs/temporal.log`,
    namespace: 'vouch',
    proof: 'installation-1',
    ports: { grpc: 1, ui: 2, http: 3, metrics: 4 },
    durable: true,
    env,
  });

  test('listens on loopback only, on the ports it was given', () => {
    expect(values(spec, '--ip')).toEqual(['127.0.0.1']);
    const ports = ['--port', '--ui-port', '--http-port', '--metrics-port'].flatMap((name) =>
      values(spec, name),
    );
    expect(ports).toEqual(['1', '2', '3', '4']);
  });

  test('runs with the settings that make it fast, and the attributes operators filter by', () => {
    expect(values(spec, '--sqlite-pragma')).toEqual(['journal_mode=wal', 'synchronous=normal']);
    expect(values(spec, '--dynamic-config-value')).toContain(
      'history.timerProcessorMaxTimeShift="10ms"',
    );
    expect(values(spec, '--dynamic-config-value')).toHaveLength(4);
    expect(values(spec, '--search-attribute')).toEqual([
      'Lane=Keyword',
      'RunKind=Keyword',
      'AccountRef=Keyword',
      'BuildSha=Keyword',
    ]);
  });

  test('is recognised by its database file', () => {
    expect(spec.args).toContain(spec.dataPath);
  });
});

describe('the search servers', () => {
  test('Meilisearch gets its key by environment, not by argument, and no other secret of the service', async () => {
    const directory = temporaryDirectory();
    const spec = await meilisearchServer({
      directory,
      logFile: '/log',
      port: 7,
      masterKey: key,
      durable: true,
      env,
    });
    expect(spec.args.join(' ')).not.toContain(key);
    expect(spec.env).toEqual({
      PATH: '/usr/bin',
      HOME: directory,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      MEILI_MASTER_KEY: key,
    });
    expect(spec.args).toContain('--no-analytics');
    expect(values(spec, '--http-addr')).toEqual(['127.0.0.1:7']);
    expect(spec.args).toContain(spec.dataPath);
  });

  test('Qdrant gets its key by a file for its owner alone, opens no second port and sends no telemetry', async () => {
    const directory = temporaryDirectory();
    const spec = await qdrantServer({
      directory,
      logFile: '/log',
      port: 6,
      apiKey: key,
      durable: true,
      env,
    });
    const file = join(directory, 'config.yaml');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      telemetry_disabled: true,
      service: { host: '127.0.0.1', http_port: 6, grpc_port: null, api_key: key },
    });
    expect([...spec.args, ...Object.values(spec.env)].join(' ')).not.toContain(key);
    expect(spec.args).toContain(spec.dataPath);
  });
});
