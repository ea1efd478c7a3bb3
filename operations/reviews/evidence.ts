/** The sources of a statement as curators are shown them, with the turns around them. */
import { z } from 'zod';
import { excerptAround, excerptOf } from '../../domain/text/excerpt.ts';
import type { SourceRow, TurnRow } from '../../stores/postgres/knowledge/review-sources.store.ts';
import { namedPeer, peerOf } from './people.ts';

/** Characters of an excerpt, as people see them: of a source, and of a turn beside it. */
const SOURCE_CLUSTERS = 480;
const TURN_CLUSTERS = 240;

const said = {
  message_id: z.uuid(),
  excerpt: z.string(),
  occurred_at: z.iso.datetime(),
  speaker: namedPeer.nullable().describe('Who said it. Of a document: in whose name it was given.'),
};

const turnOutput = z.object(said);

export const reviewedSource = z.object({
  ...said,
  relay: namedPeer.nullable().describe('The agent that passed it on. Null: nobody.'),
  session_id: z.string().nullable().describe('Null: of a document.'),
  document: z
    .object({ id: z.uuid(), title: z.string().nullable(), version: z.int() })
    .nullable()
    .describe('The document that it is a part of.'),
});

export const reviewedSourceInTurn = reviewedSource.extend({
  before: z
    .array(turnOutput)
    .describe('At most two turns before it, of the first five sources; of a document, parts.'),
  after: z.array(turnOutput).describe('At most two turns after it.'),
});

/** The message around what supports the statement, or its beginning. */
function excerptOfSource({ passage, ...row }: SourceRow): string {
  const { passage_offset: before, span_length: length, span_offset: offset } = row;
  const span = offset === null || length === null ? null : { offset: offset - before, length };
  return excerptAround({ text: passage, span, isCutBefore: before > 0 }, SOURCE_CLUSTERS);
}

export function sourceView(row: SourceRow): z.input<typeof reviewedSource> {
  const { document_id: id, document_title: title, document_version: version } = row;
  return {
    message_id: row.message_id,
    excerpt: excerptOfSource(row),
    occurred_at: row.occurred_at,
    speaker: peerOf(row.peer_key, row.peer_name),
    relay: peerOf(row.relay_key, row.relay_name),
    session_id: row.session_id,
    document: id === null || version === null ? null : { id, title, version },
  };
}

function turnView(row: TurnRow): z.input<typeof turnOutput> {
  const excerpt = excerptOf(row.text, TURN_CLUSTERS);
  const isWhole = !row.is_cut_after || excerpt !== row.text;
  return {
    message_id: row.message_id,
    excerpt: isWhole ? excerpt : `${excerpt}…`,
    occurred_at: row.occurred_at,
    speaker: peerOf(row.peer_key, row.peer_name),
  };
}

export function sourceInTurnView(
  row: SourceRow,
  turns: readonly TurnRow[],
): z.input<typeof reviewedSourceInTurn> {
  const beside = turns.filter((turn) => turn.beside === row.message_id);
  const on = (side: TurnRow['side']) => beside.filter((turn) => turn.side === side).map(turnView);
  return { ...sourceView(row), before: on('before'), after: on('after') };
}
