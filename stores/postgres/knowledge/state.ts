/**
 * What the gates decide on: statements with their sources and the rules in force, read under locks. Locks are
 * per subject, not per attribute claim, because later work compares the statements of one subject with each
 * other. Every transaction that changes statements takes the locks of their subjects first, in one order, so
 * that no two transactions wait for each other.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { PlacedScope } from '../../../domain/scopes/chain-ids.ts';
import type { PlacedRule } from '../../../domain/governance/gates.ts';
import { MOST_COMPARED_SUBMITTERS } from '../../../domain/statements/attestation.ts';
import type { Statement } from '../../../domain/statements/statement.ts';
import { gateRuleShape, gateRulesInForce } from '../governance/gate-rules.store.ts';
import { placedScope } from '../scopes/placed-scope.ts';
import { principalsOf } from '../visibility/audiences.ts';
import { readEdition } from '../judging.ts';
import type { Queryable } from '../pool.ts';
import { statementJson, statementShape } from './statement-shape.ts';

/** An attribute of a peer. Its statements are compared in time. */
export interface ClaimedAttribute {
  readonly subjectId: string;
  readonly about: string;
  /** The audience that it is said to; null without one. */
  readonly audienceId: string | null;
}

/** A text about a subject, with its window, its audience and the place where it is said. */
export interface AskedText {
  /** SHA-256 of the folded text, hex. */
  readonly hash: string;
  readonly subjectId: string;
  /** The audience that it is said to; null without one. */
  readonly audienceId: string | null;
  /** The scopes of the chain of the place. */
  readonly scopeIds: readonly string[];
  /** As its source says it, ISO 8601 UTC; null where it says nothing. */
  readonly relevantFrom: string | null;
  readonly relevantUntil: string | null;
}

/** What the sources of the proposals are, to be looked for among the sources of the statements. */
export interface AskedSources {
  /** Speakers and documents. */
  readonly attesterIds: readonly string[];
  /** Speakers and relays. */
  readonly peerIds: readonly string[];
  readonly scopeIds: readonly string[];
  /** Anchors, of which each may be a re-send. */
  readonly messageIds: readonly string[];
}

export interface CommitSelection {
  /** Peers and scopes that the statements are about. */
  readonly subjectIds: readonly string[];
  readonly texts: readonly AskedText[];
  /** Attributes whose statements are read as well, wherever they were said. */
  readonly claims: readonly ClaimedAttribute[];
  /** Every scope whose rules may apply. */
  readonly scopeIds: readonly string[];
  /** The statements themselves, or such as may say the same in other words. */
  readonly ids?: readonly string[];
  /** Left out where statements are decided again and nothing new is said. */
  readonly sources?: AskedSources;
}

/** Statements of one text about one subject at one place, whatever their windows: the newest, and the open one. */
const MOST_OF_A_TEXT = 100;
/** Of an attribute, such as where a person lives, the statements said last are compared: so many that stand ... */
const MOST_STANDING_OF_AN_ATTRIBUTE = 250;
/** ... and so many that newer ones ended or superseded. */
const MOST_UPDATED_OF_AN_ATTRIBUTE = 250;
/** ... and so many of those for the audience of what is said. */
const MOST_OF_AN_AUDIENCE = 250;
/** ... and so many of those for any audience: each audience among them has a timeline of its own. */
const MOST_ADDRESSED_OF_AN_ATTRIBUTE = 16;
/** Statements that come back when the one that superseded them ends. */
const MOST_REINSTATED = 250;
/** Edited texts of one statement. */
const MOST_EDITS = 100;
/** Peers that are looked for among the submitters of statements with too many submitters to read them all. */
const MOST_PEERS_ASKED = 1_000;

export interface LoadedKnowledge {
  readonly statements: readonly Statement[];
  /** Every scope of the chains of the statements. */
  readonly places: readonly PlacedScope[];
  readonly rules: readonly PlacedRule[];
  readonly automaticConsent: boolean;
  /** Subjects who are being erased: nothing new is said about them. */
  readonly erasing: readonly string[];
  /** ISO 8601 UTC, read under the locks. */
  readonly now: string;
}

