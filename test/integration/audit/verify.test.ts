/** `vouch audit verify` on a real database: what somebody with every right did to sealed events is found, and where. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runCli } from '../../../cli/program.ts';
import { GENESIS, hashesAfter, type ChainPoint } from '../../../domain/audit/chain.ts';
import { eventDigest } from '../../../engine/audit/digest.ts';
import { createVerifyChain } from '../../../engine/audit/verify.ts';
import { Directory } from '../../../stores/postgres/identity/directory.ts';
import { onlyThese } from '../identity/scene.ts';
import { openAuditScene, type AuditScene } from './scene.ts';
import { readPromiseFiles } from '../../../stores/promises/read-file.ts';

let scene: AuditScene;
/** Accounts of the tests before stay: each test has one of its own. */
let key: string;
let account: string;
let made = 0;

beforeAll(async () => {
  scene = await openAuditScene();
});
afterAll(() => scene.close());

beforeEach(async () => {
  made += 1;
  key = `account-${made}`;
  account = await scene.account(key);
});

async function vouch(...args: readonly string[]) {
  let out = '';
  let err = '';
  const environment = onlyThese({
    directory: new Directory(scene.pool),
    verifyChain: createVerifyChain(scene.store),
  });
  const code = await runCli(['audit', 'verify', ...args], {
    stdin: (async function* nothing() {})(),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    now: () => new Date(),
    signal: new AbortController().signal,
    promiseLines: readPromiseFiles,
    receiptKeyPem: () => Promise.resolve(''),
    open: async () => ({ environment, close: async () => {} }),
  });
  return { code, out, err };
}

const verify = (...args: readonly string[]) => vouch('--account', key, ...args);

async function appendAndSeal(count: number): Promise<void> {
  await scene.appendMany(account, count);
  await scene.seal();
}

/** The head as `--json` prints it, of an intact chain. */
async function printedHead(): Promise<ChainPoint> {
  const { code, err, out } = await verify('--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out).head as ChainPoint;
}

async function idAt(position: number): Promise<string> {
  const [row] = await scene.rows(
    'select id from audit_events where account_id = $1 and chain_position = $2',
    [account, position],
  );
  return String(row?.['id']);
}

/** Works as superuser on the account's events, without the checks that hold everybody else. */
const tamper = (statement: string, ...values: readonly unknown[]) =>
  scene.rows(statement, [account, ...values]);

/** One line on standard error that names the place, exit code 1. */
async function broken(...args: readonly string[]): Promise<string> {
  const { code, err } = await verify(...args);
  expect(code).toBe(1);
  expect(err).toMatch(/^vouch: [^\n]+\n$/);
  return err;
}

describe('a chain that nobody touched', () => {
  test('is verified to its end, over many pages, with the events that wait', async () => {
    await appendAndSeal(1_234);
    await scene.appendMany(account, 3);
    const { code, err, out } = await verify();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { hash, position } = await printedHead();
    expect(position).toBe(1_234);
    expect(out.split(/\s*\n/)).toEqual([
      expect.stringMatching(/^verified +1234$/),
      expect.stringMatching(/^unsealed +3$/),
      expect.stringMatching(/^oldest unsealed \(seconds\) +\d+$/),
      expect.stringMatching(/^position +1234$/),
      expect.stringMatching(new RegExp(`^head +${hash}$`)),
      '',
    ]);
    expect(JSON.parse((await verify('--json')).out)).toEqual({
      account_id: account,
      intact: true,
      verified: 1_234,
      unsealed: 3,
      oldest_unsealed_seconds: expect.any(Number),
      head: { position: 1_234, hash },
      finding: null,
    });
  });

  test('has every head that it ever had, and a head in capitals is the same', async () => {
    const heads = [(await printedHead()).hash];
    expect(heads).toEqual([GENESIS.hash]);
    for (const count of [1, 510, 2]) {
      await appendAndSeal(count);
      heads.push((await printedHead()).hash);
    }
    expect(new Set(heads).size).toBe(4);
    for (const head of heads) expect(await verify('--head', head)).toMatchObject({ code: 0 });
    expect(await verify('--head', heads[2]?.toUpperCase() ?? '')).toMatchObject({ code: 0 });
  });

  test('does not have the head of another account', async () => {
    await appendAndSeal(4);
    const { hash } = await printedHead();
    key = `${key}-other`;
    account = await scene.account(key);
    await appendAndSeal(4);
    expect(await broken('--head', hash)).toContain(
      'position 4: the chain does not contain the expected head',
    );
  });
});

describe('a command line that cannot be carried out', () => {
  test('is refused: a head that is none with exit code 2, an account that is missing with 1', async () => {
    for (const head of ['', 'abc', 'g'.repeat(64)]) {
      expect(await verify('--head', head)).toMatchObject({ code: 2, out: '' });
    }
    expect(await vouch()).toMatchObject({ code: 1, out: '' });
    expect(await vouch('--account', 'nobody')).toMatchObject({ code: 1, out: '' });
  });
});

describe('a changed event', () => {
  test.each([
    ["category = 'gate'"],
    ["action = 'review.decided'"],
    ["actor_kind = 'operator'"],
    ['actor_peer_id = gen_random_uuid()'],
    ['credential_id = gen_random_uuid()'],
    ["resource_type = 'scope'"],
    ['resource_id = null'],
    [`metadata = '{"n": 5.0}'`],
    ["content_hash = sha256('x')"],
    ["occurred_at = occurred_at + interval '1 microsecond'"],
    ["occurred_at = 'infinity'"],
    ['id = gen_random_uuid()'],
    ["chain_hash = sha256('x')"],
  ])('is found at its place: %s', async (change) => {
    await appendAndSeal(9);
    await tamper(`update audit_events set ${change} where account_id = $1 and chain_position = 5`);
    const id = await idAt(5);
    expect(await broken()).toBe(
      `vouch: The audit chain is broken at position 5 (event ${id}): somebody changed the event after it was sealed.\n`,
    );
    const { code, out } = await verify('--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      intact: false,
      verified: 4,
      head: { position: 4 },
      finding: { fault: 'changed', position: 5, event_id: id },
    });
  });

  test('is found when its own hash was made to fit, at the event that follows it', async () => {
    await appendAndSeal(9);
    await tamper(
      "update audit_events set action = 'other.done' where account_id = $1 and chain_position = 5",
    );
    await rehash(5, 5);
    expect(await broken()).toContain(`position 6 (event ${await idAt(6)})`);
  });

  test('is found when it is the last one and its own hash was made to fit', async () => {
    await appendAndSeal(9);
    await tamper(
      "update audit_events set action = 'other.done' where account_id = $1 and chain_position = 9",
    );
    await rehash(9, 9);
    expect(await broken()).toContain('position 9: the database says that the chain ends here');
  });
});

