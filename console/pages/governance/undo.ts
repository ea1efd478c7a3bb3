/** A decision that waits a little before it is carried out: what it was, and the button that takes it back. */
import { LONGEST_UNDO_SECONDS } from '../../../domain/governance/decisions.ts';
import { excerptOf } from '../../../domain/text/excerpt.ts';
import { isUuid } from '../../../domain/workflow-history/safe-text.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { doneNotice, statementText } from '../../design/elements.ts';
import { action } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { wordFor } from '../../design/words.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { carriedHere, placeIn, placeWords, QUEUE_PATH, walkAt } from './asked.ts';
import { voidedWords } from './voided.ts';

type Item = OutputOf<'readOutcomes'>['items'][number];
type Peer = NonNullable<Item['scheduled']>['decided_by'];

/** Seconds in which a decision of the console can be taken back. */
const UNDO_SECONDS = 30;
/** Grapheme clusters of a statement in the notice of its decision. */
const LONGEST_TITLE = 120;

/** Seconds in which a decision can be taken back: those of the console, or fewer where the form says so. */
export function undoSeconds({ form }: Pick<ViewerRequest, 'form'>): number {
  const seconds = Number(form['undo_seconds'] ?? UNDO_SECONDS);
  const isKnown = Number.isInteger(seconds) && seconds >= 0 && seconds <= LONGEST_UNDO_SECONDS;
  return isKnown ? seconds : UNDO_SECONDS;
}

/** What was decided, by the action of a decision. */
export const DID_WORDS: Readonly<Record<string, string>> = {
  approve: 'approved',
  reject: 'rejected',
  defer: 'deferred',
  edit: 'reworded',
  merge: 'merged',
};

/** What a form has done that is no decision. */
const DONE = {
  undone: 'You took the decision back. Nothing was changed.',
  asked: 'You asked again about it. It waits here for a decision.',
} as const;

/** Who it was: `you` where it is the viewer. */
export function whoWords({ key, name }: Peer, { viewer }: ViewerRequest): Markup {
  return key === viewer.caller.peerKey ? html`you` : written(name);
}

/** The button that takes the decision back. The key presses that of the notice. */
export function undoForm(
  { csrf, query }: ViewerRequest,
  id: string,
  place: 'list' | 'notice',
): Markup {
  return action({
    to: `${QUEUE_PATH}/${id}/undo${carriedHere(query, { kind: null })}`,
    csrf,
    label: 'Undo',
    kind: 'quiet',
    ...(place === 'notice' ? { key: 'z' } : {}),
  });
}

/** When a decision is carried out, as it is while the page is made. */
function secondsLeft(due: string, { now }: ViewerRequest): string {
  const seconds = Math.ceil((Date.parse(due) - now.getTime()) / 1_000);
  return seconds > 1 ? `in ${seconds} seconds` : 'in a moment';
}

function afterwards(request: ViewerRequest, item: Item): Markup {
  if (item.scheduled !== null) {
    return html`<p>
        It is carried out ${secondsLeft(item.scheduled.due_at, request)}, unless you take it back.
      </p>
      ${undoForm(request, item.id, 'notice')}`;
  }
  if (item.voided !== null) return voidedWords(item.voided, request);
  return html`<p>It has been carried out.</p>`;
}

/** What the form before this page has decided: the words of the statement, a link to it, and the way to take it back. */
export async function decisionNotice(request: ViewerRequest): Promise<Markup> {
  const { call, query } = request;
  const [did, id] = [query.get('did') ?? '', query.get('item') ?? ''];
  if (!Object.hasOwn(DID_WORDS, did) || !isUuid(id)) return doneNotice(query, DONE);
  const { items } = await call('readOutcomes', { review_ids: [id] });
  const [item] = items;
  if (item === undefined) {
    return html`<div class="notice" role="status"><p>You ${wordFor(DID_WORDS, did)} it.</p></div>`;
  }
  const walk = placeIn(query);
  const back = walk === null ? {} : { walk: walkAt(walk, -1) };
  const { statement } = item.knowledge;
  const words = statementText(statement === null ? null : excerptOf(statement, LONGEST_TITLE));
  return html`<div class="notice decided" role="status">
    <p>
      You ${wordFor(DID_WORDS, did)}:
      <a href="${QUEUE_PATH}/${id}${carriedHere(query, { kind: null, ...back })}">${words}</a>
    </p>
    ${afterwards(request, item)}
    <p class="quiet-text">${placeWords(walk)}</p>
  </div>`;
}

/** That a decision waits to be carried out, on the page of its item. */
export function scheduledNotice(request: ViewerRequest, item: Item): Markup {
  if (item.scheduled === null) return NOTHING;
  const { action: did, decided_by: by, due_at: due } = item.scheduled;
  return html`<div class="notice decided">
    <p>
      It was ${wordFor(DID_WORDS, did)} by ${whoWords(by, request)}. This is carried out
      ${secondsLeft(due, request)}, unless a curator takes it back.
    </p>
    ${undoForm(request, item.id, 'notice')}
  </div>`;
}

/** Whether the form before this page wanted to take back what had been carried out. */
export function isLateUndo({ path, problem }: Pick<ViewerRequest, 'path' | 'problem'>): boolean {
  return problem?.code === 'conflict' && path.endsWith('/undo');
}

export const LATE_UNDO = html`<div class="summary" role="alert" tabindex="-1" id="error-summary">
  <h2>It is too late for that</h2>
  <p>
    The time in which the decision could be taken back is over. To have somebody look again, open
    the statement and ask again about it.
  </p>
</div>`;
