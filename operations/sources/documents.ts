/** `documents.list`: documents with their latest versions, the newest first. */
import { z } from 'zod';
import { LISTED_STATES, listedState } from '../../domain/documents/listed.ts';
import { holdsRoleAt, mayWriteAt } from '../../domain/identity/caller.ts';
import { ERROR_CLASSES } from '../../domain/error-class.ts';
import { parseScopePath } from '../../domain/scopes/path.ts';
import type {
  ListedDocumentRow,
  ListedVersionRow,
} from '../../stores/postgres/documents/list.store.ts';
import { defineOperation } from '../operation.ts';
import { curatedScopeIds, fillPage, isAtOrBelow, pageLimitField, withinField } from './places.ts';

const versionOutput = z.object({
  id: z.uuid().describe('The `document_version_id` from the upload.'),
  version: z.int().min(1),
  state: z
    .enum(LISTED_STATES)
    .describe(
      '`at_work`: the service reads the version or draws statements from it. `in_force`: that is done. `replaced`: there is a later version. `failed`: the service could not read it. `withdrawn`: this version ended the document.',
    ),
  error_class: z.enum(ERROR_CLASSES).nullable(),
  title: z.string().nullable(),
  media_type: z.string().nullable(),
  byte_size: z.int().nullable(),
  chunk_count: z
    .int()
    .nullable()
    .describe('The number of chunks. Null until the service has read the version.'),
  recorded_at: z.iso.datetime(),
  uploader_key: z.string().nullable(),
  uploader_name: z.string().nullable(),
});

const documentOutput = z.object({
  id: z.uuid(),
  scope_path: z.string(),
  external_id: z.string().nullable(),
  title: z.string().nullable().describe('Of the latest version that has one.'),
  may_withdraw: z.boolean(),
  versions: z.array(versionOutput).describe('The latest first, at most five.'),
});

function stateOf(row: ListedVersionRow) {
  return listedState({
    isWithdrawal: row.is_withdrawal,
    isSettled: row.is_settled,
    isReplaced: row.is_replaced,
    errorClass: row.error_class,
  });
}

function versionView(row: ListedVersionRow): z.input<typeof versionOutput> {
  const { id, version, error_class, title, media_type, byte_size, chunk_count } = row;
  const state = stateOf(row);
  return {
    id,
    version,
    state,
    error_class,
    title,
    media_type,
    byte_size,
    chunk_count,
    recorded_at: new Date(row.recorded_at).toISOString(),
    uploader_key: row.uploader_key,
    uploader_name: row.uploader_name,
  };
}

/** How the document stands: as its latest version that is shown. */
const standing = ({ versions: [latest] }: ListedDocumentRow) =>
  latest === undefined ? null : stateOf(latest);

export const listDocuments = defineOperation({
  id: 'documents.list',
  access: 'human',
  effect: 'read',
  summary: 'List documents and their latest versions',
  description:
    'Lists all documents of the scopes that the caller curates, the newest first. In other scopes it lists the versions that the caller uploaded, with their documents. A page may have fewer documents than `limit`. As long as a page has a `next_cursor`, there may be more.',
  refusals: [],
  input: z.object({
    scope_path: withinField,
    state: z
      .enum(LISTED_STATES)
      .nullish()
      .describe('Only documents whose latest version has this status.'),
    limit: pageLimitField,
    cursor: z.uuid().nullish().describe('The `next_cursor` of the previous page.'),
  }),
  output: z.object({ items: z.array(documentOutput), next_cursor: z.uuid().nullable() }),
  async run({ caller, inAccount }, { cursor, limit, scope_path: path, state }) {
    const fits = (row: ListedDocumentRow): boolean =>
      row.versions.length > 0 &&
      isAtOrBelow(row.scope_path, path) &&
      holdsRoleAt(caller, row.scope_path, 'reader') &&
      (state == null || standing(row) === state);
    const { last, rows } = await inAccount(caller.accountId, async (stores) => {
      const scopeIds = await curatedScopeIds(stores, caller, path);
      return fillPage(
        limit,
        (after: ListedDocumentRow | null) =>
          stores.documentList.page({
            scopeIds,
            uploaderId: caller.peerId,
            afterId: after?.id ?? cursor ?? null,
            limit: limit + 1,
          }),
        fits,
      );
    });
    const items = rows.map((row) => {
      const place = parseScopePath(row.scope_path);
      const isWithdrawn = standing(row) === 'withdrawn';
      return {
        id: row.id,
        scope_path: row.scope_path,
        external_id: row.external_id,
        title: row.versions.find(({ title }) => title !== null)?.title ?? null,
        may_withdraw:
          !isWithdrawn && caller.peerId !== null && place !== null && mayWriteAt(caller, place),
        versions: row.versions.map(versionView),
      };
    });
    return { items, next_cursor: last?.id ?? null };
  },
});
