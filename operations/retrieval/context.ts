/** `context`: what an agent reads before it begins: summaries, facts and statements within a number of characters. */
import { z } from 'zod';
import {
  DEFAULT_BUDGET_CHARS,
  MOST_BUDGET_CHARS,
  spendOnParts,
  spendOnStatements,
} from '../../domain/context/budget.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { PROFILE_IDENTITY } from '../../domain/identities.ts';
import { withOverride } from '../../domain/retrieval/profile-override.ts';
import { NO_SOURCE_FILTERS } from '../../domain/retrieval/source-filters.ts';
import { RETRIEVAL_PROFILES } from '../../domain/retrieval/strategies.ts';
import { readParts, type ReadParts } from '../../engine/context-cards/reading.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { sessionField, withQuestion } from '../questions/pending.ts';
import { statementView } from './candidates.ts';
import { contextOutput, partsView } from './context-output.ts';
import { boundedField, limitField, queryField, readerField } from '../fields/read.ts';
import { namedScopes, readScopesFields } from '../fields/read-scopes.ts';
import { authoriseRead, type AuthorisedRead } from '../access/reader.ts';

/** Milliseconds for the parts; the wait for a connection counts. */
const LONGEST_PARTS_READ_MS = 5_000;

/** Reads in one transaction what the reader is shown of context cards. */
function partsOf(
  { caller, inAccount, now, signal }: RequestContext<Caller>,
  { chainScopeIds: scopeIds, reader }: AuthorisedRead,
  sessionId: string | null,
): Promise<ReadParts> {
  const asked = { scopeIds, reader, sessionId, at: now.toISOString() };
  return inAccount(caller.accountId, (stores) => readParts(stores, asked), {
    statementTimeoutMs: LONGEST_PARTS_READ_MS,
    signal,
    readOnly: true,
  });
}

/** Marks what is not as it was built, so that it is built again. */
async function markBroken(
  { caller, inAccount, signal }: RequestContext<Caller>,
  { broken }: ReadParts,
): Promise<void> {
  if (broken.length === 0) return;
  await inAccount(caller.accountId, ({ contextCardWork }) => contextCardWork.mark(broken), {
    statementTimeoutMs: LONGEST_PARTS_READ_MS,
    signal,
  });
}

interface StatementsAsked {
  readonly limit: number;
  readonly query: string;
  readonly profile: 'fast' | 'balanced';
  /** Ids of the facts of the parts. */
  readonly shownBeside: Promise<ReadonlySet<string>>;
}

/** The statements: found for the query, or the most salient ones, without those that are among the facts. */
async function statementsOf(
  { caller, now, search, signal, traceId }: RequestContext<Caller>,
  read: AuthorisedRead,
  { limit, profile, query, shownBeside }: StatementsAsked,
) {
  const { candidates } = await search({
    accountId: caller.accountId,
    scopeIds: read.scopeIds,
    chainScopeIds: read.chainScopeIds,
    reader: read.reader,
    openings: read.openings,
    query,
    profile: withOverride(RETRIEVAL_PROFILES[profile], read.profileOverride),
    kinds: 'statements',
    limit,
    asOf: null,
    minScore: null,
    shownBeside,
    sourceFilters: NO_SOURCE_FILTERS,
    deadlineEnabled: true,
    now,
    traceId,
    signal,
  });
  return candidates.flatMap((candidate) =>
    candidate.type === 'knowledge' ? [statementView(candidate)] : [],
  );
}

interface Asked {
  readonly sessionId: string | null;
  readonly query: string;
  readonly profile: StatementsAsked['profile'];
  readonly limit: number;
  readonly budget: number;
}

/**
 * Parts and statements, read side by side: the search waits for the parts only before it reads its page. When one fails,
 * the other has ended before its error is thrown.
 */
async function readBoth(context: RequestContext<Caller>, read: AuthorisedRead, asked: Asked) {
  const reading = partsOf(context, read, asked.sessionId);
  const marking = reading.then((all) => markBroken(context, all));
  const spending = reading.then(({ parts }) => spendOnParts(parts, asked.budget));
  const shownBeside = spending.then(({ facts }) => new Set(facts.keys()));
  const searching = statementsOf(context, read, { ...asked, shownBeside });
  await Promise.allSettled([reading, marking, spending, shownBeside, searching]);
  const { isLate } = await reading;
  await marking;
  const spent = await spending;
  const statements = spendOnStatements(await searching, spent, asked.limit);
  return { isLate, parts: spent.parts, facts: [...spent.facts.values()], statements };
}

export const readContext = defineOperation({
  id: 'memory.context',
  access: 'any_identity',
  effect: 'read',
  summary: 'Read the context of a scope',
  description:
    'Returns summaries with facts about the session, the reader, the scopes of the chain and the names in them, and then statements, until `budget_chars` is used up. The service returns each part whole or not at all. No part holds a statement that the reader may not read now. The service calls no model. A caller without a peer gets public statements only.',
  refusals: ['forbidden', 'unknown_peer'],
  input: z
    .object({
      ...readScopesFields,
      peer_key: readerField,
      session_id: sessionField.meta({
        description:
          'The session that the reader takes part in: the `session_id` of its observations. With it the answer may have a summary of the session and a question for the reader (`pending_validation`).',
      }),
      query: queryField,
      limit: limitField,
      budget_chars: boundedField({
        least: 0,
        most: MOST_BUDGET_CHARS,
        unless: DEFAULT_BUDGET_CHARS,
        what: 'The most characters of text in the answer.',
      }),
    })
    .meta({ wire: { examples: [{ scope_path: '/team/project', session_id: 'standup' }] } }),
  output: contextOutput,
  async run(context, input) {
    const { budget_chars: budget, limit, query, session_id: sessionId } = input;
    // Without a query the most salient statements are wanted. A query is also looked for by its words.
    const profile = query.trim() === '' ? 'fast' : 'balanced';
    const { echo, scopes } = namedScopes(input);
    const read = await authoriseRead(context, {
      ...scopes,
      peerKey: input.peer_key,
      profile,
    });
    const { facts, isLate, parts, statements } = await readBoth(context, read, {
      sessionId,
      query,
      profile,
      limit,
      budget,
    });
    const answer = {
      ...echo,
      profile_version: PROFILE_IDENTITY,
      ...partsView(parts, sessionId),
      knowledge: [...facts, ...statements],
      projection_cache_hit: parts.length > 0,
      fast_fallback: facts.length === 0 || isLate,
    };
    const asked = { sessionId, asOf: null, query, operation: 'memory.context' };
    return withQuestion(context, read, asked, answer);
  },
});
