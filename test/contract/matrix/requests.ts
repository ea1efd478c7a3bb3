/** The request that a cell stands for, route by route. */
import type { HttpCall } from '../../support/http.ts';
import { PASSWORD } from '../../support/account.ts';
import { documentOf, LINEAGE_TARGETS, namedKey, promotedTo, STATUS_TARGETS } from './aspects.ts';
import type { Fresh } from './fresh.ts';
import { DOCUMENTS, someOf, STATEMENTS, THEN, WORD, WORD_OF_DOCUMENTS } from './plan.ts';
import { SKILL } from './rows.ts';
import type { MatrixScene } from './scene.ts';
import type { Cell } from './table.ts';
import { emailOf, identityOf, NOTHING, pathOf } from './world.ts';

/** A request in the making. `n` is another number for every request. */
export interface Asked {
  readonly cell: Cell;
  readonly scene: MatrixScene;
  readonly fresh: Fresh | undefined;
  readonly n: number;
}
type Request = Pick<HttpCall, 'method' | 'path' | 'json'>;
type Maker = (asked: Asked) => Request;

/** Whether the target is something that was made for the request. */
const isFresh = (target = ''): boolean => /^(a|an|about|of|handed) /.test(target);

/** The id that the request is about: one of those that are nowhere or elsewhere, or its own. */
function idIn({ cell: { target } }: Asked, foreign: string, own: string | undefined): string {
  if (target === 'malformed') return 'no-id';
  if (target === 'foreign') return foreign;
  const isOwn = target === 'seeded' || isFresh(target);
  if (isOwn && own === undefined) throw new Error(`nothing was made for ${String(target)}`);
  return isOwn && own !== undefined ? own : NOTHING;
}

const wordOf = ({ sought }: Cell): string =>
  sought === 'what was uploaded' ? WORD_OF_DOCUMENTS : WORD;

const post = (path: string, json: Readonly<Record<string, unknown>> = {}): Request => ({
  method: 'POST',
  path: `/api/v1/${path}`,
  json,
});

/** Scope and reader of a read. */
function readFields(cell: Cell): Record<string, unknown> {
  const key = namedKey(cell, identityOf(cell['identity']));
  return { scope_path: pathOf(cell['place'] ?? ''), ...(key === null ? {} : { peer_key: key }) };
}

const read =
  (route: string, more: (asked: Asked) => Record<string, unknown> = () => ({})): Maker =>
  (asked) =>
    post(route, { ...readFields(asked.cell), ...more(asked) });

function lineageTarget(asked: Asked): Record<string, unknown> {
  const fact = someOf(STATEMENTS, asked.cell['nth'], LINEAGE_TARGETS);
  const { foreign } = asked.scene;
  const isMessage = asked.cell['type'] === 'message';
  const target_id = isMessage
    ? idIn(asked, foreign.messageId, fact.message.id)
    : idIn(asked, foreign.statementId, fact.id);
  return { target_id, target_type: asked.cell['type'] };
}

function documentId(asked: Asked, which: 'documentId' | 'versionId'): string {
  const { cell, scene } = asked;
  const own =
    cell['nth'] === undefined ? undefined : scene.documents[DOCUMENTS.indexOf(documentOf(cell))];
  return idIn(asked, scene.foreign[which], own?.[which]);
}

const verdict =
  (word: string): Maker =>
  (asked) => {
    const id = idIn(asked, asked.scene.foreign.statementId, asked.fresh?.statementId);
    return post(`self/knowledge/${id}/${word}`);
  };

const itemId = (asked: Asked): string =>
  idIn(asked, asked.scene.foreign.itemId, asked.fresh?.itemId);
const cardId = (asked: Asked): string =>
  idIn(asked, asked.scene.foreign.cardId, asked.fresh?.cardId);
const versionOf = ({ cell }: Asked): number => (cell['version'] === 'another' ? 7 : 1);

const decided =
  (word: string, more: (asked: Asked) => Record<string, unknown> = () => ({})): Maker =>
  (asked) =>
    post(`governance/reviews/${itemId(asked)}/${word}`, {
      version: versionOf(asked),
      ...more(asked),
    });

const place = ({ cell }: Asked): string => encodeURIComponent(pathOf(cell['place'] ?? ''));

function budget({ cell: { body }, n }: Asked): Request {
  const json = {
    scope_root: body === 'a bad root' ? '/m/../x' : `/corpus/${n}`,
    request_cap: body === 'no cap' ? 0 : 5,
    token_cap: 1_000,
    usd_micros_cap: 1_000,
    deadline_at:
      body === 'a deadline that is over' ? '2020-01-01T00:00:00Z' : '2090-01-01T00:00:00Z',
    input_usd_micros_per_million: 1,
    output_usd_micros_per_million: 1,
    ...(body === 'an unknown key' ? { colour: 'green' } : {}),
    ...(body === 'an account key' ? { account_key: 'home' } : {}),
  };
  return { method: 'PUT', path: '/api/v1/operations/extraction-budget', json };
}

