/** A decision that was to be carried out and was not: whose it was, and why. */
import type { DecisionAction, VoidReason } from '../../../domain/governance/decisions.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { timeOf } from '../../design/elements.ts';
import { html, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';

type Voided = NonNullable<OutputOf<'readReview'>['voided']>;

const REASONS: Readonly<Record<VoidReason, string>> = {
  item_ended: 'the question was settled in the meantime',
  item_changed: 'the statement or the question changed in the meantime',
  role_lost: 'whoever decided may no longer decide here',
  deadline_passed: 'the time for it was over',
  not_possible: 'it is no longer possible',
};

const ACTIONS: Readonly<Record<DecisionAction, string>> = {
  approve: 'approve it',
  reject: 'reject it',
  defer: 'defer it',
  edit: 'reword it',
  merge: 'merge it',
};

export function voidedWords(
  { action, at, decided_by: by, reason }: Voided,
  { viewer }: ViewerRequest,
): Markup {
  const who = by.key === viewer.caller.peerKey ? html`You` : written(by.name);
  return html`<p>
    ${who} decided to ${ACTIONS[action]}. This was not carried out, because ${REASONS[reason]}
    (${timeOf(at)}). So it waits for a decision again.
  </p>`;
}
