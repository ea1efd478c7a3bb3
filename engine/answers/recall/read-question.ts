/** Reads a question for a plan without a model: its kind, its words, its names, its period and its parts. Linear in it. */
import type {
  QuestionClass,
  RecallQuestion,
} from '../../../domain/answers/recall/deterministic-plan.ts';
import { mentionsOf, readNames } from '../../../domain/entities/mentions.ts';
import { foldText } from '../../../domain/text/fold.ts';
import { placedSegments } from '../../../domain/text/tokens.ts';
import { contentStem } from '../../english/analysis.ts';
import { asksOfOneself, asksWhen, hasTimeCue } from '../../english/cues.ts';
import { framesQuestion } from '../../english/question-frame.ts';
import { resolveWindow } from '../../english/time/resolve-window.ts';

const MOST_PARTS = 4;
const MOST_NAMES = 3;

const ENUMERATION =
  /^(?:list|name)\b|\b(?:how many|what (?:all|kinds?|types?|sorts?)|which of|all (?:the|of|his|her|their|my)|everything|every)\b/iu;
const SUMMARY = /\b(?:summar\p{L}+|overview|tell me about|describe|what do you know|who is)\b/iu;
const PREFERENCE =
  /\b(?:likes?|loves?|prefers?|favou?rites?|enjoys?|recommend|suggest|should|advice|advise)\b/iu;
const CHANGE = /\b(?:before|after|first|last|latest|current(?:ly)?|still|now|anymore|used to)\b/iu;
/** Where one question ends and the next one begins. */
const BETWEEN_PARTS =
  /[?;\n]|(?:,|\band\b|\bor\b) (?=(?:who|whose|what|when|where|why|how|which|did|does|do|is|are|was|were|has|have)\b)/giu;

function kindOf(text: string, wording: string): QuestionClass {
  if (wording === '') return 'unknown';
  if (ENUMERATION.test(text)) return 'enumeration';
  if (asksWhen(text) || hasTimeCue(text) || CHANGE.test(text)) return 'temporal';
  if (SUMMARY.test(text)) return 'summary';
  return PREFERENCE.test(text) ? 'preference' : 'fact';
}

/** The words that the question is about, as it spells them: capitals show who is named. */
function wordingOf(text: string): string {
  const kept = placedSegments(text).filter(({ kind, text: word }) => {
    if (kind !== 'word') return true;
    const stem = contentStem(foldText(word));
    return stem !== null && stem !== '' && !framesQuestion(stem);
  });
  return kept.map(({ text: word }) => word).join(' ');
}

/** Names that capitals, quotes and addresses show, folded. */
function namesOf(text: string): readonly string[] {
  return mentionsOf(readNames(text), null)
    .filter(({ isSure }) => isSure)
    .map(({ alias }) => alias)
    .slice(0, MOST_NAMES);
}

function partsOf(text: string): readonly string[] {
  const parts = text
    .split(BETWEEN_PARTS)
    .map((part) => part.trim())
    .filter((part) => wordingOf(part) !== '');
  return parts.length < 2 ? [text] : parts.slice(0, MOST_PARTS);
}

/** `referenceTime` (ISO 8601) is what the question's relative times are meant from. */
export function readRecallQuestion(text: string, referenceTime: string): RecallQuestion {
  const wording = wordingOf(text);
  const { from, until } = resolveWindow(text, { occurredAt: referenceTime, offsetMinutes: 0 });
  return {
    text,
    kind: kindOf(text, wording),
    wording,
    names: namesOf(text),
    period:
      from === null && until === null ? null : { from: from?.at ?? null, until: until?.at ?? null },
    parts: partsOf(text),
    isOfOneself: asksOfOneself(text),
  };
}
