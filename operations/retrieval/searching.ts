/** How a search is made for a caller: by the operation `search`, and by what builds on it. */
import type { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { PROFILE_IDENTITY } from '../../domain/identities.ts';
import { isAccountAdmin, type Caller } from '../../domain/identity/caller.ts';
import { withOverride } from '../../domain/retrieval/profile-override.ts';
import { RETRIEVAL_PROFILES } from '../../domain/retrieval/strategies.ts';
import { partWithin, reasonOf, stopped } from '../../engine/retrieval/deadline.ts';
import type { RankedCandidate } from '../../engine/retrieval/candidates.ts';
import type { SearchAnswer, SearchRequest } from '../../engine/retrieval/search.ts';
import { readStableProfile } from '../../engine/retrieval/stable-profile.ts';
import type { RequestContext } from '../operation.ts';
import { profileOverrideOf } from './override-digest.ts';
import { authoriseRead, type AuthorisedRead } from './reader.ts';
import type { searchFields } from './search-fields.ts';
import { answerView, type SearchOutput } from './search-output.ts';
import { profileView } from './stable-profile.ts';

type IdentityPart = Pick<SearchOutput, 'identity_profile_status' | 'identity_profile'>;
/** Milliseconds for all of it; the wait for a connection counts. */
const LONGEST_PROFILE_READ_MS = 5_000;
const NOT_REQUESTED: IdentityPart = { identity_profile_status: 'not_requested' };

/** Beside the search, which it does not change. A database that does not answer costs the profile alone. */
async function identityProfile(
  { caller, inAccount, now }: RequestContext<Caller>,
  { chainScopeIds: scopeIds, openings, reader }: AuthorisedRead,
  signal: AbortSignal,
): Promise<IdentityPart> {
  const at = now.toISOString();
  try {
    const profile = await partWithin(LONGEST_PROFILE_READ_MS, signal, (inTime) =>
      inAccount(
        caller.accountId,
        (stores) => readStableProfile(stores, { scopeIds, openings, reader, at }),
        {
          statementTimeoutMs: LONGEST_PROFILE_READ_MS,
          signal: inTime,
          readOnly: true,
        },
      ),
    );
    return {
      identity_profile_status: profile.items.length === 0 ? 'empty' : 'ready',
      identity_profile: profileView(profile),
    };
  } catch (error) {
    signal.throwIfAborted();
    const isAway = error instanceof Refusal && error.code === 'unavailable';
    if (!isAway && reasonOf(error) === null) throw error;
    return { identity_profile_status: 'unavailable', identity_profile: null };
  }
}

/** Both answers. When one fails, the other has stopped before its error is thrown. */
async function both(
  searched: Promise<SearchAnswer>,
  profile: IdentityPart | Promise<IdentityPart>,
  ended: AbortController,
): Promise<[SearchAnswer, IdentityPart]> {
  try {
    return await Promise.all([searched, profile]);
  } catch (error) {
    ended.abort();
    await stopped([searched, profile]);
    throw error;
  }
}

/** A search that was made, and what further searches on the same behalf begin with. */
export interface MadeSearch {
  readonly output: SearchOutput;
  readonly candidates: readonly RankedCandidate[];
  readonly read: AuthorisedRead;
  /** What the engine was asked. */
  readonly request: SearchRequest;
}

type SearchInput = z.output<z.ZodObject<typeof searchFields>> & { readonly query: string };

/** What a search finds: all that it may, or statements alone. */
export type SearchedKinds = SearchRequest['kinds'];

/**
 * Makes a search for the caller: authorises it, reads, and says what it did. Refuses with `invalid_request`, `forbidden`
 * and `unknown_peer`.
 */
export async function searchFor(
  context: RequestContext<Caller>,
  input: SearchInput,
  kinds: SearchedKinds,
): Promise<MadeSearch> {
  const { caller, now, settings, traceId, signal } = context;
  if (input.strategies !== undefined && input.strategies !== null) {
    throw invalidField('strategies', 'is not supported');
  }
  if (input.profile === 'minimal' && !settings.minimalRecall) {
    throw invalidField('profile', 'is not enabled');
  }
  if (input.deadline === 'disabled' && !isAccountAdmin(caller)) throw new Refusal('forbidden');
  const read = await authoriseRead(context, {
    scopePath: input.scope_path,
    peerKey: input.peer_key,
    crossLinks: input.include_cross_links,
    profile: input.profile,
  });
  const request: SearchRequest = {
    accountId: caller.accountId,
    scopeIds: read.scopeIds,
    chainScopeIds: read.chainScopeIds,
    openings: read.openings,
    reader: read.reader,
    query: input.query,
    profile: withOverride(RETRIEVAL_PROFILES[input.profile], read.profileOverride),
    kinds,
    limit: input.limit,
    asOf: input.as_of,
    minScore: input.min_score,
    sourceFilters: input.source_filters,
    deadlineEnabled: input.deadline === null,
    now,
    traceId,
    signal,
  };
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  const profile = input.include_identity_profile
    ? identityProfile(context, read, either)
    : NOT_REQUESTED;
  const searched = context.search({ ...request, signal: either });
  const [answer, identity] = await both(searched, profile, ended);
  const deadline: SearchOutput['deadline'] = input.deadline === null ? 'enabled' : 'disabled';
  const output: SearchOutput = {
    query: input.query,
    scope_path: read.scopePath,
    profile: input.profile,
    profile_version: PROFILE_IDENTITY,
    profile_override: profileOverrideOf(input.profile, read.profileOverride),
    deadline,
    ...answerView(answer),
    reader_posture: read.posture,
    ...identity,
  };
  return { output, candidates: answer.candidates, read, request };
}
