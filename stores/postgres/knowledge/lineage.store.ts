/** What statements, messages and versions of documents were made from, one query for each kind. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import {
  peersOf,
  type ChainReader,
  type LineageVisibility,
} from '../../../domain/governance/visibility.ts';
import {
  keyOf,
  LINEAGE_TYPES,
  REFERENCE_VISIBILITIES,
  type LineageFacts,
  type LineageTarget,
  type LineageType,
} from '../../../domain/lineage/lineage.ts';
import { AccountStore } from '../account-store.ts';
import type { Queryable } from '../pool.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { renderMessageReadable } from '../visibility/messages.ts';
import { renderVisibility } from '../visibility/statements.ts';

export interface LineageRead {
  readonly visibility: LineageVisibility;
  readonly scopeIds: readonly string[];
  readonly reader: ChainReader;
}

const reference = z.object({
  type: z.enum(LINEAGE_TYPES),
  id: z.string(),
  visibility: z.enum(REFERENCE_VISIBILITIES),
});
const factsRow = z.object({
  id: z.string(),
  derivation_level: z.number(),
  operation: z.enum(['observed', 'imported', 'extracted', 'edited', 'merged']),
  source_references: z.array(reference),
  further: z.number(),
});

/** More statements than this that were merged into one are not counted. */
const MOST_MERGED = 1_000;

/** The visibility of the statement `alias`, in the order in which it is judged. */
function statementVisibility({ visibility }: LineageRead, alias: string): FragmentSqlToken {
  const account = sql.fragment`${sql.identifier([alias, 'account_id'])}`;
  const subject = sql.fragment`${sql.identifier([alias, 'subject_peer_id'])}`;
  return sql.fragment`case
    when ${sql.identifier([alias, 'state'])} = 'retracted' then 'missing'
    when not (${renderVisibility(visibility.authorised, alias)} and ${isNotErasing(account, subject)})
      then 'authorization_hidden'
    when not ${renderVisibility(visibility.shown, alias)} then 'lifecycle_hidden'
    else 'visible' end`;
}

/** Whether the reader may read the message `m`: it was there, in a scope of the chain. */
function messageReadable({ reader, scopeIds }: LineageRead): FragmentSqlToken {
  return renderMessageReadable({ reader, scopeIds });
}

/** Whether the reader may see the version `v` of the document `d`: who uploaded it may. */
function versionReadable({ reader, scopeIds }: LineageRead): FragmentSqlToken {
  return sql.fragment`(d.scope_id = any(${sql.array(scopeIds, 'uuid')})
    and v.uploader_peer_id = any(${sql.array(peersOf(reader), 'uuid')}))`;
}

interface Asked {
  readonly tx: Queryable;
  readonly accountId: string;
  readonly ids: readonly string[];
  readonly maxFanOut: number;
}

/** Statements that a person put into other words or merged name the statements before their messages. */
function ofStatements({ accountId, ids, maxFanOut, tx }: Asked, read: LineageRead) {
  return tx.any(sql.type(factsRow)`
      select k.id, k.derivation_level,
        case when k.replaces_id is not null then 'edited' when merged.n > 0 then 'merged' else 'extracted' end as operation,
        coalesce(listed.refs, '[]') as source_references,
        greatest(0, k.source_count + merged.n + (k.replaces_id is not null)::integer
          - coalesce(jsonb_array_length(listed.refs), 0)) as further
      from knowledge k
      cross join lateral (
        select count(*)::integer as n from (
          select from knowledge other where other.account_id = k.account_id and other.merged_into_id = k.id
          limit ${MOST_MERGED}) counted) merged
      cross join lateral (
        select jsonb_agg(jsonb_build_object('type', type, 'id', id, 'visibility', visibility) order by place, id) as refs
        from (
          (select 0 as place, 'knowledge' as type, source.id, ${statementVisibility(read, 'source')} as visibility
            from knowledge source where source.account_id = k.account_id and source.id = k.replaces_id)
          union all
          (select 1, 'knowledge', source.id, ${statementVisibility(read, 'source')}
            from knowledge source where source.account_id = k.account_id and source.merged_into_id = k.id
            order by source.id limit ${maxFanOut})
          union all
          (select 2, 'message', cited.message_id,
              case when ${messageReadable(read)} then 'visible' else 'authorization_hidden' end
            from (
              select p.account_id, p.message_id from provenance p
              where p.account_id = k.account_id and p.knowledge_id = k.id
              order by p.message_id limit ${maxFanOut}) cited
            join messages m on m.account_id = cited.account_id and m.id = cited.message_id)
          order by place, id limit ${maxFanOut}
        ) one
      ) listed
      where k.account_id = ${accountId} and k.id = any(${sql.array(ids, 'uuid')})
        and ${statementVisibility(read, 'k')} = 'visible'`);
}

function ofMessages({ accountId, ids, tx }: Asked, read: LineageRead) {
  return tx.any(sql.type(factsRow)`
      select m.id, 0 as derivation_level, 0 as further,
        case when v.id is null then 'observed' else 'imported' end as operation,
        case when v.id is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object(
          'type', 'document_version', 'id', v.id,
          'visibility', case when ${versionReadable(read)} then 'visible' else 'authorization_hidden' end)) end
          as source_references
      from messages m
      left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
      left join documents d on d.account_id = v.account_id and d.id = v.document_id
      where m.account_id = ${accountId} and m.id = any(${sql.array(ids, 'uuid')}) and ${messageReadable(read)}`);
}

function ofVersions({ accountId, ids, tx }: Asked, read: LineageRead) {
  return tx.any(sql.type(factsRow)`
      select v.id, 0 as derivation_level, 0 as further, 'imported' as operation, '[]'::jsonb as source_references
      from document_versions v join documents d on d.account_id = v.account_id and d.id = v.document_id
      where v.account_id = ${accountId} and v.id = any(${sql.array(ids, 'uuid')}) and ${versionReadable(read)}`);
}

const READERS = {
  knowledge: ofStatements,
  message: ofMessages,
  document_version: ofVersions,
} as const satisfies Readonly<Record<LineageType, unknown>>;

export class LineageStore extends AccountStore {
  /** Facts of those of the targets that the reader may see, by `keyOf`; at most `maxFanOut` references of each. */
  async facts(
    targets: readonly LineageTarget[],
    maxFanOut: number,
    read: LineageRead,
  ): Promise<ReadonlyMap<string, LineageFacts>> {
    const facts = new Map<string, LineageFacts>();
    for (const type of LINEAGE_TYPES) {
      const ids = targets.filter((target) => target.type === type).map(({ id }) => id);
      if (ids.length === 0) continue;
      for (const row of await READERS[type](
        { accountId: this.accountId, ids, maxFanOut, tx: this.tx },
        read,
      )) {
        facts.set(keyOf({ type, id: row.id }), {
          derivationLevel: row.derivation_level,
          operation: row.operation,
          references: row.source_references,
          further: row.further,
        });
      }
    }
    return facts;
  }
}
