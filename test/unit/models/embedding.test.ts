/** How texts reach an embedder: in which requests, and with which prefix. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { USUAL_EMBEDDING, vectorSpaceOf } from '../../../domain/models/role-config.ts';
import type { RemoteRoleConfig } from '../../../domain/models/role-config.ts';
import { batchesOf, type Embed } from '../../../engine/models/embedding.ts';
import { rememberingEmbedder } from '../../../engine/models/embedding-memo.ts';
import { createQueryEmbedder } from '../../../engine/retrieval/semantic.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import { callContext, gatewayOf, NO_ROLES, remoteRole } from './fixtures.ts';
import { recordingLedger } from './recording-ledger.ts';

let stub: StubOpenAi;
beforeAll(async () => {
  stub = await startStubOpenAi({ dimensions: 8 });
});
afterAll(() => stub.close());

const E5 = { ...USUAL_EMBEDDING, queryPrefix: 'query: ', documentPrefix: 'passage: ' };
const role = (embedding = E5): RemoteRoleConfig =>
  remoteRole(stub.baseUrl, { dimensions: 8, embedding });

function gateway(embedding = E5) {
  const { ledger, rows } = recordingLedger();
  return {
    rows,
    gateway: gatewayOf({ ledger, roles: { ...NO_ROLES, embedder: role(embedding) } }),
  };
}

const lastBody = (): unknown => stub.requests.at(-1)?.body;

describe('a prefix', () => {
  test('of queries is put before a query, and that of documents before everything else', async () => {
    const { gateway: models } = gateway();
    const embedQuery = createQueryEmbedder((...asked) => models.embed(...asked));
    await embedQuery('a', 'red canoe', 't', callContext().signal, 'me');
    expect(lastBody()).toMatchObject({ input: ['query: red canoe'] });
    await models.embed(['red canoe', 'bread'], callContext());
    expect(lastBody()).toMatchObject({ input: ['passage: red canoe', 'passage: bread'] });
  });

  test('tells the vectors of a text that is looked for from those of one that is kept', async () => {
    const { gateway: models } = gateway();
    const space = {
      provider: 'openai-compatible',
      model: 'm',
      version: '1',
      dimensions: 8,
    } as const;
    const asking: Embed = (...asked) => models.embed(...asked);
    const { embed } = rememberingEmbedder(asking, space, { vectors: 9 });
    const asked = stub.requests.length;
    await embed(['tea'], callContext({ purpose: 'query' }));
    await embed(['tea'], callContext());
    await embed(['tea'], callContext());
    expect(stub.requests.length - asked).toBe(2);
  });

  test('leaves neither the purpose nor the asker of a call in its ledger row', async () => {
    const { gateway: models, rows } = gateway();
    await models.embed(['tea'], callContext({ purpose: 'query', asker: 'me' }));
    expect(rows[0]?.attempt).not.toHaveProperty('purpose');
    expect(rows[0]?.attempt).not.toHaveProperty('asker');
  });

  test('of documents is part of the vector space, that of queries is not', () => {
    const plain = vectorSpaceOf(role(USUAL_EMBEDDING));
    expect(vectorSpaceOf(role({ ...USUAL_EMBEDDING, queryPrefix: 'query: ' }))).toEqual(plain);
    expect(vectorSpaceOf(role())).toEqual({ ...plain, documentPrefix: 'passage: ' });
  });
});

describe('a request', () => {
  test('names the width only where the setting says so', async () => {
    await gateway(USUAL_EMBEDDING).gateway.embed(['tea'], callContext());
    expect(lastBody()).not.toHaveProperty('dimensions');
    await gateway({ ...USUAL_EMBEDDING, sendsDimensions: true }).gateway.embed(
      ['tea'],
      callContext(),
    );
    expect(lastBody()).toMatchObject({ dimensions: 8 });
  });

  test('has as many texts as the setting says, and a ledger row', async () => {
    const { gateway: models, rows } = gateway({ ...USUAL_EMBEDDING, batchTexts: 2 });
    await models.embed(['a', 'b', 'c', 'd', 'e'], callContext());
    expect(rows).toHaveLength(3);
  });
});

test('the width that was answered is known, also when it is not the configured one', async () => {
  const { gateway: models } = gateway();
  expect(models.answeredWidth()).toBeNull();
  stub.script({ kind: 'vectors', vectors: [[1, 2, 3]] });
  await expect(models.embed(['tea'], callContext())).rejects.toMatchObject({
    errorClass: 'embedding_width_mismatch',
  });
  expect(models.answeredWidth()).toBe(3);
  await models.embed(['tea'], callContext());
  expect(models.answeredWidth()).toBe(8);
});

test('batches hold all texts in order, each within both limits unless it is a single text', () => {
  const limits = fc.record({
    batchTexts: fc.integer({ min: 1, max: 5 }),
    batchTokens: fc.integer({ min: 1, max: 20 }),
  });
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 60 })), limits, (texts, most) => {
      const batches = batchesOf(texts, most);
      expect(batches.flat()).toEqual(texts);
      for (const batch of batches) {
        const tokens = batch.map((text) => Math.ceil(Buffer.byteLength(text) / 4));
        const sum = tokens.reduce((total, each) => total + each, 0);
        expect(batch.length >= 1 && batch.length <= most.batchTexts).toBe(true);
        expect(batch.length === 1 || sum <= most.batchTokens).toBe(true);
      }
    }),
  );
});
