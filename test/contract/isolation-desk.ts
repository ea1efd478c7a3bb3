/** The cases of isolation about people and curators: their statements, items and consents. */
import { randomUUID } from 'node:crypto';
import { KNOWLEDGE_STATES } from '../../domain/governance/visibility.ts';
import type { HttpAnswer } from '../support/http.ts';
import type { Service } from '../support/service.ts';
import { exactly, withoutTimes } from './answers.ts';

export interface IsolationCase<Whose> {
  readonly what: string;
  send(token: string, whose: Whose): Promise<HttpAnswer>;
  readonly compare: (answer: HttpAnswer) => unknown;
}

/** Names and ids of the other account, and such as exist nowhere; and how requests are sent. */
export interface IsolatedNames<Whose extends string> {
  readonly scope: Readonly<Record<Whose, string>>;
  readonly corpus: Readonly<Record<Whose, string>>;
  readonly peer: Readonly<Record<Whose, string>>;
  readonly statementId: (whose: Whose) => string;
  readonly reviewId: (whose: Whose) => string;
  readonly consentId: (whose: Whose) => string;
  readonly validationId: (whose: Whose) => string;
  readonly erasureId: (whose: Whose) => string;
  readonly get: (token: string, path: string) => Promise<HttpAnswer>;
  readonly put: (token: string, path: string, json: Record<string, unknown>) => Promise<HttpAnswer>;
  readonly post: (
    token: string,
    path: string,
    json?: Record<string, unknown>,
  ) => Promise<HttpAnswer>;
}

const RULES = '/api/v1/governance/rules';
const KNOWLEDGE = '/api/v1/knowledge';
const REVIEWS = '/api/v1/governance/reviews';
const ERASURE = '/api/v1/self/erasure';
const NOBODY = '01890000-0000-7000-8000-00000000dead';

