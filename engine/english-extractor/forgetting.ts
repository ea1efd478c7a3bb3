/**
 * Requests to forget something that was said: "Delete the code 4471 from memory", "I don't want you to keep my address". They
 * are no statements. Commands about things that are no knowledge ("delete the branch"), figures of speech ("forget it"),
 * memos ("don't forget the milk"), reports and questions are no requests.
 */

const words = (list: string): string => list.trim().split(/\s+/u).join('|');

/** Where knowledge is kept. */
const MEMORY = String.raw`(?:(?:[\p{L}-]+ ){0,3}memor(?:y|ies)|(?:(?:your|the|our|my|all|any|shared|active) ){0,3}(?:records?|notes|knowledge|knowledge base|chart|files?|profile|history|database))`;
const FROM_MEMORY = new RegExp(
  String.raw`\b(?:from|in|out of|within) ${MEMORY}(?!\p{L})(?! of (?!me\b|us\b|this\b|it\b))`,
  'iu',
);

/** Nouns for what can be known of somebody or something. */
const KNOWLEDGE =
  words(`number numbers phone mobile telephone extension address addresses e-mail email code codes pin pins
  password passwords passphrase token tokens credential credentials key account accounts iban birthday birthdate birth
  name names surname nickname alias location whereabouts room salary diagnosis condition mapping label identifier wording
  phrasing instruction detail details information info data fact facts note notes entry statement remark contact amount
  figure value date plate combination`);

/** Takes something out of memory; said of other things too. */
const REMOVE = words(
  'delete deleted erase erased remove removed purge purged wipe wiped scrub scrubbed strike discard drop clear expunge',
);
/** Said of knowledge alone. */
const UNLEARN = String.raw`(?:forget|unlearn)`;
const NOT_KEEP = String.raw`(?:do not|don['’]t|never|please stop|stop|no longer|not) (?:remember|remembering|store|storing|keep|keeping|retain|retaining|record|recording|save|saving|mention|mentioning|repeat|repeating|recall|recalling|hold on to)`;

const POLITE = String.raw`(?:(?:please|pls|kindly|also|and|then|now|so|just|ok(?:ay)?|hey|well|thanks|again|(?:can|could|would|will) you(?: please)?|you (?:can|should|must|may)(?: now)?|i(?:['’]d| would)? (?:want|need|like|ask)(?: for)? you to|i must ask you to|go ahead and|retire and|make sure to|be sure to|let['’]s|we (?:should|must|need to))[,:]? ){0,6}`;
/** "Security action:", "Deletion request:", "For the record," */
const HEADING = String.raw`(?:[\p{Lu}][\p{L} -]{2,40}: |(?:for|as|as soon as|now that|since|because|after|once|when) [^,.:;]{3,60}, )?`;
const START = String.raw`^\W{0,3}${HEADING}${POLITE}`;

const COMMAND = new RegExp(String.raw`${START}(?:${REMOVE})(?: out)? (?<what>.+)$`, 'isu');
const UNLEARN_COMMAND = new RegExp(
  String.raw`${START}(?:${UNLEARN}|${NOT_KEEP}) (?<what>.+)$`,
  'isu',
);
const KEPT = words('kept stored retained remembered recorded saved mentioned known');
const WISH = new RegExp(
  String.raw`\b(?:i|we) (?:(?:no longer|do not|don['’]t) (?:want|wish)|(?:would|['’]d) (?:rather not|prefer not) (?:have|want)|want nobody) (?:(?:for )?(?:you|anybody|anyone|nobody|somebody|people|others|it|them|(?:this|the|your) [\p{L}]+) to (?:remember|store|keep|retain|know|record|save|mention|hold on to)\b|to be remembered\b|(?:my|our|that|this|the|these|those|any of|it) ?.{0,60}\b(?:${KEPT})\b)`,
  'iu',
);
const WANTED_GONE = new RegExp(
  String.raw`\b(?:i|we)(?:['’]d| would)? (?:want|like|need|ask for) (?<what>.{2,160}?) (?:to be |to get )?(?:deleted|removed|erased|forgotten|wiped|purged)(?!\p{L})`,
  'isu',
);
/** Said of what stands in a request, or tells that it is one. */
const IS_TO_GO =
  /\b(?:should|must|shall|is to|are to|has to|have to|needs to|need to|can) (?:now |also )?(?:be |get )?(?:treated as (?:\p{L}{3,20} and )?(?:deleted|unavailable|forgotten|removed)|(?:deleted|erased|removed|forgotten|purged|wiped|unavailable))\b/iu;
