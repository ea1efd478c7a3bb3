/** How often the viewer wants to be asked by agents that read for the viewer. */
import { MOST_PER_DAY, MOST_PER_SESSION } from '../../../domain/questions/words.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { timeOf } from '../../design/elements.ts';
import { choice, csrfField, type Choice } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { ME_PATH } from './path.ts';

type Preference = OutputOf<'listOwnQuestions'>['preference'];

const PAUSES: readonly Choice[] = [
  { value: '', name: 'As it is' },
  { value: '0', name: 'No pause' },
  { value: '24', name: 'A day' },
  { value: '168', name: 'A week' },
  { value: '720', name: '30 days' },
];

const upTo = (most: number): readonly Choice[] =>
  Array.from({ length: most + 1 }, (_, count) => ({ value: String(count), name: String(count) }));

/** The input of the operation that the form asks for: what it leaves as it is, is absent. */
export function wishOf(sent: ViewerRequest['form']) {
  const number = (name: string): number | null => {
    const text = sent[name] ?? '';
    return text === '' ? null : Number(text);
  };
  return {
    max_per_session: number('max_per_session'),
    max_per_day: number('max_per_day'),
    pause_for_hours: number('pause_for_hours'),
  };
}

/** The form, with how it stands now. */
export function preferenceForm({ csrf, now }: ViewerRequest, preference: Preference): Markup {
  const { max_per_day: day, max_per_session: session, paused_until: until } = preference;
  const isPaused = until !== null && new Date(until) > now;
  return html`<details>
    <summary>How often the service may ask you</summary>
    <form method="post" action="${ME_PATH}/ask-preference">
      ${csrfField(csrf)}
      ${isPaused ? html`<p class="hint">No agent asks you until ${timeOf(until)}.</p>` : NOTHING}
      <div class="filters">
        ${choice({ name: 'max_per_session', label: 'In one conversation', chosen: String(session) }, upTo(MOST_PER_SESSION))}
        ${choice({ name: 'max_per_day', label: 'In a day', chosen: String(day) }, upTo(MOST_PER_DAY))}
        ${choice({ name: 'pause_for_hours', label: 'Pause for', chosen: '' }, PAUSES)}
      </div>
      <button class="quiet" type="submit">Save how often to ask me</button>
    </form>
  </details>`;
}
