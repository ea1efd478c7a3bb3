/** The page of a statement, and its forms: each calls one operation and leads back to the page. */
import type { Onward, PageOfViewer, PeopleRoute } from '../../page.ts';
import { idIn } from '../refused.ts';
import { showStatement, STATEMENT_PATH } from './page.ts';

const pageOf = (id: string, done: string): Onward => ({
  to: `/console/knowledge/${id}?done=${done}`,
});

function form(name: string, take: (request: PageOfViewer) => Promise<Onward>): PeopleRoute {
  return { path: `${STATEMENT_PATH}/${name}`, access: 'people', take, again: showStatement };
}

export const STATEMENT_ROUTES: readonly PeopleRoute[] = [
  { path: STATEMENT_PATH, access: 'people', show: showStatement },
  form('confirm', async ({ call, params }) => {
    const id = idIn(params);
    await call('confirmOwnKnowledge', { knowledge_id: id });
    return pageOf(id, 'confirmed');
  }),
  form('contest', async ({ call, params }) => {
    const id = idIn(params);
    await call('contestOwnKnowledge', { knowledge_id: id });
    return pageOf(id, 'contested');
  }),
  form('redact', async ({ call, params }) => {
    await call('redactOwnKnowledge', { knowledge_id: idIn(params) });
    return { to: '/console/me?done=redacted' };
  }),
  form('promote', async ({ call, form: sent, params }) => {
    const id = idIn(params);
    const target = sent['target_scope_path'] ?? '';
    await call('promoteKnowledge', { knowledge_id: id, target_scope_path: target });
    return pageOf(id, 'promoted');
  }),
];
