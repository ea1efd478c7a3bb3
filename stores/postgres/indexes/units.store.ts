/**
 * Units as the indexes are to hold them: statements with their submitters and periods, messages with the peers who
 * were there. A list has at most one entry more than indexes are told of. The methods make no access decision, because
 * what they read goes to the indexes only.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { IndexName } from '../../../domain/retrieval/index-failure.ts';
import { MOST_LISTED } from '../../../domain/retrieval/listed.ts';
import type { UnitKind } from '../../../domain/retrieval/units.ts';
import type { MarkedUnit } from './dirty-marks.store.ts';
import { namedInAudienceOf } from '../visibility/audiences.ts';
import { isInIndexes } from '../visibility/indexed.ts';
import { AccountStore } from '../account-store.ts';
import { columnsOf } from '../columns.ts';
import { rowShape } from '../statement-columns.ts';

const words = z.array(z.string());

/** What the indexes hold of a statement's row; they filter and rank by it. */
const UNIT_COLUMNS = [
  'id',
  'scope_id',
  'statement',
  'kind',
  'state',
  'sensitivity',
  'target_level',
  'subject_peer_id',
  'expires_at',
  'text_occurred_at',
  'extracting_provider',
  'extracting_model',
  'pipeline_version',
  'corroboration_count',
  'row_version',
] as const;

const statementUnit = z.object({
  ...rowShape(UNIT_COLUMNS),
  submitting_peer_ids: words,
  /** The principals that its audience names; null without an audience. */
  audience: words.nullable(),
  ever_scopes: words,
  ever_states: words,
  ever_sensitivities: words,
  ever_levels: words,
  believed_from: z.string().nullable(),
  /** Null while it is believed. */
  believed_until: z.string().nullable(),
});
export type StatementUnit = z.infer<typeof statementUnit>;

const messageUnit = z.object({
  id: z.string(),
  session_id: z.string(),
  scope_id: z.string(),
  speaker_peer_id: z.string(),
  speaker_name: z.string(),
  role: z.string(),
  content: z.string(),
  occurred_at: z.string(),
  occurred_offset_minutes: z.number(),
  is_chunk: z.boolean(),
  recorded_at: z.string(),
  has_audience: z.boolean(),
  readers: words,
  /** When this was read, in milliseconds: a later reading knows every reader an earlier one knew. */
  read_at: z.number(),
});
export type MessageUnit = z.infer<typeof messageUnit>;

const placedUnit = z.object({
  unit: z.enum(['message', 'statement']),
  unit_id: z.string(),
  scope_id: z.string(),
  shard: z.number(),
});

const SPEAKER_AND_RELAY = sql.fragment`
  select m.speaker_peer_id::text as reader
  union select m.relay_peer_id::text where m.relay_peer_id is not null`;

const PARTICIPANTS = sql.fragment`
  select p.peer_id::text from session_participants p
    where p.account_id = m.account_id and p.session_id = m.session_id and p.scope_id = m.scope_id
      and (p.reads_whole_session or p.joined_at <= m.recorded_at)`;

const IN_ORDER = sql.fragment`order by 1 limit ${MOST_LISTED + 1}`;

/**
 * The peers who read the message `m` whatever becomes of circles and roles: those who were there, and of these, where the
 * message has an audience, those whom it names one by one.
 */
export const MESSAGE_READERS = sql.fragment`array(
  ${SPEAKER_AND_RELAY}
  union ${PARTICIPANTS} and (m.audience_id is null or exists (
    select ${namedInAudienceOf('m')} and named.principal = p.peer_id::text))
  ${IN_ORDER})`;

/** What an index is told of the readers of the message `m`: who was there, or whom its audience names. */
const READERS_OF_INDEX = sql.fragment`array(
  ${SPEAKER_AND_RELAY}
  union ${PARTICIPANTS} and m.audience_id is null
  union select named.principal ${namedInAudienceOf('m')}
  ${IN_ORDER})`;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

