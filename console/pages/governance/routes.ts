/** The desk, its items, and the forms that decide them. */
import { invalidField, Refusal } from '../../../domain/errors.ts';
import { isUuid } from '../../../domain/workflow-history/safe-text.ts';
import { formsOf } from '../../form-routes.ts';
import type { Onward, ViewerRequest, PeopleRoute } from '../../design/page.ts';
import { idIn } from '../refused.ts';
import { carriedHere, QUEUE_PATH } from './asked.ts';
import { BULK_PATH, takeBulk } from './bulk.ts';
import { showItem, showQueue } from './desk.ts';
import { namedStatement } from './merge.ts';
import { showPreview } from './preview.ts';
import { undoSeconds } from './undo.ts';

const DAY_MS = 86_400_000;

/** To the item that was to follow, or to the list: with what was decided, so that it can be taken back there. */
function onward({ params, query }: ViewerRequest, did: string): Onward {
  const next = query.get('onto') ?? '';
  const to = isUuid(next) ? `${QUEUE_PATH}/${next}` : QUEUE_PATH;
  const walk = query.get('walk');
  const way = { did, item: idIn(params), ...(walk === null ? {} : { walk }) };
  return { to: `${to}${carriedHere(query, way)}` };
}

const DESK_CALLS = [
  'summarizeReviews',
  'listReviews',
  'readReview',
  'readOutcomes',
  'search',
] as const;

const QUEUE = {
  path: QUEUE_PATH,
  access: 'people',
  calls: DESK_CALLS,
  show: showQueue,
} as const satisfies PeopleRoute;

const ITEM = {
  path: `${QUEUE_PATH}/:id`,
  access: 'people',
  calls: DESK_CALLS,
  show: showItem,
} as const satisfies PeopleRoute;

const PREVIEW = {
  path: BULK_PATH,
  access: 'people',
  calls: ['previewReviews', 'readOutcomes'],
  show: showPreview,
} as const satisfies PeopleRoute;

const form = formsOf(ITEM.path, ITEM);

/** The item in the version that the page showed. */
function decided(request: ViewerRequest) {
  const { form: sent, params } = request;
  const version = Number(sent['version']);
  return { review_id: idIn(params), version, undo_seconds: undoSeconds(request) };
}

export const GOVERNANCE_ROUTES: readonly PeopleRoute[] = [
  QUEUE,
  { ...PREVIEW, calls: [...PREVIEW.calls, 'decideReviews'], take: takeBulk, again: PREVIEW },
  ITEM,
  form('approve', 'approveReview', async (request) => {
    await request.call('approveReview', decided(request));
    return onward(request, 'approve');
  }),
  form('reject', 'rejectReview', async (request) => {
    await request.call('rejectReview', decided(request));
    return onward(request, 'reject');
  }),
  form('defer', 'deferReview', async (request) => {
    const until = new Date(request.now.getTime() + DAY_MS).toISOString();
    await request.call('deferReview', { ...decided(request), until });
    return onward(request, 'defer');
  }),
  form('edit', 'editReview', async (request) => {
    const { sensitivity = '', statement = '' } = request.form;
    const kept = sensitivity === '' ? null : sensitivity;
    await request.call('editReview', { ...decided(request), statement, sensitivity: kept });
    return onward(request, 'edit');
  }),
  form('merge', 'mergeReview', async (request) => {
    const { into = '', other = '' } = request.form;
    const named = namedStatement(other === '' ? into : other);
    if (!isUuid(named)) throw invalidField('other', 'choose a statement, or give its id');
    await request
      .call('mergeReview', { ...decided(request), into: named })
      .catch((error: unknown) => {
        // The item is there, or its page would not be: it is the other one that is not.
        if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
        throw invalidField('other', 'must be a statement of a scope that you curate');
      });
    return onward(request, 'merge');
  }),
  form('undo', 'undoReview', async ({ call, params, query }) => {
    const id = idIn(params);
    await call('undoReview', { review_id: id });
    return { to: `${QUEUE_PATH}/${id}${carriedHere(query, { done: 'undone' })}` };
  }),
];
