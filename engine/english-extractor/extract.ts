/**
 * The extractor that needs no model: sentences of a message that state something become statements about
 * their speaker, in the third person, dated by the words that date them. English first; sentences of other
 * languages are kept as they are. Linear in the length of the message.
 */
import type {
  Candidate,
  ExtractionRequest,
  Participant,
  SourceMessage,
} from '../../domain/statements/candidate.ts';
import { foldStatement } from '../../domain/extraction/fold.ts';
import { isEvidenceRole } from '../../domain/observations/roles.ts';
import { withoutEnding } from '../../domain/text/ending.ts';
import type { Sentence } from '../text/sentences.ts';
import { resolveWindow, type ResolvedWindow } from '../english/time/resolve-window.ts';
import { MASK } from '../secrets/mask-word.ts';
import { clausesOf, statedPart } from './clauses.ts';
import { confidenceOf, kindOf, sensitivityOf } from './classify.ts';
import { captionAfter, continuationOf } from './continuation.ts';
import { isProse, isStatement, readsAsEnglish } from './eligible.ts';
import { factOf } from './fact.ts';
import { openerStripper, type OpenerStripper } from './openers.ts';
import { looksEnglish, mayNameSpeaker } from './looks-english.ts';
import { meantSentences } from './meant.ts';
import { reports } from './frames.ts';
import { isAdvice, isOpinion } from './remarks.ts';
import { withSharedPlan, withSpokenSubject } from './spoken-subject.ts';
import { namedSubject, namesAgent, othersThan } from './subject.ts';
import { isAddressed, isFirstPerson, namingAddressee, toThirdPerson } from './third-person.ts';
import { plainWording, type PlainWording } from './wording.ts';

/**
 * Statements kept of one message, in text order. Far more than a chat message says; a longer text is a
 * document in disguise, and the statements beyond stay findable as the message itself.
 */
export const MAX_STATEMENTS = 100;

/** In characters: a shorter text says nothing in any script, a longer one is pasted text and no sentence. */
export const MIN_SENTENCE = 6;
export const MAX_SENTENCE = 2000;
/** In characters: a longer text is no longer one statement that a person can review. */
const MAX_CONTINUED = 400;

interface Assertion {
  /** Verbatim, a substring of the message. */
  readonly span: string;
  readonly statement: string;
  readonly subjectRef: string;
}

/** An assertion and where its span ends in the message. */
interface PlacedAssertion extends Assertion {
  readonly end: number;
}

interface Speaker {
  readonly key: string;
  readonly name: string;
  readonly others: readonly Participant[];
  readonly strip: OpenerStripper;
  readonly plain: PlainWording;
  /** Whether a text names a time, read from the moment of the message. */
  readonly dated: (text: string) => boolean;
}

/** The sentence with its first letter as sentences begin. */
export function sentenceCase(sentence: string): string {
  const first = Array.from(sentence)[0] ?? '';
  return first.toUpperCase() + sentence.slice(first.length);
}

/** The participant a sentence is about when it is not its speaker: named, or spoken to when only one listens. */
function otherSubject(body: string, speaker: Speaker): Participant | null {
  const [only, ...more] = speaker.others;
  if (isAddressed(body)) return more.length === 0 ? (only ?? null) : null;
  return namedSubject(body, speaker.others);
}

/** Words that open a sentence with a capital only because they open it; any other may be a name. */
const COMMON_OPENING =
  /^(?:the|an?|it|its|it['’]s|that|that['’]s|this|these|those|there|they|he|she|some|every|all|many|most|being|life|people|\p{L}+(?<!j)ing)\b/iu;

function midSentence(sentence: string): string {
  const common = COMMON_OPENING.test(sentence);
  return common ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}

/** A sentence without a person, told as its speaker's advice or opinion; unchanged when it is neither. */
function attributed(body: string, speaker: Speaker): string {
  if (isAdvice(body)) {
    return `${speaker.name} suggests: ${body.charAt(0).toLowerCase()}${body.slice(1)}`;
  }
  return isOpinion(body) ? `${speaker.name} thinks ${midSentence(body)}` : body;
}

