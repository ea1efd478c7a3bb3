/**
 * The messages that a source search shows and judges by. Whatever an index found, a message leaves through `read`: in a
 * scope of the chain, to a reader who was there, not a chunk of a replaced version, not said by a person who is being
 * erased.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { IndexName } from '../../../domain/retrieval/index-failure.ts';
import { messageReaders } from '../../../domain/retrieval/message-search.ts';
import { AccountStore } from '../account-store.ts';
import { mayBeShown, type SourceRead } from '../visibility/shown-messages.ts';

/** A message that an index found. */
export interface FoundMessage {
  readonly id: string;
  /** Code points of the message before what was found; null where that is not known. */
  readonly beginsAt: number | null;
}

/** What is read of the texts of the messages. */
export type SourceTexts =
  /**
   * `length` code points, from `before` code points before the place that was found; of a message with an unknown place
   * the first `unplaced`.
   */
  | {
      readonly part: 'around';
      readonly before: number;
      readonly length: number;
      readonly unplaced: number;
    }
  /** All of it, while the texts read so far have at most `bytes`; null after that. */
  | { readonly part: 'whole'; readonly bytes: number };

const sourceRow = z.object({
  message_id: z.string(),
  session_id: z.string().nullable(),
  scope_path: z.string(),
  peer_key: z.string(),
  peer_name: z.string(),
  role: z.string(),
  occurred_at: z.string(),
  /** Null where the texts that were read have no room for it. */
  text: z.string().nullable(),
  /** Code points of the message before `text`. */
  text_begins_at: z.number(),
  is_cut_after: z.boolean(),
});
export type FoundSource = z.infer<typeof sourceRow>;

const idRow = z.object({ id: z.string() });

const spokenRow = z.object({
  id: z.string(),
  session_id: z.string(),
  role: z.string(),
  speaker_peer_id: z.string(),
  speaker_name: z.string(),
});
/** Who said a message, and in which session. */
export type SpokenMessage = z.infer<typeof spokenRow>;

/** Marks of a scope that a look considers, the newest: it costs the same however many wait. */
const MOST_MARKS_OF_SCOPE = 200;
/** Messages that the reader said last, and that it passed on last, whose marks are looked at beside. */
const MOST_OWN_MARKED = 100;

/**
 * What a look at the reader's own messages reads from each end: of those that a reader said, of those that it passed on,
 * of what was said in each of some sessions; and how many of these sessions, and sessions that it takes part in.
 */
const MOST_OWN_OF_END = 64;
const MOST_SAID_OF_END = 4;
const MOST_OWN_SESSIONS = 16;
const MOST_ATTENDED = 64;

/** The peers on whose behalf the reader reads. */
function peersOf({ reader, scopeIds }: SourceRead): string[] {
  const ids = messageReaders(reader, scopeIds).flatMap(({ peerId }) => peerId ?? []);
  return [...new Set(ids)];
}

/**
 * Of a text one code point more than is shown is read: whether there is one says that the text is cut. The length of the
 * whole text would have all of it read.
 */
function textOf(texts: SourceTexts): { columns: FragmentSqlToken; from: FragmentSqlToken } {
  if (texts.part === 'whole') {
    return {
      columns: sql.fragment`
        case when sum(found.bytes) over (order by found.place) <= ${texts.bytes} then m.content end as text,
        0 as text_begins_at, false as is_cut_after`,
      from: sql.fragment``,
    };
  }
  return {
    columns: sql.fragment`
      left(part.text, part.length) as text, part.begin as text_begins_at,
      char_length(part.text) > part.length as is_cut_after`,
    from: sql.fragment`
      cross join lateral (
        select substr(m.content, place.begin + 1, place.length + 1) as text, place.begin, place.length
        from (
          select greatest(coalesce(found.begins_at, 0) - ${texts.before}::integer, 0) as begin,
            case when found.begins_at is null then ${texts.unplaced}::integer else ${texts.length}::integer end as length
        ) place
        offset 0
      ) part`,
  };
}

/** Messages of the account, as far as a reader may read them. */
export class SourceMessagesStore extends AccountStore {
  /** Those of `found` that may be shown, in that order, at most `limit`. One query, also for none. */
  async read(
    found: readonly FoundMessage[],
    read: SourceRead,
    texts: SourceTexts,
    limit: number,
  ): Promise<readonly FoundSource[]> {
    const { columns, from } = textOf(texts);
    const asked = found.map(({ beginsAt, id }, place) => ({ id, begins_at: beginsAt, place }));
    return this.tx.any(sql.type(sourceRow)`
      with found as materialized (
        select asked.id, asked.begins_at, asked.place, octet_length(m.content) as bytes
        from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
          as asked (id uuid, begins_at integer, place integer)
        join messages m on m.account_id = ${this.accountId}::uuid and m.id = asked.id
        where ${mayBeShown(read)}
        order by asked.place limit ${limit}
      )
      select m.id as message_id, s.external_id as session_id, scope.path as scope_path,
        p.key as peer_key, p.name as peer_name, m.role, m.occurred_at, ${columns}
      from found
      join messages m on m.account_id = ${this.accountId}::uuid and m.id = found.id
      join sessions s on s.account_id = m.account_id and s.id = m.session_id
      join scopes scope on scope.account_id = m.account_id and scope.id = m.scope_id
      join peers p on p.account_id = m.account_id and p.id = m.speaker_peer_id
      ${from}
      order by found.place`);
  }

