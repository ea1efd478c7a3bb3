/**
 * Frames in which a sentence does not say what is: games, wishes, suppositions, commands to forget, jokes. Some reach over
 * the sentences after them ("Let's pretend my name is Otto. I live in Linz.").
 */

/** Opens a frame that reaches to the end of its paragraph, or to a sentence that leads back. */
const LASTING =
  /^(?:(?:please|pls|ok(?:ay)?|now|so|and|just|then|well|hey|let['’]?s|can you|could you|would you|will you|you (?:should|can|could|must)|i want you to|i['’]d like you to|try to|to)[,:]?\s+)*(?:pretend(?:ing)?|imagine|suppose|supposing|act(?:ing)? (?:as|like)|behave (?:as|like)|role-?play(?:ing)?|say (?:that )?(?:i|my)\b|assume|assuming|picture|play|be (?:a|an|my)\b|answer as|respond as|reply as|talk as|speak as|write)\b|\b(?:hypothetically|in (?:my|this|the) (?:dream|nightmare|novel|scenario|fantasy|role)|once upon a time|you are (?:now )?(?:a|an) \p{L}+ (?:who|that|named|called)|your name is|from now on you|my character|the protagonist|the narrator|in an alternate|for the sake of argument|as if i were|for example|for instance|e\.g\.)(?!\p{L})|^(?:example|fiction|story|scenario|dialogue|script)\b[^.!?]{0,40}:/iu;
/** A dream that is told is one; what happens in it is not so, in the sentences after it either. */
const DREAM =
  /\bi (?:(?:had|have|keep having) (?:a|an|this|that|the) (?:\p{L}+ ){0,2}(?:dream|nightmare)|dream(?:ed|t) (?:that|about|of|i))\b/iu;
/** Leads back to what is. */
const BACK =
  /^(?:anyway|anyhow|ok(?:ay)?,|back to|in (?:reality|fact|real life|truth)|actually|seriously|but really|really,|now,|end of|jokes? aside|joking aside|to be clear|for real|as for me)\b/iu;
/** Says nothing of what is, in this sentence alone. */
const SINGLE =
  /\b(?:i wish(?:ed)?|if only|would that|as if|as though|it(?:['’]s| is) not true|it is(?:n['’]t| not) (?:true|the case)|i never said|i (?:did not|didn['’]t) say|rumou?r|supposedly|allegedly|in theory|hypothetical)\b|\b(?:songs?|lyrics|chorus|jokes?|memes?|sayings?|proverbs?|poems?|quotes?|signs?|posters?|captions?) (?:goes|go|says?|reads?|is|are)\s*[:,]|\bas (?:\p{L}+ ){1,3}(?:wrote|said|says|writes|put it|puts it),|\bin (?:the|this|that|my|our|a) (?:game|movie|film|book|show|series|story|novel|comic)s?,? i(?:['’]m| am| own| live| have)\b|\b(?:wrote|writes|said|says|asked|replied|texted|told (?:me|us|him|her|them|everyone)|posted|tweeted)\s*:\s*["“«'‘]?(?:i|my|we|our)\b|\b(?:wrongly|falsely|mistakenly) (?:thinks?|believes?|claims?|assumes?)\b/iu;
/** Tells what somebody else says or thinks: its parts are no statements of the speaker's. */
const REPORTED =
  /\b(?:thinks?|thought|says?|said|claims?|claimed|believes?|believed|assumes?|assumed|insists?|insisted|swears?|swore|told (?:me|us|him|her|them|everyone|people)|tells? (?:me|us|him|her|them|everyone|people)) (?:that )?(?:i|my|we|our)\b/iu;
/** The speaker's own saying and thinking: "I think my job is safe". */
const OWN_SAYING =
  /\bi (?:\p{L}+ )?(?:think|thought|said|say|believe|believed|told|swear|claim|assume)/iu;
const CONDITION =
  /^(?:if|unless|were i|had i|should i|in case)\b|\b(?:if i (?:were|was|had|could)|i would(?:['’]ve| have)?\b.{0,60}\bif|i['’]d\b.{0,60}\bif)\b/iu;
const FORGETTING =
  /^(?:please |pls |now |just |ok(?:ay)?,? |can you |could you )*(?:forget|delete|remove|erase|ignore|disregard|scratch|unlearn|drop|do(?:n['’]t| not) (?:remember|note|store|save|keep))\b/iu;
/** A sentence that does nothing but take back the one before it. */
const TAKES_BACK =
  /^\W*(?:(?:no|ok(?:ay)?|haha+|lol|wait|well|sorry|i(?:['’]m| am|['’]m only| was)) ?,? ?)*(?:(?:just |only )?(?:kidding|joking|teasing)|jk|not|psych|gotcha|(?:that|this|it)(?:['’]s| is| was) (?:all )?(?:not true|untrue|a lie|false|a joke|wrong))\W*$/iu;
const JOKE =
  /(?:\b(?:that|this|it)(?:['’]s| is| was) (?:not true|untrue|a lie|false|a joke|wrong)\b|\b(?:just |only )?kidding|\bjk\b|\bjust joking|\bnot!|\/s\b|\bpsych!|\bhaha,? no\b|\bgotcha\b|\b(?:only|just) teasing)/iu;
/** Figures of speech that are no news of the speaker. */
const IDIOM =
  /\bi(?:['’]m| am|['’]ll be| could| will| would| almost| nearly)? (?:the (?:queen|king|pope|emperor|president|prime minister)\b|(?:dead|dying|die|died|starving|melting|toast|done for|screwed|all ears|on cloud nine|over the moon|in heaven|losing it|losing my mind|going crazy|going insane|broke my brain|can['’]t even|shook|doomed|a (?:mess|wreck|zombie|potato|genius|idiot|moron|unicorn|robot|ghost)|eat a horse|on fire(?: today)?|liv(?:e|ing) under a rock|(?:batman|superman|spider-?man|darth vader|sherlock holmes|james bond))\s*[.!…]*$)/iu;

export interface Frames {
  /** Whether the sentence says something of what is. Sentences are told in their order. */
  readonly isReal: (sentence: string, isNewParagraph: boolean) => boolean;
}

/** Whether the sentence tells what somebody else says or thinks of the speaker, or a dream. */
export function reports(sentence: string): boolean {
  return DREAM.test(sentence) || (REPORTED.test(sentence) && !OWN_SAYING.test(sentence));
}

/** Whether the sentence takes back the one before it: "Just kidding!", "That's not true." */
export function takesBack(text: string): boolean {
  return TAKES_BACK.test(text);
}

/** Follows the sentences of one message. */
export function createFrames(): Frames {
  let isOpen = false;
  return {
    isReal: (sentence, isNewParagraph) => {
      if (isNewParagraph || BACK.test(sentence)) isOpen = false;
      if (LASTING.test(sentence)) {
        isOpen = true;
        return false;
      }
      if (isOpen) return false;
      isOpen = DREAM.test(sentence);
      return ![SINGLE, CONDITION, FORGETTING, JOKE, IDIOM].some((pattern) =>
        pattern.test(sentence),
      );
    },
  };
}
