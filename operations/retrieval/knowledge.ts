/** `knowledge`: statements of a state in a scope and its ancestors, best attested first. */
import { z } from 'zod';
import { KNOWLEDGE_STATES, visibleInState } from '../../domain/governance/visibility.ts';
import type { ListPlace } from '../../domain/retrieval/list-place.ts';
import { readCursor, writeCursor } from './list-cursor.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import { defineOperation } from '../operation.ts';
import { knowledgeOutput } from '../observations/knowledge-output.ts';
import { pendingMember, sessionField, withQuestion } from '../questions/pending.ts';
import { limitField, readerField, readScopeField } from './fields.ts';
import { authoriseRead } from './reader.ts';

const cursorOf = ({ confidence, id, recorded_at_exact: recordedAt }: KnowledgeRow): string =>
  writeCursor({ confidence, recordedAt, id });

/** A list, as the contract has it; every row names the scope it stands in. */
export const queryKnowledge = defineOperation({
  id: 'knowledge.query',
  access: 'any_identity',
  effect: 'read',
  summary: 'List the statements of a scope and its ancestors',
  description: 'The statements are ordered by confidence, then by recency.',
  refusals: ['forbidden', 'unknown_peer'],
  input: z.object({
    scope_path: readScopeField,
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
    limit: limitField,
    cursor: z
      .string()
      .nullish()
      .transform((text, context): ListPlace | null => {
        const place = text == null ? null : readCursor(text);
        if (text == null || place !== null) return place;
        context.addIssue({ code: 'custom', message: 'must be that of the page before' });
        return z.NEVER;
      })
      .meta({ description: 'The `x-next-cursor` of the page before. Absent: the first page.' }),
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
    const read = await authoriseRead(context, {
      scopePath: input.scope_path,
      peerKey: input.peer_key,
    });
    const { scopeIds, reader, curatedScopeIds } = read;
    const query = { scopeIds, reader, at: context.now.toISOString() };
    const rows = await context.inAccount(context.caller.accountId, (stores) =>
      stores.knowledge.read({
        selection: { by: 'listing', limit: input.limit + 1, after: input.cursor },
        visible: visibleInState(input.state, query, curatedScopeIds),
        replaced: visibleInState('superseded', query, curatedScopeIds),
        reader,
      }),
    );
    const items = rows.slice(0, input.limit);
    const last = rows.length > input.limit ? items.at(-1) : undefined;
    const answer = { items, next_cursor: last === undefined ? null : cursorOf(last) };
    const { session_id: sessionId } = input;
    const asked = { sessionId, asOf: null, query: '', operation: 'knowledge.query' };
    return withQuestion(context, read, asked, answer);
  },
});
