/**
 * Whether a message states something, told by the words of its sentences alone. Rankings use it as a trait of messages: it
 * is looser than what becomes a statement, and a tenth of the work.
 */
import { sentencesOf } from '../text/sentences.ts';
import { clausesOf, statedPart } from './clauses.ts';
import { isProse, isStatement, readsAsEnglish } from './eligible.ts';
import { factOf } from './fact.ts';
import { openerStripper } from './openers.ts';
import { MAX_SENTENCE, MIN_SENTENCE } from './sentence-bounds.ts';
import { withSpokenSubject } from './spoken-subject.ts';

const strip = openerStripper([]);
const ASIDE = /```[\s\S]*?(?:```|$)|\[[^[\]\n]{0,1000}\]/gu;

function states(part: string): boolean {
  if (!isProse(part)) return false;
  if (!readsAsEnglish(part)) return isStatement(part, false);
  const body = strip(part);
  const own = withSpokenSubject(body, 'somebody') !== null;
  return isStatement(body, true, { named: false, own, advised: false });
}

/** Whether some sentence of the message states something. Linear in its length. */
export function statesSomething(content: string): boolean {
  for (const { text } of sentencesOf(
    content.replace(ASIDE, (aside) => '\n'.repeat(aside.length)),
  )) {
    if (text.length < MIN_SENTENCE || text.length > MAX_SENTENCE) continue;
    const stated = factOf(statedPart(text));
    if (states(stated) || clausesOf(stated).every(states)) return true;
  }
  return false;
}
