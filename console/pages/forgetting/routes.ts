/** Requests to forget: the list, one request, and the decisions about it. */
import type { Onward, PeopleRoute, ViewerRequest } from '../../design/page.ts';
import { idIn } from '../refused.ts';
import { showRequests } from './list.ts';
import { showRequest } from './request.ts';
import { FORGETTING_PATH } from './words.ts';

const REQUEST = {
  path: `${FORGETTING_PATH}/:id`,
  access: 'people',
  calls: ['readHold'],
  show: showRequest,
} as const satisfies PeopleRoute;

/** The request in the version that the page showed. */
const decided = ({ form, params }: ViewerRequest) => ({
  hold_id: idIn(params),
  version: Number(form['version']),
});
const back = ({ params }: ViewerRequest, done: string): Onward => ({
  to: `${FORGETTING_PATH}/${idIn(params)}?done=${done}`,
});

export const FORGETTING_ROUTES: readonly PeopleRoute[] = [
  { path: FORGETTING_PATH, access: 'people', calls: ['listHolds'], show: showRequests },
  REQUEST,
  {
    path: `${REQUEST.path}/uphold`,
    access: 'people',
    calls: ['upholdHold'],
    async take(request) {
      await request.call('upholdHold', decided(request));
      return back(request, 'upheld');
    },
    again: REQUEST,
  },
  {
    path: `${REQUEST.path}/lift`,
    access: 'people',
    calls: ['liftHold'],
    async take(request) {
      await request.call('liftHold', decided(request));
      return back(request, 'lifted');
    },
    again: REQUEST,
  },
];
