/** The question that a clause answers, where it tells what the clause is about. */
import type { Assertion, PlacedAssertion } from './assertion.ts';
import { withoutEnding } from '../../domain/text/ending.ts';
import type { ClausePlace, Context, QuestionBefore } from './context.ts';
import type { Judged } from './judged.ts';
import type { Unclear } from './referents/pronouns.ts';

/** The statement with the question that explains it. Its mark is left out: the statement asks nothing. */
export function askedBehind(
  statement: string,
  { id, question }: QuestionBefore,
): Pick<Assertion, 'statement' | 'alsoFrom' | 'isCleared'> {
  const asked = withoutEnding(question, /[?!.\s]/u);
  return {
    statement: `${withoutEnding(statement, /[.!…]/u)} [asked: "${asked}"]`,
    alsoFrom: id,
    isCleared: true,
  };
}

/** Whether what the question names may be what the pronoun stands for. "They" is not the festival. */
function fits({ kind }: Unclear, { isOfShown, mentions }: QuestionBefore): boolean {
  const isPerson = kind === 'woman' || kind === 'man';
  if (isPerson)
    return mentions.some(({ kinds }) => kinds.includes('woman') || kinds.includes('man'));
  const isOther = kind === 'people' && isOfShown;
  return mentions.some(({ kinds }) => !isOther || kinds.includes(kind));
}

/** The first assertion of an answer, with the question when that names something that the pronouns may stand for. */
export function withQuestion(
  own: PlacedAssertion,
  { unclear }: Judged,
  { context, last }: ClausePlace,
): PlacedAssertion | null {
  const asked = last === null ? context.asked() : null;
  if (asked === null || asked.mentions.length === 0) return null;
  const persons = unclear.filter(({ kind }) => kind === 'woman' || kind === 'man');
  const explains = (persons.length > 0 ? persons : unclear).some((pronoun) => fits(pronoun, asked));
  return explains ? { ...own, ...askedBehind(own.statement, asked) } : null;
}

/** A short answer, with the question that it answers. */
export function withItsQuestion(own: PlacedAssertion, context: Context): PlacedAssertion | null {
  const asked = context.asked();
  return asked === null ? null : { ...own, ...askedBehind(own.statement, asked) };
}
