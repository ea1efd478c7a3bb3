/** A sentence that is no assertion leads the clause behind it, when it names what the clause is about. */
import { tagged } from '../english/tagger.ts';
import type { Clause, Piece, PlacedAssertion } from './assertion.ts';
import { readClause } from './clause/reading.ts';
import type { ClausePlace } from './context.ts';
import { isJoiner, joinedText, MAX_JOINED } from './joined.ts';
import { told, type Judged } from './judged.ts';
import { unclearPronouns } from './referents/pronouns.ts';
import type { Voice } from './voice.ts';

/** The sentence told as a lead; null when it leans on others itself, has no subject to tell, or asks or commands. */
function leadOf({ end, text }: Piece, speaker: Voice, content: string): string | null {
  const body = speaker.strip(text);
  const words = tagged(body);
  const read = readClause(words);
  const isTold = typeof read === 'string' ? read === 'fragment' : read.subject !== 'left out';
  if (!isTold || unclearPronouns(words, body).length > 0) return null;
  return told(body, speaker, content.slice(0, end));
}

/** The clause behind the sentence before it, which is no assertion but names what the clause is about. */
export function led(
  own: PlacedAssertion,
  { unclear }: Judged,
  clause: Clause,
  { before, content, earlier }: ClausePlace,
  speaker: Voice,
): PlacedAssertion | null {
  const kinds = unclear.map(({ kind }) => kind);
  const mentions = earlier.at(-1)?.mentions() ?? [];
  const isNamed = kinds.some(
    (kind) => kind === 'event' || mentions.some((mention) => mention.kinds.includes(kind)),
  );
  const lead = before === null ? null : leadOf(before, speaker, content);
  if (before === null || lead === null || mentions.length === 0 || !isNamed) return null;
  const span = content.slice(before.start, clause.end);
  const gap = content.slice(before.end, clause.start);
  if (span.length > MAX_JOINED || !isJoiner(gap)) return null;
  const statement = joinedText(lead, gap, own.statement, clause.text);
  return { ...own, start: before.start, span, statement, isCleared: true };
}
