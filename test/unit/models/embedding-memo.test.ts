/** What was embedded a moment ago is not embedded again. */
import { NO_USAGE } from '../../../domain/models/usage.ts';
import { expect, test } from '@jest/globals';
import { ModelFailure } from '../../../domain/error-class.ts';
import { rememberingEmbedder } from '../../../engine/models/embedding-memo.ts';

const SPACE = { provider: 'deterministic', model: 'm', version: '1', dimensions: 2 } as const;
const callOf = (accountId: string) => ({
  accountId,
  runId: null,
  anchorMessageIds: [],
  traceId: null,
  signal: new AbortController().signal,
});

function scene() {
  const asked: (readonly string[])[] = [];
  const embedder = rememberingEmbedder(
    async (texts) => {
      asked.push(texts);
      if (texts.includes('fails')) throw new ModelFailure('transport_error');
      return {
        vectors: texts.map((text) => [text.length, 1]),
        space: SPACE,
        usage: { ...NO_USAGE, embeddingTokens: texts.length },
      };
    },
    SPACE,
    { vectors: 10 },
  );
  return { asked, ...embedder };
}

test('vectors come in the order of the texts, whichever were known', async () => {
  const { asked, embed } = scene();
  await embed(['bb', 'a'], callOf('one'));
  const { vectors, usage } = await embed(['a', 'ccc', 'bb', 'ccc'], callOf('one'));
  expect(vectors).toEqual([
    [1, 1],
    [3, 1],
    [2, 1],
    [3, 1],
  ]);
  expect(usage.embeddingTokens).toBe(1);
  expect(asked).toEqual([['bb', 'a'], ['ccc']]);
});

test('texts that are all known cost no call and no token', async () => {
  const { asked, embed, recall } = scene();
  await embed(['a'], callOf('one'));
  const { space, usage } = await embed(['a'], callOf('one'));
  expect(asked).toHaveLength(1);
  expect(space).toEqual(SPACE);
  expect(usage.embeddingTokens).toBeNull();
  expect(recall('one', 'a')).toEqual([1, 1]);
});

test('an account does not use vectors that another account embedded', async () => {
  const { asked, embed, recall } = scene();
  await embed(['a'], callOf('one'));
  expect(recall('two', 'a')).toBeUndefined();
  await embed(['a'], callOf('two'));
  expect(asked).toHaveLength(2);
});

test('a reader does not use the vector of what another reader asked', async () => {
  const { asked, embed } = scene();
  await embed(['a'], { ...callOf('one'), asker: 'ana' });
  await embed(['a'], { ...callOf('one'), asker: 'ben' });
  await embed(['a'], { ...callOf('one'), asker: 'ana' });
  expect(asked).toEqual([['a'], ['a']]);
});

test('a failure is thrown as it is, and not remembered', async () => {
  const { asked, embed, recall } = scene();
  const attempt = () => embed(['fails'], callOf('one'));
  await expect(attempt()).rejects.toMatchObject({ errorClass: 'transport_error' });
  await expect(attempt()).rejects.toMatchObject({ errorClass: 'transport_error' });
  expect(asked).toHaveLength(2);
  expect(recall('one', 'fails')).toBeUndefined();
});
