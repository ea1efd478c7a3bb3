/** Sentences that give away what opens a door: passwords, codes, PINs, tokens, numbers of cards, accounts and identity papers. */
import { withoutEnding } from '../text/ending.ts';
import { wordSet } from '../text/word-set.ts';

/** These open something whatever stands before them. */
const NAMED = String.raw`pass(?:words?|phrases?|codes?|keys?)|pin(?:[ -](?:codes?|numbers?))?|puk|otps?|cvv|cvc|api[ _-]?keys?|secret[ _-]?(?:access[ _-]?)?keys?|access[ _-]?keys?|private[ _-]?keys?|encryption keys?|ssh keys?|client[ _-]?secrets?|webhook secrets?|(?:recovery|seed|secret|backup) phrases?|credentials?|tokens?|(?:credit|debit|bank|gift) ?card(?: number)?|card (?:number|no\.?)|(?:bank )?account (?:number|no\.?)|routing number|sort code|iban|social security(?: number)?|ssn|national insurance number|passport (?:number|no\.?)|driver'?s licen[cs]e (?:number|no\.?)|(?:tax|insurance|membership|patient|national|government) (?:id|number)|id number|combination|security (?:answer|question)`;
/** A code of these opens nothing. */
const OF_NOTHING =
  wordSet(`error status exit return response http zip postal post area country dialling dialing dress source machine
byte qr bar promo promotion discount coupon voucher course product item flight colour color hex morse building-code highway penal civil
tax legal ethics moral conduct cheat unicode ascii language currency airport station time-zone stock part model subject`);
const LABEL = new RegExp(String.raw`\b(?:${NAMED})\b`, 'giu');
const CODE = /(?:(?<kind>[\p{L}\p{N}][\p{L}\p{N}-]{1,19})[ -]{1,2})?\b(?<label>codes?)\b/giu;
const VERB = String.raw`(?:(?:has been |was |were |is |got |have been )?(?:changed|rotated|reset|updated|set|switched|replaced|moved|extended)(?: (?:to|with|by))|(?:is|was|are|remains|stays|reads|equals|becomes|became)(?: (?:now|still|currently|again|always))?)`;
const VALUE = String.raw`(?<value>["'“‘«]?[^\s,;]+)`;
/** What a label is said to be: "is", "changed to", ":"; or the value stands right behind it. */
const DIRECT = new RegExp(
  String.raw`^(?:\s+(?:number|code))?(?:\s*(?:[:=]|->|→)|\s+${VERB})?\s*${VALUE}`,
  'iu',
);
/** "The code for the cabin is 3141". */
const BY_PLACE = new RegExp(
  String.raw`^\s+(?:for|of|to|on|at|in)\s[^,.;:]{1,40}?(?:[:=]|\s${VERB})\s*${VALUE}`,
  'iu',
);
/** What can stand in the place of a value and is none: "my password is safe", "the token is required". */
const NO_VALUE =
  wordSet(`is was are were be been being has have had not no n't never the a an my our your his her their its this that these those it
in on at by with from for to of and or but so if when while because as than then there here where who which what how why
required needed wrong correct right safe secure secured strong weak long short old new expired valid invalid missing lost stolen
stored kept saved hidden known unknown unchanged available unavailable ready active inactive retired stale gone different same
easy hard difficult manager managers policy policies reset resets prompt field form page hygiene rotation rotations rules rule
protected protection change changes breach leak budget budgets economy limit limits count counts usage launch sale ring ceremony
design still already also common simple weird funny good bad great similar identical public private empty blank case unique plain fine okay
ok enough important optional mandatory hard guess hashing hash hint hints list lists file files strength generator field fields authentication login auth only just soon again now later tomorrow today yesterday every some any all both one two three`);
const HAS_DIGIT = /\d/u;
/** Forms that are secrets by themselves. */
const SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_](?:live|test|proj)?[-_]?[A-Za-z0-9]{16,}/u,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|ya29\.|eyJ[A-Za-z0-9_-]{8,}\.)[A-Za-z0-9._-]{8,}/u,
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/u,
  /\b\d{3}-\d{2}-\d{4}\b/u,
  /\b(?:\d{4}[ -]){3}\d{1,4}\b/u,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b/u,
  // Groups that mix digits and letters: "4Q7L-X2MP".
  /\b(?:(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{4,6}-){1,5}(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{4,6}\b/u,
];

/** In UTF-16 code units, how far behind its label a value may begin. */
const REACH = 90;

const OPENS = /^["'“‘«(]{1,3}/u;
const CLOSES = /["'”’».,;:!?)]/u;
const bare = (raw: string): string => withoutEnding(raw.replace(OPENS, ''), CLOSES);

function isValue(raw: string): boolean {
  const value = bare(raw);
  const isQuoted = /^["“‘«']/u.test(raw);
  if (value.length < 3) return HAS_DIGIT.test(value) && value.length > 1;
  return isQuoted || HAS_DIGIT.test(value) || /^\p{L}+_[\p{L}_]+$/u.test(value);
}

interface Label {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** "We rotated the token to 77a9c". */
const ROTATED =
  /\b(?:changed|rotated|reset|updated|set|switched|replaced|moved)\s(?:[\p{L}-]{1,20}\s){0,3}$/iu;
const TO_VALUE = new RegExp(String.raw`^\s+(?:to|with|by)\s+${VALUE}`, 'iu');

/** The values that may be meant: behind a place, behind a verb of change before the label, or right behind. */
function valuesBehind(sentence: string, { start, end }: Label): readonly string[] {
  const rest = sentence.slice(end, end + REACH);
  const isRotated = ROTATED.test(sentence.slice(Math.max(0, start - REACH), start));
  const found = [BY_PLACE.exec(rest), isRotated ? TO_VALUE.exec(rest) : null, DIRECT.exec(rest)];
  return found.flatMap((match) => match?.groups?.['value'] ?? []);
}

/** "My password is swordfish", "she uses the password swordfish": a plain word is the value of a password alone. */
const SAID =
  /^\s*(?:[:=]|(?:is|was|remains)(?: now| still)?\s)\s*(?<word>\p{L}{3,30})(?![\p{L}-])/iu;
const USED =
  /\b(?:us(?:es?|ed|ing)|enter(?:s|ed)?|typ(?:es?|ed)|with) (?:the|this|my|our|a)(?: [\p{L}-]{1,20})?\s$/iu;
const BEHIND = /^\s+(?<word>\p{L}{3,30})(?![\p{L}-])/u;
/** Says how a password is: "password is protected", "is working", "is really short". */
const DESCRIBES = /(?:ed|ing|ly|able|ible|ful|less|ous|ive)$/u;

function givesWord(sentence: string, { end, start, text }: Label): boolean {
  if (!/^pass/iu.test(text)) return false;
  const rest = sentence.slice(end, end + REACH);
  const isUsed = USED.test(sentence.slice(Math.max(0, start - REACH), start));
  const found = SAID.exec(rest) ?? (isUsed ? BEHIND.exec(rest) : null);
  const word = found?.groups?.['word']?.toLowerCase();
  return word !== undefined && !NO_VALUE.has(word) && !DESCRIBES.test(word);
}

/** "4821 is the code": the value before its label. */
const BEFORE =
  /(?<value>[^\s,;:]{3,40})\s+(?:is|was|remains|stays)(?: (?:now|still))? (?:the|my|our|your|his|her|their)(?: [\p{L}-]{1,20}){0,3}\s*$/iu;

function givesBefore(sentence: string, start: number): boolean {
  const raw = BEFORE.exec(sentence.slice(Math.max(0, start - REACH), start))?.groups?.['value'];
  return raw !== undefined && HAS_DIGIT.test(raw);
}

/** Words that name other things, too, and what their secrets look like: "the token is 120 years old" gives none. */
const LOOKS: readonly (readonly [label: RegExp, value: RegExp])[] = [
  [/^(?:token|credential)/iu, /^(?=.*\d)(?=.*[\p{L}_-]).{5,}$/u],
  [/^combination/iu, /^(?:\d{1,2}(?:-\d{1,2}){1,4}|\d{4,8})$/u],
  [/^pin/iu, /^\d{3,8}[#*]?$/u],
];

function isGiven(sentence: string, label: Label): boolean {
  const [, looks] = LOOKS.find(([name]) => name.test(label.text)) ?? [];
  const fits = (value: string): boolean => looks === undefined || looks.test(bare(value));
  const isBehind = valuesBehind(sentence, label).some((value) => isValue(value) && fits(value));
  return isBehind || givesBefore(sentence, label.start);
}

/** Whether a code of the kind opens something; of most kinds it does. */
const opensDoors = (kind: string | undefined): boolean =>
  !OF_NOTHING.has(kind?.toLowerCase() ?? '');

/** Whether the sentence gives a secret away, by its label and value or by its shape. Linear in its length. */
export function givesSecret(sentence: string): boolean {
  if (SHAPES.some((shape) => shape.test(sentence))) return true;
  for (const { 0: label, index } of sentence.matchAll(LABEL)) {
    const named = { text: label, start: index, end: index + label.length };
    if (isGiven(sentence, named) || givesWord(sentence, named)) return true;
  }
  for (const { 0: phrase, groups, index } of sentence.matchAll(CODE)) {
    const text = groups?.['label'] ?? phrase;
    const end = index + phrase.length;
    const code = { text, start: end - text.length, end };
    if (opensDoors(groups?.['kind']) && isGiven(sentence, code)) return true;
  }
  return false;
}
