/**
 * Things that began a stated time ago and go on: "for two years now", "over the past month", "seven years now".
 * A duration names when something began and never when it ends. The beginning is as coarse as the words: years name a
 * year, months (and a single year) a month, weeks and days a day.
 */
import { addDays, type Period } from './calendar.ts';
import { ABOUT, amount, COUNT, UNIT } from './lexicon.ts';
import { rule, type Match, type Reference, type Rule } from './rule.ts';
import { shifted } from './unit-rules.ts';

const SPAN = String.raw`${ABOUT}(?<count>${COUNT}) (?<unit>${UNIT})(?! old\b|-old| of age)(?<more> and a half)?`;
/** "it's been a while since we talked" dates the last talk, not a fact. */
const NOT_TALK = String.raw`(?! (?:now )?since (?:we|i|you|our)(?:'ve| have)?(?: last| all)? ?(?:talk|spoke|spoken|chat|caught|met|saw|seen|hung|hear|last))`;

function since(match: Match, reference: Reference): Period | null {
  const found = amount(match.group('count') + match.group('more'), match.group('unit'));
  if (found === null) return null;
  const { value, unit } = found;
  if (unit === 'minute' || unit === 'hour') return null;
  if (unit === 'day' || unit === 'week') {
    const day = addDays(reference.today, -value * (unit === 'week' ? 7 : 1));
    return { from: { wall: day, precision: 'day' }, until: null };
  }
  return { from: shifted({ value, unit, vague: false }, -1, reference).from, until: null };
}

export const DURATION_RULES: readonly Rule[] = [
  rule(String.raw`\bfor ${SPAN} (?:now|already|and counting|straight)\b`, since),
  rule(
    String.raw`(?<=(?:\b(?:have|has|been)|'ve|'s been|’ve)\b[^.!?;]{0,80})\bfor ${SPAN}\b${NOT_TALK}`,
    since,
  ),
  rule(
    String.raw`\b(?:for|over|in|during|within|throughout) (?:the|these|this) (?:last|past) (?:(?<count>${COUNT}) )?(?<unit>${UNIT})\b`,
    (match, reference) =>
      since(
        { ...match, group: (name) => match.group(name) || (name === 'count' ? 'one' : '') },
        reference,
      ),
  ),
  rule(String.raw`\b${SPAN} (?:now|and counting)\b${NOT_TALK}`, since),
  rule(String.raw`\b(?:been|going on) ${SPAN}\b${NOT_TALK}`, since),
];
