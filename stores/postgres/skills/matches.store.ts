/**
 * Statements that selectors match. However long the history of a person or of a scope is, a bounded number of statements
 * is met: each walk reads the newest of one kind or attribute, of one state and audience, in one scope, along an index.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { ScopedReader } from '../../../domain/governance/scoped-reader.ts';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { AccountStore } from '../account-store.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { renderMessageReadable } from '../visibility/messages.ts';
import { renderReadable, renderVisibility } from '../visibility/statements.ts';
import { addressedTo, submittedBy, walking, type NamingList } from '../visibility/walks.ts';
import type { MatchRead, SelectorQuery } from '../../../domain/skills/walks.ts';

const matchRow = z.object({
  place: z.int(),
  id: z.string(),
  is_believed: z.boolean(),
  since: z.string(),
});
export type MatchRow = z.infer<typeof matchRow>;

const textRow = z.object({ id: z.string(), statement: z.string() });

/** Sources of a statement that are looked at for their type, beside as many of the checked peer's own. */
const MOST_SOURCES_LOOKED_AT = 100;

/** The states of the partial indexes, as these name them. */
const OF_INDEX = sql.fragment`k.state in ('active', 'needs_revalidation', 'stale', 'expired')`;

/** Whether the statement `k` has a source of the type that the reader may read. */
function hasSource(reader: ScopedReader, peerId: string): FragmentSqlToken {
  const ofStatement = sql.fragment`p.account_id = k.account_id and p.knowledge_id = k.id`;
  return sql.fragment`exists (
    select from (
      (select p.message_id from provenance p where ${ofStatement}
        order by p.message_id limit ${MOST_SOURCES_LOOKED_AT})
      union
      (select p.message_id from provenance p where ${ofStatement} and p.speaker_peer_id = ${peerId}::uuid
        order by p.source_key limit ${MOST_SOURCES_LOOKED_AT})
    ) cited
    join messages m on m.account_id = k.account_id and m.id = cited.message_id
    where (m.document_version_id is null) = (a.source_type = 'message') and ${renderMessageReadable(reader)})`;
}

/** What the selector `a` asks of the statement `k` itself. */
const IS_MEANT = sql.fragment`(a.kinds is null or k.kind = any(a.kinds))
    and (a.attributes is null or k.attribute = any(a.attributes))
    and (a.sensitivities is null or k.sensitivity = any(a.sensitivities))
    and (a.target_levels is null or k.target_level = any(a.target_levels))
    and (a.verifications is null or k.verification = any(a.verifications))
    and k.confidence >= a.minimum_confidence
    and k.corroboration_count >= a.minimum_corroboration`;

/** What it asks of the sources of the statement: looked up one by one, and no further than statements are wanted. */
function isSaid(read: MatchRead): FragmentSqlToken {
  const { asPeerScopeIds, peerId } = read;
  return sql.fragment`(not a.asks_peer or (k.scope_id = any(${sql.array(asPeerScopeIds, 'uuid')}) and exists (
      select from knowledge_attesters said
      where said.account_id = k.account_id and said.knowledge_id = k.id and said.attester_id = ${peerId}::uuid
        and said.peer_id is not null)))
    and (a.source_type is null or ${hasSource(read, peerId)})`;
}

/** What selectors compare of a statement that was met. */
const MET = sql.fragment`k.account_id, k.id, k.scope_id, k.subject_peer_id, k.kind, k.confidence, k.sensitivity,
  k.target_level, k.state, k.verification, k.corroboration_count, k.expires_at, k.recorded_at, k.attribute`;

/** What `renderReadable` asks of the subject, of the checked peer: so it is looked up once, not for each statement. */
function isPresent({ peerId }: MatchRead, accountId: string): FragmentSqlToken {
  return isNotErasing(sql.fragment`${accountId}::uuid`, sql.fragment`${peerId}::uuid`);
}

interface WalkAsked {
  readonly cells: FragmentSqlToken;
  readonly walk: FragmentSqlToken;
  /** Whether the reader may read the statement `k`. */
  readonly isReadable: FragmentSqlToken;
}

/** The newest statements of each cell, those of them that the reader may read. Read once, whatever asks for them. */
function metIn({ cells, isReadable, walk }: WalkAsked, read: MatchRead): FragmentSqlToken {
  return sql.fragment`
    select ${MET} from ${cells} cell cross join lateral (
      ${walk} order by k.recorded_at desc, k.id desc
      limit case when cell.shelf like 'active/%' then ${read.mostMet}::integer else ${read.mostOver}::integer end
    ) k where ${isReadable}`;
}