const stateRow = z.object({
  now: z.string(),
  automatic_consent: z.boolean(),
  statements: z.array(statementShape),
  places: z.array(placedScope),
  rules: z.array(gateRuleShape),
  erasing: z.array(z.string()),
  edition: z.number(),
});

/** The subject, as in the unique index of open claims and in the index of texts. */
export const subject = sql.fragment`coalesce(k.subject_peer_id, k.subject_scope_id)`;

/** What stands for no audience in the index of open claims. */
const NO_AUDIENCE = sql.fragment`'00000000-0000-0000-0000-000000000000'::uuid`;

const isOpen = sql.fragment`
  k.state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale')`;

const hasWindow = sql.fragment`coalesce(k.relevant_from, '-infinity') = t.since
  and coalesce(case when k.updated_by_id is not null and k.state_before_update is null then k.stated_until
    else k.relevant_until end, 'infinity') = t.until`;

function askedTexts(texts: readonly AskedText[]): FragmentSqlToken {
  const rows = texts.map((text) => ({
    hash: text.hash,
    subject_id: text.subjectId,
    audience_id: text.audienceId,
    scope_ids: text.scopeIds,
    since: text.relevantFrom,
    until: text.relevantUntil,
  }));
  return sql.fragment`
    select decode(t.hash, 'hex') as hash, t.subject_id, t.audience_id, t.scope_ids,
      coalesce(t.since, '-infinity') as since, coalesce(t.until, 'infinity') as until
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (
      hash text, subject_id uuid, audience_id uuid, scope_ids uuid[], since timestamptz, until timestamptz)`;
}

/**
 * CTEs up to `same_text`: the open statement of each text and window, the newest statements of the text in any state,
 * statements that were once said in this text, and the statements `ids`, which may say the same in other words. Each is
 * found through an index, one text at a time, among the statements for everybody and those for the text's audience.
 */
function sameText({ ids = [], subjectIds, texts }: CommitSelection): FragmentSqlToken {
  const columns = sql.fragment`select k.id, k.subject_peer_id, k.claim_about, k.audience_id, k.replaces_id, k.updated_by_id`;
  const isOfText = sql.fragment`k.statement_hash = t.hash and ${subject} = t.subject_id`;
  return sql.fragment`texts as materialized (${askedTexts(texts)}), same_text as materialized (
      select k.* from texts t cross join lateral (
        ${columns} from knowledge k
        where k.scope_id = any(t.scope_ids) and ${isOfText} and ${hasWindow} and ${isOpen} and not k.previously_refused
          and coalesce(k.audience_id, ${NO_AUDIENCE}) = any(array[${NO_AUDIENCE}, t.audience_id])
        offset 0) k
      union
      select k.* from texts t cross join lateral unnest(t.scope_ids) as place (scope_id) cross join lateral (
        (${columns} from knowledge k
        where k.scope_id = place.scope_id and ${isOfText} and k.audience_id is null
        order by k.recorded_at desc limit ${MOST_OF_A_TEXT})
        union all
        (${columns} from knowledge k
        where k.scope_id = place.scope_id and ${isOfText} and k.audience_id = t.audience_id
        order by k.recorded_at desc limit ${MOST_OF_A_TEXT})) k
      union
      select k.* from texts t cross join lateral (
        ${columns} from knowledge_paraphrases p
        join knowledge k on k.account_id = p.account_id and k.id = p.knowledge_id
        where p.statement_hash = t.hash and k.scope_id = any(t.scope_ids) and ${subject} = t.subject_id
          and (k.audience_id is null or k.audience_id = t.audience_id)
        order by (${hasWindow} and ${isOpen}) desc, k.recorded_at desc limit ${MOST_OF_A_TEXT}) k
      union
      ${columns} from knowledge k
      where k.id = any(${sql.array(ids, 'uuid')}) and ${subject} = any(${sql.array(subjectIds, 'uuid')})
    )`;
}

