/** A requirement of a skill card in words. */
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { plainCode } from '../../design/words.ts';

export const SKILLS_PATH = '/console/skills';

type Requirement = OutputOf<'readSkillCard'>['requirements'][number];
type SelectorOutput = Requirement['selector'];

export const LEVEL_NAMES = { required: 'required', preferred: 'preferred' } as const;
export const POLICY_WORDS = {
  'from-memory': 'from what is known',
  'ask-peer': 'only from the person',
  either: 'known, or asked for',
} as const;

const DAY = 86_400;

/** How old an answer may be. */
export function freshnessWords(freshness: Requirement['freshness']): string {
  if (freshness === null) return 'of any age';
  const seconds = freshness.revalidated_within_seconds;
  if (seconds === DAY) return 'at most a day old';
  return seconds % DAY === 0 ? `at most ${seconds / DAY} days old` : `at most ${seconds} s old`;
}

/** What satisfies it: each member that asks something, by its name. */
export function selectorParts(selector: SelectorOutput): readonly string[] {
  return Object.entries(selector).flatMap(([name, asked]) => {
    if (asked === null || asked === 'either') return [];
    if (Array.isArray(asked)) {
      return asked.length === 0 ? [] : [`${plainCode(name)}: ${asked.join(', ')}`];
    }
    return [`${plainCode(name)}: ${String(asked)}`];
  });
}

/** What a requirement asks, without its key. */
export function requirementWords(of: Omit<Requirement, 'key' | 'prompt' | 'enabled'>): Markup {
  const parts = selectorParts(of.selector);
  return html`${of.description === null ? NOTHING : html`<p>${written(of.description)}</p>`}
    <p class="meta">
      <span>${LEVEL_NAMES[of.level]}</span> <span>${POLICY_WORDS[of.source_policy]}</span>
      <span>${freshnessWords(of.freshness)}</span>
      ${parts.length === 0 ? html`<span>any statement</span>` : parts.map((part) => html`<span>${written(part)}</span>`)}
    </p>`;
}
