/** A decision about a statement, as an entry of a list. */
import type { OutputOf } from '../../operations/registry.ts';
import { timeOf } from '../design/elements.ts';
import { html, written, type Markup } from '../design/markup.ts';
import {
  CHANNEL_WORDS,
  DECISION_WORDS,
  GATE_WORDS,
  STATE_WORDS,
  wordFor,
} from '../design/words.ts';
import { reasonWords } from './reasons.ts';

type Decision = OutputOf<'readStatement'>['decisions'][number] &
  Partial<Pick<OutputOf<'readReview'>['decisions'][number], 'by'>>;

/** A decision of people or rules, in words. */
export function decisionEntry(one: Decision): Markup {
  return html`<li>
    <span>${wordFor(DECISION_WORDS, one.decision)}, because ${reasonWords(one.reason)}</span>
    <p class="meta">
      <span
        >${one.from_state === null ? 'new' : STATE_WORDS[one.from_state].name} →
        ${STATE_WORDS[one.to_state].name}</span
      >
      <span
        >${one.by == null ? wordFor(CHANNEL_WORDS, one.channel) : html`by ${written(one.by.name)}`}</span
      >
      <span>${wordFor(GATE_WORDS, one.gate)}</span>
      <span>${timeOf(one.decided_at)}</span>
    </p>
  </li>`;
}