/** A cursor of the list of statements, as if the last row shown had this id. */
function cursorAt(id: string): string {
  const place = [0.5, '2024-01-01T00:00:00.000000Z', id];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Ids are new in every 202, and the paths of search are echoed as they were sent. */
export function withoutIds(answer: HttpAnswer): unknown {
  const text = JSON.stringify(withoutTimes(answer));
  return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id');
}

/** The item that waits with the statement, a consent and a question that its subject is asked. */
export async function askAbout(
  service: Service,
  statementId: string,
): Promise<Readonly<Record<'reviewId' | 'consentId' | 'validationId', string>>> {
  const consentId = randomUUID();
  const validationId = randomUUID();
  await service.rows(
    `insert into question_deliveries (account_id, id, question_id, session_id, peer_id, credential_id, operation,
       delivered_at)
     select q.account_id, $2, q.id, s.id, q.peer_id, c.id, 'memory.search', now()
     from questions q
     cross join lateral (select id from sessions where account_id = q.account_id limit 1) s
     cross join lateral (select id from credentials where account_id = q.account_id limit 1) c
     where q.knowledge_id = $1`,
    [statementId, validationId],
  );
  const handedOut = await service.rows('select id from question_deliveries where id = $1', [
    validationId,
  ]);
  if (handedOut.length !== 1) throw new Error('no question about the statement');
  await service.rows(
    `insert into consents (account_id, id, knowledge_id, subject_peer_id, target_scope_id, channel)
     select account_id, $2, id, subject_peer_id, scope_id, 'pipeline' from knowledge where id = $1`,
    [statementId, consentId],
  );
  const [item] = await service.rows('select id from review_items where knowledge_id = $1', [
    statementId,
  ]);
  return { reviewId: String(item?.['id']), consentId, validationId };
}

export function casesOfDesk<Whose extends string>(
  names: IsolatedNames<Whose>,
): Readonly<Record<string, readonly IsolationCase<Whose>[]>> {
  const {
    consentId,
    erasureId,
    corpus,
    get,
    put,
    peer: PEER,
    post,
    reviewId,
    scope: SCOPE,
    statementId,
    validationId,
  } = names;

  /** A decision about an item. */
  const decided = (action: string): IsolationCase<Whose> => ({
    what: 'an item',
    send: (token, whose) => post(token, `${REVIEWS}/${reviewId(whose)}/${action}`, { version: 1 }),
    compare: exactly,
  });

  /** The word of a person about a statement. */
  const said = (action: string): IsolationCase<Whose> => ({
    what: 'a statement',
    send: (token, whose) => post(token, `/api/v1/self/knowledge/${statementId(whose)}/${action}`),
    compare: exactly,
  });

  return {
    'GET /api/v1/self/knowledge': [
      {
        what: 'a statement as cursor',
        send: (token, whose) => get(token, `/api/v1/self/knowledge?cursor=${statementId(whose)}`),
        compare: exactly,
      },
    ],
    'POST /api/v1/self/knowledge/:knowledge_id/confirm': [said('confirm')],
    'POST /api/v1/self/knowledge/:knowledge_id/contest': [said('contest')],
    'POST /api/v1/self/knowledge/:knowledge_id/redact': [said('redact')],
    'GET /api/v1/knowledge': [
      ...KNOWLEDGE_STATES.map((state) => ({
        what: `a scope, asked for what is ${state}`,
        send: (token: string, whose: Whose) =>
          get(token, `${KNOWLEDGE}?scope_path=${SCOPE[whose]}&state=${state}`),
        compare: exactly,
      })),
      {
        what: 'a peer',
        send: (token, whose) => get(token, `${KNOWLEDGE}?peer_key=${PEER[whose]}`),
        compare: exactly,
      },
      {
        what: 'a statement in a cursor',
        send: (token, whose) => get(token, `${KNOWLEDGE}?cursor=${cursorAt(statementId(whose))}`),
        compare: exactly,
      },
    ],
    'GET /api/v1/self/consents': [
      {
        what: 'a consent as cursor',
        send: (token, whose) => get(token, `/api/v1/self/consents?cursor=${consentId(whose)}`),
        compare: exactly,
      },
    ],
    'POST /api/v1/self/consents/:consent_id': [
      {
        what: 'a consent',
        send: (token, whose) =>
          post(token, `/api/v1/self/consents/${consentId(whose)}`, { decision: 'grant' }),
        compare: exactly,
      },
    ],
    'PUT /api/v1/self/ask-preference': [
      {
        what: 'a peer',
        send: (token, whose) =>
          put(token, '/api/v1/self/ask-preference', { peer_key: PEER[whose] }),
        compare: exactly,
      },
    ],
    'POST /api/v1/validations/:id': [
      {
        what: 'a question',
        send: (token, whose) =>
          post(token, `/api/v1/validations/${validationId(whose)}`, { verdict: 'confirm' }),
        compare: exactly,
      },
    ],
    'GET /api/v1/governance/reviews': [
      {
        what: 'a scope',
        send: (token, whose) => get(token, `${REVIEWS}?scope_path=${SCOPE[whose]}`),
        compare: exactly,
      },
      {
        what: 'a peer',
        send: (token, whose) => get(token, `${REVIEWS}?subject_key=${PEER[whose]}`),
        compare: exactly,
      },
      {
        what: 'an item as cursor',
        send: (token, whose) => get(token, `${REVIEWS}?cursor=${reviewId(whose)}`),
        compare: exactly,
      },
    ],
    'GET /api/v1/governance/reviews/:review_id': [
      {
        what: 'an item',
        send: (token, whose) => get(token, `${REVIEWS}/${reviewId(whose)}`),
        compare: exactly,
      },
    ],
    'POST /api/v1/governance/reviews/:review_id/approve': [decided('approve')],
    'POST /api/v1/governance/reviews/:review_id/reject': [decided('reject')],
    'POST /api/v1/governance/reviews/:review_id/defer': [decided('defer')],
    'POST /api/v1/governance/reviews/:review_id/edit': [
      {
        what: 'an item',
        send: (token, whose) =>
          post(token, `${REVIEWS}/${reviewId(whose)}/edit`, {
            version: 1,
            statement: 'The canteen opens at noon.',
          }),
        compare: exactly,
      },
    ],
    'POST /api/v1/governance/reviews/:review_id/merge': [
      {
        what: 'an item',
        send: (token, whose) =>
          post(token, `${REVIEWS}/${reviewId(whose)}/merge`, { version: 1, into: NOBODY }),
        compare: exactly,
      },
      {
        what: 'a statement',
        send: (token, whose) =>
          post(token, `${REVIEWS}/${NOBODY}/merge`, { version: 1, into: statementId(whose) }),
        compare: exactly,
      },
    ],
    'POST /api/v1/governance/reviews/bulk': [
      {
        what: 'an item',
        send: (token, whose) =>
          post(token, `${REVIEWS}/bulk`, {
            decisions: [{ id: reviewId(whose), version: 1, action: 'approve' }],
          }),
        compare: withoutIds,
      },
    ],
    // It takes no name: who is erased is the caller.
    'POST /api/v1/self/erasure': [
      {
        what: 'a mode that is none',
        send: (token, whose) => post(token, ERASURE, { mode: corpus[whose] }),
        compare: exactly,
      },
    ],
    'GET /api/v1/self/erasure/:erasure_id': [
      {
        what: 'an erasure',
        send: (token, whose) => get(token, `${ERASURE}/${erasureId(whose)}`),
        compare: exactly,
      },
    ],
    'POST /api/v1/governance/knowledge/:knowledge_id/promote': [
      {
        what: 'a statement',
        send: (token, whose) =>
          post(token, `/api/v1/governance/knowledge/${statementId(whose)}/promote`, {
            target_scope_path: '/',
          }),
        compare: exactly,
      },
    ],
    'GET /api/v1/governance/rules': [
      {
        what: 'a scope',
        send: (token, whose) => get(token, `${RULES}?scope_path=${corpus[whose]}`),
        compare: exactly,
      },
    ],
    'PUT /api/v1/governance/rules': [
      {
        what: 'a scope',
        send: (token, whose) => put(token, RULES, { scope_path: corpus[whose], version: 0 }),
        compare: exactly,
      },
    ],
  };
}