/** CTEs up to `wanted`: the ids of `same_text`, and of the statements that are compared with these in time. */
function wanted(selection: CommitSelection): FragmentSqlToken {
  const { claims } = selection;
  const isClaimed = sql.fragment`
    k.subject_peer_id = claimed.subject_peer_id and k.claim_about = claimed.claim_about`;
  const newest = sql.fragment`order by k.text_occurred_at desc, k.id`;
  return sql.fragment`${sameText(selection)}, claimed as materialized (
      select subject_peer_id, claim_about, audience_id from same_text where claim_about is not null
      union
      select * from unnest(${sql.array(
        claims.map(({ subjectId }) => subjectId),
        'uuid',
      )}, ${sql.array(
        claims.map(({ about }) => about),
        'text',
      )}, ${sql.array(
        claims.map(({ audienceId }) => audienceId),
        'uuid',
      )})
    ), wanted as materialized (
      select id from same_text
      union
      -- Row by row through its index, however many statements the account is thought to have.
      select k.id from (select distinct subject_peer_id, claim_about from claimed) claimed, lateral (
        (select k.id from knowledge k where ${isClaimed} and k.updated_by_id is null and ${isOpen}
          and k.audience_id is null ${newest} limit ${MOST_STANDING_OF_AN_ATTRIBUTE})
        union all
        (select k.id from knowledge k where ${isClaimed} and k.updated_by_id is not null
          and k.audience_id is null ${newest} limit ${MOST_UPDATED_OF_AN_ATTRIBUTE})
        union all
        -- What is said to some takes no place of what is said to all.
        (select k.id from knowledge k where ${isClaimed} and k.audience_id is not null
          and (${isOpen} or k.updated_by_id is not null) ${newest} limit ${MOST_ADDRESSED_OF_AN_ATTRIBUTE})
      ) k
      union
      select k.id from claimed, lateral (
        select k.id from knowledge k where ${isClaimed} and k.audience_id = claimed.audience_id
          and (${isOpen} or k.updated_by_id is not null) ${newest} limit ${MOST_OF_AN_AUDIENCE}
      ) k
      union
      select k.id from same_text, lateral (
        select k.id from knowledge k where k.updated_by_id = same_text.id limit ${MOST_REINSTATED}
      ) k
      union
      -- What ended a statement and has expired since: the statement stays ended until it is said again.
      select k.id from same_text join knowledge k on k.id = same_text.updated_by_id and k.state = 'expired'
      union
      -- What an edited text takes the place of, and edited texts that wait for theirs.
      select k.id from same_text join knowledge k on k.id = same_text.replaces_id
      union
      select k.id from same_text, lateral (
        select k.id from knowledge k where k.replaces_id = same_text.id limit ${MOST_EDITS}
      ) k
    )`;
}

const NOBODY: AskedSources = { attesterIds: [], peerIds: [], scopeIds: [], messageIds: [] };

/** CTEs of what is asked about the sources of the statements `known`. */
function askedOfSources({ sources = NOBODY }: CommitSelection): FragmentSqlToken {
  return sql.fragment`peers_asked as materialized (
      select unnest(${sql.array(sources.peerIds, 'uuid')}) as id
      union
      (select distinct s.peer_id from known k
        join knowledge_submitters s on s.account_id = k.account_id and s.knowledge_id = k.id
        where k.submitter_count <= ${MOST_COMPARED_SUBMITTERS}
          and exists (select from known crowd where crowd.submitter_count > ${MOST_COMPARED_SUBMITTERS})
        limit ${MOST_PEERS_ASKED})
    ), anchors_asked as materialized (
      select m.session_id, m.speaker_peer_id, m.occurred_at, encode(m.content_hash, 'hex') as content_hash,
        source_key(m.session_id, m.speaker_peer_id, m.occurred_at, m.content_hash) as key
      from messages m where m.id = any(${sql.array(sources.messageIds, 'uuid')})
    )`;
}

