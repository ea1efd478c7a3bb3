/** The status of a source search, as a table. */
import { describe, expect, test } from '@jest/globals';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import {
  INDEX_FAILURE_CLASSES,
  sourceOutcome,
  type SourceFacts,
} from '../../../domain/retrieval/source-status.ts';

const FACTS: SourceFacts = {
  results: 2,
  vectors: 'all',
  isCut: false,
  failure: null,
  lack: null,
};

describe('the status of a source search', () => {
  test.each<[string, Partial<SourceFacts>, string, string | null]>([
    ['results, all vectors', {}, 'ready', null],
    ['results by words', { vectors: 'not_needed' }, 'ready', null],
    ['nothing found', { results: 0 }, 'empty', null],
    ['nothing found by words', { results: 0, vectors: 'not_needed' }, 'empty', null],
    ['nothing to read', { results: 0, vectors: 'no_messages' }, 'empty', null],
    [
      'nothing to read, and no embedder',
      { results: 0, vectors: 'no_messages', failure: 'model_not_configured' },
      'empty',
      null,
    ],
    ['some vectors', { vectors: 'some' }, 'stale', null],
    ['some vectors, nothing found', { results: 0, vectors: 'some' }, 'stale', null],
    ['texts that could not be checked', { isCut: true }, 'stale', null],
    [
      'no text that could be checked, by words',
      { results: 0, vectors: 'not_needed', isCut: true },
      'stale',
      null,
    ],
    ['no vector', { results: 0, vectors: 'none' }, 'unavailable', null],
    [
      'no embedder',
      { results: 0, vectors: 'none', failure: 'model_not_configured' },
      'unavailable',
      'model_not_configured',
    ],
    ['an index away', { lack: 'index_away', vectors: 'not_needed' }, 'stale', 'index_away'],
    [
      'an index away, nothing found',
      { results: 0, lack: 'index_timeout', vectors: 'not_needed' },
      'stale',
      'index_timeout',
    ],
    [
      'both away',
      { results: 0, failure: 'index_away', vectors: 'not_needed' },
      'failed',
      'index_away',
    ],
  ])('%s', (_, facts, status, failureClass) => {
    expect(sourceOutcome({ ...FACTS, ...facts })).toEqual({ status, failureClass });
  });

  test('is failed for every other class of a failure, which it names', () => {
    for (const failure of [...ERROR_CLASSES, ...INDEX_FAILURE_CLASSES]) {
      if (failure === 'model_not_configured') continue;
      const outcome = sourceOutcome({ ...FACTS, results: 0, vectors: 'not_needed', failure });
      expect(outcome).toEqual({ status: 'failed', failureClass: failure });
    }
  });
});
