/** Rows of their own for requests that change something, or are about an item: each request finds them as its cell says. */
import { v7 as uuidv7 } from 'uuid';
import type { RouteCell } from './cells.ts';
import type { MessageFact, StatementFact } from './plan.ts';
import { addCircle, addHold } from './addressed.ts';
import { idOf, Rows, type Place, type Query } from './row-set.ts';
import { addMessage, addStatement, cardRow, hashOf } from './rows.ts';
import { CIRCLE_MEMBERS, emailOf, identityOf, pathOf, SCOPES } from './world.ts';

const HOUR_MS = 3_600_000;
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** The name of the circle of that id. */
export const circleName = (id: string): string => `circle ${id}`;

/** What a request is about. */
export interface Fresh {
  readonly statementId: string;
  readonly messageId: string;
  readonly itemId: string;
  readonly consentId: string;
  readonly deliveryId: string;
  readonly cardId: string;
  readonly circleId: string;
  readonly holdId: string;
  /** A statement that the first one may be merged into. */
  readonly intoId: string;
  /** Where they stand. */
  readonly path: string;
  readonly isOpen: boolean;
}

/** A request, as far as it says what it is about. */
type About = Pick<RouteCell, 'route' | 'cell'>;

const ITEM_OF: Readonly<Record<string, string>> = {
  proposed: 'gate_a_b',
  provisional: 'gate_a_b',
  held: 'gate_a_b',
  needs_revalidation: 'revalidation',
  stale: 'revalidation',
  contested: 'contest',
};
const TARGETS = [
  'about the caller',
  'about another',
  'about the scope',
  'of the caller',
  'of another',
  'an item',
  'a statement',
  'a message',
  'a card',
  'a circle',
  'a hold',
  'handed to the caller',
  'handed to another',
];

function subjectOf({ cell, route }: About): string | null {
  if (cell['target'] === 'about the scope') return null;
  const { account, peer } = identityOf(cell['identity']);
  const isAbout = cell['target'] === 'about the caller' || cell['target'] === 'of the caller';
  if (isAbout && account === 'home' && peer !== null) return peer;
  return emailOf(route.includes('/self/') ? 'stranger' : 'member');
}

function factFor(asked: About, name: string): StatementFact {
  const { cell } = asked;
  const subject = subjectOf(asked);
  const path = cell['place'] === undefined ? SCOPES.own : pathOf(cell['place']);
  const level = cell['held'] === 'for the scope' ? 'scope' : 'peer';
  const message: MessageFact = {
    id: uuidv7(),
    path,
    speaker: subject ?? emailOf('stranger'),
    relay: null,
    recordedAt: ago(2),
    isChunk: false,
  };
  return {
    id: uuidv7(),
    text: `Plum tree ${name} is old.`,
    now: { state: cell['state'] ?? 'provisional', path, sensitivity: 'internal', level },
    before: null,
    expiresAt: cell['expiry'] === 'over' ? ago(1) : null,
    subject,
    message,
    isPlain: false,
  };
}

function addItem(rows: Rows, place: Place, fact: StatementFact, isOpen: boolean): string {
  const id = uuidv7();
  const kind = ITEM_OF[fact.now.state];
  if (kind === undefined) return id;
  rows.add('review_items', {
    id,
    knowledge_id: fact.id,
    scope_id: idOf(place.scopeIds, fact.now.path),
    subject_peer_id: fact.subject === null ? null : idOf(place.peerIds, fact.subject),
    has_audience: fact.message.audience !== undefined,
    kind,
    state: isOpen ? 'pending' : 'rejected',
    target_level: fact.now.level,
    due_at: ago(-48),
    attempt_count: 0,
    created_at: ago(1),
    decided_at: isOpen ? null : ago(1),
    version: 1,
    reason: 'person_decides',
    end_reason: isOpen ? null : 'curator_rejected',
  });
  return id;
}

/** A decision about the item that can still be taken back. */
function addScheduled(rows: Rows, place: Place, itemId: string): void {
  rows.add('scheduled_decisions', {
    review_item_id: itemId,
    run_id: uuidv7(),
    action: 'reject',
    version: 1,
    decided_by: idOf(place.peerIds, emailOf('stranger')),
    credential_id: idOf(place.credentialIds, 'an agent'),
    due_at: ago(-1),
  });
}

function addConsent(rows: Rows, place: Place, fact: StatementFact, status: string): string {
  const id = uuidv7();
  rows.add('consents', {
    id,
    knowledge_id: fact.id,
    subject_peer_id: idOf(place.peerIds, fact.subject ?? ''),
    target_scope_id: idOf(place.scopeIds, '/'),
    status,
    channel: 'api',
    verified: status !== 'pending',
    decided_at: status === 'pending' ? null : ago(1),
    requested_at: ago(1),
  });
  return id;
}

/** Who gets what is handed to another than the caller. */
const anotherThan = (identity = ''): string =>
  identity === 'a denied member' ? 'a member' : 'a denied member';

