/** The caller that an operation answers, when the caller changes while the operation runs. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { Refusal } from '../../../domain/errors.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ROOT_PATH } from '../../../domain/scopes/path.ts';
import { submitDocument } from '../../../operations/documents/submit.ts';
import { execute } from '../../../operations/execute.ts';
import { defineOperation, type Access, type Effect } from '../../../operations/operation.ts';
import type { Environment } from '../../../operations/environment/environment.ts';

function callerAs(role: 'reader' | 'member' | 'account_admin'): Caller {
  return {
    accountId: 'account',
    credentialId: 'credential',
    kind: 'machine',
    peerId: 'peer',
    peerKey: 'agent',
    pinPath: null,
    secretPolicy: 'keep',
    grants: [{ scopePath: ROOT_PATH, role, effect: 'allow', propagate: true }],
  };
}

/** A request of `caller`, who is each of `later` in turn when asked for again; null is revoked. */
function request(caller: Caller, later: readonly (Caller | null)[], environment = {}) {
  const left = [...later];
  const context = {
    ...(environment as Environment),
    caller,
    traceId: '0'.repeat(32),
    now: new Date(),
    signal: new AbortController().signal,
    clientAddress: null,
    idempotency: null,
    resolveCaller: async () => {
      const now = left.length > 1 ? left.shift() : left[0];
      if (now === null || now === undefined) throw new Refusal('unauthorized');
      return now;
    },
  };
  return context;
}

function operation(effect: Effect, access: Access = 'any_identity') {
  const ran: (string | undefined)[] = [];
  const declared = defineOperation({
    id: 'test.run',
    access,
    effect,
    input: z.object({}),
    output: z.string().optional(),
    run: async ({ caller }) => {
      ran.push(caller?.grants[0]?.role);
      return caller?.grants[0]?.role;
    },
  });
  return { ran, declared };
}

const [READER, MEMBER, ADMIN] = [callerAs('reader'), callerAs('member'), callerAs('account_admin')];
const code = (code: string) => expect.objectContaining({ code });

describe('a read', () => {
  test('runs once for a caller whose rights have not changed', async () => {
    const { declared, ran } = operation('read');
    expect(await execute(declared, request(MEMBER, [callerAs('member')]), {})).toBe('member');
    expect(ran).toHaveLength(1);
  });

  test('is refused to a caller whose credential ended meanwhile', async () => {
    const { declared } = operation('read');
    await expect(execute(declared, request(MEMBER, [null]), {})).rejects.toEqual(
      code('unauthorized'),
    );
  });

  test('runs again with the present rights of a caller whose rights changed', async () => {
    const { declared, ran } = operation('read');
    expect(await execute(declared, request(MEMBER, [READER]), {})).toBe('reader');
    expect(ran).toEqual(['member', 'reader']);
  });

  test('is refused to a caller that lost the required role', async () => {
    const { declared, ran } = operation('read', 'account_admin');
    await expect(execute(declared, request(ADMIN, [MEMBER]), {})).rejects.toEqual(
      code('forbidden'),
    );
    expect(ran).toHaveLength(1);
  });

  test('gives up when the rights change under every run', async () => {
    const { declared, ran } = operation('read');
    const later = [MEMBER, READER, MEMBER, READER];
    await expect(execute(declared, request(READER, later), {})).rejects.toEqual(
      code('unavailable'),
    );
    expect(ran).toHaveLength(3);
  });

  test('does not resolve its caller again when it is called in process', async () => {
    const { declared } = operation('read', 'operator');
    const { resolveCaller: _none, ...context } = request(MEMBER, []);
    expect(await execute(declared, { ...context, caller: null }, {})).toBeUndefined();
  });
});

test('a completed write is answered although the credential ended meanwhile', async () => {
  const { declared } = operation('write');
  expect(await execute(declared, request(MEMBER, [null]), {})).toBe('member');
});

describe('a write that takes longer than a second', () => {
  afterEach(() => void jest.restoreAllMocks());

  /** What becomes of it, when its caller is `stored` at the end; and whether it was committed. */
  const write = async (ms: number, stored: Caller | null, endsCaller = false) => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const state = { asked: 0, committed: false };
    const callers = {
      find: async () => {
        state.asked += 1;
        return stored;
      },
    };
    const environment = {
      async inAccount(_account: string, work: (stores: unknown) => Promise<unknown>) {
        const done = await work({ callers });
        state.committed = true;
        return done;
      },
    };
    const declared = defineOperation({
      id: 'test.write',
      access: 'any_identity',
      effect: 'write',
      endsCaller,
      input: z.object({}),
      output: z.string(),
      run: ({ inAccount }) =>
        inAccount('account', async () => {
          now += ms;
          return 'written';
        }),
    });
    const outcome = await execute(declared, request(MEMBER, [MEMBER], environment), {}).catch(
      (error: Refusal) => error.code,
    );
    return { outcome, ...state };
  };

  test('is committed for a caller who is still the same', async () => {
    expect(await write(1_001, callerAs('member'))).toEqual({
      outcome: 'written',
      asked: 1,
      committed: true,
    });
  });

  test('is not committed when the credential ended or the rights changed', async () => {
    expect(await write(1_001, null)).toMatchObject({ outcome: 'unauthorized', committed: false });
    expect(await write(1_001, READER)).toMatchObject({ outcome: 'unavailable', committed: false });
  });

  test('is committed although it ended the credential of its caller, where that is its purpose', async () => {
    expect(await write(1_001, null, true)).toMatchObject({ outcome: 'written', committed: true });
  });

  test('asks for nothing when it is quick', async () => {
    expect(await write(1_000, null)).toMatchObject({ outcome: 'written', asked: 0 });
  });
});

describe('a document whose bytes took long to keep', () => {
  const submit = async (later: Caller | null) => {
    const committed: unknown[] = [];
    const environment = {
      blobs: { put: async () => {}, delete: async () => {}, deleteDraft: async () => {} },
      inAccount: async (_account: string, work: (stores: unknown) => Promise<unknown>) =>
        work({
          uploads: { begin: async () => true, end: async () => true, abandon: async () => {} },
          documents: { lock: async () => committed.push(UUID), latestBeside: async () => LATEST },
        }),
      sweep: { soon: () => undefined },
    };
    const input = { scope_path: '/a', media_type: 'text/plain', content_base64: 'SGVsbG8=' };
    const context = request(MEMBER, [later], environment);
    const outcome = await execute(submitDocument, context, input).then(
      () => 'accepted',
      (error: Refusal) => error.code,
    );
    return { outcome, committed: committed.length };
  };
  const UUID = '01890000-0000-7000-8000-0000000000aa';
  /** The same bytes, which have been read. */
  const LATEST = {
    documentId: UUID,
    versionId: UUID,
    version: 1,
    hasSameBytes: true,
    hasSameMediaType: true,
    isParsed: true,
    parseErrorClass: null,
    isUnderWay: false,
  };

  test('is committed only for a caller that may still write to the scope', async () => {
    expect(await submit(MEMBER)).toEqual({ outcome: 'accepted', committed: 1 });
    expect(await submit(READER)).toEqual({ outcome: 'forbidden', committed: 0 });
    expect(await submit(null)).toEqual({ outcome: 'unauthorized', committed: 0 });
  });
});
