/** Which SQL statements of a transaction are sent together, and what their callers hear. */
import { describe, expect, test } from '@jest/globals';
import type { DriverQueryResult } from 'slonik';
import { holdingBack, type SentStatement } from '../../stores/postgres/driver/held-back.ts';

const READING =
  "select pg_backend_pid() as pid, set_config('transaction_read_only', 'on', true), set_config('app.account_id', $1, true)";
const WRITING = "select pg_backend_pid() as pid, set_config('app.account_id', $1, true)";

/** A server that answers each statement by its text; an error for the texts that `fails` names. */
function connection(fails: Readonly<Record<string, string>> = {}) {
  const packets: string[][] = [];
  const answer = async ({ text }: SentStatement): Promise<DriverQueryResult> => {
    const failure = fails[text];
    if (failure !== undefined) throw new Error(failure);
    const rows = text.startsWith('select pg_backend_pid()') ? [{ pid: 7 }] : [{ text }];
    return { command: 'SELECT', fields: [], rowCount: rows.length, rows };
  };
  const run = holdingBack((statements) => {
    packets.push(statements.map(({ text }) => text));
    return statements.map(answer);
  });
  return { packets, run: (text: string) => run({ text }) };
}

describe('a transaction that only reads', () => {
  test('begins, is set up and reads in one packet', async () => {
    const { packets, run } = connection();
    await run('START TRANSACTION');
    await run(READING);
    const read = await run('select 1');
    await run('select 2');
    await run('COMMIT');
    expect(packets).toEqual([['START TRANSACTION', READING, 'select 1'], ['select 2'], ['COMMIT']]);
    expect(read.rows).toEqual([{ text: 'select 1' }]);
  });

  test('tells in which process it runs as soon as that is known', async () => {
    const { run } = connection();
    await run('START TRANSACTION');
    const { rows } = await run(READING);
    expect(rows).toEqual([{}]);
    await run('select 1');
    expect(rows).toEqual([{ pid: 7 }]);
  });

  test.each([
    ['its beginning', 'START TRANSACTION'],
    ['what sets it up', READING],
  ])('fails with the error of %s, at its first statement', async (_what, text) => {
    const { packets, run } = connection({ [text]: 'refused', 'select 1': 'a consequence' });
    await run('START TRANSACTION');
    await run(READING);
    await expect(run('select 1')).rejects.toThrow('refused');
    await run('ROLLBACK');
    expect(packets.at(-1)).toEqual(['ROLLBACK']);
  });
});

describe('a transaction that may write', () => {
  test('is set up in the packet that begins it, and writes in the next', async () => {
    const { packets, run } = connection();
    await run('START TRANSACTION');
    const { rows } = await run(WRITING);
    expect(rows).toEqual([{ pid: 7 }]);
    await run('insert');
    await run('COMMIT');
    expect(packets).toEqual([['START TRANSACTION', WRITING], ['insert'], ['COMMIT']]);
  });

  test('is not set up where it did not begin', async () => {
    const { run } = connection({ 'START TRANSACTION': 'refused' });
    await run('START TRANSACTION');
    await expect(run(WRITING)).rejects.toThrow('refused');
  });

  test('without an account writes after its beginning was answered', async () => {
    const { packets, run } = connection();
    await run('START TRANSACTION');
    await run('insert');
    expect(packets).toEqual([['START TRANSACTION'], ['insert']]);
  });

  test('writes nothing where its beginning fails', async () => {
    const { packets, run } = connection({ 'START TRANSACTION': 'refused' });
    await run('START TRANSACTION');
    await expect(run('insert')).rejects.toThrow('refused');
    expect(packets).toEqual([['START TRANSACTION']]);
  });
});

describe('a setting in a transaction', () => {
  const OFF = "\n  select set_config('enable_sort', $1, true)";

  test.each([
    ['only reads', READING, [['START TRANSACTION', READING, OFF, 'select 1'], ['COMMIT']]],
    ['may write', WRITING, [['START TRANSACTION', WRITING], [OFF, 'select 1'], ['COMMIT']]],
  ])(
    'that %s is sent with the next statement, and never after the last',
    async (_what, setUp, sent) => {
      const { packets, run } = connection();
      await run('START TRANSACTION');
      await run(setUp);
      await run(OFF);
      const read = await run('select 1');
      await run(OFF);
      await run('COMMIT');
      expect(packets).toEqual(sent);
      expect(read.rows).toEqual([{ text: 'select 1' }]);
    },
  );

  test('that has no account waits for its beginning', async () => {
    const { packets, run } = connection();
    await run('START TRANSACTION');
    await run(OFF);
    await run('insert');
    expect(packets).toEqual([['START TRANSACTION'], [OFF, 'insert']]);
  });

  test('fails at the next statement', async () => {
    const { run } = connection({ [OFF]: 'refused' });
    await run('START TRANSACTION');
    await run(WRITING);
    await run(OFF);
    await expect(run('insert')).rejects.toThrow('refused');
  });

  test('does not reach into the next transaction', async () => {
    const { packets, run } = connection();
    await run('START TRANSACTION');
    await run(WRITING);
    await run(OFF);
    await run('ROLLBACK');
    await run('START TRANSACTION');
    await run(WRITING);
    expect(packets.slice(1)).toEqual([['ROLLBACK'], ['START TRANSACTION', WRITING]]);
  });
});

test.each(['COMMIT', 'ROLLBACK'])('a transaction without work is never begun: %s', async (end) => {
  const { packets, run } = connection();
  await run('START TRANSACTION');
  await run(READING);
  await run(end);
  await run('select 1');
  expect(packets).toEqual([['select 1']]);
});

test('a statement outside a transaction is sent as it comes', async () => {
  const { packets, run } = connection();
  await run('select 1');
  await run(READING);
  await run("select set_config('a', 'b', true)");
  expect(packets).toEqual([['select 1'], [READING], ["select set_config('a', 'b', true)"]]);
});
