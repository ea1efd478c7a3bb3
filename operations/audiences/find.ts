/** Audiences of requests, resolved: circles to their ids, in one look for all items of a request. */
import {
  audienceText,
  type FoundAudience,
  type RequestedAudience,
} from '../../domain/audiences/requested-audience.ts';
import { invalidField } from '../../domain/errors.ts';
import { readableChain, type Caller } from '../../domain/identity/caller.ts';
import { scopeChain, type ScopePath } from '../../domain/scopes/path.ts';
import type { CircleAtPath } from '../../stores/postgres/audiences/audiences.store.ts';
import type { SentAudience } from '../../stores/postgres/audiences/sent-audience.ts';
import type { RequestContext } from '../operation.ts';

/** Where something is written, and whom it is for. */
export interface Addressed {
  readonly scope_path: ScopePath;
  readonly audience: RequestedAudience | null;
}

/** Finds the circles that an audience names, at the place where it is sent. */
export type AudienceBook = (sent: Addressed) => SentAudience | null;

/** The circles that the request names, in scopes that the caller may read. Asks nothing where it names none. */
async function circlesOf(
  { caller, inAccount }: RequestContext<Caller>,
  sent: readonly Addressed[],
): Promise<readonly CircleAtPath[]> {
  const naming = sent.filter(({ audience }) => audience !== null && audience.circles.length > 0);
  if (naming.length === 0) return [];
  const paths = new Set(naming.flatMap(({ scope_path: path }) => readableChain(caller, path)));
  const names = new Set(naming.flatMap(({ audience }) => audience?.circles ?? []));
  return inAccount(
    caller.accountId,
    ({ audiences }) => audiences.circlesAt([...paths], [...names]),
    { readOnly: true },
  );
}

/**
 * Resolves the audiences of a request. What it answers refuses with `invalid_request` a circle that does not exist, and one
 * in a scope that the caller may not read, alike.
 */
export async function audienceBook(
  context: RequestContext<Caller>,
  sent: readonly Addressed[],
): Promise<AudienceBook> {
  const { caller, audienceDigest } = context;
  const circles = await circlesOf(context, sent);
  const idOf = (path: ScopePath, name: string): string => {
    const chain: readonly string[] = scopeChain(path);
    const nearest = circles
      .filter((circle) => circle.name === name && chain.includes(circle.scope_path))
      .toSorted((a, b) => b.scope_path.length - a.scope_path.length)[0];
    if (nearest === undefined) throw invalidField('audience.circles', 'must name circles');
    return nearest.id;
  };
  return ({ audience, scope_path: path }) => {
    if (audience === null) return null;
    const { peers, role } = audience;
    const circleIds = audience.circles.map((name) => idOf(path, name));
    const found: FoundAudience = { peers, role, circleIds };
    return { ...found, digest: audienceDigest(audienceText(caller.accountId, found)) };
  };
}
