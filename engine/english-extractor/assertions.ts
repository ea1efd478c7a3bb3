/** What a message asserts: its sentences in text order, cut into clauses, each judged, made clear and told in the third person. */
import type { ExtractionRequest } from '../../domain/statements/candidate.ts';
import { withoutEnding } from '../../domain/text/ending.ts';
import { MASK } from '../secrets/mask-word.ts';
import type { Sentence } from '../text/sentences.ts';
import { answered } from './answers.ts';
import type { Assertion, Clause, Piece, PlacedAssertion } from './assertion.ts';
import { clausesOf, statedPart } from './clauses.ts';
import { assertionOf } from './clear.ts';
import { contextOf, earlierAt, type Context, type Earlier } from './context.ts';
import { captionAfter, PICTURE_BEHIND, showsPicture, withPictureBehind } from './captions.ts';
import { continuationOf, tailOf } from './continuation.ts';
import { isProse, readsAsEnglish } from './eligible.ts';
import { factOf } from './fact.ts';
import { reports } from './frames.ts';
import { isJoiner, joined } from './joined.ts';
import { told } from './judged.ts';
import { meantSentences } from './meant.ts';
import { MAX_SENTENCE, MIN_SENTENCE } from './sentence-bounds.ts';
import { voiceOf, type Voice } from './voice.ts';

/** Sentences before one that its pronouns may lean on. */
const REACH = 2;

/** The clauses, of which a report and all that comes behind it stay one: "My aunt says I live in Ulm and I work there". */
function withWholeReport(sentence: string, clauses: readonly string[]): readonly string[] {
  const report = reports(sentence) ? clauses.findIndex(reports) : -1;
  const start = report === -1 ? -1 : sentence.indexOf(clauses[report] ?? '');
  return start === -1 ? clauses : [...clauses.slice(0, report), sentence.slice(start)];
}

/** The clauses of what a sentence states, where they stand in the message. */
function clausesIn({ start, text }: Sentence): readonly Clause[] {
  if (text.length < MIN_SENTENCE || text.length > MAX_SENTENCE) return [];
  const stated = readsAsEnglish(text) ? factOf(statedPart(text)) : text;
  let at = text.indexOf(stated);
  return withWholeReport(stated, clausesOf(stated)).map((clause) => {
    at = text.indexOf(clause, at);
    const found = {
      text: clause,
      sentence: text,
      start: start + at,
      end: start + at + clause.length,
    };
    at += clause.length;
    return found;
  });
}

/** The assertion with what leans on it and adds to it, when they stand side by side and make one reviewable text. */
function continued(
  last: PlacedAssertion,
  piece: Piece,
  addition: string | null,
  content: string,
  speaker: Voice,
): PlacedAssertion | null {
  if (addition === null || !isJoiner(content.slice(last.end, piece.start))) return null;
  return joined(last, piece, told(addition, speaker, content.slice(0, piece.end)), content);
}

/** The assertion with the clause behind it that is none of its own. */
function withTail(
  last: PlacedAssertion,
  clause: Clause,
  content: string,
  speaker: Voice,
): PlacedAssertion {
  const isContrast = /\bbut\s+$/iu.test(content.slice(last.end, clause.start));
  const addition = tailOf(clause.text, isContrast, speaker.strip);
  return continued(last, clause, addition, content, speaker) ?? last;
}

/** A sentence that ends with what it points at: "..., they made this!" */
const POINTS_LAST = /\b(?:this|these)(?:[.!]|\s*$)/iu;

/** The assertion with the caption of the picture that it points at, if there is one. */
function illustrated(
  assertion: PlacedAssertion,
  content: string,
  { picture }: Context,
): PlacedAssertion {
  const isShown = assertion.statement.includes(PICTURE_BEHIND);
  if (isShown || (assertion.isCleared && !POINTS_LAST.test(assertion.span))) return assertion;
  const caption = captionAfter(content, assertion.span, assertion.end);
  if (caption !== null) {
    const statement = `${withoutEnding(assertion.statement, /[.!…]/u)}: ${caption.shown}`;
    return { ...assertion, span: content.slice(assertion.start, caption.end), statement };
  }
  return picture !== null && (showsPicture(assertion.span) || POINTS_LAST.test(assertion.span))
    ? { ...assertion, statement: withPictureBehind(assertion.statement, picture) }
    : assertion;
}

/** What was read of the message so far. */
interface Progress {
  last: PlacedAssertion | null;
  before: Piece | null;
  readonly earlier: Earlier[];
}

function* ofSentence(
  sentence: Sentence,
  progress: Progress,
  request: ExtractionRequest,
  context: Context,
  speaker: Voice,
): Generator<Assertion> {
  const { content } = request.anchor;
  const within: Earlier[] = [];
  let isAsserted = false;
  let before = progress.before;
  for (const clause of clausesIn(sentence)) {
    // What a masked secret was part of says nothing any more: "My key is [secret]".
    if (clause.text.includes(MASK)) continue;
    const { earlier, last } = progress;
    const place = { content, context, before, last };
    const found = assertionOf(clause, { ...place, earlier: [...earlier, ...within] }, speaker);
    if (found !== null) {
      if (last !== null && !found.replaces) yield illustrated(last, content, context);
      progress.last = found.assertion;
      isAsserted = true;
    } else if (isAsserted && progress.last !== null) {
      progress.last = withTail(progress.last, clause, content, speaker);
    }
    within.push(earlierAt(clause.start, clause.text, speaker));
    before = isProse(clause.text) && readsAsEnglish(clause.text) ? clause : null;
  }
  if (isAsserted || progress.last === null) return;
  const addition = continuationOf(sentence.text, speaker.strip);
  const longer = continued(progress.last, sentence, addition, content, speaker);
  if (longer === null) yield illustrated(progress.last, content, context);
  progress.last = longer;
}

/** The assertions of a message in text order, each sentence read once. */
export function* assertionsOf(request: ExtractionRequest): Generator<Assertion> {
  const { content } = request.anchor;
  const speaker = voiceOf(request);
  const context = contextOf(request, speaker);
  const progress: Progress = { last: null, before: null, earlier: [] };
  const read = new Set<string>();
  for (const { sentence, isMeant } of meantSentences(content)) {
    if (read.has(sentence.text)) continue;
    const answer = read.size === 0 && isMeant ? answered(sentence, context, speaker) : null;
    read.add(sentence.text);
    if (isMeant) yield* ofSentence(sentence, progress, request, context, speaker);
    else if (progress.last !== null) {
      yield illustrated(progress.last, content, context);
      progress.last = null;
    }
    if (answer !== null && progress.last === null) yield answer;
    const canLead = isMeant && isProse(sentence.text) && readsAsEnglish(sentence.text);
    progress.before = canLead ? sentence : null;
    progress.earlier.push(earlierAt(sentence.start, sentence.text, speaker));
    if (progress.earlier.length > REACH) progress.earlier.shift();
  }
  if (progress.last !== null) yield illustrated(progress.last, content, context);
}