/** What was asked about the sources of the statement `k`, as JSON: never more than was asked. */
function attestation({ sources = NOBODY }: CommitSelection): FragmentSqlToken {
  const attesters = sql.fragment`
    array[k.subject_peer_id, k.first_attester_id] || ${sql.array(sources.attesterIds, 'uuid')}`;
  return sql.fragment`jsonb_build_object(
    'last_said', (select coalesce(jsonb_agg(jsonb_build_object('by', a.attester_id, 'at', a.last_said_at,
        'hash', encode(a.last_said_hash, 'hex'))), '[]')
      from knowledge_attesters a
      where a.account_id = k.account_id and a.knowledge_id = k.id and a.attester_id = any(${attesters})
        and not a.withdrawn),
    'submitters', (select coalesce(jsonb_agg(s.peer_id), '[]')
      from knowledge_submitters s
      where s.account_id = k.account_id and s.knowledge_id = k.id
        and (k.submitter_count <= ${MOST_COMPARED_SUBMITTERS}
          or s.peer_id = any(array(select peers_asked.id from peers_asked)))),
    'scope_ids', (select coalesce(jsonb_agg(c.scope_id), '[]')
      from knowledge_source_scopes c
      where c.account_id = k.account_id and c.knowledge_id = k.id
        and c.scope_id = any(${sql.array(sources.scopeIds, 'uuid')})),
    'used', (select coalesce(jsonb_agg(to_jsonb(a) - 'key'), '[]')
      from anchors_asked a
      where k.id in (select same_text.id from same_text) and exists (
        select from provenance p
        where p.account_id = k.account_id and p.knowledge_id = k.id and p.speaker_peer_id = a.speaker_peer_id
          and p.source_key = a.key)))`;
}

/**
 * Locks the statements of these texts and subjects, and those of every attribute that is claimed or that one of
 * them claims, and reads them with the rules of the scopes and with what is counted of their sources.
 */
export async function loadKnowledgeState(
  tx: Queryable,
  selection: CommitSelection,
): Promise<LoadedKnowledge> {
  const row = await tx.one(sql.type(stateRow)`
    with recursive ${wanted(selection)}, known as materialized (
      select k.* from knowledge k where k.id = any(array(select id from wanted)) order by k.id for update
    ), chain as (
      select s.id, s.parent_id from scopes s where s.id in (select scope_id from known)
      union
      select s.id, s.parent_id from scopes s join chain on s.id = chain.parent_id
    ), ${askedOfSources(selection)}
    select
      clock_timestamp() as now,
      (select a.consent_mode = 'auto' from accounts a) as automatic_consent,
      -- Whoever changes what is held waits for the locks of the subjects too.
      coalesce((select b.edition from forget_books b), 0) as edition,
      ${gateRulesInForce(selection.scopeIds)} as rules,
      (select coalesce(jsonb_agg(to_jsonb(chain)), '[]') from chain) as places,
      (select coalesce(jsonb_agg(p.id), '[]') from peers p
        where p.id = any(${sql.array(selection.subjectIds, 'uuid')}) and p.erasing_at is not null) as erasing,
      (select coalesce(jsonb_agg(${statementJson} || jsonb_build_object(
          'audience_principals', ${principalsOf('k')},
          'paraphrase_hashes', (select coalesce(jsonb_agg(encode(p.statement_hash, 'hex') order by p.statement_hash), '[]')
            from knowledge_paraphrases p
            where p.account_id = k.account_id and p.knowledge_id = k.id
              and p.statement_hash = any(array(select texts.hash from texts))),
          'attestation', ${attestation(selection)})), '[]')
        from known k) as statements`);
  const { automatic_consent: automaticConsent, edition, ...state } = row;
  readEdition(tx, edition);
  return { ...state, automaticConsent };
}
