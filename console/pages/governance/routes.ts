/** The queue, its items, and the forms that decide them. */
import type { OperationName } from '../../../operations/registry.ts';
import type { Onward, ViewerRequest, PeopleRoute } from '../../page.ts';
import { idIn } from '../refused.ts';
import { showItem } from './item.ts';
import { QUEUE_PATH, showQueue } from './queue.ts';

const DAY_MS = 86_400_000;

const toQueue = (done: string): Onward => ({ to: `${QUEUE_PATH}?done=${done}` });

const ITEM = {
  path: `${QUEUE_PATH}/:id`,
  access: 'people',
  calls: ['readReview'],
  show: showItem,
} as const satisfies PeopleRoute;

function form(
  name: string,
  operation: OperationName,
  take: (request: ViewerRequest) => Promise<Onward>,
): PeopleRoute {
  return { path: `${ITEM.path}/${name}`, access: 'people', calls: [operation], take, again: ITEM };
}

/** The item in the version that the page showed. */
function decided({ form: sent, params }: ViewerRequest) {
  return { review_id: idIn(params), version: Number(sent['version']) };
}

export const GOVERNANCE_ROUTES: readonly PeopleRoute[] = [
  { path: QUEUE_PATH, access: 'people', calls: ['listReviews'], show: showQueue },
  ITEM,
  form('approve', 'approveReview', async (request) => {
    await request.call('approveReview', decided(request));
    return toQueue('approved');
  }),
  form('reject', 'rejectReview', async (request) => {
    await request.call('rejectReview', decided(request));
    return toQueue('rejected');
  }),
  form('defer', 'deferReview', async (request) => {
    const until = new Date(request.now.getTime() + DAY_MS).toISOString();
    await request.call('deferReview', { ...decided(request), until });
    return toQueue('deferred');
  }),
  form('edit', 'editReview', async (request) => {
    const { sensitivity = '', statement = '' } = request.form;
    const kept = sensitivity === '' ? null : sensitivity;
    await request.call('editReview', { ...decided(request), statement, sensitivity: kept });
    return toQueue('edited');
  }),
];
