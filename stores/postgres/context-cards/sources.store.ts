/**
 * What context cards are made of: the most salient statements of a scope, about a person, of a session, or that mention a
 * name. Each walk is along an index and meets a bounded number of rows, whatever the history.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { LEAST_SOURCES, MOST_NAMES_LOOKED_AT } from '../../../domain/context/kinds.ts';
import type { ReadableSource } from '../../../domain/context/parts.ts';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { AccountStore } from '../account-store.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { renderReadable } from '../visibility/statements.ts';
import { windowEnd } from '../../../domain/statements/statement-row.ts';

/** Statements that a walk meets, so that some may be expired or not readable. */
const MOST_MET = 200;
/** The newest messages of a session that its summary is drawn from. */
const MOST_MESSAGES = 200;
/** A statement of more sources is in no summary of a session: a change of it would reach as many sessions. */
const MOST_SOURCES_IN_SESSION = 64;

const sourceRow = z.object({
  id: z.string(),
  version: z.number(),
  statement: z.string(),
});
export type ContextCardSourceRow = z.infer<typeof sourceRow>;

const readableRow = sourceRow.extend({
  sensitivity: z.enum(['public', 'internal', 'personal', 'restricted']),
  relevant_from: z.string().nullable(),
  relevant_from_precision: z.enum(['year', 'month', 'day', 'time']).nullable(),
  relevant_until: z.string().nullable(),
  relevant_until_precision: z.enum(['year', 'month', 'day', 'time']).nullable(),
});

function validityOf(
  row: Omit<z.infer<typeof readableRow>, keyof ContextCardSourceRow | 'sensitivity'>,
) {
  return {
    from: windowEnd(row.relevant_from, row.relevant_from_precision),
    until: windowEnd(row.relevant_until, row.relevant_until_precision),
  };
}

const nameRow = z.object({
  alias: z.string(),
  statements: z.number(),
  is_person: z.boolean(),
});
export type NameRow = z.infer<typeof nameRow>;

const SOURCE = sql.fragment`k.id, k.row_version as version, k.statement`;

/** Unexpired, and about nobody who is being erased. */
function isBelieved(at: string): FragmentSqlToken {
  return sql.fragment`(k.expires_at is null or k.expires_at > ${at}::timestamptz)
    and ${isNotErasing(sql.fragment`k.account_id`, sql.fragment`k.subject_peer_id`)}`;
}

/** What every reader of the scope may read, as a peer. */
const IS_SHARED = sql.fragment`k.state = 'active' and k.shelf in ('active/everybody', 'active/scope')`;

/** Sources of context cards of the account. */
export class ContextCardSourcesStore extends AccountStore {
  /** Of a scope: what all its readers share. */
  async ofScope(
    scopeId: string,
    at: string,
    limit: number,
  ): Promise<readonly ContextCardSourceRow[]> {
    const shelf = (name: string) => sql.fragment`
      (select k.* from knowledge k
        where k.account_id = ${this.accountId}::uuid and k.scope_id = ${scopeId}::uuid and k.shelf = ${name}
          and k.state = 'active'
        order by k.salience desc, k.id limit ${MOST_MET})`;
    return this.tx.any(sql.type(sourceRow)`
      select ${SOURCE} from (${shelf('active/everybody')} union all ${shelf('active/scope')}) k
      where ${isBelieved(at)} order by k.salience desc, k.id limit ${limit}`);
  }

  /** About a person in a scope, without an audience, as far as the predicate lets the person read it. */
  async aboutPeer(
    scopeId: string,
    peerId: string,
    visible: Condition,
    limit: number,
  ): Promise<readonly ContextCardSourceRow[]> {
    return this.tx.any(sql.type(sourceRow)`
      select ${SOURCE} from (
        select k.* from knowledge k
        where k.account_id = ${this.accountId}::uuid and k.subject_peer_id = ${peerId}::uuid
          and k.scope_id = ${scopeId}::uuid and k.state in ('active', 'provisional') and k.audience_id is null
        order by k.salience desc, k.id limit ${MOST_MET}) k
      where ${renderReadable(visible)} order by k.salience desc, k.id limit ${limit}`);
  }

