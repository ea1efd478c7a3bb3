/** The page about the viewer, and its forms. */
import { invalidField, Refusal } from '../../../domain/errors.ts';
import { formsOf } from '../../form-routes.ts';
import type { PeopleRoute } from '../../design/page.ts';
import { wordsOf } from '../own-answers.ts';
import { idIn } from '../refused.ts';
import { ERASURE_ROUTE } from './erasure.ts';
import { ERASURE_WORD, showMe } from './page.ts';
import { ME_PATH } from './path.ts';
import { wishOf } from './preference.ts';

const PAGE = {
  path: ME_PATH,
  access: 'people',
  calls: ['listOwnKnowledge', 'listOwnConsents', 'listOwnQuestions'],
  show: showMe,
} as const satisfies PeopleRoute;

const form = formsOf(ME_PATH, PAGE);

function consent(word: 'grant' | 'deny', done: string): PeopleRoute {
  return form(`consents/:id/${word}`, 'decideOwnConsent', async ({ call, params }) => {
    await call('decideOwnConsent', { consent_id: idIn(params), decision: word });
    return { to: `${ME_PATH}?done=${done}#questions` };
  });
}

export const ME_ROUTES: readonly PeopleRoute[] = [
  PAGE,
  ERASURE_ROUTE,
  consent('grant', 'granted'),
  consent('deny', 'denied'),
  form('questions/yes', 'confirmOwnKnowledge', async ({ call, form: sent }) => {
    await call('confirmOwnKnowledge', { knowledge_id: idIn(sent, 'knowledge') });
    return { to: `${ME_PATH}?done=confirmed#questions` };
  }),
  form('questions/no', 'redactOwnKnowledge', async ({ call, form: sent }) => {
    await call('redactOwnKnowledge', { knowledge_id: idIn(sent, 'knowledge') });
    return { to: `${ME_PATH}?done=redacted#questions` };
  }),
  form('questions/wrong', 'contestOwnKnowledge', async ({ call, form: sent }) => {
    const id = idIn(sent, 'knowledge');
    await call('contestOwnKnowledge', { knowledge_id: id, ...wordsOf(sent) });
    return { to: `${ME_PATH}?done=contested#questions` };
  }),
  form('questions/leave', 'leaveOwnQuestion', async ({ call, form: sent }) => {
    await call('leaveOwnQuestion', { question_id: idIn(sent, 'question') });
    return { to: `${ME_PATH}?done=left#questions` };
  }),
  form('ask-preference', 'setOwnAskPreference', async ({ call, form: sent }) => {
    await call('setOwnAskPreference', wishOf(sent));
    return { to: `${ME_PATH}?done=wished#questions` };
  }),
  form('password', 'changeOwnPassword', async ({ call, form: sent }) => {
    const { new_password: next = '', old_password: old = '' } = sent;
    await call('changeOwnPassword', { old_password: old, new_password: next }).catch(
      (error: unknown) => {
        // Here it is the old password that is wrong, not the session that has ended.
        if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error;
        throw invalidField('old_password', 'is not your present password');
      },
    );
    return { to: '/sign-in?done=password', session: null };
  }),
  form('erasure', 'eraseSelf', async ({ call, form: sent }) => {
    if ((sent['confirm'] ?? '').trim() !== ERASURE_WORD) {
      throw invalidField('confirm', `must be the word “${ERASURE_WORD}”`);
    }
    const { id } = await call('eraseSelf', { mode: sent['mode'] });
    return { to: `${ME_PATH}/erasure/${id}` };
  }),
];
