/** What the requests of the tables are made of: the request that a cell stands for. */
import type { HttpCall } from '../../support/http.ts';
import { PASSWORD } from '../../support/account.ts';
import { documentOf, LINEAGE_TARGETS, namedKey } from './aspects.ts';
import type { Fresh } from './fresh.ts';
import { DOCUMENTS, someOf, STATEMENTS, WORD, WORD_OF_DOCUMENTS } from './plan.ts';
import type { MatrixScene } from './scene.ts';
import type { Cell } from './table.ts';
import { identityOf, NOTHING, pathOf } from './world.ts';

/** A request in the making. `n` is another number for every request. */
export interface Asked {
  readonly cell: Cell;
  readonly scene: MatrixScene;
  readonly fresh: Fresh | undefined;
  readonly n: number;
}
export type Request = Pick<HttpCall, 'method' | 'path' | 'json'>;
export type Maker = (asked: Asked) => Request;

/** Whether the target is something that was made for the request. */
const isFresh = (target = ''): boolean => /^(a|an|about|of|handed) /.test(target);

/** The id that the request is about: one of those that are nowhere or elsewhere, or its own. */
export function idIn(
  { cell: { target } }: Asked,
  foreign: string,
  own: string | undefined,
): string {
  if (target === 'malformed') return 'no-id';
  if (target === 'foreign') return foreign;
  const isOwn = target === 'seeded' || isFresh(target);
  if (isOwn && own === undefined) throw new Error(`nothing was made for ${String(target)}`);
  return isOwn && own !== undefined ? own : NOTHING;
}

export const wordOf = ({ sought }: Cell): string =>
  sought === 'what was uploaded' ? WORD_OF_DOCUMENTS : WORD;

export const post = (path: string, json: Readonly<Record<string, unknown>> = {}): Request => ({
  method: 'POST',
  path: `/api/v1/${path}`,
  json,
});

/** Scope and reader of a read. */
export function readFields(cell: Cell): Record<string, unknown> {
  const key = namedKey(cell, identityOf(cell['identity']));
  return { scope_path: pathOf(cell['place'] ?? ''), ...(key === null ? {} : { peer_key: key }) };
}

export const read =
  (route: string, more: (asked: Asked) => Record<string, unknown> = () => ({})): Maker =>
  (asked) =>
    post(route, { ...readFields(asked.cell), ...more(asked) });

export function lineageTarget(asked: Asked): Record<string, unknown> {
  const fact = someOf(STATEMENTS, asked.cell['nth'], LINEAGE_TARGETS);
  const { foreign } = asked.scene;
  const isMessage = asked.cell['type'] === 'message';
  const target_id = isMessage
    ? idIn(asked, foreign.messageId, fact.message.id)
    : idIn(asked, foreign.statementId, fact.id);
  return { target_id, target_type: asked.cell['type'] };
}

export function documentId(asked: Asked, which: 'documentId' | 'versionId'): string {
  const { cell, scene } = asked;
  const own =
    cell['nth'] === undefined ? undefined : scene.documents[DOCUMENTS.indexOf(documentOf(cell))];
  return idIn(asked, scene.foreign[which], own?.[which]);
}

export const ownVerdict =
  (word: string): Maker =>
  (asked) => {
    const id = idIn(asked, asked.scene.foreign.statementId, asked.fresh?.statementId);
    return post(`self/knowledge/${id}/${word}`);
  };

export const itemId = (asked: Asked): string =>
  idIn(asked, asked.scene.foreign.itemId, asked.fresh?.itemId);
export const cardId = (asked: Asked): string =>
  idIn(asked, asked.scene.foreign.cardId, asked.fresh?.cardId);
export const circleId = (asked: Asked): string =>
  idIn(asked, asked.scene.foreign.circleId, asked.fresh?.circleId);
export const holdId = (asked: Asked): string =>
  idIn(asked, asked.scene.foreign.holdId, asked.fresh?.holdId);
export const versionOf = ({ cell }: Asked): number => (cell['version'] === 'another' ? 7 : 1);

/** A decision about the item of the cell. */
export const decided =
  (word: string, more: (asked: Asked) => Record<string, unknown> = () => ({})): Maker =>
  (asked) =>
    post(`governance/reviews/${itemId(asked)}/${word}`, {
      version: versionOf(asked),
      ...more(asked),
    });

export const place = ({ cell }: Asked): string => encodeURIComponent(pathOf(cell['place'] ?? ''));

export function budget({ cell: { body }, n }: Asked): Request {
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

export const SIGN_INS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'the password': { password: PASSWORD },
  'another password': { password: `${PASSWORD}, or not` },
  'another e-mail': { email: 'nobody@nowhere.example', password: PASSWORD },
  'no password': {},
  'a number': { password: 7 },
};

export const WISHES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  fewer: { max_per_session: 1 },
  'more than any': { max_per_day: 1_000_000 },
  'no number': { pause_for_hours: 'a day' },
};

export function upload({ cell, n }: Asked): Request {
  const isSame = cell['bytes'] === 'the same';
  const text = isSame ? 'When is it?' : `When is it, number ${n}?`;
  return post('documents', {
    scope_path: pathOf(cell['place'] ?? ''),
    media_type: 'text/plain',
    content_base64: cell['bytes'] === 'none' ? '' : Buffer.from(text).toString('base64'),
  });
}

export const observation = ({ cell, n }: Asked) => ({
  session_id: `matrix-${n % 8}`,
  scope_path: pathOf(cell['place'] ?? ''),
  content: 'Good morning.',
  role: 'assistant',
  ...(cell['speaker'] === 'somebody named' ? { peer_key: 'visitor' } : {}),
});