/** Makes the hashes of these positions fit what stands there, as somebody would who knows the rule. */
async function rehash(from: number, to: number): Promise<void> {
  for (let position = from; position <= to; position += 1) {
    const [last = GENESIS] =
      position === 1 ? [] : await scene.store.sealed(account, at(position - 2), 1);
    const [event] = await scene.store.sealed(account, at(position - 1), 1);
    if (event === undefined) throw new Error('no such event');
    const [hash] = hashesAfter(last, [event.fields], eventDigest);
    await tamper(
      `update audit_events set chain_hash = decode($3, 'hex') where account_id = $1 and chain_position = $2`,
      position,
      hash,
    );
  }
}

const at = (position: number): ChainPoint => ({ ...GENESIS, position });

describe('a removed event', () => {
  test.each([1, 5, 8])('is found at its position: %i', async (position) => {
    await appendAndSeal(9);
    await tamper(
      'delete from audit_events where account_id = $1 and chain_position = $2',
      position,
    );
    expect(await broken()).toContain(
      `position ${position}: the event at this position is missing, and later events exist.`,
    );
  });

  test('is found when the later ones moved up', async () => {
    await appendAndSeal(6);
    await tamper('delete from audit_events where account_id = $1 and chain_position = 3');
    for (const position of [4, 5, 6]) {
      await tamper(
        `update audit_events set chain_position = $2 - 1 where account_id = $1 and chain_position = $2`,
        position,
      );
    }
    await tamper('update audit_chains set position = 5 where account_id = $1');
    expect(await broken()).toContain(
      `position 3 (event ${await idAt(3)}): somebody changed the event`,
    );
  });
});

describe('reordered events', () => {
  const swap = async (a: number, b: number) => {
    await tamper(
      'update audit_events set chain_position = 1000000 where account_id = $1 and chain_position = $2',
      a,
    );
    await tamper(
      'update audit_events set chain_position = $3 where account_id = $1 and chain_position = $2',
      b,
      a,
    );
    await tamper(
      'update audit_events set chain_position = $2 where account_id = $1 and chain_position = 1000000',
      b,
    );
  };

  test.each([
    [1, 2],
    [4, 7],
    [3, 1_200],
  ])('are found at the first of the two: %i and %i', async (a, b) => {
    await appendAndSeal(1_201);
    await swap(a, b);
    expect(await broken()).toBe(
      `vouch: The audit chain is broken at position ${a} (event ${await idAt(a)}): the event of this position stands at another position.\n`,
    );
  });
});

