/** What keeps one reader from finding what others may find. */
import type { ConditionField } from './conditions.ts';
import type { Obstacle } from './causes.ts';

/** Of a message: whether the reader may read the scope, and was there. */
export function obstaclesOfMessageReader(reader: {
  readonly readsScope: boolean;
  readonly wasThere: boolean;
}): readonly Obstacle[] {
  const from = 'source_search';
  return [
    ...(reader.readsScope ? [] : [{ cause: 'reader_without_scope', from, of: null } as const]),
    ...(reader.wasThere ? [] : [{ cause: 'reader_was_absent', from, of: null } as const]),
  ];
}

/** What the state and the expiry of a statement mean is said of every reader before. */
const OF_EVERY_READER: readonly ConditionField[] = ['state', 'expires_at'];

/** Of a statement: by the conditions of the predicate that fail for the reader. */
export function obstaclesOfStatementReader(failed: readonly ConditionField[]): readonly Obstacle[] {
  const from = 'search';
  const own = failed.filter((field) => !OF_EVERY_READER.includes(field));
  if (own.includes('scope_id')) return [{ cause: 'reader_without_scope', from, of: null }];
  return own.length === 0 ? [] : [{ cause: 'reader_outside_audience', from, of: null }];
}
