/** `sessions.list`: conversations in their scopes, the newest first. */
import { z } from 'zod';
import { holdsRoleAt } from '../../domain/identity/caller.ts';
import { MOST_COUNTED } from '../../domain/observations/listed.ts';
import type { ListedSessionRow } from '../../stores/postgres/observations/session-list.store.ts';
import { defineOperation } from '../operation.ts';
import { curatedScopeIds, fillPage, isAtOrBelow, pageLimitField, withinField } from './places.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const CURSOR = new RegExp(`^(${UUID})\\.(${UUID})$`);

const cursorField = z
  .string()
  .nullish()
  .transform((text, context): { sessionId: string; scopeId: string } | null => {
    if (text == null) return null;
    const [, sessionId, scopeId] = CURSOR.exec(text) ?? [];
    if (sessionId !== undefined && scopeId !== undefined) return { sessionId, scopeId };
    context.addIssue({ code: 'custom', message: 'must be the cursor of the previous page' });
    return z.NEVER;
  })
  .meta({ description: 'The `next_cursor` of the previous page.' });

export const listSessions = defineOperation({
  id: 'sessions.list',
  access: 'human',
  effect: 'read',
  summary: 'List sessions',
  description:
    'Lists a session once for each of its scopes, the newest first. In the scopes that the caller curates it lists all sessions, in other scopes those that the caller takes part in. A page may have fewer sessions than `limit`. As long as a page has a `next_cursor`, there may be more.',
  refusals: [],
  input: z.object({ scope_path: withinField, limit: pageLimitField, cursor: cursorField }),
  output: z.object({
    items: z.array(
      z.object({
        session_id: z.string(),
        scope_path: z.string(),
        began_at: z.iso.datetime(),
        messages: z
          .int()
          .min(0)
          .max(MOST_COUNTED)
          .describe(
            `The number of its observations that the caller may read, counted up to ${MOST_COUNTED}.`,
          ),
        has_more_messages: z.boolean(),
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
  async run({ caller, inAccount }, { cursor, limit, scope_path: path }) {
    const fits = (row: ListedSessionRow): boolean =>
      row.external_id !== null &&
      isAtOrBelow(row.scope_path, path) &&
      holdsRoleAt(caller, row.scope_path, 'reader');
    const { last, rows } = await inAccount(caller.accountId, async (stores) => {
      const scopeIds = await curatedScopeIds(stores, caller, path);
      return fillPage(
        limit,
        (after: ListedSessionRow | null) =>
          stores.sessionList.sessions({
            scopeIds,
            peerId: caller.peerId,
            after: after === null ? cursor : { sessionId: after.id, scopeId: after.scope_id },
            limit: limit + 1,
          }),
        fits,
      );
    });
    return {
      items: rows.map((row) => ({
        session_id: row.external_id ?? '',
        scope_path: row.scope_path,
        began_at: new Date(row.began_at).toISOString(),
        messages: Math.min(row.messages, MOST_COUNTED),
        has_more_messages: row.messages > MOST_COUNTED,
      })),
      next_cursor: last === null ? null : `${last.id}.${last.scope_id}`,
    };
  },
});
