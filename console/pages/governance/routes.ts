/** The queue, its items, and the forms that decide them. */
import type { Onward, PageOfViewer, PeopleRoute } from '../../page.ts';
import { idIn } from '../refused.ts';
import { showItem } from './item.ts';
import { QUEUE_PATH, showQueue } from './queue.ts';

const DAY_MS = 86_400_000;

const toQueue = (done: string): Onward => ({ to: `${QUEUE_PATH}?done=${done}` });

function form(name: string, take: (request: PageOfViewer) => Promise<Onward>): PeopleRoute {
  return { path: `${QUEUE_PATH}/:id/${name}`, access: 'people', take, again: showItem };
}

/** The item in the version that the page showed. */
function decided({ form: sent, params }: PageOfViewer) {
  return { review_id: idIn(params), version: Number(sent['version']) };
}

export const GOVERNANCE_ROUTES: readonly PeopleRoute[] = [
  { path: QUEUE_PATH, access: 'people', show: showQueue },
  { path: `${QUEUE_PATH}/:id`, access: 'people', show: showItem },
  form('approve', async (request) => {
    await request.call('approveReview', decided(request));
    return toQueue('approved');
  }),
  form('reject', async (request) => {
    await request.call('rejectReview', decided(request));
    return toQueue('rejected');
  }),
  form('defer', async (request) => {
    const until = new Date(request.now.getTime() + DAY_MS).toISOString();
    await request.call('deferReview', { ...decided(request), until });
    return toQueue('deferred');
  }),
  form('edit', async (request) => {
    const { sensitivity = '', statement = '' } = request.form;
    const kept = sensitivity === '' ? null : sensitivity;
    await request.call('editReview', { ...decided(request), statement, sensitivity: kept });
    return toQueue('edited');
  }),
];
