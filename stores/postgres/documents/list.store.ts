/** Documents in lists: of scopes, and of a peer that uploaded versions of them. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import { AccountStore } from '../account-store.ts';
import { isNotErasing } from '../visibility/erasing.ts';

/** Versions that a document shows, the latest. */
const MOST_VERSIONS = 5;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const versionRow = z.object({
  id: z.string(),
  version: z.number(),
  is_withdrawal: z.boolean(),
  title: z.string().nullable(),
  media_type: z.string().nullable(),
  byte_size: z.number().nullable(),
  recorded_at: z.string(),
  is_settled: z.boolean(),
  /** Whether there is a later version, shown or not. */
  is_replaced: z.boolean(),
  error_class: z.enum(ERROR_CLASSES).nullable(),
  chunk_count: z.number().nullable(),
  uploader_key: z.string().nullable(),
  uploader_name: z.string().nullable(),
});
export type ListedVersionRow = z.infer<typeof versionRow>;

const documentRow = z.object({
  id: z.string(),
  scope_path: z.string(),
  external_id: z.string().nullable(),
  /** The latest first; empty where the reader may see none. */
  versions: z.array(versionRow),
});
export type ListedDocumentRow = z.infer<typeof documentRow>;

export interface DocumentsPage {
  /** Scopes of which all documents and versions are listed. */
  readonly scopeIds: readonly string[];
  /** The peer whose uploads are listed wherever they are. Null: nobody's. */
  readonly uploaderId: string | null;
  /** The last document of the page before. */
  readonly afterId: string | null;
  readonly limit: number;
}

/** Whether the audience of the version `v` does not leave out the peer. */
function isFor(peerId: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`(v.audience_id is null or is_addressed(v.account_id, v.audience_id, ${peerId}))`;
}

/** Who may see a document is for the caller of these functions to judge, but for audiences. */
export class DocumentListStore extends AccountStore {
  /**
   * The newest documents of the scopes and of the uploader, with their latest versions: in other scopes than these the
   * versions of the uploader alone. Reads as many documents of each scope as the page has. One query.
   */
  async page(page: DocumentsPage): Promise<readonly ListedDocumentRow[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const scopes = sql.array(page.scopeIds, 'uuid');
    const uploader = sql.fragment`${page.uploaderId}::uuid`;
    const before = sql.fragment`${page.afterId ?? LAST_ID}::uuid`;
    const limit = sql.fragment`${page.limit}::integer`;
    return this.tx.any(sql.type(documentRow)`
      with recursive uploaded as (
        (select v.document_id as id, 1 as place from document_versions v
          where v.account_id = ${account} and v.uploader_peer_id = ${uploader} and v.document_id < ${before}
          order by v.document_id desc limit 1)
        union all
        select next.document_id, uploaded.place + 1 from uploaded
        cross join lateral (
          select v.document_id from document_versions v
          where v.account_id = ${account} and v.uploader_peer_id = ${uploader} and v.document_id < uploaded.id
          order by v.document_id desc limit 1
        ) next
        where uploaded.place < ${limit}
      ),
      picked as materialized (
        select id from (
          select of_scope.id from unnest(${scopes}) as place (id)
          cross join lateral (
            select d.id from documents d
            where d.account_id = ${account} and d.scope_id = place.id and d.id < ${before} and exists (
              select from document_versions v
              where v.account_id = ${account} and v.document_id = d.id
                and (v.uploader_peer_id = ${uploader} or ${isFor(uploader)}))
            order by d.id desc limit ${limit}
          ) of_scope
          union
          select id from uploaded
        ) candidate
        order by id desc limit ${limit}
      )
      select d.id, place.path as scope_path, d.external_id, coalesce(shown.versions, '[]'::jsonb) as versions
      from picked
      join documents d on d.account_id = ${account} and d.id = picked.id
      join scopes place on place.account_id = ${account} and place.id = d.scope_id
      cross join lateral (
        select jsonb_agg(to_jsonb(v) order by v.version desc) as versions from (
          select v.id, v.version, v.is_withdrawal, v.title, v.media_type, v.byte_size, v.recorded_at,
            v.settled_at is not null as is_settled,
            v.last_error_class as error_class, v.chunk_count,
            exists (select from document_versions later
              where later.account_id = ${account} and later.document_id = d.id and later.version > v.version
            ) as is_replaced,
            peer.key as uploader_key, peer.name as uploader_name
          from document_versions v
          left join peers peer on peer.account_id = ${account} and peer.id = v.uploader_peer_id
          where v.account_id = ${account} and v.document_id = d.id
            and (d.scope_id = any(${scopes}) and ${isFor(uploader)} or v.uploader_peer_id = ${uploader})
            and ${isNotErasing(account, sql.fragment`v.uploader_peer_id`)}
          order by v.version desc limit ${MOST_VERSIONS}
        ) v
      ) shown
      order by d.id desc`);
  }
}
