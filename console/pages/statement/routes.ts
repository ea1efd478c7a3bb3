/** The page of a statement, and its forms: each calls one operation and leads back to the page. */
import { formsOf } from '../../form-routes.ts';
import type { Onward, PeopleRoute } from '../../page.ts';
import { idIn } from '../refused.ts';
import { showStatement, STATEMENT_PATH } from './page.ts';

const pageOf = (id: string, done: string): Onward => ({
  to: `/console/knowledge/${id}?done=${done}`,
});

const PAGE = {
  path: STATEMENT_PATH,
  access: 'people',
  calls: ['readStatement', 'readLineage'],
  show: showStatement,
} as const satisfies PeopleRoute;

const form = formsOf(STATEMENT_PATH, PAGE);

export const STATEMENT_ROUTES: readonly PeopleRoute[] = [
  PAGE,
  form('confirm', 'confirmOwnKnowledge', async ({ call, params }) => {
    const id = idIn(params);
    await call('confirmOwnKnowledge', { knowledge_id: id });
    return pageOf(id, 'confirmed');
  }),
  form('contest', 'contestOwnKnowledge', async ({ call, params }) => {
    const id = idIn(params);
    await call('contestOwnKnowledge', { knowledge_id: id });
    return pageOf(id, 'contested');
  }),
  form('redact', 'redactOwnKnowledge', async ({ call, params }) => {
    await call('redactOwnKnowledge', { knowledge_id: idIn(params) });
    return { to: '/console/me?done=redacted' };
  }),
  form('promote', 'promoteKnowledge', async ({ call, form: sent, params }) => {
    const id = idIn(params);
    const target = sent['target_scope_path'] ?? '';
    await call('promoteKnowledge', { knowledge_id: id, target_scope_path: target });
    return pageOf(id, 'promoted');
  }),
];
