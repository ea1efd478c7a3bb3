/**
 * A third account, made like that of the matrix: its scopes, people and words have the same names, its statements say the same
 * of crocks instead of jars. Beside these it has one thing of every kind, with names of its own.
 */
import { v7 as uuidv7 } from 'uuid';
import { erasePeer } from '../../../operations/erasure/erase-peer.ts';
import { rebuildIndex } from '../../../operations/retrieval/index-admin.ts';
import type { TestAccount } from '../../support/account.ts';
import { dataOf, type Service } from '../../support/service.ts';
import { NAMES } from './borrowed.ts';
import { addFor } from './fresh.ts';
import { STATEMENTS, type StatementFact } from './plan.ts';
import { addCircle, addHold } from './addressed.ts';
import { idOf, Rows, type Place } from './row-set.ts';
import { addFacts, addScopes, addSessions, cardRow } from './rows.ts';
import { uploaded } from './uploads.ts';
import { emailOf, IDENTITIES, SCOPES } from './world.ts';

/** Ids of its things. */
export interface Foreign {
  readonly accountId: string;
  readonly messageId: string;
  readonly statementId: string;
  readonly itemId: string;
  readonly consentId: string;
  readonly deliveryId: string;
  readonly cardId: string;
  readonly circleId: string;
  readonly holdId: string;
  readonly erasureId: string;
  readonly documentId: string;
  readonly versionId: string;
  readonly peerId: string;
  /** What no request of anybody else may change. */
  readonly state: unknown;
}

const [PLACE, CORPUS] = [NAMES.scope[0], NAMES.corpus[0]];
const LEAVER = 'zonk-leaver';

const twinOf = (fact: StatementFact): StatementFact => ({
  ...fact,
  id: uuidv7(),
  text: fact.text.replace('jar', 'zonk crock').replace('Bergen', 'Zonkville'),
  message: { ...fact.message, id: uuidv7() },
});

/** Peers with the keys of the first account's, and some that only this one has. */
function addPeers(rows: Rows, relayId: string): Map<string, string> {
  const keys = Object.values(IDENTITIES).flatMap(({ account, peer }) =>
    account === 'home' && peer !== null ? [peer] : [],
  );
  const own = [NAMES.peer[0], NAMES.speaker[0], LEAVER, emailOf('stranger')];
  const ids = new Map([['relay', relayId]]);
  for (const key of new Set([...keys, ...own])) {
    if (ids.has(key)) continue;
    ids.set(key, uuidv7());
    rows.add('peers', { id: ids.get(key), key, name: `Zonk ${key}`, kind: 'human' });
  }
  return ids;
}

/** A budget that is spent, which names the corpus. */
async function spend(service: Service, token: string): Promise<void> {
  await service.call({
    method: 'PUT',
    path: '/api/v1/operations/extraction-budget',
    token,
    json: {
      scope_root: CORPUS,
      request_cap: 1,
      token_cap: 1_000,
      usd_micros_cap: 1_000,
      deadline_at: '2090-01-01T00:00:00Z',
      input_usd_micros_per_million: 1,
      output_usd_micros_per_million: 1,
    },
  });
  await service.ingestAndWait(token, { scope_path: CORPUS, content: 'I own a zonk boat.' });
}

async function useUpKey(service: Service, token: string): Promise<void> {
  const headers = { 'idempotency-key': NAMES.once[0] };
  await service.ingest(token, { content: 'Hello.', session_id: NAMES.session[0] }, headers);
  const reconcile = { method: 'POST', path: '/api/v1/operations/reconcile', token, headers };
  dataOf(await service.call(reconcile));
}

