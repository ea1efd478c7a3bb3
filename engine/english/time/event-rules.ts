/** "I just launched it", "we're about to leave now": such an event is dated to the day of the message. */
import { days } from './calendar.ts';
import { rule, type Rule } from './rule.ts';
import { isPastForm } from '../../../domain/text/past-form.ts';
import { wordSet } from '../../../domain/text/word-set.ts';

/** Past forms that tell a state or a wish, or soften what follows. */
const NO_EVENT =
  wordSet(`wanted needed loved liked hoped wished felt thought knew meant kept seemed used tired excited amazed interested worried
scared said told had wondered figured tried supposed asked checked heard saw seen`);

export const JUST_RULES: readonly Rule[] = [
  rule(
    String.raw`(?:(?<=^|[.!?,;:–—-] ?)|\b(?<=(?:i|we|he|she|they|and|have|has|i've|we've|he's|she's|’ve) ))just (?<verb>[a-z]+)\b`,
    (match, { today }) => {
      const verb = match.group('verb');
      return isPastForm(verb) && !NO_EVENT.has(verb) ? days(today) : null;
    },
  ),
  rule(
    String.raw`\b(?:going to|gonna|about to|off to|heading) (?!be\b)[^.!?,;]{1,60}?\b(?:right )?now\b`,
    (_, { today }) => days(today),
  ),
];