/** The statements of a list that names people beside them, of the newest in each scope and state. */
function namingThem(
  read: MatchRead,
  accountId: string,
  list: NamingList,
  states: readonly string[],
): FragmentSqlToken {
  return sql.fragment`
    select distinct on (k.id) ${MET}
    from unnest(${sql.array(read.scopeIds, 'uuid')}) as place (id)
    cross join unnest(${list.names}) as named (id)
    cross join unnest(${sql.array(states, 'text')}) as state (word)
    cross join lateral (
      select s.account_id, s.knowledge_id from ${list.table} s
      where s.account_id = ${accountId}::uuid and ${list.isOf} and ${list.mayBe} and s.scope_id = place.id
        and s.state = state.word
      order by s.recorded_at desc, s.knowledge_id limit ${read.mostSubmitted}
    ) s
    cross join lateral (
      select k.* from knowledge k where k.account_id = s.account_id and k.id = s.knowledge_id offset 0
    ) k
    where (k.subject_peer_id is null or k.subject_peer_id = ${read.peerId}::uuid and ${isPresent(read, accountId)})
      and ${renderVisibility(read.visible)}`;
}

/**
 * The places that walks begin at: those where there is a statement at all. Each is one look along the index of its walk,
 * whose order it names: a look that asks only whether there is one may be planned along an index that leads to all
 * statements about the peer, and reads them all where there is none.
 */
function cells(read: MatchRead, accountId: string): FragmentSqlToken {
  const { peerId, scopeIds, asPeerScopeIds } = read;
  const place = sql.fragment`unnest(${sql.array(scopeIds, 'uuid')}) as place (id)
      cross join unnest(${sql.array(read.shelves, 'text')}) as shelf (word)`;
  const isOpen = sql.fragment`(shelf.word not like '%/few' or place.id = any(${sql.array(asPeerScopeIds, 'uuid')}))`;
  const kinds = sql.fragment`cross join unnest(${sql.array(read.kinds, 'text')}) as kind (word)`;
  const one = (isThere: FragmentSqlToken) => sql.fragment`cross join lateral (
        select k.id from knowledge k
        where k.account_id = ${accountId}::uuid and k.scope_id = place.id and k.shelf = shelf.word and ${OF_INDEX}
          and ${isThere}
        order by k.recorded_at desc, k.id desc limit 1) one`;
  const isOfPeer = sql.fragment`k.subject_peer_id = ${peerId}::uuid`;
  return sql.fragment`
    peer_kinds as materialized (
      select place.id as scope_id, shelf.word as shelf, kind.word as kind from ${place} ${kinds}
      ${one(sql.fragment`${isOfPeer} and k.kind_word = kind.word`)} where ${isOpen}
    ), peer_attributes as materialized (
      select place.id as scope_id, shelf.word as shelf, attribute.word as attribute from ${place}
      cross join unnest(${sql.array(read.attributes, 'text')}) as attribute (word)
      ${one(sql.fragment`${isOfPeer} and k.attribute = attribute.word`)} where ${isOpen}
    ), scope_kinds as materialized (
      select place.id as scope_id, shelf.word as shelf, kind.word as kind from ${place} ${kinds}
      ${one(sql.fragment`k.subject_peer_id is null and k.kind_word = kind.word`)} where shelf.word not like '%/few'
    )`;
}

/** What was met about the peer by kind and by attribute, about scopes, and of the readers' own submissions. */
function met(read: MatchRead, accountId: string): FragmentSqlToken {
  const ofPeer = sql.fragment`select k.* from knowledge k
    where k.account_id = ${accountId}::uuid and k.subject_peer_id = ${read.peerId}::uuid and ${OF_INDEX}
      and k.scope_id = cell.scope_id and k.shelf = cell.shelf`;
  const ofScope = sql.fragment`select k.* from knowledge k
    where k.account_id = ${accountId}::uuid and k.subject_peer_id is null and ${OF_INDEX}
      and k.scope_id = cell.scope_id and k.shelf = cell.shelf and k.kind_word = cell.kind`;
  const isReadable = sql.fragment`${renderVisibility(read.visible)} and ${isPresent(read, accountId)}`;
  const byKind: WalkAsked = {
    cells: sql.fragment`peer_kinds`,
    walk: sql.fragment`${ofPeer} and k.kind_word = cell.kind`,
    isReadable,
  };
  const byAttribute: WalkAsked = {
    cells: sql.fragment`peer_attributes`,
    walk: sql.fragment`${ofPeer} and k.attribute = cell.attribute`,
    isReadable,
  };
  const ofScopes: WalkAsked = {
    cells: sql.fragment`scope_kinds`,
    walk: ofScope,
    isReadable: renderReadable(read.visible),
  };
  return sql.fragment`${cells(read, accountId)},
    of_peer as materialized (${metIn(byKind, read)}),
    of_attribute as materialized (${metIn(byAttribute, read)}),
    of_scope as materialized (${metIn(ofScopes, read)}),
    own as materialized (
      ${namingThem(read, accountId, submittedBy(read.submitterIds), read.submittedStates)}
    ), addressed as materialized (
      ${namingThem(read, accountId, addressedTo(read.addressees), read.addressedStates)}
    )`;
}