function unitsOf(unit: UnitKind, accountId: string, where: FragmentSqlToken): FragmentSqlToken {
  return unit === 'message'
    ? sql.fragment`
        select 'message'::unit_kind as unit, u.id as unit_id, u.scope_id, s.shard
        from messages u
        join sessions s on s.account_id = u.account_id and s.id = u.session_id
        where u.account_id = ${accountId}::uuid and ${where} and ${isInIndexes('u')}`
    : sql.fragment`
        select 'statement'::unit_kind as unit, u.id as unit_id, u.scope_id,
          coalesce((
            select s.shard from provenance p
            join messages m on m.account_id = p.account_id and m.id = p.message_id
            join sessions s on s.account_id = m.account_id and s.id = m.session_id
            where p.account_id = u.account_id and p.knowledge_id = u.id
            order by p.message_id limit 1), 0) as shard
        from knowledge u
        where u.account_id = ${accountId}::uuid and ${where}`;
}

function placed(row: z.infer<typeof placedUnit>): MarkedUnit {
  return { unit: row.unit, unitId: row.unit_id, scopeId: row.scope_id, shard: row.shard };
}

const comparedMessage = z.object({
  id: z.string(),
  readers: words,
  /** The index should show it as it is: it is no longer young, no mark says otherwise, and no later version replaced it. */
  is_settled: z.boolean(),
});
export type ComparedMessage = z.infer<typeof comparedMessage>;

/** Messages that are compared with an index: those of a list, or a stretch of all of them in id order. */
export type ComparedMessages =
  | { readonly ids: readonly string[] }
  | { readonly afterId: string | null; readonly limit: number };

const expectedUnit = z.object({ id: z.string(), version: z.number(), dirty: z.boolean() });
export type ExpectedUnit = z.infer<typeof expectedUnit>;

/** Statements and messages of the account, as units of the indexes. */
export class UnitsStore extends AccountStore {
  /** The statements of `ids` that exist. One query. */
  async statements(ids: readonly string[]): Promise<readonly StatementUnit[]> {
    if (ids.length === 0) return [];
    return this.tx.any(sql.type(statementUnit)`
      select ${columnsOf(UNIT_COLUMNS, 'k')},
        array(select s.peer_id from knowledge_submitters s
          where s.account_id = k.account_id and s.knowledge_id = k.id
          order by 1 limit ${MOST_LISTED + 1}) as submitting_peer_ids,
        case when k.audience_id is not null then array(
          select named.principal ${namedInAudienceOf('k')}
          order by 1 limit ${MOST_LISTED + 1}) end as audience,
        b.*
      from knowledge k
      cross join lateral (
        select coalesce(array_agg(distinct p.scope_id), '{}') as ever_scopes,
          coalesce(array_agg(distinct p.state::text), '{}') as ever_states,
          coalesce(array_agg(distinct p.sensitivity::text), '{}') as ever_sensitivities,
          coalesce(array_agg(distinct p.target_level::text), '{}') as ever_levels,
          min(p.believed_from) as believed_from,
          nullif(max(coalesce(p.believed_until, 'infinity')), 'infinity') as believed_until
        from belief_periods p where p.account_id = k.account_id and p.knowledge_id = k.id
      ) b
      where k.account_id = ${this.accountId}::uuid and k.id = any(${sql.array(ids, 'uuid')})`);
  }

  /** The messages of `ids` that the indexes are to hold. One query. */
  async messages(ids: readonly string[]): Promise<readonly MessageUnit[]> {
    if (ids.length === 0) return [];
    return this.tx.any(sql.type(messageUnit)`
      select m.id, m.session_id, m.scope_id, m.speaker_peer_id, speaker.name as speaker_name, m.role, m.content,
        m.occurred_at, m.occurred_offset_minutes, m.document_version_id is not null as is_chunk, m.recorded_at,
        m.audience_id is not null as has_audience, ${READERS_OF_INDEX} as readers,
        (extract(epoch from statement_timestamp()) * 1000)::bigint as read_at
      from messages m
      join peers speaker on speaker.account_id = m.account_id and speaker.id = m.speaker_peer_id
      where m.account_id = ${this.accountId}::uuid and m.id = any(${sql.array(ids, 'uuid')}) and ${isInIndexes('m')}`);
  }

