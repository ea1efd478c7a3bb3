/** The subject of a sentence: the speaker, unless another participant is its grammatical subject. */
import type { Participant, SourceMessage } from '../../domain/statements/candidate.ts';
import { foldText } from '../../domain/text/fold.ts';
import { words } from '../../domain/text/tokens.ts';
import { isPastForm } from '../../domain/text/past-form.ts';
import { isAdverb } from './verbs.ts';

const VERB =
  /^(?:is|isn't|was|wasn't|has|hasn't|had|does|doesn't|did|didn't|will|won't|can|can't|could|would|should|might|may|must|'s)$/u;
/** A noun in -s after a name is rarer than a verb in -s: "Bob plays". */
const THIRD_PERSON = /^[a-z]{2,}s$/u;

function isFiniteVerb(word: string): boolean {
  return VERB.test(word) || isPastForm(word) || THIRD_PERSON.test(word);
}

/** Whether the folded words after a name make it the subject; `contracted` is the "is" of "Bob's moving". */
function isSubjectOf(following: readonly string[], contracted: boolean): boolean {
  const verb = following.find((word) => !isAdverb(word));
  if (verb === undefined) return false;
  return contracted ? verb.endsWith('ing') || verb === 'a' || verb === 'an' : isFiniteVerb(verb);
}

function opensAsSubject(folded: string, form: string): boolean {
  if (form === '' || !folded.startsWith(form)) return false;
  const rest = /^(?<is>'s)?(?: (?<words>[\p{L}']+(?: [\p{L}']+)?))/u.exec(
    folded.slice(form.length),
  );
  const following = rest?.groups?.['words']?.split(' ') ?? [];
  return isSubjectOf(following, rest?.groups?.['is'] !== undefined);
}

/** The participant whose name (or its first part) the sentence opens with as its subject, or null. */
export function namedSubject(
  sentence: string,
  participants: readonly Participant[],
): Participant | null {
  const folded = foldText(sentence);
  const named = participants.find(({ name }) => {
    const full = foldText(name);
    return [full, full.split(' ')[0] ?? ''].some((form) => opensAsSubject(folded, form));
  });
  return named ?? null;
}

/** Whether a statement names an agent among the participants by its key: agents carry messages and are not told of. */
export function namesAgent(statement: string, participants: readonly Participant[]): boolean {
  const text = ` ${words(statement).join(' ')} `;
  return participants.some(
    ({ kind, peerKey }) => kind === 'agent' && text.includes(` ${words(peerKey).join(' ')} `),
  );
}

/** Participants other than the speaker. */
export function othersThan(
  speaker: SourceMessage,
  participants: readonly Participant[],
): Participant[] {
  return participants.filter((participant) => participant.peerKey !== speaker.peerKey);
}