function addQuestion(rows: Rows, place: Place, { cell }: About, fact: StatementFact): string {
  const [id, deliveryId] = [uuidv7(), uuidv7()];
  const { identity, question } = cell;
  const to = cell['target'] === 'handed to the caller' ? identity : anotherThan(identity);
  const peer_id = idOf(place.peerIds, fact.subject ?? '');
  rows.add('questions', {
    id,
    peer_id,
    knowledge_id: fact.id,
    scope_id: idOf(place.scopeIds, fact.now.path),
    kind: 'confirm',
    statement_hash: hashOf(fact),
    opened_at: ago(400),
    deadline_at: ago(question === 'over' ? 1 : -48),
    last_delivered_at: ago(1),
    skips: 0,
    put_off: false,
  });
  const isAnswered = question === 'answered';
  rows.add('question_deliveries', {
    id: deliveryId,
    question_id: id,
    peer_id,
    session_id: idOf(place.sessionIds, fact.message.path),
    credential_id: place.credentialIds.get(to ?? '') ?? idOf(place.credentialIds, 'an agent'),
    operation: 'memory.search',
    delivered_at: ago(1),
    verdict: isAnswered ? 'skip' : null,
    verification: isAnswered ? 'unverified_channel' : null,
    effect: isAnswered ? 'pending_after_skip' : null,
    answered_at: isAnswered ? ago(1) : null,
  });
  return deliveryId;
}

/** A card in force at the path. Each request has a skill of its own. */
function addCard(rows: Rows, place: Place, path: string): string {
  const id = uuidv7();
  rows.add('skill_cards', cardRow(id, `matrix-${id}`, idOf(place.scopeIds, path)));
  return id;
}

/** A circle of the scope at the path, whose name follows from its id. */
function addCircleAt(rows: Rows, place: Place, path: string): string {
  const id = uuidv7();
  addCircle(rows, place, { id, name: circleName(id), path, members: CIRCLE_MEMBERS });
  return id;
}

/** A request of another to forget, at the path. */
function addHoldAt(rows: Rows, place: Place, path: string, state = 'open'): string {
  const id = uuidv7();
  addHold(rows, place, { id, path, requester: emailOf('stranger'), state });
  return id;
}

/** Makes what one request is about. */
export function addFor(rows: Rows, place: Place, asked: About): Fresh {
  const { cell } = asked;
  // Statements of one subject and scope differ in their texts.
  const name = uuidv7();
  const fact = factFor(asked, name);
  const into = { ...fact, id: uuidv7(), text: `Plum tree ${name} is very old.` };
  const isOpen = cell['item'] !== 'ended';
  const { state } = fact.now;
  const status = cell['target'] === 'a message' ? cell['status'] : undefined;
  addMessage(rows, place, fact.message, {
    content: 'Good morning.',
    role: 'assistant',
    ...(status === undefined ? {} : { status }),
  });
  addStatement(rows, place, fact, {
    heldAt: state === 'held' ? fact.now.path : null,
    stateBefore: state === 'contested' ? 'provisional' : null,
  });
  const itemId = addItem(rows, place, fact, isOpen);
  if (cell['item'] === 'scheduled') addScheduled(rows, place, itemId);
  const isMerge = asked.route.endsWith('/merge');
  if (isMerge) addStatement(rows, place, { ...into, now: { ...into.now, state: 'active' } });
  const asks = cell['target']?.startsWith('of ') === true && asked.route.includes('/consents/');
  return {
    statementId: fact.id,
    messageId: fact.message.id,
    itemId,
    consentId: asks ? addConsent(rows, place, fact, cell['status'] ?? '') : uuidv7(),
    deliveryId:
      cell['target']?.startsWith('handed ') === true
        ? addQuestion(rows, place, asked, fact)
        : uuidv7(),
    cardId: cell['target'] === 'a card' ? addCard(rows, place, fact.now.path) : uuidv7(),
    circleId: cell['target'] === 'a circle' ? addCircleAt(rows, place, fact.now.path) : uuidv7(),
    holdId:
      cell['target'] === 'a hold' ? addHoldAt(rows, place, fact.now.path, cell['hold']) : uuidv7(),
    intoId: into.id,
    path: fact.now.path,
    isOpen: isOpen && ITEM_OF[state] !== undefined,
  };
}

/** Makes and writes what the requests are about; requests about nothing, or about what is elsewhere, get none. */
export async function makeFresh(
  query: Query,
  place: Place,
  asked: readonly RouteCell[],
): Promise<ReadonlyMap<RouteCell, Fresh>> {
  const rows = new Rows(place.accountId);
  const fresh = new Map<RouteCell, Fresh>();
  for (const each of asked) {
    if (!TARGETS.includes(each.cell['target'] ?? '')) continue;
    fresh.set(each, addFor(rows, place, each));
  }
  await rows.write(query);
  return fresh;
}