/** A call to do something together is worth keeping when it names a day. */
function plan(span: string, body: string, speaker: Speaker): Assertion | null {
  const wanted = withSharedPlan(body, speaker.name);
  if (wanted === null || !speaker.dated(span)) return null;
  const statement = toThirdPerson(speaker.plain(wanted), speaker.name);
  return { span, statement, subjectRef: speaker.key };
}

/** The participant "you" means: the addressed one; for a sentence about the speaker, the only listener if human. */
function listenerOf(
  body: string,
  personal: boolean,
  subject: Participant | null,
  speaker: Speaker,
): Participant | null {
  if (isAddressed(body)) return subject;
  const [only, ...more] = speaker.others;
  return personal && more.length === 0 && only?.kind === 'human' ? only : null;
}

/** The whole sentence in the third person, about its speaker or the participant that it is about. */
function toldOf(
  body: string,
  spoken: string | null,
  subject: Participant | null,
  speaker: Speaker,
): string {
  const plain = speaker.plain(spoken ?? body);
  const personal = spoken !== null || isFirstPerson(plain);
  const listener = listenerOf(body, personal, subject, speaker);
  const named = listener === null ? plain : namingAddressee(plain, listener.name);
  const impersonal = subject === null && !personal;
  return impersonal ? attributed(named, speaker) : toThirdPerson(named, speaker.name);
}

/** Null for a sentence about an agent, or to one of several listeners without naming the listener. */
function englishAssertion(span: string, body: string, speaker: Speaker): Assertion | null {
  const subject = otherSubject(body, speaker);
  const addressed = isAddressed(body);
  if (subject?.kind === 'agent' || (addressed && subject === null)) return null;
  const spoken = subject === null ? withSpokenSubject(body, speaker.name) : null;
  const named = subject !== null && !addressed;
  const advised = speaker.others.some(({ kind }) => kind === 'human');
  if (!isStatement(body, true, { named, own: spoken !== null, advised })) return null;
  const statement = sentenceCase(toldOf(body, spoken, subject, speaker));
  return { span, statement, subjectRef: subject?.peerKey ?? speaker.key };
}

function assertionOf(span: string, speaker: Speaker): Assertion | null {
  if (!isProse(span)) return null;
  if (readsAsEnglish(span)) {
    const body = speaker.strip(span);
    const assertion = plan(span, body, speaker) ?? englishAssertion(span, body, speaker);
    if (assertion === null || looksEnglish(span)) return assertion;
    // Nothing tells the language: who "my" and "i" are depends on it, and other sentences keep their words.
    return mayNameSpeaker(span) ? null : { ...assertion, statement: sentenceCase(body) };
  }
  if (!isStatement(span, false)) return null;
  return { span, statement: span, subjectRef: speaker.key };
}

/** The clauses, of which a report and all that comes behind it stay one: "My aunt says I live in Ulm and I work there". */
function withWholeReport(sentence: string, clauses: readonly string[]): readonly string[] {
  const report = reports(sentence) ? clauses.findIndex(reports) : -1;
  const start = report === -1 ? -1 : sentence.indexOf(clauses[report] ?? '');
  return start === -1 ? clauses : [...clauses.slice(0, report), sentence.slice(start)];
}

/** The assertions of one sentence: one for each clause when every clause is a statement, else the whole. */
function assertionsOfSentence(sentence: string, speaker: Speaker): Assertion[] {
  if (sentence.length < MIN_SENTENCE || sentence.length > MAX_SENTENCE) return [];
  const stated = factOf(statedPart(sentence));
  const whole = withWholeReport(stated, clausesOf(stated));
  // What a masked secret was part of says nothing any more: "My key is [secret]".
  const clauses = whole.filter((clause) => !clause.includes(MASK));
  if (clauses.length > 1 || clauses.length < whole.length) {
    const assertions = clauses.flatMap((clause) => assertionOf(clause, speaker) ?? []);
    if (assertions.length === clauses.length) return assertions;
  }
  const assertion = stated.includes(MASK) ? null : assertionOf(stated, speaker);
  return assertion === null ? [] : [assertion];
}

