/**
 * Whom "we" means. What two people could do is said of both of them ("We should meet"), and so is what they did with each
 * other ("since we talked"). Else it is the company that the speaker has named, in this message or shortly before it ("I
 * took my family to Jasper. We drove ..."). Where none is named the statement is about the speaker alone, which "we" always
 * includes: in conversations of two, what "we" did was done with somebody else than the listener (ten of ten tried).
 */
import type { ExtractionRequest, Participant } from '../../domain/statements/candidate.ts';
import { lazily } from './lazily.ts';

const PEOPLE = String.raw`(?:(?:whole|entire|little|older|younger|big|two|three|best|close|good|old|new|dear|beloved) )*(?:family|fam|kids?|children|kiddos?|sons?|daughters?|wife|husband|partner|girlfriend|boyfriend|spouse|fianc\S{1,3}|parents|folks|mom|mum|mother|dad|father|sisters?|brothers?|siblings|cousins?|aunt|uncle|grand\p{L}+|friends?|buddies|mates?|pals?|roommates?|flatmates?|team(?:mates?)?|crew|gang|colleagues?|co-?workers?|boss|class(?:mates?)?|band|company|club|dogs?|students|neighbou?rs?)`;
const COMPANY = new RegExp(
  String.raw`\b(?<owner>my|our|the)\s+(?<people>${PEOPLE}(?:\s+and\s+(?:my\s+)?${PEOPLE})?)\b`,
  'giu',
);
const WITH_NAME = /\b(?:with|and)\s+(?<name>\p{Lu}\p{Ll}+)\b(?!['’]s)/gu;
/** Of the listener, in a question: "How was the trip with your family?" */
const ASKED = new RegExp(String.raw`\b(?:your)\s+(?<people>${PEOPLE})\b`, 'giu');
/** What two people do with each other in a conversation. */
const BETWEEN_US =
  /\b(?:talk(?:ed|ing)?|spoke|speak|chat(?:ted)?|caught up|catch up|see each other|both of us|the two of us|you and (?:i|me)|our (?:call|chat|conversation|talk))\b/iu;

/** Cannot be said of one person. */
const JOINT =
  /\b(?:together|each other|one another|both|met|married|got engaged|as a (?:team|group|family|couple|band))\b/iu;
/** Says what two people could do. */
const PROPOSAL =
  /^(?:(?:and|so|but|maybe|perhaps|then) )*(?:we(?:['’]ll| (?:should|could|can|will|must|need to|have to|gotta|might)))\b/iu;
const COMPANY_AFTER = new RegExp(
  String.raw`\bwe\b[^,;.]*\b(?:with|and)\s+(?:my|our|the)\s+${PEOPLE}\b`,
  'iu',
);

/** In UTF-16 code units, how far before a "we" its company is looked for. */
const REACH = 4_000;

/** "Fam" and "kiddos" are written as one looks for them. */
const inFull = (people: string): string =>
  people
    .toLowerCase()
    .replace(/\bfam\b/u, 'family')
    .replace(/\bkiddo(s?)\b/u, 'kid$1');

function lastOf(pattern: RegExp, text: string): RegExpExecArray | null {
  let last: RegExpExecArray | null = null;
  for (const found of text.matchAll(pattern)) last = found;
  return last;
}

/** The company that a text of the speaker names; null when it names none. */
function namedIn(text: string, speaker: string, known: readonly string[]): string | null {
  const owned = lastOf(COMPANY, text)?.groups;
  if (owned !== undefined) {
    const people = inFull(owned['people']?.replace(/\bmy\s+/iu, '') ?? '');
    const isOurs = owned['owner']?.toLowerCase() !== 'the';
    // "That's the dog": who it belongs to takes part, an animal that is pointed at does not.
    if (!isOurs && /\bdogs?$/u.test(people)) return null;
    return isOurs ? `${speaker}'s ${people}` : `the ${people}`;
  }
  const name = lastOf(WITH_NAME, text)?.groups?.['name'];
  return name === undefined || known.includes(name) || /^(?:I|We|The|My|It)$/u.test(name)
    ? null
    : name;
}

/** The text before the last "we". */
function untilWe(text: string): string {
  const last = lastOf(/\b(?:we|our|us)\b/giu, text);
  return last === null ? text : text.slice(0, last.index);
}

export interface Company {
  /** The subject that stands for "we" in the clause. `before` is the speaker's text up to the end of the clause. */
  readonly of: (clause: string, before: string) => string;
}

/** Reads the company of a speaker from the message and those before it. */
export function companyOf(
  { anchor, window }: ExtractionRequest,
  speaker: string,
  others: readonly Participant[],
): Company {
  const [only, ...more] = others;
  const names = others.map(({ name }) => name);
  const known = [speaker, ...names, ...names.map((name) => name.split(/\s+/u)[0] ?? name)];
  const own = window.filter(({ peerKey }) => peerKey === anchor.peerKey).slice(-2);
  const asked = window.at(-1);
  const earlier = lazily((): string | null => {
    const question =
      asked === undefined || asked.peerKey === anchor.peerKey
        ? null
        : lastOf(ASKED, asked.content)?.groups;
    if (question !== null && question !== undefined)
      return `${speaker}'s ${inFull(question['people'] ?? '')}`;
    for (const message of own.toReversed()) {
      const found = namedIn(message.content, speaker, known);
      // "The band" of an earlier message may be anybody's; "the kids" are the speaker's.
      if (found !== null && !/^the (?!kids|children|family|fam|boys|girls)/u.test(found))
        return found;
    }
    return null;
  });
  return {
    of: (clause, before) => {
      const isTwo = only !== undefined && more.length === 0;
      const isHuman = isTwo && only.kind === 'human';
      if (isHuman && (BETWEEN_US.test(clause) || PROPOSAL.test(clause)))
        return `${speaker} and ${only.name}`;
      // "We went camping with the kids": the others are named where they belong.
      if (COMPANY_AFTER.test(clause)) return speaker;
      // Whom the clause names behind "we" is somebody else: "We plan a show for the kids".
      const named = namedIn(untilWe(before.slice(-REACH)), speaker, known) ?? earlier();
      if (named !== null) return `${speaker} and ${named}`;
      return JOINT.test(clause) ? `${speaker} and others` : speaker;
    },
  };
}
