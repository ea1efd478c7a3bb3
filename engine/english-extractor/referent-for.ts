/** What a pronoun stands for, by the sentences before it and the messages before it; nothing where that is not certain. */
import type { Earlier, Context, OwnBefore, QuestionBefore } from './context.ts';
import { referentOf, type ReferentKind } from './referents/mentions.ts';

export interface Referent {
  readonly text: string;
  /** Where the sentence begins that names it, if it stands in the same message. */
  readonly start: number | null;
  /** The other message that names it. */
  readonly id: string | null;
}

/** The question means by "they" whom its listener has named. */
const THEM = /\b(?:they|them|their)\b/iu;

/** The question means by "it" the title that its listener has named. */
const ASKS_OF_IT = /\bit\b/iu;

function titleFor(
  earlier: readonly Earlier[],
  asked: QuestionBefore | null,
  own: OwnBefore | null,
): Referent | null {
  const isOfIt = asked !== null && asked.mentions.length === 0 && ASKS_OF_IT.test(asked.question);
  const isFirst = earlier.every(({ mentions }) => mentions().length === 0);
  if (!isOfIt || !isFirst || own === null || own.title === null) return null;
  return { text: own.title, start: null, id: own.id };
}

/**
 * The one thing that the pronoun can stand for: the nearest sentence that names any that fits must name one alone. A person
 * or persons may be those that the speaker named in the message before.
 */
export function referentFor(
  kind: ReferentKind,
  earlier: readonly Earlier[],
  { asked, own }: Context,
): Referent | null {
  const nearest = earlier.findLast(({ mentions }) =>
    mentions().some(({ kinds }) => kinds.includes(kind)),
  );
  const text = nearest === undefined ? null : referentOf(kind, nearest.mentions());
  if (nearest !== undefined) return text === null ? null : { text, start: nearest.start, id: null };
  if (kind === 'thing' || kind === 'event') return titleFor(earlier, asked(), own());
  return personFor(kind, asked(), own());
}

/** The one person whom the message before names; several only where the question means them. */
function personFor(
  kind: ReferentKind,
  asked: QuestionBefore | null,
  own: OwnBefore | null,
): Referent | null {
  const areMeant = kind === 'people' && THEM.test(asked?.question ?? '');
  if (own === null || (kind !== 'man' && kind !== 'woman' && !areMeant)) return null;
  const text = referentOf(kind, own.mentions);
  return text === null ? null : { text, start: null, id: own.id };
}
