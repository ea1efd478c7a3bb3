/** The list of promises in a file: whole lines, whoever writes and whoever dies. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { GivenPromise } from '../../../domain/promises/kinds.ts';
import { checkPromises } from '../../../operations/promises/check.ts';
import { createPromiseFile } from '../../../stores/promises/promise-file.ts';
import { readPromiseFiles, type NumberedLine } from '../../../stores/promises/read-file.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const listAt = (path: string, codes: string[] = []) =>
  createPromiseFile({ path, pathHash: () => '', onError: ({ code }) => codes.push(code) });
const promise = (): GivenPromise => ({
  kind: 'redaction',
  knowledge_id: uuidv7(),
  account_id: uuidv7(),
  event_id: uuidv7(),
  given_at: new Date().toISOString(),
});

async function linesAt(...paths: readonly string[]): Promise<NumberedLine[]> {
  const lines = [];
  for await (const line of readPromiseFiles(paths)) lines.push(line);
  return lines;
}
const idsAt = async (path: string) =>
  (await linesAt(path)).flatMap(({ read }) =>
    read.state === 'promise' ? [read.promise.event_id] : [],
  );

describe('the list of promises', () => {
  test('is made with the first promise, for its owner alone', async () => {
    const path = join(temporaryDirectory(), 'a', 'b', 'promises.jsonl');
    const list = listAt(path);
    expect(existsSync(path)).toBe(false);
    await list.append([promise()]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  test('has every promise of several writers at once, and a new file where it was moved away', async () => {
    const path = join(temporaryDirectory(), 'promises.jsonl');
    const lists = [listAt(path), listAt(path), listAt(path)];
    const given = Array.from({ length: 90 }, promise);
    await Promise.all(given.map((one, n) => lists[n % 3]?.append([one])));
    const ids = await idsAt(path);
    expect(ids.toSorted()).toEqual(given.map(({ event_id: id }) => id).toSorted());
    renameSync(path, `${path}.1`);
    await lists[0]?.append([promise()]);
    expect(await idsAt(path)).toHaveLength(1);
    expect(await linesAt(`${path}.1`, path)).toHaveLength(91);
  });

  test('does not go on with the line of a writer that was killed', async () => {
    const path = join(temporaryDirectory(), 'promises.jsonl');
    const [first, second] = [promise(), promise()];
    await listAt(path).append([first]);
    truncateSync(path, statSync(path).size - 30);
    await listAt(path).append([second]);
    expect(await idsAt(path)).toEqual([second.event_id]);
    expect(await checkPromises(readPromiseFiles([path]))).toMatchObject({
      cut: 1,
      kinds: { redaction: 1 },
      first_given_at: second.given_at,
    });
  });

  test('refuses a foreign line by its number, and a line without an end within its bound', async () => {
    const path = join(temporaryDirectory(), 'promises.jsonl');
    await listAt(path).append([promise()]);
    const before = readFileSync(path, 'utf8').split('\n').length;
    appendFileSync(path, `${'x'.repeat(300_000)}\n`);
    await expect(checkPromises(readPromiseFiles([path]))).rejects.toMatchObject({
      code: 'conflict',
      fields: [{ path: 'list', message: expect.stringContaining(`line ${before} of list 1`) }],
    });
  });

  test.each([
    ['a folder in its place', (path: string) => mkdirSync(path), 'EISDIR'],
    ['a full disk', () => undefined, 'ENOSPC'],
  ])('rejects with the code of the system: %s', async (what, prepare, code) => {
    const path = join(temporaryDirectory(), 'promises.jsonl');
    prepare(path);
    const codes: string[] = [];
    const list = listAt(what === 'a full disk' ? '/dev/full' : path, codes);
    await expect(list.append([promise()])).rejects.toMatchObject({
      name: 'PromiseListError',
      code,
    });
    expect(codes).toEqual([code]);
  });
});
