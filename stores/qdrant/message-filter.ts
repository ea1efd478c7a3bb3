/**
 * Who may read a message, as a Qdrant filter: a hull of `renderMessageReadable`, in two parts. `listed` finds the
 * messages whose point names the reader; `crowded` those with more readers than a point names. They are asked
 * separately, so that messages of a crowd that the reader is not part of do not displace the reader's own.
 */
import { MANY } from '../../domain/retrieval/listed.ts';
import {
  AWAITED,
  LATER_PART,
  readerNames,
  type MessageReader,
  type MessageSearch,
} from '../../domain/retrieval/message-search.ts';
import type { QueryOperatorAlternative } from '../../domain/retrieval/statement-search.ts';
import {
  anyOf,
  matches,
  matchesAny,
  unitFilter,
  type PointCondition,
  type PointFilter,
} from './filter.ts';

export const READER_LISTS = ['listed', 'crowded'] as const;
export type ReaderList = (typeof READER_LISTS)[number];

/** The first passages of messages, and all others. */
export const PASSAGE_PARTS = ['beginning', LATER_PART] as const;
export type PassagePart = (typeof PASSAGE_PARTS)[number];

/** Conditions of one reader; null where the list holds nothing for it. */
function readBy(reader: MessageReader, list: ReaderList): PointFilter | null {
  const { peerId, scopeIds } = reader;
  if (peerId === null) {
    return list === 'listed' ? { must: [matchesAny('now_scope', scopeIds)] } : null;
  }
  const names = list === 'listed' ? readerNames(peerId, reader) : [MANY];
  return { must: [matchesAny('now_scope', scopeIds), matchesAny('readers', names)] };
}

const isOneOf = (any: readonly string[]): PointCondition => ({ key: 'source_id', match: { any } });

/**
 * By the id of the message, which has a point for each of its passages. The same form whatever the lists hold: they may
 * name hidden messages, and nothing is to depend on those.
 */
export function messageAlternative({ onlyIds, exceptIds }: QueryOperatorAlternative): PointFilter {
  return { must: onlyIds === null ? [] : [isOneOf(onlyIds)], must_not: [isOneOf(exceptIds)] };
}

/** The passages that a search may rank. */
export function messageFilter(
  { accountId, queryOperators, readers }: MessageSearch,
  list: ReaderList,
): PointFilter {
  const must: PointCondition[] = [
    unitFilter(accountId, 'message'),
    anyOf(readers.map((reader) => readBy(reader, list)).filter((one) => one !== null)),
  ];
  if (queryOperators !== null) must.push(anyOf(queryOperators.map(messageAlternative)));
  return { must };
}

/** Those of the passages that are of the part. */
export function ofPart(may: PointFilter, part: PassagePart): PointFilter {
  const isLater = matches('part', LATER_PART);
  return part === LATER_PART ? { must: [may, isLater] } : { must: [may], must_not: [isLater] };
}

/** Passages that wait for a vector of the configured space. */
export const AWAITS_VECTOR: PointCondition = matches('vector', AWAITED);
