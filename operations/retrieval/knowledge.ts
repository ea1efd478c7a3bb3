/** `knowledge`: statements of a state in a scope and its ancestors, best attested first. */
import { z } from 'zod';
import {
  SENSITIVITIES,
  TARGET_LEVELS,
  type Sensitivity,
  type TargetLevel,
} from '../../domain/statements/candidate.ts';
import { KINDS, type Kind } from '../../domain/statements/kinds.ts';
import { visibleInState, type Condition } from '../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../domain/statements/states.ts';
import type { ListPlace } from '../../domain/retrieval/list-place.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { defineOperation } from '../operation.ts';
import { fillPage } from '../sources/places.ts';
import { optionalLabelField } from '../fields/observation.ts';
import { knowledgeOutput } from '../observations/knowledge-output.ts';
import { pendingMember, sessionField, withQuestion } from '../questions/pending.ts';
import { limitField, readerField } from '../fields/read.ts';
import { namedScopes, readScopesFields } from '../fields/read-scopes.ts';
import { readCursor, writeCursor } from './list-cursor.ts';
import { authoriseRead } from '../access/reader.ts';
import type { ScopedReader } from '../../domain/governance/scoped-reader.ts';

/**
 * Statements that a page with a filter looks at in one query, and queries of one page; then the page ends early, and its
 * cursor goes on from there. No index has the filters, and a scope may hold a hundred thousand statements that fit none.
 */
const LOOKED_AT_ONCE = 500;
const MOST_LOOKS = 4;

interface Filters {
  readonly kind: Kind | null;
  readonly sensitivity: Sensitivity | null;
  readonly level: TargetLevel | null;
  readonly subjectPeerId: string | null;
}

interface Listing {
  readonly visible: Condition;
  readonly replaced: Condition;
  readonly reader: ScopedReader;
  readonly limit: number;
  readonly after: ListPlace | null;
}

interface Page {
  readonly items: readonly KnowledgeRow[];
  /** The statement after which the next page begins; null at the end of the list. */
  readonly last: KnowledgeRow | null;
}

function isFiltered({ kind, level, sensitivity, subjectPeerId }: Filters): boolean {
  return [kind, level, sensitivity, subjectPeerId].some((value) => value !== null);
}

const fitsInto =
  ({ kind, level, sensitivity, subjectPeerId }: Filters) =>
  (row: KnowledgeRow): boolean =>
    (kind === null || row.kind === kind) &&
    (sensitivity === null || row.sensitivity === sensitivity) &&
    (level === null || row.target_level === level) &&
    (subjectPeerId === null || row.subject_peer_id === subjectPeerId);

const placeOf = (row: KnowledgeRow): ListPlace => ({
  confidence: row.confidence,
  recordedAt: row.recorded_at_exact,
  id: row.id,
});

const cursorOf = (row: KnowledgeRow): string => writeCursor(placeOf(row));

async function listed(stores: Stores, listing: Listing, limit: number, after: ListPlace | null) {
  const { reader, replaced, visible } = listing;
  const selection = { by: 'listing', limit, after } as const;
  return stores.knowledge.read({ selection, visible, replaced, reader });
}

async function unfiltered(stores: Stores, listing: Listing): Promise<Page> {
  const { after, limit } = listing;
  const rows = await listed(stores, listing, limit + 1, after);
  const items = rows.slice(0, limit);
  return { items, last: rows.length > limit ? (items.at(-1) ?? null) : null };
}

/** The statements that fit, as many as a page has, among the 2,000 after the place. */
async function filtered(stores: Stores, listing: Listing, filters: Filters): Promise<Page> {
  const next = (last: KnowledgeRow | null) =>
    listed(stores, listing, LOOKED_AT_ONCE + 1, last === null ? listing.after : placeOf(last));
  const looks = { atOnce: LOOKED_AT_ONCE, most: MOST_LOOKS };
  const { last, rows } = await fillPage(listing.limit, next, fitsInto(filters), looks);
  return { items: rows, last };
}

/** One of the words; absent: whatever a statement has. */
const nullable = <T extends readonly [string, ...string[]]>(words: T, what: string) =>
  z
    .enum(words)
    .nullish()
    .transform((word) => word ?? null)
    .meta({ description: `${what} Absent: all.` });

/** A list, as the contract has it; every row names the scope it stands in. */
export const queryKnowledge = defineOperation({
  id: 'knowledge.query',
  access: 'any_identity',
  effect: 'read',
  summary: 'List the statements of a scope and its ancestors',
  description:
    'The statements are ordered by confidence, then by recency. With a filter a page may have fewer statements than `limit`. As long as a page has a cursor, there may be more statements.',
  refusals: ['forbidden', 'unknown_peer'],
  input: z.object({
    ...readScopesFields,
    peer_key: readerField,
    state: z
      .enum(KNOWLEDGE_STATES)
      .nullish()
      .transform((state) => state ?? 'active')
      .meta({
        description:
          'Lists statements of this state. `active` leaves out expired statements; other states include them.',
        wire: { default: 'active' },
      }),
    kind: nullable(KINDS, 'Only statements of this kind.'),
    sensitivity: nullable(SENSITIVITIES, 'Only statements of this sensitivity.'),
    target_level: nullable(TARGET_LEVELS, 'Only statements of this level.'),
    subject_key: optionalLabelField.meta({
      description: 'Only statements about this peer. Absent or blank: about any peer or scope.',
    }),
    limit: limitField,
    cursor: z
      .string()
      .nullish()
      .transform((text, context): ListPlace | null => {
        const place = text == null ? null : readCursor(text);
        if (text == null || place !== null) return place;
        context.addIssue({ code: 'custom', message: 'must be the cursor of the previous page' });
        return z.NEVER;
      })
      .meta({ description: 'The `x-next-cursor` of the previous page. Absent: the first page.' }),
    session_id: sessionField,
  }),
  output: z.object({
    items: z.array(
      knowledgeOutput.extend({ scope_path: z.string() }).meta({
        id: 'ListedStatement',
        description: 'A governed statement, and the path of its scope.',
      }),
    ),
    next_cursor: z.string().nullable(),
    ...pendingMember,
  }),
  async run(context, input) {
    const { scopes } = namedScopes(input);
    const read = await authoriseRead(context, {
      ...scopes,
      peerKey: input.peer_key,
    });
    const { scopeIds, reader, curatedScopeIds } = read;
    const query = { scopeIds, reader, at: context.now.toISOString() };
    const listing: Listing = {
      visible: visibleInState(input.state, query, curatedScopeIds),
      replaced: visibleInState('superseded', query, curatedScopeIds),
      reader: read,
      limit: input.limit,
      after: input.cursor,
    };
    const { items, last } = await context.inAccount(context.caller.accountId, async (stores) => {
      const key = input.subject_key;
      const subject = key === null ? null : await stores.peers.findByKey(key);
      if (key !== null && subject === null) return { items: [], last: null };
      const { kind, sensitivity, target_level: level } = input;
      const filters = { kind, sensitivity, level, subjectPeerId: subject?.id ?? null };
      return isFiltered(filters) ? filtered(stores, listing, filters) : unfiltered(stores, listing);
    });
    const answer = { items: [...items], next_cursor: last === null ? null : cursorOf(last) };
    const { session_id: sessionId } = input;
    const asked = { sessionId, asOf: null, query: '', operation: 'knowledge.query' };
    return withQuestion(context, read, asked, answer);
  },
});
