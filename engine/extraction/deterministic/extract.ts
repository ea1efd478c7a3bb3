/**
 * The extractor that needs no model: sentences of a message that state something become statements about
 * their speaker, in the third person, dated by the words that date them. English first; sentences of other
 * languages are kept as they are. Linear in the length of the message.
 */
import type {
  Candidate,
  ExtractionRequest,
  Participant,
} from '../../../domain/extraction/candidate.ts';
import { foldStatement } from '../../../domain/extraction/fold.ts';
import { sentencesOf } from '../../text/sentences.ts';
import { resolveWindow } from '../../time/resolve-window.ts';
import { clausesOf, statedPart } from './clauses.ts';
import { confidenceOf, kindOf, sensitivityOf } from './classify.ts';
import { isProse, isStatement, readsAsEnglish } from './eligible.ts';
import { openerStripper } from './openers.ts';
import type { OpenerStripper } from './openers.ts';
import { namedSubject, namesAgent, othersThan } from './subject.ts';
import {
  isAddressed,
  isFirstPerson,
  namingAddressee,
  toThirdPerson,
  withSpokenSubject,
} from './third-person.ts';

/**
 * Statements kept of one message, in text order. Far above what a chat message says; a longer text is a
 * document in disguise, and the statements beyond stay findable as the message itself.
 */
export const MAX_STATEMENTS = 100;

/** In characters: less says nothing in any script, more is no sentence but pasted text. */
export const MIN_SENTENCE = 6;
export const MAX_SENTENCE = 2000;

/** Turns that are context and never evidence. */
const NO_EVIDENCE: ReadonlySet<string> = new Set(['assistant', 'system', 'tool']);

/** Stage directions such as "[shares a photo]" and fenced code say nothing about the speaker. */
const ASIDE = /```[\s\S]*?(?:```|$)|\[[^[\]\n]{0,1000}\]/gu;

interface Claim {
  /** Verbatim, a substring of the message. */
  readonly span: string;
  readonly statement: string;
  readonly subjectRef: string;
}

interface Speaker {
  readonly key: string;
  readonly name: string;
  readonly others: readonly Participant[];
  readonly strip: OpenerStripper;
}

/** Blanks asides out, offsets kept, so that sentences before and after stay verbatim and apart. */
export function withoutAsides(content: string): string {
  return content.replace(ASIDE, (aside) => '\n'.repeat(aside.length));
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

/** Null for what is said of an agent, or to one of several listeners that the sentence does not name. */
function englishClaim(span: string, body: string, speaker: Speaker): Claim | null {
  const subject = otherSubject(body, speaker);
  const addressed = isAddressed(body);
  if (subject?.kind === 'agent' || (addressed && subject === null)) return null;
  const subjectRef = subject?.peerKey ?? speaker.key;
  const spoken = subject === null ? withSpokenSubject(body, speaker.name) : null;
  const named = addressed && subject !== null ? namingAddressee(body, subject.name) : body;
  const complete = spoken ?? named;
  const statement = isFirstPerson(complete) ? toThirdPerson(complete, speaker.name) : complete;
  return { span, statement: sentenceCase(statement), subjectRef };
}

function claimOf(span: string, speaker: Speaker): Claim | null {
  if (!isProse(span)) return null;
  const english = readsAsEnglish(span);
  if (!english) {
    if (!isStatement(span, false)) return null;
    return { span, statement: span, subjectRef: speaker.key };
  }
  const body = speaker.strip(span);
  const named = namedSubject(body, speaker.others) !== null;
  return isStatement(body, true, named) ? englishClaim(span, body, speaker) : null;
}

/** The claims of one sentence: one for each clause when every clause is a statement, else the whole. */
function claimsOfSentence(sentence: string, speaker: Speaker): Claim[] {
  if (sentence.length < MIN_SENTENCE || sentence.length > MAX_SENTENCE) return [];
  const stated = statedPart(sentence);
  const clauses = clausesOf(stated);
  if (clauses.length > 1) {
    const claims = clauses.flatMap((clause) => claimOf(clause, speaker) ?? []);
    if (claims.length === clauses.length) return claims;
  }
  const claim = claimOf(stated, speaker);
  return claim === null ? [] : [claim];
}

/** The claims of a message, each once, in text order. */
function claimsOf(content: string, speaker: Speaker): Claim[] {
  const claims = new Map<string, Claim>();
  const read = new Set<string>();
  for (const { text } of sentencesOf(withoutAsides(content))) {
    if (read.has(text)) continue;
    read.add(text);
    for (const claim of claimsOfSentence(text, speaker)) {
      if (namesAgent(claim.statement, speaker.others)) continue;
      const fold = foldStatement(claim.statement);
      if (fold !== '' && !claims.has(fold) && claims.size < MAX_STATEMENTS) claims.set(fold, claim);
    }
    if (claims.size === MAX_STATEMENTS) break;
  }
  return [...claims.values()];
}

function candidateOf(claim: Claim, request: ExtractionRequest): Candidate {
  const { anchor } = request;
  const window = resolveWindow(claim.span, {
    occurredAt: anchor.occurredAt,
    offsetMinutes: anchor.occurredOffsetMinutes,
  });
  return {
    supportingSpan: claim.span,
    statement: claim.statement,
    confidenceLevel: confidenceOf(claim.span),
    kind: kindOf(claim.statement, window.from !== null && window.until !== null),
    subjectType: 'peer',
    subjectRef: claim.subjectRef,
    sensitivity: sensitivityOf(claim.span),
    targetLevel: 'peer',
    sourceMessageIds: [anchor.id],
    relevantFrom: window.from,
    relevantUntil: window.until,
  };
}

function speakerOf({ anchor, participants }: ExtractionRequest): Speaker {
  const others = othersThan(anchor, participants);
  return {
    key: anchor.peerKey,
    name: anchor.peerName.trim() === '' ? anchor.peerKey : anchor.peerName.trim(),
    others,
    strip: openerStripper(others.map((participant) => participant.name)),
  };
}

/**
 * Statements of the anchor: each once (by `foldStatement`), in text order, at most `MAX_STATEMENTS`. None
 * from assistant, system and tool turns. Deterministic; the window of earlier messages is not read.
 */
export function extractDeterministic(request: ExtractionRequest): Candidate[] {
  const { anchor } = request;
  if (NO_EVIDENCE.has(anchor.role)) return [];
  const speaker = speakerOf(request);
  return claimsOf(anchor.content, speaker).map((claim) => candidateOf(claim, request));
}
