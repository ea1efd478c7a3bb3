/** Rows of the account of the matrix, as the service would have written them, and how they get into the database. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import {
  ATTENDANCES,
  BELIEVED_FROM,
  CHANGED,
  idAt,
  submittersOf,
  type MessageFact,
  type StatementFact,
  type Values,
} from './plan.ts';
import { audienceOf } from './addressed.ts';
import { idOf, type Place, type Row, type Rows } from './row-set.ts';
import { SCOPES } from './world.ts';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The hash of the statement's words, as JSON has bytes. */
export const hashOf = ({ text }: StatementFact): string => `\\x${sha(text.toLowerCase())}`;

/** What a statement of a request is beyond a fact of the plan. */
export interface Extras {
  readonly heldAt?: string | null;
  readonly stateBefore?: string | null;
}

/** The skill that readiness is checked for: a card at the root. */
export const SKILL = 'matrix';

/** A card whose one requirement every statement about its peer, or about a scope, meets. */
export function cardRow(id: string, skill: string, scopeId: string): Row {
  const requirement = {
    key: 'anything',
    description: null,
    level: 'required',
    source_policy: 'from-memory',
    selector: {
      kind: [],
      subject: 'either',
      sensitivity: [],
      target_level: [],
      source_types: [],
      verification: [],
      attribute: [],
      topic: [],
      minimum_confidence: null,
      minimum_corroboration: null,
    },
    freshness: null,
    prompt: null,
    enabled: true,
  };
  return {
    id,
    skill,
    scope_id: scopeId,
    version: 1,
    requirement_schema_version: 'f9-1',
    requirements: [requirement],
    content_hash: `\\x${sha(id)}`,
    published_at: BELIEVED_FROM,
  };
}

/** The scopes that do not exist yet, with the link. */
export function addScopes(rows: Rows, rootId: string): ReadonlyMap<string, string> {
  const ids = new Map<string, string>([['/', rootId]]);
  for (const path of Object.values(SCOPES)) {
    if (path === '/') continue;
    ids.set(path, uuidv7());
    const above = path.slice(0, path.lastIndexOf('/')) || '/';
    rows.add('scopes', { id: ids.get(path), path, parent_id: idOf(ids, above) });
  }
  const ends = [idOf(ids, SCOPES.own), idOf(ids, SCOPES.linked)].toSorted();
  rows.add('scope_links', { low_scope_id: ends[0], high_scope_id: ends[1] });
  return ids;
}

/** A session for each scope, which the same peers attend. */
export function addSessions(rows: Rows, { peerIds, scopeIds, sessionIds }: Place): void {
  for (const [path, sessionId] of sessionIds) {
    const scopeId = idOf(scopeIds, path);
    rows.add('sessions', { id: sessionId, external_id: `matrix${path}`, shard: 0 });
    rows.add('session_scopes', { session_id: sessionId, scope_id: scopeId });
    for (const { joinedAt, peer, readsAll } of ATTENDANCES) {
      rows.add('session_participants', {
        session_id: sessionId,
        scope_id: scopeId,
        peer_id: idOf(peerIds, peer),
        joined_at: joinedAt,
        reads_whole_session: readsAll,
      });
    }
  }
}

/**
 * Adds scopes with a session each, in which nobody takes part but who speaks; a scope stands behind those above it. Answers
 * the place with them. Their ids are of `kind` and the next one.
 */
export function addPlaces(
  rows: Rows,
  place: Place,
  paths: readonly string[],
  { kind, name }: { readonly kind: number; readonly name: string },
): Place {
  const scopeIds = new Map(place.scopeIds);
  const sessionIds = new Map<string, string>();
  for (const [nth, path] of paths.entries()) {
    const [id, session_id] = [idAt(kind, nth), idAt(kind + 1, nth)];
    scopeIds.set(path, id);
    sessionIds.set(path, session_id);
    const above = path.slice(0, path.lastIndexOf('/')) || '/';
    rows.add('scopes', { id, path, parent_id: idOf(scopeIds, above) });
    rows.add('sessions', { id: session_id, external_id: `${name}${path}`, shard: 0 });
    rows.add('session_scopes', { session_id, scope_id: id });
  }
  return { ...place, scopeIds, sessionIds };
}

export function addMessage(
  rows: Rows,
  account: Place,
  message: MessageFact,
  {
    content,
    role = 'user',
    status = 'completed',
  }: { content: string; role?: string; status?: string },
): void {
  const { credentialIds, peerIds, scopeIds, sessionIds } = account;
  const speaker = idOf(peerIds, message.speaker);
  const place = {
    session_id: idOf(sessionIds, message.path),
    scope_id: idOf(scopeIds, message.path),
  };
  rows.add('messages', {
    ...place,
    id: message.id,
    speaker_peer_id: speaker,
    relay_peer_id: message.relay === null ? null : idOf(peerIds, message.relay),
    credential_id: idOf(credentialIds, 'an agent'),
    role,
    content,
    content_hash: `\\x${sha(content)}`,
    occurred_at: message.recordedAt,
    occurred_offset_minutes: 0,
    recorded_at: message.recordedAt,
    trace_id: 'ab'.repeat(16),
    audience_id: audienceOf(rows, account, message.path, message.audience),
  });
  const isDone = status === 'completed';
  rows.add('extraction_anchors', {
    ...place,
    message_id: message.id,
    shard: 0,
    status,
    // Nobody takes it up by itself.
    available_at: '2090-01-01T00:00:00Z',
    attempt_count: 1,
    last_error_class: isDone ? null : 'model_not_found',
    candidate_count: isDone ? 1 : null,
    extracted_at: isDone ? message.recordedAt : null,
    completed_at: isDone ? message.recordedAt : null,
    speaker_peer_id: speaker,
    unsettled_attempts: 0,
    internal_errors: 0,
    failed_at: status === 'failed' ? message.recordedAt : null,
  });
}

