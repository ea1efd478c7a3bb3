/** What a curator is shown of an item beside its statement: sources, turns around them, decisions, and words. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { CuratorReach } from '../../../domain/governance/curator-reach.ts';
import { AccountStore } from '../account-store.ts';
import { nearestTurns } from '../observations/turns.store.ts';
import { isHiddenByNobody, isShownToCurator } from '../visibility/curated-messages.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { decisionRow, MOST_DECISIONS } from './reviews.store.ts';

/** Sources that one item shows. */
const MOST_SOURCES = 20;
/** Characters that an excerpt is cut from ... */
const LONGEST_EXCERPT_SOURCE = 4_096;
/** ... of which so many stand before what supports the statement. */
const MOST_BEFORE_SPAN = 1_024;
/** Turns, or chunks, that are shown on each side of a source, and the characters that each is cut from. */
const MOST_TURNS_BESIDE = 2;
const LONGEST_TURN_SOURCE = 2_048;

/** Key and name of a peer, as columns. */
const peer = { peer_key: z.string().nullable(), peer_name: z.string().nullable() };

const sourceRow = z.object({
  message_id: z.string(),
  occurred_at: z.string(),
  ...peer,
  relay_key: z.string().nullable(),
  relay_name: z.string().nullable(),
  /** Of a document: null. */
  session_id: z.string().nullable(),
  document_id: z.string().nullable(),
  document_title: z.string().nullable(),
  document_version: z.number().nullable(),
  /** A stretch of the message. */
  passage: z.string(),
  /** Characters of the message before the passage. */
  passage_offset: z.number(),
  /** What supports the statement, in characters of the message; null where it is not known. */
  span_offset: z.number().nullable(),
  span_length: z.number().nullable(),
});
export type SourceRow = z.infer<typeof sourceRow>;

const turnRow = z.object({
  /** The source that it stands beside. */
  beside: z.string(),
  side: z.enum(['before', 'after']),
  message_id: z.string(),
  occurred_at: z.string(),
  ...peer,
  /** The beginning of the message. */
  text: z.string(),
  is_cut_after: z.boolean(),
});
export type TurnRow = z.infer<typeof turnRow>;

const decisionByRow = decisionRow.extend(peer);
export type DecisionByRow = z.infer<typeof decisionByRow>;

const wordsRow = z.object({
  reason: z.string().nullable(),
  correction: z.string().nullable(),
  said_at: z.string(),
  ...peer,
});
export type WordsRow = z.infer<typeof wordsRow>;

/** The chunks of the version of `hit` on one side of it. */
function chunksBeside(side: 'before' | 'after', shown: FragmentSqlToken): FragmentSqlToken {
  const [from, until] =
    side === 'before'
      ? [
          sql.fragment`hit.chunk_index - ${MOST_TURNS_BESIDE}::integer`,
          sql.fragment`hit.chunk_index - 1`,
        ]
      : [
          sql.fragment`hit.chunk_index + 1`,
          sql.fragment`hit.chunk_index + ${MOST_TURNS_BESIDE}::integer`,
        ];
  return sql.fragment`(
    select ${sql.literalValue(side)} as side, m.id, m.account_id, m.speaker_peer_id, m.role, m.occurred_at, m.recorded_at,
      m.chunk_index, substr(m.content, 1, ${LONGEST_TURN_SOURCE}::integer + 1) as text
    from messages m
    where m.account_id = hit.account_id and m.document_version_id = hit.document_version_id
      and m.scope_id = hit.scope_id and m.chunk_index between ${from} and ${until} and ${shown})`;
}

/** The turns of the session of `hit`, which is no chunk, on one side of it. */
function turnsBeside(side: 'before' | 'after', shown: FragmentSqlToken): FragmentSqlToken {
  const isTurn = sql.fragment`hit.document_version_id is null`;
  return nearestTurns(
    side,
    sql.fragment`${isTurn} and ${shown}`,
    LONGEST_TURN_SOURCE,
    MOST_TURNS_BESIDE,
  );
}