/** The assertion with the sentence that leans on it, when they stand side by side and make one reviewable text. */
function continued(
  assertion: PlacedAssertion,
  next: Sentence,
  content: string,
  speaker: Speaker,
): PlacedAssertion | null {
  if (content.slice(assertion.end, next.start).trim() !== '') return null;
  const span = content.slice(assertion.end - assertion.span.length, next.end);
  const told = span.length > MAX_CONTINUED ? null : continuationOf(next.text, speaker.strip);
  if (told === null) return null;
  const addition = sentenceCase(toThirdPerson(speaker.plain(told), speaker.name));
  return { ...assertion, span, statement: `${assertion.statement} ${addition}`, end: next.end };
}

/** The assertion with the caption of the picture that it points at, if there is one. */
function illustrated(assertion: PlacedAssertion, content: string): Assertion {
  const caption = captionAfter(content, assertion.span, assertion.end);
  if (caption === null) return assertion;
  const span = content.slice(assertion.end - assertion.span.length, caption.end);
  return {
    ...assertion,
    span,
    statement: `${withoutEnding(assertion.statement, /[.!…]/u)}: ${caption.shown}`,
  };
}

/** The assertions of the sentences in text order, each sentence read once. */
function* assertionsInOrder(content: string, speaker: Speaker): Generator<Assertion> {
  const read = new Set<string>();
  let last: PlacedAssertion | null = null;
  for (const { sentence, isMeant } of meantSentences(content)) {
    if (read.has(sentence.text)) continue;
    read.add(sentence.text);
    const assertions = isMeant ? assertionsOfSentence(sentence.text, speaker) : [];
    const joined: PlacedAssertion | null =
      last === null || !isMeant || assertions.length > 0
        ? null
        : continued(last, sentence, content, speaker);
    if (last !== null && joined === null) yield illustrated(last, content);
    yield* assertions.slice(0, -1);
    const final = assertions.at(-1);
    last =
      final === undefined
        ? joined
        : { ...final, end: content.indexOf(final.span, sentence.start) + final.span.length };
  }
  if (last !== null) yield illustrated(last, content);
}

/** The assertions of a message, each once, in text order. */
function assertionsOf(content: string, speaker: Speaker): Assertion[] {
  const assertions = new Map<string, Assertion>();
  for (const assertion of assertionsInOrder(content, speaker)) {
    if (namesAgent(assertion.statement, speaker.others)) continue;
    const fold = foldStatement(assertion.statement);
    if (fold !== '' && !assertions.has(fold)) assertions.set(fold, assertion);
    if (assertions.size === MAX_STATEMENTS) break;
  }
  return [...assertions.values()];
}

function windowOf(text: string, anchor: SourceMessage): ResolvedWindow {
  return resolveWindow(text, {
    occurredAt: anchor.occurredAt,
    offsetMinutes: anchor.occurredOffsetMinutes,
  });
}

function candidateOf(assertion: Assertion, { anchor }: ExtractionRequest): Candidate {
  const window = windowOf(assertion.span, anchor);
  return {
    supportingSpan: assertion.span,
    statement: assertion.statement,
    confidenceLevel: confidenceOf(assertion.span),
    kind: kindOf(assertion.statement, window.from !== null && window.until !== null),
    subjectType: 'peer',
    subjectRef: assertion.subjectRef,
    sensitivity: sensitivityOf(assertion.span),
    targetLevel: 'peer',
    sourceMessageIds: [anchor.id],
    relevantFrom: window.from,
    relevantUntil: window.until,
  };
}

function speakerOf({ anchor, participants }: ExtractionRequest): Speaker {
  const others = othersThan(anchor, participants);
  const names = others.map((participant) => participant.name);
  return {
    key: anchor.peerKey,
    name: anchor.peerName.trim() === '' ? anchor.peerKey : anchor.peerName.trim(),
    others,
    strip: openerStripper(names),
    plain: plainWording(names),
    dated: (text) => windowOf(text, anchor).from !== null,
  };
}

/**
 * Statements of the anchor: each once (by `foldStatement`), in text order, at most `MAX_STATEMENTS`. None
 * from assistant, system and tool turns. Deterministic; the window of earlier messages is not read.
 */
export function extractDeterministic(request: ExtractionRequest): Candidate[] {
  const { anchor } = request;
  if (!isEvidenceRole(anchor.role)) return [];
  const speaker = speakerOf(request);
  return assertionsOf(anchor.content, speaker).map((assertion) => candidateOf(assertion, request));
}