const STAY = words(
  'recoverable retained kept remembered stored reconstructed retrievable mentioned repeated available shown used',
);
const IS_NOT_TO_STAY = new RegExp(
  String.raw`\b(?:should|must|shall|may|can|is|are)(?: not|n['’]t| no longer| never) (?:to )?(?:be |get )?(?:${STAY})\b|\b(?:neither|none|nothing)\b.{0,40}\b(?:should|must|may) be (?:${STAY})\b`,
  'isu',
);
/** Said while it is done: "The code 4471 is deleted from memory." */
const IS_GONE =
  /\b(?:is|are) (?:now |hereby |also )?(?:deleted|erased|removed|purged|wiped|cleared|struck)(?!\p{L})/iu;
const TREATED_AS =
  /\btreated as (?:\p{L}{3,20} and )?(?:deleted|forgotten|unavailable|removed)\b/iu;

/** What was told by somebody is known: "the code I gave you", "what I said", "that I live in Linz". */
const TOLD =
  /\b(?:(?:i|we)(?:['’]ve| have| had)? (?:just |once |ever )?(?:told|gave|given|said|mentioned|shared|sent|wrote|written|told|dictated|entrusted)|what (?:i|we) |(?:you|you['’]ve|you have|on file|on record|you keep|you hold|you know))\b/iu;
