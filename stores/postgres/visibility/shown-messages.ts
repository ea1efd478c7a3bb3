/** Which messages a reader may be shown: in a scope of the chain, to who was there. */
import { sql, type FragmentSqlToken } from 'slonik';
import type { ChainReader } from '../../../domain/governance/visibility.ts';
import { isInIndexes } from './indexed.ts';
import { isNotErasing } from './erasing.ts';
import { renderMessageReadable } from './messages.ts';

export interface SourceRead {
  readonly scopeIds: readonly string[];
  readonly reader: ChainReader;
  /** Only messages recorded up to this time (ISO 8601); all of them unless given. */
  readonly recordedBy?: string | null;
}

/** Whether a message, by its alias `m`, may be shown. */
export function mayBeShown({ reader, recordedBy = null, scopeIds }: SourceRead): FragmentSqlToken {
  const recorded =
    recordedBy === null
      ? sql.fragment`true`
      : sql.fragment`m.recorded_at <= ${recordedBy}::timestamptz`;
  return sql.fragment`(${recorded}
    and ${renderMessageReadable({ reader, scopeIds })} and ${isInIndexes('m')}
    and ${isNotErasing(sql.fragment`m.account_id`, sql.fragment`m.speaker_peer_id`)})`;
}
