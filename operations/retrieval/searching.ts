/** How a search is made for a caller: by the operation `search`, and by what builds on it. */
import type { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { PROFILE_IDENTITY } from '../../domain/identities.ts';
import { isAccountAdmin, type Caller } from '../../domain/identity/caller.ts';
import { withOverride } from '../../domain/retrieval/profile-override.ts';
import { RETRIEVAL_PROFILES, type ProfileName } from '../../domain/retrieval/strategies.ts';
import { partWithin, reasonOf, stopped } from '../../engine/retrieval/deadline.ts';
import type { RankedCandidate } from '../../engine/retrieval/candidates.ts';
import type { SearchAccess, SearchRequest } from '../../engine/retrieval/request.ts';
import type { SearchAnswer } from '../../engine/retrieval/search.ts';
import { readStableProfile } from '../../engine/retrieval/stable-profile.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { RequestContext } from '../operation.ts';
import { namedScopes } from '../fields/read-scopes.ts';
import { profileOverrideOf } from './override-digest.ts';
import { authorisationOf, type Authorisation, type AuthorisedRead } from '../access/reader.ts';
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

/** What a search takes over from what was authorised. */
const accessOf = (profile: ProfileName, read: AuthorisedRead): SearchAccess => ({
  scopeIds: read.scopeIds,
  chainScopeIds: read.chainScopeIds,
  openings: read.openings,
  reader: read.reader,
  profile: withOverride(RETRIEVAL_PROFILES[profile], read.profileOverride),
});

type SearchInput = z.output<z.ZodObject<typeof searchFields>> & { readonly query: string };

/** What a search finds: all that it may, or statements alone. */
export type SearchedKinds = SearchRequest['kinds'];

/**
 * The way in which a search gets its reader: its first transaction authorises the reader and goes on to read, unless
 * the service has to record the naming of a reader first. `authorised` is the decision.
 */
async function accessOfSearch(
  { caller, inAccount }: RequestContext<Caller>,
  { authorise, records }: Authorisation,
  profile: ProfileName,
) {
  const authorised = Promise.withResolvers<AuthorisedRead>();
  // Who waits for it hears of an error; a search that fails tells of it itself.
  authorised.promise.catch(() => {});
  const decide = async (stores: Stores): Promise<SearchAccess> => {
    const read = await authorise(stores);
    authorised.resolve(read);
    return accessOf(profile, read);
  };
  const access = records ? await inAccount(caller.accountId, decide) : { authorise: decide };
  return { access, authorised };
}

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
  const { echo, scopes } = namedScopes(input);
  const ofReader = authorisationOf(context, {
    ...scopes,
    peerKey: input.peer_key,
    crossLinks: input.include_cross_links,
    profile: input.profile,
  });
  const asked = {
    accountId: caller.accountId,
    query: input.query,
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
  const { access, authorised } = await accessOfSearch(context, ofReader, input.profile);
  const searched = context.search({ ...asked, signal: either, ...access });
  searched.catch(authorised.reject);
  const profile = input.include_identity_profile
    ? authorised.promise.then((read) => identityProfile(context, read, either))
    : NOT_REQUESTED;
  const [answer, identity] = await both(searched, profile, ended);
  const read = await authorised.promise;
  const deadline: SearchOutput['deadline'] = input.deadline === null ? 'enabled' : 'disabled';
  const output: SearchOutput = {
    query: input.query,
    ...echo,
    profile: input.profile,
    profile_version: PROFILE_IDENTITY,
    profile_override: profileOverrideOf(input.profile, read.profileOverride),
    deadline,
    ...answerView(answer),
    reader_posture: read.posture,
    ...identity,
  };
  const request = { ...asked, ...accessOf(input.profile, read) };
  return { output, candidates: answer.candidates, read, request };
}
