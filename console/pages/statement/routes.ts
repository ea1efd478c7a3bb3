/** The page of a statement, and its forms: each calls one operation and leads back to the page. */
import type { OperationName } from '../../../operations/registry.ts';
import { formsOf } from '../../form-routes.ts';
import type { Onward, PeopleRoute, ViewerRequest } from '../../design/page.ts';
import { QUEUE_PATH } from '../governance/asked.ts';
import { undoSeconds } from '../governance/undo.ts';
import { wordsOf } from '../own-answers.ts';
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

const DAY_MS = 86_400_000;

/**
 * The form of a decision about an item, in the version that the page showed. It leads to the item, where the decision can be
 * taken back. `more` are further fields of the operation.
 */
function decision(
  word: string,
  operation: OperationName,
  more: (request: ViewerRequest) => Readonly<Record<string, unknown>> = () => ({}),
): PeopleRoute {
  return form(word, operation, async (request) => {
    const { call, form: sent, params } = request;
    // Before anything is decided: an address that names nothing is answered with 404, and then nothing may have changed.
    idIn(params);
    const id = idIn(sent, 'review');
    const undo_seconds = undoSeconds(request);
    const item = { review_id: id, version: Number(sent['version']), undo_seconds };
    await call(operation, { ...item, ...more(request) });
    return { to: `${QUEUE_PATH}/${id}?did=${word}&item=${id}` };
  });
}

export const STATEMENT_ROUTES: readonly PeopleRoute[] = [
  PAGE,
  form('confirm', 'confirmOwnKnowledge', async ({ call, params }) => {
    const id = idIn(params);
    await call('confirmOwnKnowledge', { knowledge_id: id });
    return pageOf(id, 'confirmed');
  }),
  form('contest', 'contestOwnKnowledge', async ({ call, form: sent, params }) => {
    const id = idIn(params);
    await call('contestOwnKnowledge', { knowledge_id: id, ...wordsOf(sent) });
    return pageOf(id, 'contested');
  }),
  form('redact', 'redactOwnKnowledge', async ({ call, params }) => {
    await call('redactOwnKnowledge', { knowledge_id: idIn(params) });
    return { to: '/console/me?done=redacted' };
  }),
  form('withdraw', 'withdrawOwnWord', async ({ call, params }) => {
    const id = idIn(params);
    await call('withdrawOwnWord', { knowledge_id: id });
    return pageOf(id, 'withdrawn');
  }),
  form('reopen', 'openReview', async ({ call, form: sent, params }) => {
    const { review } = await call('openReview', {
      knowledge_id: idIn(params),
      reason: sent['reason'] ?? '',
      withhold: sent['withhold'] === '1',
    });
    return { to: `${QUEUE_PATH}/${review.id}?done=asked` };
  }),
  form('promote', 'promoteKnowledge', async ({ call, form: sent, params }) => {
    const id = idIn(params);
    const target = sent['target_scope_path'] ?? '';
    await call('promoteKnowledge', { knowledge_id: id, target_scope_path: target });
    return pageOf(id, 'promoted');
  }),
  decision('approve', 'approveReview'),
  decision('reject', 'rejectReview'),
  decision('defer', 'deferReview', ({ now }) => ({
    until: new Date(now.getTime() + DAY_MS).toISOString(),
  })),
  decision('edit', 'editReview', ({ form: sent }) => ({
    statement: sent['statement'] ?? '',
    sensitivity: sent['sensitivity'] === '' ? null : (sent['sensitivity'] ?? null),
  })),
];