async function placeOf(service: Service, third: TestAccount, rows: Rows): Promise<Place> {
  const { id: credentialId } = await third.agent('relay');
  const one = async (query: string): Promise<string> =>
    String((await service.rows(query, [third.id]))[0]?.['id']);
  const root = await one("select id from scopes where account_id = $1 and path = '/'");
  const relayId = await one("select id from peers where account_id = $1 and key = 'relay'");
  const scopeIds = new Map(addScopes(rows, root));
  scopeIds.set(PLACE, uuidv7());
  rows.add('scopes', { id: scopeIds.get(PLACE), path: PLACE, parent_id: root });
  return {
    accountId: third.id,
    credentialIds: new Map([['an agent', credentialId]]),
    scopeIds,
    peerIds: addPeers(rows, relayId),
    sessionIds: new Map([...scopeIds.keys()].map((path) => [path, uuidv7()])),
  };
}

/** One thing of each kind that waits for somebody. */
function addWaiting(rows: Rows, place: Place) {
  const made = (route: string, cell: Readonly<Record<string, string>>) =>
    addFor(rows, place, { route, cell: { identity: 'a member', place: 'own', ...cell } });
  const item = made('reviews', { target: 'an item', state: 'provisional' });
  const consent = made('/self/consents/', { target: 'of another', status: 'pending' });
  const question = made('validations', { target: 'handed to another', question: 'open' });
  return {
    statementId: item.statementId,
    messageId: item.messageId,
    itemId: item.itemId,
    consentId: consent.consentId,
    deliveryId: question.deliveryId,
  };
}

/** Whole rows of these; of what workers go on with, how many there are. */
const ROWS = [
  'messages',
  'sessions',
  'scopes',
  'knowledge',
  'review_items',
  'consents',
  'questions',
  'question_deliveries',
  'skill_cards',
  'circles',
  'circle_members',
  'forget_holds',
  'masked_values',
  'gate_rules',
  'grants',
  'credentials',
  'extraction_budgets',
];
const COUNTED = ['peers', 'document_versions', 'erasure_requests', 'pipeline_runs'];

/** Everything that requests could change in the account. */
export async function stateOf(service: Service, accountId: string): Promise<unknown> {
  const columns = [
    ...ROWS.map(
      (table) =>
        `(select md5(string_agg(t::text, ',' order by t::text)) from ${table} t where account_id = $1) as ${table}`,
    ),
    ...COUNTED.map(
      (table) => `(select count(*)::integer from ${table} where account_id = $1) as ${table}`,
    ),
  ];
  const [state] = await service.rows(`select ${columns.join(', ')}`, [accountId]);
  return state;
}

/** Makes it. */
export async function makeForeign(service: Service): Promise<Foreign> {
  const third = await service.account('third');
  const { token } = await third.agent('zonk-agent', { role: 'account_admin' });
  const rows = new Rows(third.id);
  const place = await placeOf(service, third, rows);
  addSessions(rows, place);
  addFacts(rows, place, STATEMENTS.map(twinOf));
  const waiting = addWaiting(rows, place);
  const cardId = uuidv7();
  rows.add('skill_cards', cardRow(cardId, NAMES.skill[0], idOf(place.scopeIds, PLACE)));
  rows.add('skill_cards', cardRow(uuidv7(), 'matrix', idOf(place.scopeIds, SCOPES.own)));
  const circleId = uuidv7();
  const members = [NAMES.peer[0]];
  addCircle(rows, place, { id: circleId, name: NAMES.circle[0], path: PLACE, members });
  const holdId = uuidv7();
  addHold(rows, place, { id: holdId, path: PLACE, requester: NAMES.peer[0], state: 'open' });
  await rows.write((query, values) => service.rows(query, values));
  const [document] = await Promise.all([
    uploaded(service, token, {
      scope_path: SCOPES.own,
      external_id: NAMES.document[0],
      content_base64: NAMES.bytes[0],
    }),
    spend(service, token),
    useUpKey(service, token),
  ]);
  const { id: erasureId } = await service.operate(erasePeer, { account: third.key, peer: LEAVER });
  await service.operate(rebuildIndex, { account: third.key });
  const peerId = idOf(place.peerIds, NAMES.peer[0]);
  const state = await stateOf(service, third.id);
  return {
    accountId: third.id,
    ...waiting,
    ...document,
    cardId,
    circleId,
    holdId,
    erasureId,
    peerId,
    state,
  };
}
