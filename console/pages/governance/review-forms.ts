/** What a curator decides about one item. Each form names the version that was seen, and who reads the statement then. */
import { audienceAfterRejection } from '../../../domain/governance/audience.ts';
import type { QuestionKind } from '../../../domain/governance/desk.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { readersChange, type About } from '../../design/audience.ts';
import { action, choice, csrfField, field, told } from '../../design/forms.ts';
import { attributes, html, NOTHING, type Markup } from '../../design/markup.ts';
import { questionIn, SENSITIVITY_WORDS, type AskedItem } from '../../design/words.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { QUEUE_PATH } from './asked.ts';

type Review = OutputOf<'readReview'>;

const APPROVE_WORDS: Readonly<Record<QuestionKind, string>> = {
  gate_a_b: 'Approve',
  gate_b: 'Share it more widely',
  revalidation: 'It is still true',
  contest: 'It is true after all',
  conflict: 'This one is true',
  sensitivity: 'It is more private',
};
const REJECT_WORDS: Readonly<Record<QuestionKind, string>> = {
  gate_a_b: 'Reject',
  gate_b: 'Do not share it',
  revalidation: 'It is no longer true',
  contest: 'It is wrong',
  conflict: 'This one is wrong',
  sensitivity: 'Leave it as it is',
};

/** The words of the two answers to an item. */
export function answerWords(item: AskedItem): {
  readonly approve: string;
  readonly reject: string;
} {
  const question = questionIn(item);
  return { approve: APPROVE_WORDS[question], reject: REJECT_WORDS[question] };
}

/** Whom it is about, as the item says it. */
export function aboutOfItem({ knowledge, subject }: Pick<Review, 'knowledge' | 'subject'>): About {
  if (subject !== null) return subject;
  return knowledge.subject_peer_id === null ? null : 'somebody';
}

/** Choices of how private a statement is, for a form that rewords it. */
export const SENSITIVITIES = Object.entries(SENSITIVITY_WORDS).map(([value, name]) => ({
  value,
  name,
}));

function editForm(request: ViewerRequest, review: Review, way: string): Markup {
  const { csrf, form, path, problem } = request;
  const to = `${QUEUE_PATH}/${review.id}/edit`;
  const isSent = path === to;
  const sent = isSent ? form : {};
  // Whoever contests it may have said how it should read.
  const proposed = review.words?.correction ?? review.knowledge.statement ?? '';
  return html`<details ${attributes({ open: isSent })}>
    <summary class="button quiet" data-key="e">Reword it</summary>
    <form method="post" action="${to}${way}">
      ${csrfField(csrf)}
      <input type="hidden" name="version" value="${review.version}" />
      ${field({ name: 'statement', label: 'New wording', rows: 3, isRequired: true, value: sent['statement'] ?? proposed, hint: 'The whole statement, in the third person.' }, isSent ? problem : null, review.id)}
      ${choice({ name: 'sensitivity', label: 'How private it is', chosen: sent['sensitivity'] ?? review.knowledge.sensitivity }, SENSITIVITIES, review.id)}
      <button class="quiet told" type="submit">
        ${told('Propose the new wording', 'a new statement with the same sources, which a curator then approves')}
      </button>
    </form>
  </details>`;
}

/** The buttons and forms of an item that is open. `way` is the query that leads on to the next one, `more` stands beside
 * them. */
export function reviewForms(
  request: ViewerRequest,
  review: Review,
  way: string,
  more: Markup,
): Markup {
  const { csrf } = request;
  const to = `${QUEUE_PATH}/${review.id}`;
  const hidden = { version: review.version };
  const about = aboutOfItem(review);
  const { after, before } = review.audience;
  const words = answerWords(review);
  const approve = {
    to: `${to}/approve${way}`,
    label: words.approve,
    after: readersChange(after, before, about),
  };
  const reject = {
    to: `${to}/reject${way}`,
    label: words.reject,
    after: readersChange(audienceAfterRejection(review), before, about),
  };
  const defer = {
    to: `${to}/defer${way}`,
    label: 'Defer until tomorrow',
    after: 'it stays as it is until then',
  };
  return html`<div class="answers">
    ${action({ ...approve, csrf, hidden, key: 'a' })}
    ${action({ ...reject, csrf, hidden, kind: 'danger', key: 'r' })}
    ${review.kind === 'contest' ? NOTHING : action({ ...defer, csrf, hidden, kind: 'quiet', key: 'd' })}
    ${editForm(request, review, way)} ${more}
  </div>`;
}