const SIGN_INS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'the password': { password: PASSWORD },
  'another password': { password: `${PASSWORD}, or not` },
  'another e-mail': { email: 'nobody@nowhere.example', password: PASSWORD },
  'no password': {},
  'a number': { password: 7 },
};

const WISHES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  fewer: { max_per_session: 1 },
  'more than any': { max_per_day: 1_000_000 },
  'no number': { pause_for_hours: 'a day' },
};

function upload({ cell, n }: Asked): Request {
  const isSame = cell['bytes'] === 'the same';
  const text = isSame ? 'When is it?' : `When is it, number ${n}?`;
  return post('documents', {
    scope_path: pathOf(cell['place'] ?? ''),
    media_type: 'text/plain',
    content_base64: cell['bytes'] === 'none' ? '' : Buffer.from(text).toString('base64'),
  });
}

const observation = ({ cell, n }: Asked) => ({
  session_id: `matrix-${n % 8}`,
  scope_path: pathOf(cell['place'] ?? ''),
  content: 'Good morning.',
  role: 'assistant',
  ...(cell['speaker'] === 'somebody named' ? { peer_key: 'visitor' } : {}),
});

export const REQUESTS: Readonly<Record<string, Maker>> = {
  'POST /api/v1/search': read('search', ({ cell }) => ({
    query: `"${wordOf(cell)}"`,
    limit: 100,
    as_of: cell['at'] === 'then' ? THEN : null,
    include_cross_links: cell['links'] === 'with',
    profile: cell['at'] === 'then' ? 'balanced' : 'fast',
  })),
  'POST /api/v1/ask': read('ask', ({ cell }) => ({
    question: `What of the ${WORD}?`,
    limit: 100,
    as_of: cell['at'] === 'then' ? THEN : null,
    include_cross_links: cell['links'] === 'with',
    profile: 'fast',
    effort: cell['effort'] === 'none' ? null : cell['effort'],
    include_source_recall: cell['sources'] === 'with',
  })),
  'POST /api/v1/source-search': read('source-search', ({ cell }) => ({
    query: wordOf(cell),
    limit: 100,
    mode: cell['mode'],
    include_cross_links: cell['links'] === 'with',
  })),
  'POST /api/v1/stable-profile': read('stable-profile'),
  'POST /api/v1/context': read('context', () => ({
    query: `"${WORD}"`,
    limit: 100,
    budget_chars: 100_000,
  })),
  'POST /api/v1/readiness': read('readiness', () => ({ skill: SKILL })),
  'GET /api/v1/governance/skills': (asked) => ({
    path: `/api/v1/governance/skills?limit=100&scope_path=${place(asked)}`,
  }),
  'POST /api/v1/governance/skills': ({ cell, n }) =>
    post('governance/skills', {
      scope_path: pathOf(cell['place'] ?? ''),
      skill: `published-${n % 8}`,
      requirements: [{ level: 'required', source_policy: 'either', selector: {} }].map((one) =>
        cell['card'] === 'whole' ? { ...one, key: 'anything' } : one,
      ),
    }),
  'GET /api/v1/governance/skills/:card_id': (asked) => ({
    path: `/api/v1/governance/skills/${cardId(asked)}`,
  }),
  'POST /api/v1/governance/skills/:card_id/retire': (asked) =>
    post(`governance/skills/${cardId(asked)}/retire`),
  'POST /api/v1/lineage': read('lineage', lineageTarget),
  'GET /api/v1/knowledge': ({ cell }) => {
    const fields = { ...readFields(cell), state: cell['state'], limit: '100' };
    const query = new URLSearchParams(fields as Record<string, string>).toString();
    return { path: `/api/v1/knowledge?${query}` };
  },
  'GET /api/v1/ingest/:message_id': (asked) => {
    const fact = someOf(STATEMENTS, asked.cell['nth'], STATUS_TARGETS);
    return {
      path: `/api/v1/ingest/${idIn(asked, asked.scene.foreign.messageId, fact.message.id)}`,
    };
  },
  'GET /api/v1/documents/:id': (asked) => ({
    path: `/api/v1/documents/${documentId(asked, 'versionId')}`,
  }),
  'DELETE /api/v1/documents/:id': (asked) => ({
    method: 'DELETE',
    path: `/api/v1/documents/${documentId(asked, 'documentId')}`,
  }),
  'POST /api/v1/documents': upload,
  'POST /api/v1/ingest': (asked) => post('ingest', observation(asked)),
  'POST /api/v1/ingest/batch': (asked) =>
    post('ingest/batch', { observations: [observation(asked)] }),
  'GET /api/v1/self/knowledge': () => ({ path: '/api/v1/self/knowledge?limit=100' }),
  'POST /api/v1/self/knowledge/:knowledge_id/confirm': verdict('confirm'),
  'POST /api/v1/self/knowledge/:knowledge_id/contest': verdict('contest'),
  'POST /api/v1/self/knowledge/:knowledge_id/redact': verdict('redact'),
  'GET /api/v1/self/consents': () => ({ path: '/api/v1/self/consents?limit=100' }),
  'POST /api/v1/self/consents/:consent_id': (asked) =>
    post(`self/consents/${idIn(asked, asked.scene.foreign.consentId, asked.fresh?.consentId)}`, {
      decision: asked.cell['decision'],
    }),
  'PUT /api/v1/self/ask-preference': ({ cell }) => ({
    method: 'PUT',
    path: '/api/v1/self/ask-preference',
    json: WISHES[cell['wish'] ?? ''] ?? {},
  }),
  'POST /api/v1/validations/:id': (asked) =>
    post(`validations/${idIn(asked, asked.scene.foreign.deliveryId, asked.fresh?.deliveryId)}`, {
      verdict: asked.cell['verdict'],
    }),
  'POST /api/v1/self/erasure': ({ cell }) =>
    post('self/erasure', cell['mode'] === 'wrong' ? { mode: 'everything' } : {}),
  'GET /api/v1/self/erasure/:erasure_id': (asked) => ({
    path: `/api/v1/self/erasure/${idIn(asked, asked.scene.foreign.erasureId, undefined)}`,
  }),
  'GET /api/v1/governance/reviews': (asked) => ({
    path: `/api/v1/governance/reviews?limit=100&order=newest&scope_path=${place(asked)}`,
  }),
  'GET /api/v1/governance/reviews/:review_id': (asked) => ({
    path: `/api/v1/governance/reviews/${itemId(asked)}`,
  }),
  'POST /api/v1/governance/reviews/:review_id/approve': decided('approve'),
  'POST /api/v1/governance/reviews/:review_id/reject': decided('reject'),
  'POST /api/v1/governance/reviews/:review_id/defer': decided('defer'),
  'POST /api/v1/governance/reviews/:review_id/edit': decided('edit', ({ n }) => ({
    statement: `Pear tree number ${n} is old.`,
  })),
  'POST /api/v1/governance/reviews/:review_id/merge': decided('merge', ({ fresh }) => ({
    into: fresh?.intoId ?? NOTHING,
  })),
  'POST /api/v1/governance/reviews/bulk': (asked) =>
    post('governance/reviews/bulk', {
      decisions: [{ id: itemId(asked), version: versionOf(asked), action: 'defer' }],
    }),
  'POST /api/v1/governance/knowledge/:knowledge_id/promote': (asked) => {
    const id = idIn(asked, asked.scene.foreign.statementId, asked.fresh?.statementId);
    return post(`governance/knowledge/${id}/promote`, {
      target_scope_path: promotedTo(asked.cell),
    });
  },
  'GET /api/v1/governance/rules': (asked) => ({
    path: `/api/v1/governance/rules?scope_path=${place(asked)}`,
  }),
  'PUT /api/v1/governance/rules': ({ cell }) => ({
    method: 'PUT',
    path: '/api/v1/governance/rules',
    json: { scope_path: pathOf(cell['place'] ?? ''), version: 0 },
  }),
  'POST /api/v1/operations/reconcile': () => post('operations/reconcile'),
  'POST /api/v1/operations/ingest/:message_id/requeue': (asked) =>
    post(
      `operations/ingest/${idIn(asked, asked.scene.foreign.messageId, asked.fresh?.messageId)}/requeue`,
    ),
  'PUT /api/v1/operations/extraction-budget': budget,
  'GET /api/v1/operations/extraction-evidence': (asked) => ({
    path: `/api/v1/operations/extraction-evidence${asked.cell['place'] === 'absent' ? '' : `?scope_root=${place(asked)}`}`,
  }),
  'GET /api/health': () => ({ path: '/api/health' }),
  'GET /api/ready': () => ({ path: '/api/ready' }),
  'POST /api/auth/password': ({ cell }) => ({
    method: 'POST',
    path: '/api/auth/password',
    json: { email: emailOf('stranger'), ...SIGN_INS[cell['says'] ?? ''] },
  }),
};