/** Who may see the item is for the caller of these functions to judge. */
export class ReviewSourcesStore extends AccountStore {
  /** The sources of the statement that the curator may be shown, the earliest said first. */
  async sources(
    knowledgeId: string,
    curator: CuratorReach,
    most = MOST_SOURCES,
  ): Promise<readonly SourceRow[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    return this.tx.any(sql.type(sourceRow)`
      select m.id as message_id, m.occurred_at, speaker.key as peer_key, speaker.name as peer_name,
        relay.key as relay_key, relay.name as relay_name, session.external_id as session_id,
        version.document_id, version.title as document_title, version.version as document_version,
        cited.span_offset, cited.span_length, cited.passage_offset,
        substr(m.content, cited.passage_offset + 1, ${LONGEST_EXCERPT_SOURCE}) as passage
      from (
        select p.message_id, p.span_offset, p.span_length,
          greatest(coalesce(p.span_offset, 0) - ${MOST_BEFORE_SPAN}, 0) as passage_offset
        from provenance p
        where p.account_id = ${account} and p.knowledge_id = ${knowledgeId}::uuid
        order by p.message_id limit ${MOST_SOURCES}
      ) cited
      join messages m on m.account_id = ${account} and m.id = cited.message_id
      join peers speaker on speaker.account_id = ${account} and speaker.id = m.speaker_peer_id
      join sessions session on session.account_id = ${account} and session.id = m.session_id
      left join peers relay on relay.account_id = ${account} and relay.id = m.relay_peer_id and relay.erasing_at is null
      left join document_versions version on version.account_id = ${account} and version.id = m.document_version_id
      where ${isShownToCurator(curator)}
      order by m.occurred_at, m.id limit ${most}`);
  }

  /**
   * The turns around messages that the curator is shown, of the session and scope of each; around a chunk of a document,
   * the chunks of its version. As they were said, the earliest first.
   */
  async turns(
    messageIds: readonly string[],
    curatorPeerId: string | null,
  ): Promise<readonly TurnRow[]> {
    const shown = isHiddenByNobody(curatorPeerId);
    return this.tx.any(sql.type(turnRow)`
      select hit.id as beside, turn.side, turn.id as message_id, turn.occurred_at, p.key as peer_key,
        p.name as peer_name, left(turn.text, ${LONGEST_TURN_SOURCE}::integer) as text,
        char_length(turn.text) > ${LONGEST_TURN_SOURCE}::integer as is_cut_after
      from messages hit
      cross join lateral (
        ${turnsBeside('before', shown)} union all ${turnsBeside('after', shown)}
        union all ${chunksBeside('before', shown)} union all ${chunksBeside('after', shown)}
      ) turn
      join peers p on p.account_id = turn.account_id and p.id = turn.speaker_peer_id
      where hit.account_id = ${this.accountId}::uuid and hit.id = any(${sql.array(messageIds, 'uuid')})
      order by turn.chunk_index, turn.occurred_at, turn.recorded_at, turn.id`);
  }

  /** What was decided about the statement so far, and by whom; the latest first. */
  async decisions(knowledgeId: string): Promise<readonly DecisionByRow[]> {
    return this.tx.any(sql.type(decisionByRow)`
      select d.gate, d.decision, d.reason, d.channel, d.from_state, d.to_state, d.from_level, d.to_level, d.decided_at,
        actor.key as peer_key, actor.name as peer_name
      from (
        select * from gate_decisions
        where account_id = ${this.accountId}::uuid and knowledge_id = ${knowledgeId}::uuid
        order by decided_at desc, id desc limit ${MOST_DECISIONS}
      ) d
      left join peers actor on actor.account_id = d.account_id and actor.id = d.actor_peer_id
        and actor.erasing_at is null
      order by d.decided_at desc, d.id desc`);
  }

  /** What was said when the item was opened; null where nothing was said, or the statement has lost its text. */
  async words(itemId: string): Promise<WordsRow | null> {
    const account = sql.fragment`${this.accountId}::uuid`;
    return this.tx.maybeOne(sql.type(wordsRow)`
      select w.reason, w.correction, w.said_at, p.key as peer_key, p.name as peer_name
      from review_words w
      join review_items item on item.account_id = w.account_id and item.id = w.review_item_id
      join knowledge k on k.account_id = item.account_id and k.id = item.knowledge_id
        and k.statement is not null and k.state not in ('redacted', 'retracted')
      join peers p on p.account_id = w.account_id and p.id = w.peer_id
      where w.account_id = ${account} and w.review_item_id = ${itemId}::uuid
        and ${isNotErasing(account, sql.fragment`w.peer_id`)}`);
  }
}
