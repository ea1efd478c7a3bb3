/** Circles: the list of a scope with the form for a new one, one circle, and what changes and deletes it. */
import type { Onward, PeopleRoute, ViewerRequest } from '../../design/page.ts';
import { idIn } from '../refused.ts';
import { keysOf } from '../typed-keys.ts';
import { showCircle } from './circle.ts';
import { showCircles } from './list.ts';
import { CIRCLES_PATH } from './words.ts';

const LIST = {
  path: CIRCLES_PATH,
  access: 'people',
  calls: ['listReadableScopes', 'listCircles'],
  show: showCircles,
} as const satisfies PeopleRoute;

const CIRCLE = {
  path: `${CIRCLES_PATH}/:id`,
  access: 'people',
  calls: ['readCircle'],
  show: showCircle,
} as const satisfies PeopleRoute;

/** Changes the members of the circle of the address, and leads back to it. */
async function changed(
  { call, params }: ViewerRequest,
  change: { readonly add: readonly string[] } | { readonly remove: readonly string[] },
  done: 'added' | 'removed',
): Promise<Onward> {
  const { id, name, scope_path } = await call('readCircle', { circle_id: idIn(params) });
  const after = await call('putCircle', { scope_path, name, ...change });
  return { to: `${CIRCLES_PATH}/${id}?done=${after.changed ? done : 'unchanged'}` };
}

export const CIRCLE_ROUTES: readonly PeopleRoute[] = [
  LIST,
  {
    path: `${CIRCLES_PATH}/create`,
    access: 'people',
    calls: ['putCircle'],
    async take({ call, form }) {
      const { id } = await call('putCircle', {
        scope_path: form['scope_path'],
        name: form['name'],
        members: keysOf(form['members'] ?? ''),
        only_new: true,
      });
      return { to: `${CIRCLES_PATH}/${id}?done=created` };
    },
    again: LIST,
  },
  CIRCLE,
  {
    path: `${CIRCLE.path}/add`,
    access: 'people',
    calls: ['readCircle', 'putCircle'],
    take: (request) => changed(request, { add: keysOf(request.form['add'] ?? '') }, 'added'),
    again: CIRCLE,
  },
  {
    path: `${CIRCLE.path}/remove`,
    access: 'people',
    calls: ['readCircle', 'putCircle'],
    take: (request) => changed(request, { remove: [request.form['peer'] ?? ''] }, 'removed'),
    again: CIRCLE,
  },
  {
    path: `${CIRCLE.path}/delete`,
    access: 'people',
    calls: ['readCircle', 'deleteCircle'],
    async take({ call, params }) {
      const { name, scope_path } = await call('readCircle', { circle_id: idIn(params) });
      await call('deleteCircle', { scope_path, name });
      const scope = new URLSearchParams({ scope: scope_path, done: 'deleted' });
      return { to: `${CIRCLES_PATH}?${scope.toString()}` };
    },
    again: CIRCLE,
  },
];
