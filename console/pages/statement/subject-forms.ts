/** The buttons of the subject of a statement, and who would see the statement after each. */
import { audienceOf } from '../../../domain/governance/audience.ts';
import {
  SUBJECT_ACTIONS,
  SUBJECT_TABLES,
  type RulingEffect,
  type SubjectAction,
} from '../../../domain/governance/desk.ts';
import type { KnowledgeState } from '../../../domain/statements/states.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { action } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { AUDIENCE_SENTENCES } from '../../design/words.ts';
import type { ViewerRequest } from '../../design/page.ts';

type Statement = OutputOf<'readStatement'>;
type Knowledge = Statement['knowledge'];

const WORDS: Readonly<Record<SubjectAction, { label: string; means: string }>> = {
  confirm: {
    label: 'Confirm it',
    means: 'You confirm that it is true. You can contest or withdraw it later.',
  },
  contest: {
    label: 'Contest it',
    means:
      'A curator decides within 24 hours whether it is wrong. To take the contest back before that, confirm it.',
  },
  redact: {
    label: 'Withdraw it',
    means: 'You withdraw it at once. No curator reviews this, and nobody can undo it.',
  },
};

/** The state that the ruling leads to; null where that depends on what was before. */
const LEADS_TO: Readonly<Partial<Record<RulingEffect, KnowledgeState>>> = {
  placed: 'active',
  kept: 'active',
  contested: 'contested',
  redacted: 'redacted',
};

function seenBy(effect: RulingEffect, knowledge: Knowledge): string {
  const state = LEADS_TO[effect];
  if (state === undefined) return '';
  const {
    has_audience: hasAudience,
    sensitivity,
    subject_peer_id: subject,
    target_level,
  } = knowledge;
  const level = effect === 'placed' ? 'peer' : target_level;
  const isAboutPeer = subject !== null;
  const readers = audienceOf({ state, sensitivity, level, isAboutPeer, hasAudience });
  return ` ${AUDIENCE_SENTENCES[readers]}`;
}

/** The buttons of the person whom the statement is about. */
export function subjectForms({ csrf }: ViewerRequest, statement: Statement): Markup {
  const { is_subject: isSubject, knowledge } = statement;
  const possible = SUBJECT_ACTIONS.flatMap((word) => {
    const effect = SUBJECT_TABLES[word][knowledge.state];
    return effect === undefined || effect === 'same' ? [] : [{ word, effect }];
  });
  if (!isSubject || possible.length === 0) return NOTHING;
  return html`<section class="sheet" aria-labelledby="word">
    <h2 id="word">It is about you</h2>
    ${possible.map(
      ({ effect, word }) =>
        html`<p class="hint">${WORDS[word].means}${seenBy(effect, knowledge)}</p>
          ${action({ to: `/console/knowledge/${knowledge.id}/${word}`, csrf, label: WORDS[word].label, kind: word === 'redact' ? 'danger' : word === 'confirm' ? 'usual' : 'quiet' })}`,
    )}
  </section>`;
}
