/** What the parts of an explanation hand over. */
import type { Obstacle } from '../../domain/explain/causes.ts';
import type { ExplainedMark } from '../../stores/postgres/explain/marks.ts';
import type { ExplainedReader, Explanation } from './output.ts';

export interface JudgedReader {
  readonly shown: ExplainedReader;
  readonly obstacles: readonly Obstacle[];
}

/** What Postgres says of a unit. */
export interface Explained extends Pick<Explanation, 'message' | 'statement'> {
  /** Those before the indexes. */
  readonly obstacles: readonly Obstacle[];
  readonly marks: readonly ExplainedMark[];
  /** Of a statement. */
  readonly rowVersion: number | null;
  /** Whether the indexes are to hold it. */
  readonly isExpected: boolean;
  readonly reader: JudgedReader | null;
}
