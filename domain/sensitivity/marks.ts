/** What a speaker asks to be kept: "between us", "don't share this", "confidential". */

const IT = String.raw`(?:this|it|that|these|them|any of (?:this|it)|what i (?:say|said|told you)|a word)`;
const OTHERS = String.raw`(?:anyone|anybody|others?|outsiders|people|the (?:others|team|family|press|kids)|my \p{L}+|him|her|them)`;
const ASKED = String.raw`(?:don['’]?t|do not|never|please don['’]?t)`;
const MARKS: readonly RegExp[] = [
  /\b(?:just |strictly |only )?between (?:us|you and (?:me|i)|ourselves|the two of us|these walls)\b/iu,
  new RegExp(
    String.raw`\bkeep(?:ing)? ${IT} (?:strictly |very )?(?:private|confidential|secret|quiet|between us|to (?:yourself|yourselves)|under wraps|off the record|internal)`,
    'iu',
  ),
  /\b(?:off the record|in (?:strict |strictest )?confidence|for your (?:eyes|ears) only|not for (?:sharing|distribution|publication)|under wraps|hush-hush|on the quiet|mum's the word)\b/iu,
  new RegExp(
    String.raw`\b(?:don['’]?t|do not|never|please don['’]?t|must not|mustn['’]t|should not|shouldn['’]t|cannot|can['’]t|may not) (?:you )?(?:ever )?(?:be )?(?:share[ds]?|disclose[ds]?|repeat(?:ed)?|forward(?:ed)?|reveal(?:ed)?|leak(?:ed)?|publish(?:ed)?|pass(?:ed)? on|spread) (?:${IT}|outside|with|to|beyond)`,
    'iu',
  ),
  new RegExp(
    String.raw`\b${ASKED} (?:(?:tell|mention ${IT} to|say ${IT} to|show ${IT} to|talk about ${IT} (?:to|with)) ${OTHERS}\b|let ${OTHERS} know\b)`,
    'iu',
  ),
  // Names have capitals.
  /\b(?:[Dd]on['’]?t|[Dd]o not|[Nn]ever) (?:(?:tell|(?:mention|say|show) (?:this|it|that) to) \p{Lu}\p{Ll}+|let \p{Lu}\p{Ll}+ know)\b/u,
  /\b(?:should|must|may|can|to) (?:not be|never be|stay|remain|be kept) (?:shared|disclosed|mentioned|repeated|forwarded|revealed|private|confidential|secret|between us|internal)\b/iu,
  /\b(?:strictly |highly |very |it['’]s |is |are |was |kept |remains? |stays? |as )(?:confidential|private|secret|sensitive)\b(?! (?:school|sector|company|companies|road|beach|jet|pilot|lessons?|tutor|party|santa|garden|service|sauce|skin|teeth|ears?|to))/iu,
  /\b(?:confidential|private|sensitive|secret) (?:note|matter|file|case|information|info|detail|details|number|contact|callback|address|record|records|conversation|message|plan|project|pilot|topic|data|reason|diary|account)s?\b/iu,
  /\b(?:confidentially|privately speaking|nobody (?:else )?(?:knows|should know|must know|is to know)|no one (?:else )?(?:knows|should know|must know)|i (?:have(?:n['’]t| not) told|told only|only told) (?:anyone|anybody|my|you)|you['’]re the (?:only|first) (?:one|person) (?:i['’]ve told|who knows|to know)|my secret|a secret i)\b/iu,
];

/** Whether the text asks for discretion. Linear in its length. */
export function asksForDiscretion(text: string): boolean {
  return MARKS.some((mark) => mark.test(text));
}
