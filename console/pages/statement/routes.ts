/** The page of a statement, and its forms: each calls one operation and leads back to the page. */
import type { Onward, PageOfViewer, PeopleRoute } from '../../page.ts';
import { idIn } from '../refused.ts';
import { showStatement, STATEMENT_PATH } from './page.ts';

const DAY_MS = 86_400_000;

const pageOf = (id: string, done: string): Onward => ({
  to: `/console/knowledge/${id}?done=${done}`,
});

function form(name: string, take: (request: PageOfViewer) => Promise<Onward>): PeopleRoute {
  return { path: `${STATEMENT_PATH}/${name}`, access: 'people', take, again: showStatement };
}

/** The item that a decision is about, in the version that the page showed. */
function decided({ form: sent, params }: PageOfViewer) {
  return { review_id: idIn(params, 'review'), version: Number(sent['version']) };
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
  form('reviews/:review/approve', async (request) => {
    await request.call('approveReview', decided(request));
    return pageOf(idIn(request.params), 'approved');
  }),
  form('reviews/:review/reject', async (request) => {
    await request.call('rejectReview', decided(request));
    return pageOf(idIn(request.params), 'rejected');
  }),
  form('reviews/:review/defer', async (request) => {
    const until = new Date(request.now.getTime() + DAY_MS).toISOString();
    await request.call('deferReview', { ...decided(request), until });
    return pageOf(idIn(request.params), 'deferred');
  }),
  form('reviews/:review/edit', async (request) => {
    const { sensitivity, statement = '' } = request.form;
    const edited = await request.call('editReview', {
      ...decided(request),
      statement,
      sensitivity: sensitivity === '' ? null : sensitivity,
    });
    return pageOf(edited.knowledge.id, 'edited');
  }),
];
