/**
 * Makes an assertion clear that leans on what stands around it. It joins the assertion right before it, in the speaker's own
 * words, which no reading of "it" can make false. Else a pronoun of which one thing or person alone can be meant gets it in
 * brackets; or the clause joins the sentence before it, or takes along the question that it answers or the picture that it
 * shows. Where nothing helps it is left out.
 */
import { withItsQuestion, withQuestion } from './asked.ts';
import type { Clause, PlacedAssertion } from './assertion.ts';
import { bracketed } from './brackets.ts';
import type { ClausePlace } from './context.ts';
import { joined } from './joined.ts';
import { judged, type Judged } from './judged.ts';
import { led } from './lead.ts';
import { shown, withOwnPicture, withPicture, withShown } from './pictured.ts';
import type { Voice } from './voice.ts';

function placed(clause: Clause, judgement: Judged, statement: string): PlacedAssertion {
  return {
    start: clause.start,
    end: clause.end,
    span: clause.text,
    dated: clause.text,
    statement,
    subjectRef: judgement.subjectRef,
    rule: judgement.rule,
    alsoFrom: null,
    isCleared: false,
  };
}

/** The clause with what its pronouns refer to in brackets, where that is certain. */
function named(judgement: Judged, clause: Clause, place: ClausePlace): PlacedAssertion | null {
  const clear = bracketed(judgement, place);
  const statement =
    clear === null ? null : judgement.tell(clear.text, place.content.slice(0, clause.end));
  if (clear === null || statement === null) return null;
  const start = Math.min(clear.start, clause.start);
  const span = place.content.slice(start, clause.end);
  const own = placed(clause, judgement, statement);
  return { ...own, start, span, alsoFrom: clear.id, isCleared: true };
}

export interface FoundAssertion {
  readonly assertion: PlacedAssertion;
  /** It takes the place of the one before. */
  readonly replaces: boolean;
}

/** The assertion with what makes it clear; null where nothing does. */
function cleared(
  own: PlacedAssertion,
  judgement: Judged,
  clause: Clause,
  place: ClausePlace,
  speaker: Voice,
): PlacedAssertion | null {
  return (
    named(judgement, clause, place) ??
    shown(own, clause, place) ??
    led(own, judgement, clause, place, speaker) ??
    withQuestion(own, judgement, place) ??
    withPicture(own, judgement, place) ??
    withOwnPicture(own, judgement, place)
  );
}

const found = (assertion: PlacedAssertion | null): FoundAssertion | null =>
  assertion === null ? null : { assertion, replaces: false };

/** The assertion of the clause; null when it is not worth one, or when nothing makes it clear. */
export function assertionOf(
  clause: Clause,
  place: ClausePlace,
  speaker: Voice,
): FoundAssertion | null {
  const judgement = judged(clause.text, clause.sentence, speaker);
  const statement = judgement?.tell(judgement.body, place.content.slice(0, clause.end)) ?? null;
  if (judgement === null || statement === null) return null;
  const own = placed(clause, judgement, statement);
  if (judgement.isShown) return found(withShown(own, place.context));
  if (judgement.isElliptic) return found(withItsQuestion(own, place.context));
  if (judgement.unclear.length === 0) return found(own);
  const merged = place.last === null ? null : joined(place.last, clause, statement, place.content);
  if (merged !== null) return { assertion: merged, replaces: true };
  return found(cleared(own, judgement, clause, place, speaker));
}
