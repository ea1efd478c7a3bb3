import { afterEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { findTemporal } from '../../../embedded/temporal-program/find.ts';
import {
  binaryCache,
  type TemporalRelease,
  temporalRelease,
} from '../../../embedded/temporal-program/release.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const servers: Server[] = [];
const systemPath = '/usr/bin:/bin';

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A program that answers `--version` as Temporal's command line does. */
function writeTemporal(directory: string, server: string, name = 'temporal'): string {
  mkdirSync(directory, { recursive: true });
  return writeScript(
    join(directory, name),
    `echo 'temporal version 0.0.0-DEV (Server ${server}, UI 2.42.1)'`,
  );
}

const CACHED = 'temporal-1.5.1-2-linux-amd64';
const INSTALLED = [CACHED, `${CACHED}.sha256`];

/** A cached program as an installation leaves it. */
function writeCached(cache: string): string {
  const path = writeTemporal(cache, '1.29.1', CACHED);
  writeFileSync(`${path}.sha256`, createHash('sha256').update(readFileSync(path)).digest('hex'));
  return path;
}

function writeScript(path: string, body: string): string {
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

async function serve(archive: Buffer | undefined): Promise<string> {
  const server = createServer((_request, answer) => {
    answer.statusCode = archive === undefined ? 404 : 200;
    answer.end(archive);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/temporal.tar.gz`;
}

function archiveOf(server: string): Buffer {
  const directory = temporaryDirectory();
  writeTemporal(directory, server);
  execFileSync('tar', ['-czf', 'archive.tar.gz', 'temporal'], { cwd: directory });
  return readFileSync(join(directory, 'archive.tar.gz'));
}

async function release(archive: Buffer | undefined, sha256?: string): Promise<TemporalRelease> {
  return {
    ...temporalRelease,
    archiveUrl: await serve(archive),
    archiveSha256:
      sha256 ??
      createHash('sha256')
        .update(archive ?? '')
        .digest('hex'),
  };
}

function home(path = systemPath) {
  const directory = temporaryDirectory();
  return { env: { HOME: directory, PATH: path }, cache: join(directory, '.cache', 'vouch', 'bin') };
}

async function find(env: Record<string, string>, from?: TemporalRelease) {
  const said: string[] = [];
  const options = {
    env,
    say: (line: string) => void said.push(line),
    release: from ?? (await release(undefined)),
  };
  return { program: await findTemporal(options), said };
}

describe('finding the Temporal program', () => {
  test('TEMPORAL_CLI_PATH comes first, whatever else there is', async () => {
    const named = writeTemporal(temporaryDirectory(), '1.30.2');
    const onPath = temporaryDirectory();
    writeTemporal(onPath, '1.29.1');
    const { program } = await find({ TEMPORAL_CLI_PATH: named, PATH: onPath });
    expect(program).toEqual({ path: named, source: 'TEMPORAL_CLI_PATH', serverVersion: '1.30.2' });
  });

  test('a TEMPORAL_CLI_PATH that cannot be used is an error although PATH has one', async () => {
    const onPath = temporaryDirectory();
    writeTemporal(onPath, '1.29.1');
    const old = writeTemporal(temporaryDirectory(), '1.28.0');
    await expect(find({ TEMPORAL_CLI_PATH: '/nowhere/temporal', PATH: onPath })).rejects.toThrow(
      'TEMPORAL_CLI_PATH is set but cannot be used: /nowhere/temporal does not run (ENOENT)',
    );
    await expect(find({ TEMPORAL_CLI_PATH: old, PATH: onPath })).rejects.toThrow(
      'contains server 1.28.0, which is older than 1.29',
    );
  });

  test('PATH comes next, unless its program is too old', async () => {
    const fresh = temporaryDirectory();
    const path = writeTemporal(fresh, '2.0.0');
    expect((await find({ PATH: `/nowhere:${fresh}` })).program).toMatchObject({
      path,
      source: 'PATH',
    });
    const old = temporaryDirectory();
    writeTemporal(old, '1.9.0');
    const { env, cache } = home(`${old}:${systemPath}`);
    writeCached(cache);
    expect((await find(env)).program.source).toBe('cache');
  });

  test('the cache needs no network and no Go', async () => {
    const { env, cache } = home('/nowhere');
    const path = writeCached(cache);
    const { program, said } = await find(env);
    expect(program).toEqual({ path, source: 'cache', serverVersion: '1.29.1' });
    expect(said).toEqual([]);
  });

  test.each([
    ['is not what was installed', (path: string) => writeScript(path, 'touch "$0.ran"; exit 1')],
    ['has no record of what was installed', (path: string) => rmSync(`${path}.sha256`)],
    ['may be changed by other users', (path: string) => chmodSync(path, 0o775)],
  ])('a cached program that %s is not run but installed anew', async (_what, change) => {
    const { env, cache } = home();
    change(writeCached(cache));
    const { program } = await find(env, await release(archiveOf('1.29.1')));
    expect(program.source).toBe('download');
    expect(readdirSync(cache)).toEqual(INSTALLED);
    expect((await find(env)).program.source).toBe('cache');
  });

  test('a download is checked, unpacked and kept for the next start; nothing else stays', async () => {
    const { env, cache } = home();
    const { program, said } = await find(env, await release(archiveOf('1.29.1')));
    expect(program).toMatchObject({ source: 'download', serverVersion: '1.29.1' });
    expect(said[0]).toContain('Downloading Temporal 1.5.1');
    expect(readdirSync(cache)).toEqual(INSTALLED);
    expect(statSync(program.path).mode & 0o100).toBe(0o100);
    expect((await find(env)).program.source).toBe('cache');
  });

  test('a download with another checksum is not run; Go builds instead', async () => {
    const go = temporaryDirectory();
    const log = join(go, 'log');
    writeScript(
      join(go, 'go'),
      `case "$1" in
         env) printf 'go1.25.3\\nlocal\\n' ;;
         build) printf '%s\\n' "$2 $8 $GOFLAGS $SECRET" > ${log}; cat go.mod >> ${log}; mkdir -p "$GOMODCACHE" "$GOCACHE"
           printf '#!/bin/sh\\necho "(Server 1.29.1, UI 2)"\\n' > "$7"; chmod +x "$7" ;;
       esac`,
    );
    const { env, cache } = home(`${go}:${systemPath}`);
    const tampered = await release(archiveOf('1.29.1'), '0'.repeat(64));
    const { program, said } = await find(
      { ...env, GOFLAGS: '-mod=mod', SECRET: 'not for Go' },
      tampered,
    );
    expect(program.source).toBe('build');
    expect(said.some((line) => line.includes('the archive has the SHA-256'))).toBe(true);
    expect(said.some((line) => line.includes('about 3 minutes'))).toBe(true);
    expect(readFileSync(log, 'utf8').trim()).toBe(
      [
        '-mod=mod github.com/temporalio/cli/cmd/temporal -mod=mod -modcacherw',
        'module temporal\n\ngo 1.25.0\n\nrequire (\n\tgithub.com/temporalio/cli v1.5.1\n\tmodernc.org/sqlite v1.51.0\n)',
      ].join(' \n'),
    );
    expect(readdirSync(cache)).toEqual(INSTALLED);
  });

  test('when no way works the error names every cause and what to do', async () => {
    const go = temporaryDirectory();
    writeScript(join(go, 'go'), `printf 'go1.24.9\\nlocal\\n'`);
    const { env, cache } = home(`${go}:${systemPath}`);
    await expect(find(env)).rejects.toThrow(
      `tried: TEMPORAL_CLI_PATH (not set), PATH (no temporal), cache (no ${cache}/${CACHED}), ` +
        'download (HTTP 404), build (go1.24.9 is older than go1.25). Do one of these: install the Temporal command line',
    );
    expect(readdirSync(cache)).toEqual([]);
  });

  test('two starts at once install it once', async () => {
    const { env } = home();
    const from = await release(archiveOf('1.29.1'));
    const both = await Promise.all([find(env, from), find(env, from)]);
    expect(both.map(({ program }) => program.source).toSorted()).toEqual(['cache', 'download']);
    expect(
      both.flatMap(({ said }) => said).filter((line) => line.startsWith('Downloading')),
    ).toHaveLength(1);
  });

  test('the files of a killed installation are removed by the next one', async () => {
    const { env, cache } = home();
    mkdirSync(join(cache, 'installing-abc', 'mod'), { recursive: true });
    await find(env, await release(archiveOf('1.29.1')));
    expect(readdirSync(cache)).toEqual(INSTALLED);
  });

  test('the cache follows XDG_CACHE_HOME when that is absolute, else HOME', () => {
    expect(binaryCache({ XDG_CACHE_HOME: '/c', HOME: '/h' })).toBe('/c/vouch/bin');
    expect(binaryCache({ XDG_CACHE_HOME: 'c', HOME: '/h' })).toBe('/h/.cache/vouch/bin');
    expect(binaryCache({})).toBeUndefined();
  });
});
