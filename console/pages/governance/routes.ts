/** The queue, its items, and the forms that decide them. */
import { invalidField, Refusal } from '../../../domain/errors.ts';
import { formsOf } from '../../form-routes.ts';
import type { Onward, ViewerRequest, PeopleRoute } from '../../design/page.ts';
import { isUuid } from '../../../domain/workflow-history/safe-text.ts';
import { idIn } from '../refused.ts';
import { carried, QUEUE_PATH } from './asked.ts';
import { takeBulk } from './bulk.ts';
import { showItem } from './item.ts';
import { namedStatement } from './merge.ts';
import { showQueue } from './queue.ts';

const DAY_MS = 86_400_000;

/** To the queue, or to the item that was to follow: with the filters that the viewer came with. */
function onward({ query }: ViewerRequest, done: string): Onward {
  const next = query.get('onto') ?? '';
  const to = isUuid(next) ? `${QUEUE_PATH}/${next}` : QUEUE_PATH;
  return { to: `${to}${carried(query, isUuid(next) ? { done, walk: '1' } : { done })}` };
}

const QUEUE = {
  path: QUEUE_PATH,
  access: 'people',
  calls: ['listReviews', 'readOutcomes'],
  show: showQueue,
} as const satisfies PeopleRoute;

const ITEM = {
  path: `${QUEUE_PATH}/:id`,
  access: 'people',
  calls: ['readReview', 'listReviews', 'search'],
  show: showItem,
} as const satisfies PeopleRoute;

const form = formsOf(ITEM.path, ITEM);

/** The item in the version that the page showed. */
function decided({ form: sent, params }: ViewerRequest) {
  return { review_id: idIn(params), version: Number(sent['version']) };
}

export const GOVERNANCE_ROUTES: readonly PeopleRoute[] = [
  QUEUE,
  {
    path: `${QUEUE_PATH}/bulk`,
    access: 'people',
    calls: ['decideReviews'],
    take: takeBulk,
    again: QUEUE,
  },
  ITEM,
  form('approve', 'approveReview', async (request) => {
    await request.call('approveReview', decided(request));
    return onward(request, 'approved');
  }),
  form('reject', 'rejectReview', async (request) => {
    await request.call('rejectReview', decided(request));
    return onward(request, 'rejected');
  }),
  form('defer', 'deferReview', async (request) => {
    const until = new Date(request.now.getTime() + DAY_MS).toISOString();
    await request.call('deferReview', { ...decided(request), until });
    return onward(request, 'deferred');
  }),
  form('edit', 'editReview', async (request) => {
    const { sensitivity = '', statement = '' } = request.form;
    const kept = sensitivity === '' ? null : sensitivity;
    await request.call('editReview', { ...decided(request), statement, sensitivity: kept });
    return onward(request, 'edited');
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
    return onward(request, 'merged');
  }),
];