  /** Those of the messages that may be shown, in no order, without their texts. One query, also for none. */
  async spoken(ids: readonly string[], read: SourceRead): Promise<readonly SpokenMessage[]> {
    return this.tx.any(sql.type(spokenRow)`
      select m.id, m.session_id, m.role, m.speaker_peer_id, speaker.name as speaker_name
      from messages m
      join peers speaker on speaker.account_id = m.account_id and speaker.id = m.speaker_peer_id
      where m.account_id = ${this.accountId}::uuid and m.id = any(${sql.array(ids, 'uuid')})
        and ${mayBeShown(read)}`);
  }

  /** Those of the messages that may be shown, in no order. One query, also for none. */
  async readable(ids: readonly string[], read: SourceRead): Promise<readonly string[]> {
    return this.tx.anyFirst(sql.type(idRow)`
      select m.id from messages m
      where m.account_id = ${this.accountId}::uuid and m.id = any(${sql.array(ids, 'uuid')})
        and ${mayBeShown(read)}`);
  }

  /**
   * Some messages of the scopes that may be shown: the first `limit` and the last `limit`, in the order of their ids, of
   * those that the reader said or passed on and of those of some sessions that it takes part in. Walks over rows of the
   * reader alone, so it costs and finds the same whatever others say where the reader is not. One query.
   */
  async own(read: SourceRead, limit: number): Promise<readonly string[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const inScopes = sql.fragment`scope_id = any(${sql.array(read.scopeIds, 'uuid')})`;
    const said = (of: FragmentSqlToken, order: FragmentSqlToken, most: number) => sql.fragment`
      (select m.id, m.session_id, m.scope_id from messages m
        where m.account_id = ${account} and ${of} order by ${order} limit ${most})`;
    const spoken = sql.fragment`m.speaker_peer_id = reading.peer_id`;
    const relayed = sql.fragment`m.relay_peer_id = reading.peer_id`;
    const inPlace = sql.fragment`m.session_id = place.session_id and m.scope_id = place.scope_id`;
    const [newest, oldest] = [sql.fragment`m.id desc`, sql.fragment`m.id`];
    return this.tx.anyFirst(sql.type(idRow)`
      with reading as (select peer_id from unnest(${sql.array(peersOf(read), 'uuid')}) as reading (peer_id)),
      own as materialized (
        select own.* from reading cross join lateral (
          ${said(spoken, newest, MOST_OWN_OF_END)} union all ${said(spoken, oldest, MOST_OWN_OF_END)}
          union all ${said(relayed, newest, MOST_OWN_OF_END)} union all ${said(relayed, oldest, MOST_OWN_OF_END)}
        ) own
      ),
      places as materialized (
        select session_id, scope_id from (
          select own.session_id, own.scope_id from own
          union
          select attended.session_id, attended.scope_id from reading cross join lateral (
            select p.session_id, p.scope_id from session_participants p
            where p.account_id = ${account} and p.peer_id = reading.peer_id limit ${MOST_ATTENDED}
          ) attended
        ) place
        where ${inScopes} order by session_id desc, scope_id limit ${MOST_OWN_SESSIONS}
      ),
      chosen as materialized (
        select own.id from own where ${inScopes}
        union
        select said.id from places place cross join lateral (
          ${said(
            inPlace,
            sql.fragment`m.occurred_at desc, m.recorded_at desc, m.id desc`,
            MOST_SAID_OF_END,
          )}
          union all
          ${said(inPlace, sql.fragment`m.occurred_at, m.recorded_at, m.id`, MOST_SAID_OF_END)}
        ) said
      )
      select id from (
        select m.id, row_number() over (order by m.id) as from_first, row_number() over (order by m.id desc) as from_last
        from chosen cross join lateral (
          select m.* from messages m where m.account_id = ${account} and m.id = chosen.id limit 1
        ) m
        where ${mayBeShown(read)}
      ) shown
      where from_first <= ${limit} or from_last <= ${limit} order by id`);
  }

  /**
   * Messages that may be shown and that an index does not show yet, at most `limit`: among the 200 of each scope that
   * were marked last, and among those that the reader said or passed on last. However many marks the messages of others
   * have, they displace none of the latter.
   */
  async waiting(index: IndexName, read: SourceRead, limit: number): Promise<readonly string[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const ofIndex = sql.fragment`d.account_id = ${account}
      and d.engine = ${sql.literalValue(index)}::index_engine and d.unit = 'message'`;
    const newest = (role: 'speaker_peer_id' | 'relay_peer_id') => sql.fragment`
      (select m.id from messages m
        where m.account_id = ${account} and ${sql.identifier(['m', role])} = reading.peer_id
        order by m.id desc limit ${MOST_OWN_MARKED})`;
    return this.tx.anyFirst(sql.type(idRow)`
      with waits as materialized (
        select waits.* from unnest(${sql.array(read.scopeIds, 'uuid')}) as place (id)
        cross join lateral (
          select d.unit_id, d.marked_at from dirty_marks d
          where ${ofIndex} and d.scope_id = place.id
          order by d.marked_at desc, d.unit_id desc limit ${MOST_MARKS_OF_SCOPE}
        ) waits
        union
        select own.id, mark.marked_at from unnest(${sql.array(peersOf(read), 'uuid')}) as reading (peer_id)
        cross join lateral (${newest('speaker_peer_id')} union ${newest('relay_peer_id')}) own
        cross join lateral (
          select d.marked_at from dirty_marks d where ${ofIndex} and d.unit_id = own.id limit 1
        ) mark
      )
      select m.id from waits cross join lateral (
        select m.* from messages m where m.account_id = ${account} and m.id = waits.unit_id limit 1
      ) m
      where ${mayBeShown(read)}
      order by waits.marked_at desc, m.id desc limit ${limit}`);
  }
}
