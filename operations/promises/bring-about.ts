/** Brings about one promise in the database of an earlier day, in one transaction. */
import type { GivenPromise, PromiseKind } from '../../domain/promises/kinds.ts';
import { eraseAgain } from './erasure.ts';
import type { Repeated, Repeating } from './repeating.ts';
import {
  closeLoginAgain,
  deleteCircleAgain,
  denyAgain,
  endPasswordAgain,
  leaveCircleAgain,
  lowerAgain,
  removeAgain,
  revokeAgain,
} from './rights.ts';
import {
  denyConsentAgain,
  redactAgain,
  takeBackAgain,
  withdrawAgain,
  withdrawDocumentAgain,
} from './statements.ts';

/** Of each kind: what its event is about, by its field. */
const ABOUT = {
  erasure: ['erasure', 'erasure_id'],
  redaction: ['knowledge', 'knowledge_id'],
  withdrawal: ['knowledge', 'knowledge_id'],
  attestation_withdrawn: ['knowledge', 'knowledge_id'],
  document_withdrawn: ['document', 'document_id'],
  consent_denied: ['consent', 'consent_id'],
  grant_denied: ['grant', 'grant_id'],
  grant_removed: ['grant', 'grant_id'],
  grant_lowered: ['grant', 'grant_id'],
  circle_member_removed: ['circle', 'circle_id'],
  circle_deleted: ['circle', 'circle_id'],
  key_revoked: ['credential', 'credential_id'],
  login_closed: ['login', 'login_id'],
  password_changed: ['login', 'login_id'],
} as const satisfies Readonly<Record<PromiseKind, readonly [string, string]>>;

type RepeatKinds = {
  readonly [Kind in PromiseKind]: (
    repeating: Repeating,
    promised: GivenPromise<Kind>,
  ) => Promise<Repeated>;
};
const REPEAT: RepeatKinds = {
  erasure: eraseAgain,
  redaction: redactAgain,
  withdrawal: withdrawAgain,
  attestation_withdrawn: takeBackAgain,
  document_withdrawn: withdrawDocumentAgain,
  consent_denied: denyConsentAgain,
  grant_denied: denyAgain,
  grant_removed: removeAgain,
  grant_lowered: lowerAgain,
  circle_member_removed: leaveCircleAgain,
  circle_deleted: deleteCircleAgain,
  key_revoked: revokeAgain,
  login_closed: closeLoginAgain,
  password_changed: endPasswordAgain,
};

function repeatKind<Kind extends PromiseKind>(
  repeating: Repeating,
  kind: Kind,
  promised: GivenPromise<Kind>,
): Promise<Repeated> {
  return REPEAT[kind](repeating, promised);
}

/**
 * A database that knows the event of the promise holds it, and what was decided after it. An erasure is judged by its
 * request alone. What is repeated, or was so already, is put on the record under that event: so later decisions hold, however
 * often the list is repeated.
 */
export async function bringAbout(repeating: Repeating, promised: GivenPromise): Promise<Repeated> {
  const { actor, stores } = repeating;
  const { event_id: eventId, given_at, kind } = promised;
  // Of two that repeat the same list one waits; it is the first lock of whoever may take an administrator away, too.
  await stores.admins.lock();
  const isKnown = (await stores.audit.known([eventId])).length > 0;
  if (isKnown && kind !== 'erasure') return 'already';
  stores.promises.repeats(promised);
  const repeated = await repeatKind(repeating, kind, promised);
  if (repeated === 'unknown' || isKnown) return repeated;
  const [resourceType, field] = ABOUT[kind];
  await stores.audit.record({
    id: eventId,
    category: kind === 'erasure' ? 'deletion' : 'governance',
    action: 'promise.repeated',
    actor,
    resourceType,
    resourceId: String(Reflect.get(promised, field)),
    metadata: { kind, given_at },
  });
  return repeated;
}
