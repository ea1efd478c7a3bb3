/** `observations.list`: what was said, word for word, and what became of it, the newest first. */
import { z } from 'zod';
import { curates, holdsRoleAt, isAccountAdmin, type Caller } from '../../domain/identity/caller.ts';
import { ERROR_CLASSES } from '../../domain/error-class.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import { excerptOf } from '../../domain/text/excerpt.ts';
import type { ListedMessageRow } from '../../stores/postgres/observations/session-list.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { optionalLabelField } from '../fields/observation.ts';
import { maySee } from '../observations/status-fields.ts';
import { defineOperation } from '../operation.ts';
import { curatedScopeIds, fillPage, isAtOrBelow, pageLimitField, withinField } from './places.ts';

const EXCERPT_CLUSTERS = 480;
/** States that a list may be narrowed to: what is done is most of everything, and nobody looks for it by that. */
const NARROWED = ['pending', 'failed', 'repairable', 'terminal'] as const;

const itemOutput = z.object({
  message_id: z.uuid(),
  scope_path: z.string(),
  session_id: z.string().nullable().describe('Null for a passage of a document.'),
  document_version_id: z.uuid().nullable(),
  document_title: z.string().nullable(),
  speaker_key: z.string(),
  speaker_name: z.string(),
  role: z.string(),
  occurred_at: z.iso.datetime(),
  excerpt: z.string().describe('The beginning of the text. `…` stands for the rest.'),
  status: z.enum(['pending', 'failed', 'completed', 'repairable', 'terminal']),
  last_error_class: z.enum(ERROR_CLASSES).nullable(),
  attempt_count: z.int().min(0),
  may_requeue: z.boolean().describe('Whether the caller may requeue it.'),
});

function view(caller: Caller, row: ListedMessageRow): z.input<typeof itemOutput> {
  const excerpt = excerptOf(row.passage, EXCERPT_CLUSTERS);
  const isStopped = row.status === 'repairable' || row.status === 'terminal';
  return {
    document_title: row.document_title,
    document_version_id: row.document_version_id,
    scope_path: row.scope_path,
    session_id: row.session_id,
    speaker_key: row.speaker_key,
    speaker_name: row.speaker_name,
    message_id: row.id,
    role: row.role,
    occurred_at: new Date(row.occurred_at).toISOString(),
    excerpt: row.is_cut && !excerpt.endsWith('…') ? `${excerpt}…` : excerpt,
    status: row.status,
    last_error_class: row.error_class,
    attempt_count: row.attempt_count,
    may_requeue: isStopped && isAccountAdmin(caller) && curates(caller, row.scope_path),
  };
}

interface Asked {
  readonly path: ScopePath;
  readonly status: (typeof NARROWED)[number] | null;
  readonly afterId: string | null;
  readonly limit: number;
}

/** Whatever the store's own conditions are: who was there and may read the scope, or who curates it. */
const fitsFor =
  (caller: Caller, { path, status }: Asked) =>
  (row: ListedMessageRow): boolean =>
    row.is_shown &&
    isAtOrBelow(row.scope_path, path) &&
    (status === null || row.status === status) &&
    maySee(caller, { ...row, chain: [] });

const idOf = ({ scope_id: id }: { readonly scope_id: string }): string => id;

async function ofSession(stores: Stores, caller: Caller, name: string, asked: Asked) {
  const all = await stores.sessionList.placesOf(name);
  const places = all.filter(({ scope_path: at }) => isAtOrBelow(at, asked.path));
  const [first] = places;
  const { afterId, limit, status } = asked;
  const curated = places.filter(({ scope_path: at }) => curates(caller, at));
  const attended = places.filter(
    (place) => !curated.includes(place) && holdsRoleAt(caller, place.scope_path, 'reader'),
  );
  const rows = await stores.sessionList.ofSession({
    // The same question is asked for a session that is not there.
    sessionId: first?.session_id ?? '00000000-0000-0000-0000-000000000000',
    scopeIds: curated.map(idOf),
    attendedScopeIds: attended.map(idOf),
    peerId: caller.peerId,
    status,
    afterId,
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? (shown.at(-1) ?? null) : null;
  return { rows: shown.filter(fitsFor(caller, asked)), last };
}

export const listObservations = defineOperation({
  id: 'observations.list',
  access: 'human',
  effect: 'read',
  summary: 'List observations with their status',
  description:
    'Lists observations and chunks of documents, the newest first. In the scopes that the caller curates it lists all of them. In other scopes it lists those that the caller said, relayed or uploaded, and those of sessions that the caller takes part in. A page may have fewer observations than `limit`. As long as a page has a `next_cursor`, there may be more.',
  refusals: [],
  input: z.object({
    scope_path: withinField,
    session_id: optionalLabelField.meta({
      description: 'Only observations of this session, the latest first.',
    }),
    status: z.enum(NARROWED).nullish().describe('Only observations with this status.'),
    limit: pageLimitField,
    cursor: z.uuid().nullish().describe('The `next_cursor` of the previous page.'),
  }),
  output: z.object({ items: z.array(itemOutput), next_cursor: z.uuid().nullable() }),
  async run({ caller, inAccount }, input) {
    const { limit, scope_path: path, session_id: name } = input;
    const asked: Asked = {
      path,
      status: input.status ?? null,
      afterId: input.cursor ?? null,
      limit,
    };
    const { last, rows } = await inAccount(caller.accountId, async (stores) => {
      if (name !== null) return ofSession(stores, caller, name, asked);
      const scopeIds = await curatedScopeIds(stores, caller, path);
      return fillPage(
        limit,
        (after: ListedMessageRow | null) =>
          stores.sessionList.messages({
            scopeIds,
            peerId: caller.peerId,
            afterId: after?.id ?? asked.afterId,
            status: asked.status,
            limit: limit + 1,
          }),
        fitsFor(caller, asked),
      );
    });
    return { items: rows.map((row) => view(caller, row)), next_cursor: last?.id ?? null };
  },
});
