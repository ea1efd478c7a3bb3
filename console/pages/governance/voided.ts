/** A decision that was to be carried out and was not: whose it was, and why. */
import type { OutputOf } from '../../../operations/registry.ts';
import { timeOf } from '../../design/elements.ts';
import { html, written, type Markup } from '../../design/markup.ts';
import { wordFor } from '../../design/words.ts';
import type { ViewerRequest } from '../../design/page.ts';

type Voided = NonNullable<OutputOf<'readReview'>['voided']>;

const REASONS: Readonly<Record<string, string>> = {
  item_ended: 'the question was settled in the meantime',
  item_changed: 'the statement or the question changed in the meantime',
  role_lost: 'whoever decided may no longer decide here',
  deadline_passed: 'the time for it was over',
  not_possible: 'it is no longer possible',
};

/** By the action of a decision. */
const ACTIONS: Readonly<Record<string, string>> = {
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
    ${who} decided to ${wordFor(ACTIONS, action)}. This was not carried out, because
    ${wordFor(REASONS, reason)} (${timeOf(at)}). So it waits for a decision again.
  </p>`;
}
