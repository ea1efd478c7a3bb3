/** From the settings to the parameters in force. */
import { describe, expect, test } from '@jest/globals';
import { describeBatching } from '../../../domain/extraction/batching.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import { batchingOf } from '../../../runtime/container/batching.ts';

const PROMPTED = {
  SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:tiny',
  SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: 'http://127.0.0.1:1/v1',
};
const batching = (env: Readonly<Record<string, string>>) => batchingOf(loadConfig(env));

describe('an extractor that is prompted', () => {
  test('gets 12,000 tokens per call, and eight anchors unless set', () => {
    expect(batching(PROMPTED)).toEqual({ anchors: 8, tokens: 12_000 });
    expect(batching({ ...PROMPTED, SERVICE_EXTRACTION_BATCH_ANCHORS: '3' }).anchors).toBe(3);
    expect(describeBatching(batching(PROMPTED))).toEqual({
      enabled: true,
      identity: 'batch-2-a8-t12000-w5',
    });
  });

  test('is shown no more than its context has room for beside the instructions and the answer', () => {
    const small = { ...PROMPTED, SERVICE_MODEL_INGEST_EXTRACTOR_CONTEXT_TOKENS: '16000' };
    const { tokens } = batching(small);
    expect(tokens).toBeGreaterThan(2_000);
    expect(tokens).toBeLessThan(16_000 - 8_192 - 1_000);
  });

  test('without room for several anchors gets one per call, and reports it', () => {
    const tiny = {
      ...PROMPTED,
      SERVICE_MODEL_INGEST_EXTRACTOR_CONTEXT_TOKENS: '2000',
      SERVICE_MODEL_INGEST_EXTRACTOR_MAX_OUTPUT_TOKENS: '1000',
    };
    expect(batching(tiny).anchors).toBe(1);
    expect(describeBatching(batching(tiny)).enabled).toBe(false);
  });
});

test.each([{}, { SERVICE_MODEL_INGEST_EXTRACTOR: 'none' }])(
  'an extractor that is not prompted is not batched: %j',
  (env) => {
    expect(describeBatching(batching(env))).toEqual({
      enabled: false,
      identity: 'batch-2-a1-w5',
    });
  },
);

test.each([
  { SERVICE_EXTRACTION_BATCH_ANCHORS: '0' },
  { SERVICE_EXTRACTION_BATCH_ANCHORS: '2.5' },
  { SERVICE_EXTRACTION_BATCH_ANCHORS: '100' },
])('%j is refused by the name of the setting', (env) => {
  expect(() => loadConfig(env)).toThrow(Object.keys(env)[0]);
});