  /** All units of one kind in id order, page by page, in the scopes given (null: all), after `afterId`. */
  async page(
    unit: UnitKind,
    options: {
      readonly scopeIds: readonly string[] | null;
      readonly afterId: string | null;
      readonly limit: number;
    },
  ): Promise<MarkedUnit[]> {
    const inScopes =
      options.scopeIds === null
        ? sql.fragment`true`
        : sql.fragment`u.scope_id = any(${sql.array(options.scopeIds, 'uuid')})`;
    const rows = await this.tx.any(sql.type(placedUnit)`
      ${unitsOf(unit, this.accountId, sql.fragment`${inScopes} and u.id > ${options.afterId ?? FIRST_ID}::uuid`)}
      order by u.id limit ${options.limit}`);
    return rows.map(placed);
  }

  /** Scope and mailbox of units that exist, messages as far as the indexes are to hold them. */
  async place(unit: UnitKind, ids: readonly string[]): Promise<MarkedUnit[]> {
    if (ids.length === 0) return [];
    const rows = await this.tx.any(sql.type(placedUnit)`
      ${unitsOf(unit, this.accountId, sql.fragment`u.id = any(${sql.array(ids, 'uuid')})`)}`);
    return rows.map(placed);
  }

  /** Messages in id order, and who was there. One query. */
  async comparedMessages(
    which: ComparedMessages,
    olderThanMs: number,
  ): Promise<readonly ComparedMessage[]> {
    const [wanted, limit] =
      'ids' in which
        ? [sql.fragment`m.id = any(${sql.array(which.ids, 'uuid')})`, which.ids.length]
        : [sql.fragment`m.id > ${which.afterId ?? FIRST_ID}::uuid`, which.limit];
    return this.tx.any(sql.type(comparedMessage)`
      select m.id, ${READERS_OF_INDEX} as readers,
        m.recorded_at < clock_timestamp() - make_interval(secs => ${olderThanMs / 1000})
        and not exists (
          select from dirty_marks d
          where d.account_id = m.account_id and d.unit_id = m.id and d.engine = 'qdrant' and d.unit = 'message')
        and ${isInIndexes('m')} as is_settled
      from (
        select * from messages m where m.account_id = ${this.accountId}::uuid and ${wanted}
        order by m.id limit ${limit}
      ) m
      order by m.id`);
  }

  /** The first and the last message id of the account; null without a message. */
  async messageRange(): Promise<{ first: string; last: string } | null> {
    const ends = sql.type(z.object({ first: z.string().nullable(), last: z.string().nullable() }))`
      select (select id from messages where account_id = ${this.accountId}::uuid order by id limit 1) as first,
        (select id from messages where account_id = ${this.accountId}::uuid order by id desc limit 1) as last`;
    const { first, last } = await this.tx.one(ends);
    return first === null || last === null ? null : { first, last };
  }

  /**
   * What an index should hold, in id order, page by page: the unit's row version (0 for messages, whose text
   * never changes) and whether a mark of that index is still open. Withdrawn statements are not expected, nor are
   * chunks of replaced versions.
   */
  async expected(
    index: IndexName,
    unit: UnitKind,
    page: { readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly ExpectedUnit[]> {
    const source =
      unit === 'message'
        ? sql.fragment`
            select m.id, 0::bigint as version from messages m
            where m.account_id = ${this.accountId}::uuid and ${isInIndexes('m')}`
        : sql.fragment`
            select id, row_version as version from knowledge
            where account_id = ${this.accountId}::uuid and state not in ('redacted', 'retracted') and is_served`;
    return this.tx.any(sql.type(expectedUnit)`
      select u.id, u.version,
        -- One look for each row of the page, and not all marks at once.
        (select true from dirty_marks d
          where d.account_id = ${this.accountId}::uuid and d.unit_id = u.id and d.engine = ${index}::index_engine
            and d.unit = ${unit}::unit_kind limit 1) is not null as dirty
      from (${source}) u
      where u.id > ${page.afterId ?? FIRST_ID}::uuid
      order by u.id limit ${page.limit}`);
  }
}
