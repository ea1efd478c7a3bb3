/** The page of a statement, and its forms: each calls one operation and leads back to the page. */
import { Refusal } from '../../../domain/errors.ts';
import type { OperationName } from '../../../operations/registry.ts';
import { formsOf } from '../../form-routes.ts';
import type { Onward, PeopleRoute, ViewerRequest } from '../../design/page.ts';
import { QUEUE_PATH } from '../governance/asked.ts';
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

/** Back to the statement, or to the queue where the decision has left the statement to others. */
async function afterDecision({ call }: ViewerRequest, id: string, done: string): Promise<Onward> {
  try {
    await call('readStatement', { knowledge_id: id });
    return pageOf(id, done);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
    return { to: `${QUEUE_PATH}?done=${done}` };
  }
}

/** The form of a decision about an item, in the version that the page showed. `more` are further fields of the operation. */
function decision(
  word: string,
  operation: OperationName,
  done: string,
  more: (request: ViewerRequest) => Readonly<Record<string, unknown>> = () => ({}),
): PeopleRoute {
  const take = async (request: ViewerRequest): Promise<Onward> => {
    const { call, form: sent, params } = request;
    // Before anything is decided: an address that names nothing is answered with 404, and then nothing may have changed.
    const id = idIn(params);
    const item = { review_id: idIn(sent, 'review'), version: Number(sent['version']) };
    await call(operation, { ...item, ...more(request) });
    return afterDecision(request, id, done);
  };
  return { ...form(word, operation, take), calls: [operation, 'readStatement'] };
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
  form('promote', 'promoteKnowledge', async ({ call, form: sent, params }) => {
    const id = idIn(params);
    const target = sent['target_scope_path'] ?? '';
    await call('promoteKnowledge', { knowledge_id: id, target_scope_path: target });
    return pageOf(id, 'promoted');
  }),
  decision('approve', 'approveReview', 'approved'),
  decision('reject', 'rejectReview', 'rejected'),
  decision('defer', 'deferReview', 'deferred', ({ now }) => ({
    until: new Date(now.getTime() + DAY_MS).toISOString(),
  })),
  decision('edit', 'editReview', 'edited', ({ form: sent }) => ({
    statement: sent['statement'] ?? '',
    sensitivity: sent['sensitivity'] === '' ? null : (sent['sensitivity'] ?? null),
  })),
];