  /** Of a session in a scope: what was drawn from its newest messages and all readers of the scope share. */
  async ofSession(
    scopeId: string,
    sessionId: string,
    at: string,
    limit: number,
  ): Promise<readonly ContextCardSourceRow[]> {
    return this.tx.any(sql.type(sourceRow)`
      with said as materialized (
        select m.id from messages m
        where m.account_id = ${this.accountId}::uuid and m.session_id = ${sessionId}::uuid
          and m.scope_id = ${scopeId}::uuid and m.audience_id is null and m.is_served
        order by m.occurred_at desc, m.recorded_at desc, m.id desc limit ${MOST_MESSAGES}
      ), drawn as materialized (
        select distinct p.knowledge_id from said
        join provenance p on p.account_id = ${this.accountId}::uuid and p.message_id = said.id
      )
      select ${SOURCE} from drawn
      join knowledge k on k.account_id = ${this.accountId}::uuid and k.id = drawn.knowledge_id
      where k.scope_id = ${scopeId}::uuid and k.source_count <= ${MOST_SOURCES_IN_SESSION} and ${IS_SHARED}
        and ${isBelieved(at)}
      order by k.salience desc, k.id limit ${limit}`);
  }

  /** When the first of the messages of the session was recorded that the statements cite; null without one. */
  async saidSince(
    scopeId: string,
    sessionId: string,
    statementIds: readonly string[],
  ): Promise<string | null> {
    return this.tx.oneFirst(sql.type(z.object({ since: z.string().nullable() }))`
      select min(m.recorded_at)::text as since from provenance p
      join messages m on m.account_id = p.account_id and m.id = p.message_id
      where p.account_id = ${this.accountId}::uuid and p.knowledge_id = any(${sql.array(statementIds, 'uuid')})
        and m.session_id = ${sessionId}::uuid and m.scope_id = ${scopeId}::uuid`);
  }

  /** The names that most statements of the scope mention, of those that surely are names and that two mention. */
  async names(scopeId: string): Promise<readonly NameRow[]> {
    return this.tx.any(sql.type(nameRow)`
      select n.alias, n.statements, n.subject_statements > 0 as is_person from scope_names n
      where n.account_id = ${this.accountId}::uuid and n.scope_id = ${scopeId}::uuid
        and n.word = split_part(n.alias, ' ', 1) and n.sure_statements > 0 and n.statements > 1
        and n.statements >= ${LEAST_SOURCES}
      order by n.statements desc, n.alias limit ${MOST_NAMES_LOOKED_AT}`);
  }

  /** The statements of the scope that mention the name, of the newest ones. */
  async mentioning(
    scopeId: string,
    alias: string,
    at: string,
    limit: number,
  ): Promise<readonly ContextCardSourceRow[]> {
    const ofView = (isPublic: boolean) => sql.fragment`
      (select m.statement_id from entity_mentions m
        where m.account_id = ${this.accountId}::uuid and m.scope_id = ${scopeId}::uuid and m.alias = ${alias}
          and m.is_public = ${isPublic}
        order by m.statement_id desc limit ${MOST_MET})`;
    return this.tx.any(sql.type(sourceRow)`
      select ${SOURCE} from (${ofView(true)} union all ${ofView(false)}) found
      join knowledge k on k.account_id = ${this.accountId}::uuid and k.id = found.statement_id
      where k.scope_id = ${scopeId}::uuid and ${IS_SHARED} and ${isBelieved(at)}
      order by k.salience desc, k.id limit ${limit}`);
  }

  /** Those of the statements that the predicate lets through, as they stand now. One query. */
  async readable(
    ids: readonly string[],
    visible: Condition,
  ): Promise<ReadonlyMap<string, ReadableSource>> {
    const rows = await this.tx.any(sql.type(readableRow)`
      select ${SOURCE}, k.sensitivity, k.relevant_from, k.relevant_from_precision, k.relevant_until,
        k.relevant_until_precision
      from knowledge k
      where k.account_id = ${this.accountId}::uuid and k.id = any(${sql.array(ids, 'uuid')})
        and ${renderReadable(visible)}`);
    return new Map(
      rows.map(({ id, sensitivity, statement, version, ...ends }) => [
        id,
        { id, version, statement, sensitivity, validity: validityOf(ends) },
      ]),
    );
  }
}