export function addPeriods(
  rows: Rows,
  place: Place,
  { before, id, message, now }: StatementFact,
): void {
  const { scopeIds } = place;
  const period = (
    { level, path, sensitivity, state }: Values,
    from: string,
    until: string | null,
  ) =>
    rows.add('belief_periods', {
      id: uuidv7(),
      knowledge_id: id,
      state,
      scope_id: idOf(scopeIds, path),
      target_level: level,
      sensitivity,
      audience_id: audienceOf(rows, place, message.path, message.audience),
      confidence: 1,
      believed_from: from,
      believed_until: until,
    });
  if (before !== null) period(before, BELIEVED_FROM, CHANGED);
  period(now, before === null ? BELIEVED_FROM : CHANGED, null);
}

export function addSubmitters(rows: Rows, { peerIds, scopeIds }: Place, fact: StatementFact): void {
  for (const peer of submittersOf(fact)) {
    rows.add('knowledge_submitters', {
      knowledge_id: fact.id,
      peer_id: idOf(peerIds, peer),
      scope_id: idOf(scopeIds, fact.now.path),
      state: fact.now.state,
      confidence: 1,
      recorded_at: BELIEVED_FROM,
    });
  }
}

function addSources(rows: Rows, { peerIds, scopeIds }: Place, fact: StatementFact): void {
  const { id: knowledge_id, message, text } = fact;
  const speaker = idOf(peerIds, message.speaker);
  rows.add('provenance', {
    knowledge_id,
    message_id: message.id,
    speaker_peer_id: speaker,
    source_key: uuidv7(),
    recorded_at: message.recordedAt,
  });
  rows.add('knowledge_attesters', {
    knowledge_id,
    peer_id: speaker,
    source_count: 1,
    last_said_at: message.recordedAt,
    last_said_hash: `\\x${sha(text)}`,
  });
  rows.add('knowledge_source_scopes', { knowledge_id, scope_id: idOf(scopeIds, message.path) });
}

/** The row of the statement alone. */
export function addKnowledge(
  rows: Rows,
  place: Place,
  fact: StatementFact,
  { heldAt = null, stateBefore = null }: Extras = {},
): void {
  const { message, now, subject, text } = fact;
  const scopeId = idOf(place.scopeIds, now.path);
  const isWithdrawn = now.state === 'redacted' || now.state === 'retracted';
  const isUnserved = fact.isUnserved === true;
  rows.add('knowledge', {
    id: fact.id,
    scope_id: scopeId,
    subject_peer_id: subject === null ? null : idOf(place.peerIds, subject),
    subject_scope_id: subject === null ? scopeId : null,
    audience_id: audienceOf(rows, place, message.path, message.audience),
    statement: isWithdrawn || isUnserved ? null : text,
    is_served: !isUnserved,
    unmasked: isUnserved ? { statement: text } : null,
    statement_hash: hashOf(fact),
    kind: 'fact',
    confidence: 1,
    evidence_level: subject === message.speaker ? 'direct' : 'indirect',
    sensitivity: now.sensitivity,
    target_level: now.level,
    state: now.state,
    verification: 'pending',
    origin: 'extracted',
    held_scope_id: heldAt === null ? null : idOf(place.scopeIds, heldAt),
    state_before_contest: stateBefore,
    corroboration_count: 1,
    previously_refused: false,
    row_version: 1,
    derivation_level: 1,
    expires_at: fact.expiresAt,
    text_occurred_at: message.recordedAt,
    text_source_hash: `\\x${sha(message.id)}`,
    extracting_provider: 'deterministic',
    pipeline_version: 'f5-1',
    recorded_at: BELIEVED_FROM,
    updated_at: fact.before === null ? BELIEVED_FROM : CHANGED,
    claim_about: fact.isPlain ? 'residence' : null,
    claim_value: fact.isPlain ? sha('bergen') : null,
    claim_mode: fact.isPlain ? 'holds' : null,
    source_count: 1,
    submitter_count: submittersOf(fact).length,
    first_attester_id: idOf(place.peerIds, message.speaker),
    first_said_at: message.recordedAt,
    first_said_hash: `\\x${sha(text)}`,
  });
}

/** The statement with its history and its source. The message is added by itself. */
export function addStatement(
  rows: Rows,
  place: Place,
  fact: StatementFact,
  extras: Extras = {},
): void {
  addKnowledge(rows, place, fact, extras);
  addPeriods(rows, place, fact);
  addSubmitters(rows, place, fact);
  addSources(rows, place, fact);
}

/** The messages and statements of the plan. */
export function addFacts(rows: Rows, place: Place, facts: readonly StatementFact[]): void {
  for (const fact of facts) {
    addMessage(rows, place, fact.message, { content: `I said that: ${fact.text}` });
    addStatement(rows, place, fact);
  }
}
