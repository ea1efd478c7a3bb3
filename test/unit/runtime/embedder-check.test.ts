/** What a start finds out about the embedder, and what it makes of it. */
import { describe, expect, test } from '@jest/globals';
import { ModelFailure, type ErrorClass } from '../../../domain/error-class.ts';
import type { EmbedderAbility } from '../../../engine/models/ability.ts';
import { checkEmbedder } from '../../../runtime/container/embedder-check.ts';
import { remoteRole } from '../models/fixtures.ts';

const EMBEDDER = remoteRole('http://127.0.0.1:1/v1', { model: 'm', dimensions: 1024 });

interface World {
  readonly judge?: EmbedderAbility['judge'];
  readonly answered?: number | null;
  readonly ready?: boolean;
  readonly accounts?: readonly string[];
}

async function start({ judge, answered = null, ready = true, accounts = ['a'] }: World) {
  const said: unknown[] = [];
  const log = { info: () => {}, error: () => {}, warn: (...all: unknown[]) => void said.push(all) };
  const asked: string[] = [];
  const ability: EmbedderAbility = {
    isAble: () => true,
    judge: async (accountId, signal) => {
      asked.push(accountId);
      await judge?.(accountId, signal);
    },
  };
  await checkEmbedder({
    models: { embedder: EMBEDDER },
    ability,
    gateway: { answeredWidth: () => answered },
    vectorSpaces: { isReady: async () => ready },
    accountIds: async () => accounts,
    log,
    patienceMs: 20,
  });
  return { said, asked };
}

const failing =
  (errorClass: ErrorClass): EmbedderAbility['judge'] =>
  async () => {
    throw new ModelFailure(errorClass);
  };

describe('a start', () => {
  test('with another width than the model has ends, and names both', async () => {
    const judge = failing('embedding_width_mismatch');
    await expect(start({ judge, answered: 768 })).rejects.toMatchObject({
      name: 'PreconditionError',
      message: expect.stringMatching(
        /DIMENSIONS is 1024, .* 768 numbers. Set it to 768/,
      ) as unknown as string,
    });
  });

  test.each([
    ['transport_error', failing('transport_error')],
    ['credentials_rejected', failing('credentials_rejected')],
    ['circuit_open', failing('circuit_open')],
    [
      'request_timeout',
      (_: string, signal: AbortSignal) =>
        new Promise<void>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    ],
  ])('goes on when the embedder fails as %s', async (errorClass, judge) => {
    const { said } = await start({ judge });
    expect(said).toEqual([['embedder.no_answer', { model: 'm', error_class: errorClass }]]);
  });

  test('says nothing of an embedder that answers, and asks on behalf of the first account', async () => {
    expect(await start({ answered: 1024, accounts: ['a', 'b'] })).toEqual({
      said: [],
      asked: ['a'],
    });
  });

  test('asks nothing while there is no account', async () => {
    expect((await start({ accounts: [] })).asked).toEqual([]);
  });

  test('says that the collection of the embedder is not ready', async () => {
    const { said } = await start({ ready: false });
    expect(said).toEqual([['embedder.index_not_ready', { model: 'm' }]]);
  });

  test('ends with a defect of ours as it is', async () => {
    const judge = () => Promise.reject(new RangeError('broken'));
    await expect(start({ judge })).rejects.toThrow('broken');
  });
});