describe('an added event', () => {
  test('is found where it takes the position of another', async () => {
    await appendAndSeal(9);
    await scene.rows('drop index audit_events_in_chain');
    try {
      await tamper(
        `insert into audit_events (account_id, id, category, action, actor_kind, resource_type, chain_position, chain_hash)
         select account_id, 'ffffffff-ffff-4fff-bfff-ffffffffffff', category, action, actor_kind, resource_type,
           chain_position, chain_hash
         from audit_events where account_id = $1 and chain_position = any($2)`,
        [9],
      );
      expect(await broken()).toContain('position 9: the database says that the chain ends here');
      await tamper(
        `update audit_events set chain_position = 4 where account_id = $1
           and id = 'ffffffff-ffff-4fff-bfff-ffffffffffff'`,
      );
      expect(await broken()).toContain(
        'position 4 (event ffffffff-ffff-4fff-bfff-ffffffffffff): two events have this position.',
      );
    } finally {
      await scene.rows(
        `delete from audit_events where id = 'ffffffff-ffff-4fff-bfff-ffffffffffff'`,
      );
      await scene.rows(
        'create unique index audit_events_in_chain on audit_events (account_id, chain_position) where chain_position is not null',
      );
    }
  });

  test('is found past the end', async () => {
    await appendAndSeal(9);
    await scene.appendMany(account, 1);
    await tamper(
      `update audit_events set chain_position = 10, chain_hash = sha256('x')
       where account_id = $1 and chain_position is null`,
    );
    expect(await broken()).toContain('position 9: the database says that the chain ends here');
  });
});

describe('a removed end', () => {
  const removeAfter = (position: number) =>
    tamper('delete from audit_events where account_id = $1 and chain_position > $2', position);
  const pretendEnd = (position: number) =>
    tamper(
      `update audit_chains c set position = e.chain_position, hash = e.chain_hash from audit_events e
       where c.account_id = $1 and e.account_id = $1 and e.chain_position = $2`,
      position,
    );

  test('is found by what the database knows of the end', async () => {
    await appendAndSeal(9);
    await removeAfter(6);
    expect(await broken()).toContain('position 7: the chain ends before this position');
  });

  test('is found by a printed head alone when nothing in the database tells of it', async () => {
    await appendAndSeal(9);
    const { hash } = await printedHead();
    const earlier = await scene.store.sealed(account, at(4), 1);
    await removeAfter(6);
    await pretendEnd(6);
    expect(await verify()).toMatchObject({ code: 0, err: '' });
    expect(await broken('--head', hash)).toBe(
      'vouch: The audit chain is broken at position 6: the chain does not contain the expected head: somebody removed or rewrote its end.\n',
    );
    // A head of before the cut is still there: the end is what has to be kept.
    expect(await verify('--head', earlier[0]?.hash ?? '')).toMatchObject({ code: 0 });
  });

  test('is found by the head when the sealer has gone on since', async () => {
    await appendAndSeal(9);
    const { hash } = await printedHead();
    await removeAfter(6);
    await pretendEnd(6);
    await appendAndSeal(5);
    expect(await verify()).toMatchObject({ code: 0, err: '' });
    expect(await broken('--head', hash)).toContain(
      'position 11: the chain does not contain the expected head',
    );
  });

  test('is found when nothing at all is left', async () => {
    await appendAndSeal(9);
    const { hash } = await printedHead();
    await tamper('delete from audit_events where account_id = $1');
    expect(await broken()).toContain('position 1: the chain ends before this position');
    await tamper('delete from audit_chains where account_id = $1');
    expect(await verify()).toMatchObject({ code: 0, err: '' });
    expect(await broken('--head', hash)).toContain(
      'position 0: the chain does not contain the expected head',
    );
  });

  test('is found when only the record of the end was removed', async () => {
    await appendAndSeal(9);
    await tamper('delete from audit_chains where account_id = $1');
    expect(await broken()).toContain('position 0: the database says that the chain ends here');
  });
});

describe('a chain that was rewritten from a changed event on', () => {
  test('is found by a printed head alone', async () => {
    await appendAndSeal(9);
    const { hash } = await printedHead();
    await tamper(
      "update audit_events set action = 'other.done' where account_id = $1 and chain_position = 5",
    );
    await rehash(5, 9);
    await tamper(
      `update audit_chains c set hash = e.chain_hash from audit_events e
       where c.account_id = $1 and e.account_id = $1 and e.chain_position = 9`,
    );
    expect(await verify()).toMatchObject({ code: 0, err: '' });
    expect(await broken('--head', hash)).toContain(
      'position 9: the chain does not contain the expected head',
    );
  });
});