/** The statements that the selector `a` means, of those that were met. */
const MEANT = sql.fragment`
    select ${MET} from of_peer k where a.about <> 'scope' and a.attributes is null and ${IS_MEANT}
    union
    select ${MET} from of_attribute k where a.about <> 'scope' and a.attributes is not null and ${IS_MEANT}
    union
    select ${MET} from of_scope k where a.about <> 'peer' and a.attributes is null and ${IS_MEANT}
    union
    select ${MET} from (select * from own union select * from addressed) k
    where (k.subject_peer_id is not null and a.about <> 'scope'
        or k.subject_peer_id is null and a.about <> 'peer' and a.attributes is null)
      and ${IS_MEANT}`;

const some = (words: readonly string[]) => (words.length === 0 ? null : words);

/** Members of a selector as the query reads them: null asks nothing. */
function asked({
  attribute,
  kind,
  sensitivity,
  source_types: sourceTypes,
  target_level: levels,
  verification,
  ...one
}: SelectorQuery) {
  return {
    place: one.place,
    about: one.subject,
    kinds: some(kind),
    attributes: some(attribute),
    sensitivities: some(sensitivity),
    target_levels: some(levels),
    verifications: some(verification),
    // Both types ask nothing.
    source_type: sourceTypes.length === 1 ? sourceTypes[0] : null,
    asks_peer: one.asksPeer,
    minimum_confidence: one.minimum_confidence ?? 0,
    minimum_corroboration: one.minimum_corroboration ?? 0,
    wanted: one.wanted,
  };
}

export class SkillMatchesStore extends AccountStore {
  /** For each selector the statements that it matches: believed ones first, then the newest, as many as it wants. */
  async find(read: MatchRead): Promise<readonly MatchRow[]> {
    const selectors = JSON.stringify(read.selectors.map(asked));
    const isBelieved = sql.fragment`(k.state in ('active', 'provisional')
      and (k.expires_at is null or k.expires_at > ${read.at}::timestamptz))`;
    const query = sql.type(matchRow)`
      with asked as materialized (
        select * from jsonb_to_recordset(${selectors}::jsonb) as a (
          place integer, about text, kinds statement_kind[], attributes text[], sensitivities sensitivity[],
          target_levels target_level[], verifications verification[], source_type text, asks_peer boolean,
          minimum_confidence float8, minimum_corroboration integer, wanted integer)
      ), ${met(read, this.accountId)}
      select a.place, one.id, one.is_believed, greatest(believed.since, said.at) as since
      from asked a
      cross join lateral (
        select k.id, k.recorded_at, k.is_believed
        from (
          select k.*, ${isBelieved} as is_believed from (${MEANT}) k
          order by is_believed desc, k.recorded_at desc, k.id desc offset 0
        ) k
        where ${isSaid(read)}
        order by k.is_believed desc, k.recorded_at desc, k.id desc limit a.wanted
      ) one
      cross join lateral (
        select coalesce((
          select p.believed_from from belief_periods p
          where p.account_id = ${this.accountId}::uuid and p.knowledge_id = one.id
          order by p.believed_from desc limit 1), one.recorded_at) as since
      ) believed
      left join lateral (
        select least(by_peer.last_said_at, ${read.at}::timestamptz) as at from knowledge_attesters by_peer
        where by_peer.account_id = ${this.accountId}::uuid and by_peer.knowledge_id = one.id
          and by_peer.attester_id = ${read.peerId}::uuid
      ) said on true
      order by a.place, one.is_believed desc, one.recorded_at desc, one.id desc`;
    return walking(this.tx, () => this.tx.any(query));
  }

  /** The texts of statements that the reader may still read. */
  async texts(
    ids: readonly string[],
    visible: Condition,
  ): Promise<readonly z.infer<typeof textRow>[]> {
    return this.tx.any(sql.type(textRow)`
      select k.id, k.statement from knowledge k
      where k.account_id = ${this.accountId}::uuid and k.id = any(${sql.array(ids, 'uuid')})
        and k.statement is not null and ${renderReadable(visible)}`);
  }
}