/** A value that is named: a number, a code, an address, or something in quotation marks. */
const VALUE = /\d|\S@\S|["“„«‘](?=\S)|(?<=\s)'(?=\S)/u;
/** A telephone number, an e-mail address: nobody deletes one but from memory. */
const REACHES_SOMEBODY =
  /^(?:(?:my|our|his|her|their|the|this|that|these|those|any|all|both)\b.{0,80}?)?(?:\+?\d[\d ().-]{5,20}\d|[\p{L}\p{N}._-]{1,40}@[\p{L}\p{N}.-]{2,60})/iu;
/** "Delete 'the old wording' and keep only 'the new one'": words, not things. */
const WORDING = /^["“„«‘'].{2,120}\bkeep(?:ing)? (?:only|just)\b/isu;
const KNOWN_THING = new RegExp(
  String.raw`^(?:(?:all|any|every|both) (?:of )?)?(?:my|our|his|her|their|the|this|that|these|those|any|all|mine|\p{Lu}[\p{L}]+['’]s)\b.{0,80}?\b(?:${KNOWLEDGE})(?!\p{L})`,
  'iu',
);
/** Of an account only the number is known; the account itself is somebody else's to delete. */
const OWN_THING = /^(?:my|our) (?!.{0,60}\baccounts?$)/iu;
/** "that I ...": a fact. */
const FACT =
  /^(?:about )?(?:the fact )?that (?:i|we|my|our|you|he|she|they|it|the|there)(?!\p{L})/iu;
const EVERYTHING =
  /^(?:about )?(?:everything|all|anything|whatever|what) (?:that )?(?:i|we|you|(?:about|of|on) (?:me|us|my|our))\b/iu;

/** Things that somebody may delete, none of which is what is known. */
const OTHER_THINGS =
  /\b(?:branch|commit|repo(?:sitory)?|table|column|row|folder|directory|app|apps|package|dependency|cookies?|cache|logo|button|image|picture|photo|paragraph|sentence|section|slide|clause|renewal|feature|import|imports|variable|function|onions?|garlic|meeting|event|calendar|task|tasks|ticket|tickets|subscription|member|user|participant|thread|channel|stain|battery|lid|cover|item|items|restriction|limit|permission|access|duplicate|duplicates|plugin|extension cord)s?\b/iu;
/** A figure, or nothing that is to be forgotten. */
const FIGURE =
  /^(?:it|this|that|about it|about that|me|him|her|them|us|the past|yourself|everything else|all that|the rest)?\W*$/iu;
/** What comes after a negation, or is told of the past or of others. */
const NO_REQUEST =
  /\b(?:(?:do not|don['’]t|never|didn['’]t|did not|won['’]t|can['’]t|cannot|shouldn['’]t|should not|not) (?:ever |please )?(?:forget|delete|erase|remove|purge|wipe)|if (?:i|we|you|somebody|someone|they)|unless|asked (?:me|us|him|her|them|you)? ?to|(?:she|he|they|somebody|someone|who(?:ever)?) (?:asked|asks|wants|wanted)|told (?:me|us) to)\b/iu;
const ASKS_WHETHER = /\?\s*$/u;
const ASKS_TO = new RegExp(
  String.raw`^\W{0,3}${HEADING}(?:(?:please|ok(?:ay)?|so|and|also|hey|then|now),? )?(?:can|could|would|will) you\b`,
  'iu',
);

/** Whether what follows a word of removing is something that is known. */
function isKnowledge(what: string): boolean {
  if (FROM_MEMORY.test(what)) return true;
  if (FACT.test(what) || EVERYTHING.test(what)) return true;
  if (OTHER_THINGS.test(what)) return false;
  if (REACHES_SOMEBODY.test(what) || WORDING.test(what)) return true;
  return KNOWN_THING.test(what) && (VALUE.test(what) || TOLD.test(what));
}

/** Of "forget" and "don't keep": what is named, or known. */
function isForgettable(what: string): boolean {
  if (
    FIGURE.test(what) ||
    /^(?:to|about (?:dinner|lunch|the party)|how|where i put)\b/iu.test(what)
  )
    return false;
  if (isKnowledge(what)) return true;
  if (OTHER_THINGS.test(what)) return false;
  return KNOWN_THING.test(what) || /^(?:what|that|whatever) (?:i|we)\b/iu.test(what);
}

/** Whether a wish that something be gone is about knowledge. */
function wantsGone(sentence: string): boolean {
  const what = WANTED_GONE.exec(sentence)?.groups?.['what'];
  if (what === undefined) return false;
  if (FROM_MEMORY.test(sentence) || isKnowledge(what)) return true;
  return OWN_THING.test(what) && KNOWN_THING.test(what) && !OTHER_THINGS.test(what);
}

/** "Deletion request received for the old line 020 ...": passed on by who received it. */
const PASSED_ON =
  /^\W{0,3}(?:deletion|removal|erasure) request (?:\p{L}{2,20} ){0,2}(?:for|on)\b/iu;

/** Whether it says of something that it is to go: by itself, or after a request. */
function saysToGo(sentence: string, follows: boolean): boolean {
  if (IS_GONE.test(sentence) && FROM_MEMORY.test(sentence)) return true;
  if (!IS_TO_GO.test(sentence) && !IS_NOT_TO_STAY.test(sentence)) return false;
  return follows || TREATED_AS.test(sentence) || FROM_MEMORY.test(sentence);
}

/** Whether it is a command to take something that is known out of memory. */
function commands(sentence: string): boolean {
  const removed = COMMAND.exec(sentence)?.groups?.['what'];
  if (removed !== undefined && isKnowledge(removed)) return true;
  const unlearnt = UNLEARN_COMMAND.exec(sentence)?.groups?.['what'];
  return unlearnt !== undefined && isForgettable(unlearnt);
}

/**
 * Whether a sentence asks that something be forgotten. `follows`: the sentence before it, of the same speaker, does. Linear in
 * the length of the sentence.
 */
export function asksToForget(sentence: string, follows: boolean): boolean {
  if (sentence.length > LONGEST_REQUEST || NO_REQUEST.test(sentence)) return false;
  if (ASKS_WHETHER.test(sentence) && !ASKS_TO.test(sentence)) return false;
  if (saysToGo(sentence, follows) || commands(sentence) || PASSED_ON.test(sentence)) return true;
  return WISH.test(sentence) || wantsGone(sentence);
}

/** A request is a sentence or two; what is longer is a paste. */
const LONGEST_REQUEST = 1_000;
