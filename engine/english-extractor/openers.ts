/**
 * Words that open a spoken English sentence before it says anything: interjections, fillers, greetings and
 * the name of the person addressed. Stripped before a sentence is judged and rewritten.
 */

import { addressing, SHORTEST_FORM } from './addressed.ts';

const INTERJECTION = String.raw`wow|whoa|woah|oh|ooh|ah|aw+|yay|woohoo|hey|hi|hello|hiya|yo|yeah|yep|yup|yes|no|nope|nah|ok|okay|alright|all right|sure|right|well|so|and|but|also|plus|anyway|anyways|actually|honestly|basically|definitely|absolutely|totally|exactly|thanks|thank you|thx|sorry|haha+|hah|lol|hmm+|um+|uh|btw|by the way|as for me|on my side|on my end|to be honest|tbh|you know|i mean|good morning|good evening|congrats|congratulations|cool|nice|great|awesome|true|agreed|please|alas|gosh|man|dude|of course|for sure|no worries|no problem|speaking of(?: which)?|as i said|like i said|in fact|for now|on top of that|guess what|you won['’]t believe (?:it|this|what happened)|funny you (?:mention|ask|say) (?:that|it)?|same here|me too|(?:(?:great|good|big|exciting|bad|sad|some) )+news|appreciate (?:it|that|this|you|the offer|your (?:offer|help|support|advice))|glad you asked|here['’]s the thing|fun fact|update|turns out|turned out|it turns out|(?:funny|strange|crazy|weird) thing`;
const BEFORE_SELF = String.raw`(?=(?:i|i['’](?:m|ve|ll|d)|my|we|we['’](?:re|ve|ll|d)|our)\b)`;
/** "Remember that I am allergic to nuts": told to an agent, the assertion follows. */
const MEMO = String.raw`(?:please )?(?:remember|note|keep in mind|do not forget|don['’]t forget|just so you know|for the record|fyi|be aware)(?: that)?[,:]?\s+`;
/** "It reminds me how much I love sailing": what it reminds of follows. */
const REMINDS = String.raw`(?:(?:it|that|this) )?(?:just |also |really )?reminds me (?:of )?(?:how much|how|that) `;
/** "Thanks for the lift, I got home early": the thanks open what the speaker goes on to tell. */
const THANKS = String.raw`(?:thanks|thank you|glad you asked|sorry)(?: (?:so much|a lot))?(?: (?:for|about) [^,.!?]{1,60})?,\s+`;
const LEAD = new RegExp(
  String.raw`^(?:(?:${THANKS}|${REMINDS})${BEFORE_SELF}|[\s"'“”*_>#–—-]+|(?:${INTERJECTION})(?:(?: so| very)? much| a lot| again| all)?(?:[,;:!.…)]+\s*|\s+[-–—]+\s*|\s+${BEFORE_SELF})|${MEMO}${BEFORE_SELF}|\(?(?:also|and|but|plus|well|yeah|oh|btw|by the way|though)\b,?\s+(?=\p{L}))`,
  'iu',
);

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

/** Short forms are made only of so many letters at the beginning of a first name. */
const LONGEST_SHORT_NAME = 24;

/** The full name, its first part, and short forms of that: Mel for Melanie. */
export function formsOf(name: string): string[] {
  const first = name.split(/\s+/u)[0] ?? name;
  const letters = Array.from(first.slice(0, 2 * LONGEST_SHORT_NAME)).slice(0, LONGEST_SHORT_NAME);
  const short = letters
    .slice(SHORTEST_FORM)
    .map((_, i) => letters.slice(0, i + SHORTEST_FORM).join(''));
  return [name, first, ...short].filter((form) => form !== '');
}

/** An opening that addresses a participant: "Mel,", "Hey Melanie!", "Thanks Mel -". */
function vocative(names: readonly string[]): RegExp {
  const forms = [...new Set(names.flatMap(formsOf))].map(escaped);
  const any = forms.toSorted((a, b) => b.length - a.length).join('|');
  return new RegExp(
    String.raw`^(?:(?:${INTERJECTION}),? )?(?:${any})(?:[,!:;]+|\s+[-–—]+)\s*`,
    'iu',
  );
}

/** Removes openers from sentences of a conversation between these participants. */
export type OpenerStripper = (sentence: string) => string;

/** A stripper for the participants' names, built once per message. */
export function openerStripper(names: readonly string[]): OpenerStripper {
  const addressIn = addressing(names, vocative);
  return (sentence) => {
    const address = addressIn(sentence);
    let rest = sentence;
    for (;;) {
      let next = rest.replace(LEAD, '');
      if (address !== null) next = next.replace(address, '');
      if (next === rest || next === '') return rest.trim();
      rest = next;
    }
  };
}
