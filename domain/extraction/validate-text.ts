/**
 * Rules about a text alone. They hold for any script: letters are Unicode letters, and nothing depends on
 * upper case. Rules that need words of a language refuse what they recognise and let the rest pass.
 */
import { withoutUnseen } from '../text/unseen.ts';
import type { FaultCode } from './validate-faults.ts';

/** Characters (UTF-16 code units) of the longest statement. */
export const MAX_STATEMENT = 1_000;
const MIN_LENGTH_FOR_DENSITY = 24;
const MIN_DENSITY = 0.6;

const READABLE = /[\p{L}\p{N}]/u;
const READABLE_ALL = /[\p{L}\p{N}\p{M}]/gu;

/** Question marks of the common scripts, with closing quotes or brackets after them. */
const ENDS_IN_QUESTION = /[?？؟⁇⁈՞፧][\s"'”’»)\]」』]*$/u;

const FIRST_PERSON_OPENING =
  /^(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]ine|[Mm]e|[Mm]yself|[Ww]e|[Ww]e['’](?:re|ve|d|ll)|[Oo]ur|[Ii]ch|[Mm]eine?|[Jj]e|[Jj]['’]\p{Ll}+|[Yy]o|[Ii]o|Eu|eu|[Jj]eg|[Jj]ag|[Ii]k|Я|я|Мой|мой|Моя|моя)(?=[\s,])/u;
/** Scripts written without spaces or with particles attached to the pronoun. */
const FIRST_PERSON_ATTACHED = /^(?:我|私|僕|俺|나는|저는|내가|제가)/u;
const FIRST_PERSON_INSIDE =
  /\bI['’](?:m|ve|d|ll)\b|\bI (?:am|was|have|had|do|did|will|would|can)\b/u;

const NAME = String.raw`[\p{L}\p{M}\p{N}'’.-]+(?:\s+[\p{L}\p{M}\p{N}'’.-]+){0,3}?`;
const REPORTS_SPEECH = [
  // "X said that …", "X told Y: …"; a verb of saying with a clause or a quotation after it.
  new RegExp(
    `^${NAME}\\s+(?:said|says|told|tells|mentioned|mentions|stated|states|replied|wrote|writes|texted)\\b[^.]{0,60}?(?:\\bthat\\b|:|["“«])`,
    'u',
  ),
  new RegExp(`^${NAME}\\s+(?:greeted|thanked|congratulated|complimented|welcomed)\\b`, 'u'),
  new RegExp(
    `^${NAME}\\s+asked\\s+(?:the (?:assistant|agent|bot)|if|whether|what|how|why|when|where|who)\\b`,
    'u',
  ),
];

const ABOUT_ASSISTANT =
  /^(?:the\s+)?(?:ai\s+)?(?:assistant|chatbot)\b|^the\s+(?:ai|agent|bot)\s+(?:is|was|has|had|will|can|should|\p{L}+(?:ed|s))\b/iu;

/**
 * Removes what cannot be seen: format characters that nobody sees and lone surrogates go (joiners stay where they are
 * spelling), runs of white space and controls become one space, the ends are trimmed. NUL and lone surrogates could not
 * be stored at all.
 */
export function cleanText(text: string): string {
  return withoutUnseen(text.toWellFormed().replaceAll('\uFFFD', ''))
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Whether a text holds a letter or digit of any script. */
export function holdsWord(text: string): boolean {
  return READABLE.test(text);
}

/** Whether a text holds a letter or digit and, when it is long enough to tell, mostly those. */
function isReadable(text: string): boolean {
  if (!holdsWord(text)) return false;
  const visible = text.match(/\S/gu)?.length ?? 0;
  if (visible < MIN_LENGTH_FOR_DENSITY) return true;
  return (text.match(READABLE_ALL)?.length ?? 0) >= visible * MIN_DENSITY;
}

/** Whether a text ends as a question, in any script. */
export function endsInQuestion(text: string): boolean {
  return ENDS_IN_QUESTION.test(text);
}

/** Whether a text opens in the first person, as far as the common languages tell. */
export function opensInFirstPerson(text: string): boolean {
  return FIRST_PERSON_OPENING.test(text) || FIRST_PERSON_ATTACHED.test(text);
}

/** Faults of a cleaned statement that can be seen without its sources. */
export function statementFaults(statement: string, isAboutPeer: boolean): FaultCode[] {
  const faults: FaultCode[] = [];
  if (!isReadable(statement)) faults.push('text_unreadable');
  if (statement.length > MAX_STATEMENT) faults.push('text_too_long');
  if (endsInQuestion(statement)) faults.push('statement_asks');
  if (opensInFirstPerson(statement) || FIRST_PERSON_INSIDE.test(statement)) {
    faults.push('statement_in_first_person');
  }
  if (REPORTS_SPEECH.some((pattern) => pattern.test(statement))) {
    faults.push('statement_reports_speech');
  }
  if (isAboutPeer && ABOUT_ASSISTANT.test(statement)) faults.push('statement_about_assistant');
  return faults;
}
