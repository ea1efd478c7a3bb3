/** What an answer may show of the plan, to whom: the judge of reads. It knows nothing of the service's own predicate. */
import {
  ATTENDANCES,
  CHANGED,
  STATEMENTS,
  submittersOf,
  THEN,
  type MessageFact,
  type StatementFact,
  type Values,
} from './plan.ts';
import {
  inLineage,
  isBelieved,
  isInReadiness,
  isListed,
  isOwn,
  PLACED,
  withAudience,
  yesNo,
} from './statements/judge.ts';
import type { Cell } from './table.ts';
import {
  holds,
  isInReachOfPin,
  mayNamePath,
  readScopes,
  type Identity,
  type ReadScope,
} from './world.ts';

const STRICTNESS = ['public', 'internal', 'personal', 'restricted'];
const stricter = (a: string, b: string): string =>
  STRICTNESS.indexOf(a) > STRICTNESS.indexOf(b) ? a : b;

/** Its values at the instant; what became stricter since is as strict as today. Null once it was withdrawn. */
function valuesAt(fact: StatementFact, at: 'now' | 'then'): Values | null {
  if (at === 'now') return fact.now;
  if (fact.now.state === 'redacted' || fact.now.state === 'retracted') return null;
  const then = fact.before !== null && THEN < CHANGED ? fact.before : fact.now;
  return { ...then, sensitivity: stricter(then.sensitivity, fact.now.sensitivity) };
}

/** Whom the message is for, as its reader finds it. */
function addressedTo({ audience }: MessageFact, reader: string | null): string {
  if (audience === undefined) return 'to all';
  return reader !== null && audience.includes(reader) ? 'to the reader' : 'to others';
}

/** Whether the audience of the message, if it has one, names the peer. */
export const isFor = (message: MessageFact, peer: string | null): boolean =>
  addressedTo(message, peer) !== 'to others';

/** The statement before the readers of the chain; null when nobody may read it at the instant. */
export function aspectsFor(
  fact: StatementFact,
  chain: readonly ReadScope[],
  at: 'now' | 'then' = 'now',
): Cell | null {
  const values = valuesAt(fact, at);
  if (values === null) return null;
  const { level, path, sensitivity, state } = values;
  const scope = chain.find((each) => each.path === path);
  const reader = scope?.reader ?? null;
  const isSubmitted = reader !== null && submittersOf(fact).includes(reader);
  const isOver = fact.expiresAt !== null && at === 'now';
  const states = [fact.now.state, fact.before?.state ?? ''];
  return withAudience({
    state,
    sensitivity,
    level,
    place: scope === undefined ? 'elsewhere' : scope.isCurated ? 'curated' : 'in the chain',
    reader: reader === null ? 'nobody' : 'peer',
    subject: fact.subject === null ? 'scope' : fact.subject === reader ? 'reader' : 'other',
    submitted: yesNo(isSubmitted),
    served: yesNo(fact.isUnserved !== true),
    addressed: addressedTo(fact.message, reader),
    placed: yesNo(states.some((each) => PLACED.includes(each))),
    expiry: isOver ? 'over' : 'never',
  });
}

const those = (test: (fact: StatementFact) => boolean): readonly StatementFact[] =>
  STATEMENTS.filter(test);

export const believedIn = (chain: readonly ReadScope[], at: 'now' | 'then' = 'now') =>
  those((fact) => {
    const found = aspectsFor(fact, chain, at);
    return found !== null && isBelieved(found);
  });

export const listedIn = (chain: readonly ReadScope[], state: string) =>
  those((fact) => {
    const found = aspectsFor(fact, chain);
    return found !== null && isListed(found, state);
  });

/** What a report about the peer looks at. */
export const readinessOf = (chain: readonly ReadScope[], peer: string) =>
  those((fact) => {
    if (fact.subject !== null && fact.subject !== peer) return false;
    const found = aspectsFor(fact, chain);
    return found !== null && isInReadiness(found);
  });

export const ownOf = ({ account, peer }: Identity) =>
  those((fact) => {
    const isAbout = account === 'home' && peer !== null && fact.subject === peer;
    const subject = isAbout ? 'reader' : 'other';
    return isOwn({
      reader: 'peer',
      subject,
      state: fact.now.state,
      served: yesNo(fact.isUnserved !== true),
    });
  });

/** As what the statement stands in lineage. */
export function referenceTo(fact: StatementFact, chain: readonly ReadScope[]): string {
  const found = aspectsFor(fact, chain);
  return found === null ? 'missing' : inLineage(found);
}

/** Whether the peer was there: it spoke, passed it on, or took part. */
export function wasThere(message: MessageFact, peer: string | null): boolean {
  const { isChunk, recordedAt, relay, speaker } = message;
  if (peer === null) return false;
  if (peer === speaker || peer === relay) return true;
  if (!isFor(message, peer)) return false;
  const attendance = isChunk ? undefined : ATTENDANCES.find((each) => each.peer === peer);
  return attendance !== undefined && (attendance.readsAll || attendance.joinedAt <= recordedAt);
}

/** Whether the message is found in the chain, by whoever reads its scope. */
export function isFoundIn(message: MessageFact, chain: readonly ReadScope[]): boolean {
  const scope = chain.find(({ path }) => path === message.path);
  return scope !== undefined && wasThere(message, scope.reader);
}

/**
 * Whether a row names the message as its source: in a scope outside of the chain as whoever the caller reads as, where its
 * grants and its pin let it read there at all.
 */
export function isNamedAsSource(
  message: MessageFact,
  chain: readonly ReadScope[],
  { otherwise, who }: { readonly who: Identity; readonly otherwise: string | null },
): boolean {
  const scope = chain.find(({ path }) => path === message.path);
  if (scope !== undefined) return wasThere(message, scope.reader);
  const mayRead = mayNamePath(who, message.path) && holds(who, message.path, 'reader');
  return mayRead && wasThere(message, otherwise);
}

/** Whether the caller may ask what became of something that stands at the path, and that an audience may hide. */
export function maySeeStatus(
  who: Identity,
  path: string,
  { isThere, isMeant = true }: { readonly isThere: boolean; readonly isMeant?: boolean },
): boolean {
  if (who.account !== 'home' || !isInReachOfPin(who, path)) return false;
  return isThere ? holds(who, path, 'reader') : isMeant && holds(who, path, 'curator');
}

/** The scopes whose statements the status of a message lists: its own chain, whatever the pin. */
export const scopesOfStatus = (who: Identity, path: string): readonly ReadScope[] =>
  readScopes({ ...who, pin: null }, path, { named: null });
