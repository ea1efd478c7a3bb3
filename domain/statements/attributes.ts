/**
 * The closed list of attributes that a newer statement updates. Everything here reads an English statement in the
 * third person, as extractors write it, and finds its subject by name. When in doubt it finds no attribute: a plan, a
 * visit, a question, a negation or a fact about another person names none, and a statement that names none updates
 * nothing.
 */
import { withoutEnding } from '../text/ending.ts';
import { foldText } from '../text/fold.ts';
import {
  cutAfterValue,
  EMPLOYERS_NOT,
  isLanguage,
  isOccupation,
  isPlace,
  isWidePlace,
  nameOf,
  pronounsOf,
  thingOf,
  timeZoneOf,
} from './values.ts';

export const ATTRIBUTES = [
  'residence',
  'employer',
  'occupation',
  'name',
  'marital_status',
  'age',
  'email',
  'phone',
  'pronouns',
  'time_zone',
  'language',
  'possession',
] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

/** Attributes of which a person may have several values at once: each value is an attribute of its own. */
export const MANY_VALUED: ReadonlySet<Attribute> = new Set(['language', 'possession']);

/**
 * `holds`: it is so. `ended`: it is so no longer. `corrects`: it is so, and an older value was never true.
 */
export const CLAIM_MODES = ['holds', 'ended', 'corrects'] as const;
export type ClaimMode = (typeof CLAIM_MODES)[number];

/** The result of a rule below. */
export interface AttributeReading {
  readonly attribute: Attribute;
  /** Folded; null when the attribute ended whatever its value was. Equal values say the same. */
  readonly value: string | null;
  readonly mode: ClaimMode;
  /**
   * Where a person lives, by the country or a large region. It says nothing against a narrower place: "lives in Norway" does
   * not end "lives in Bergen". So wide places are compared with each other alone.
   */
  readonly isWide?: boolean;
}

/**
 * The claim of a statement about one attribute, in the form that governance compares: the value is a digest and never
 * the text.
 */
export interface AttributeClaim {
  /** The attribute; of one with many values also the digest of the value. */
  readonly about: string;
  readonly value: string | null;
  readonly mode: ClaimMode;
}

type Reading = Omit<AttributeReading, 'mode'> & { readonly mode?: ClaimMode };
type Reader = (words: RegExpExecArray) => Reading | null;
type Rule = readonly [pattern: RegExp, read: Reader];

const group = (words: RegExpExecArray, name = 'value'): string => words.groups?.[name] ?? '';

/** A rule's reading of its `value`; none when `accept` finds no value in it. */
function valued(
  attribute: Attribute,
  accept: (raw: string) => string | null,
  mode: ClaimMode = 'holds',
): Reader {
  return (words) => {
    const value = accept(group(words));
    return value === null ? null : { attribute, value, mode };
  };
}

/** The place where somebody lives; a move always names a narrower one, or leaves it. */
const dwelling: Reader = (words) => {
  const value = isPlace(group(words));
  return value === null ? null : { attribute: 'residence', value, isWide: isWidePlace(value) };
};

const fixed =
  (attribute: Attribute, value: string | null, mode: ClaimMode = 'holds'): Reader =>
  () => ({ attribute, value, mode });

const employer = (raw: string): string | null => {
  const value = cutAfterValue(raw);
  return value === '' || EMPLOYERS_NOT.test(value) ? null : foldText(value);
};

const occupation = (raw: string): string | null => {
  const value = foldText(cutAfterValue(raw));
  return isOccupation(value) ? value : null;
};

/** Any noun after "works as a" is an occupation. */
const calling = (raw: string): string | null => {
  const value = foldText(cutAfterValue(raw));
  return /^\p{L}[\p{L}\p{M}' -]{1,60}$/u.test(value) ? value : null;
};

const digits = (raw: string): string | null => {
  const value = raw.replace(/[^\d+]/gu, '');
  return value.length >= 5 ? value : null;
};

const years = (raw: string): string | null => (Number(raw) <= 130 ? String(Number(raw)) : null);

const OWN = '(?:their|her|his|its)';
const WHEN = String.raw`$|[,.;!]|\s(?:last|yesterday|today|now|this|on|two|three|a|in (?:\d{4}|january|february|march|april|may|june|july|august|september|october|november|december))\b`;
const END = String.raw`(?=$|[\s,.;!])`;
const rule = (pattern: string, read: Reader): Rule => [new RegExp(`^(?:${pattern})`, 'iu'), read];

/** After the name: "lives in Bergen". The first rule that reads something decides. */
const PREDICATES: readonly Rule[] = [
  rule(
    `(?:no longer lives?|stopped living) in (?<value>.+)`,
    valued('residence', isPlace, 'ended'),
  ),
  rule(
    `(?:doesn't|don't) live in (?<value>.+?) any ?more${END}`,
    valued('residence', isPlace, 'ended'),
  ),
  rule(`moved (?:away from|out of) (?<value>.+)`, valued('residence', isPlace, 'ended')),
  rule(
    `(?:lives?|is living|are living|resides?|has lived|has been living|is based|has settled|settled) in (?<value>.+)`,
    dwelling,
  ),
  rule(
    String.raw`(?:moved|has moved|have moved|relocated|has relocated)(?: (?:back|over|house|home|away))?(?: from [^,.;]{1,40}?)? to (?<value>.+)`,
    valued('residence', isPlace),
  ),

  rule(
    `(?:no longer works?|stopped working) as an? (?<value>.+)`,
    valued('occupation', calling, 'ended'),
  ),
  rule(
    `(?:no longer works?|stopped working) (?:at|for) (?<value>.+)`,
    valued('employer', employer, 'ended'),
  ),
  rule(
    `(?:doesn't|don't) work (?:at|for) (?<value>.+?) any ?more${END}`,
    valued('employer', employer, 'ended'),
  ),
  rule(
    `(?:left|quit|has left|has quit|resigned from|was (?:laid off|fired|dismissed) (?:from|by)|got (?:laid off|fired) (?:from|by)) (?:${OWN} (?:job|position|post) (?:at|with) |the job at )?(?<value>.+)`,
    valued('employer', employer, 'ended'),
  ),
  rule(
    `(?:quit|lost|left|has quit|has lost|has left) ${OWN} job${END}`,
    fixed('employer', null, 'ended'),
  ),
  rule(`(?:retired|has retired|is retired)${END}`, fixed('occupation', null, 'ended')),
  rule(
    `(?:works?|is working|has worked|has been working|works? as an? [\\p{L} -]{2,40}?) (?:at|for) (?<value>.+)`,
    valued('employer', employer),
  ),
  rule(`(?:is employed|is now employed) (?:at|by) (?<value>.+)`, valued('employer', employer)),
  rule(
    `(?:started working|started a (?:new )?job|started ${OWN} (?:new )?job|got a (?:new )?job|took a (?:new )?job|has started working|began working) (?:at|for|with) (?<value>.+)`,
    valued('employer', employer),
  ),
  rule(
    `(?:works?|is working|has worked|started working|began working) as an? (?<value>.+)`,
    valued('occupation', calling),
  ),
  rule(
    `(?:is|became|has become|was promoted to|has been|trained as) an? (?<value>.+)`,
    valued('occupation', occupation),
  ),

  rule(
    `(?:changed|has changed) ${OWN} (?:last |sur|family |first )?name to (?<value>.+)`,
    valued('name', nameOf),
  ),
  rule(`(?:is|goes) (?:called|named|by the name(?: of)?) (?<value>.+)`, valued('name', nameOf)),

  rule(
    `(?:is|are|got|has gotten|has got|is now|became)(?: (?:happily|legally|newly))? (?:re)?married${END}`,
    fixed('marital_status', 'married'),
  ),
  rule(
    `(?:is|got|became|has got)(?: (?:newly|recently))? engaged(?= to\\b|${WHEN})`,
    fixed('marital_status', 'engaged'),
  ),
  rule(
    `(?:is|got|has got|became|has been)(?: (?:newly|recently))? divorced${END}`,
    fixed('marital_status', 'divorced'),
  ),
  rule(
    `(?:is|got|has|have)(?: (?:newly|recently))? separated(?= from (?:${OWN}|\\p{Lu})|$|[.!])`,
    fixed('marital_status', 'separated'),
  ),
  rule(`(?:is|was|became) (?:widowed|a widow|a widower)${END}`, fixed('marital_status', 'widowed')),
  rule(`is single${END}`, fixed('marital_status', 'single')),
  rule(
    `(?:is no longer|isn't|is not) married any ?more|is no longer married`,
    fixed('marital_status', 'married', 'ended'),
  ),

  rule(`is (?<value>\\d{1,3}) (?:years? old|years? of age)${END}`, valued('age', years)),
  rule(`(?:turned|has turned) (?<value>\\d{1,3})(?=${WHEN})`, valued('age', years)),

  rule(
    String.raw`(?:uses|goes by|prefers) (?:the )?(?<value>[\p{L}/]+)(?: pronouns)?${END}`,
    valued('pronouns', pronounsOf),
  ),
  rule(
    String.raw`(?:is|lives|works) in the (?<value>\S+) time ?zone`,
    valued('time_zone', timeZoneOf),
  ),
  rule(`(?:no longer speaks?|has forgotten) (?<value>.+)`, valued('language', isLanguage, 'ended')),
  rule(
    `(?:speaks?|is fluent in|is a native speaker of)(?: (?:fluent|native|good))? (?<value>.+)`,
    valued('language', isLanguage),
  ),

  rule(
    `(?:sold|gave away|has sold|has given away|donated|got rid of|threw away|scrapped|traded in|lost) (?:${OWN}|the) (?<value>.+)`,
    valued('possession', thingOf, 'ended'),
  ),
  rule(
    `no longer (?:owns?|has|have) (?:an? |the |${OWN} )?(?<value>.+)`,
    valued('possession', thingOf, 'ended'),
  ),
  rule(
    `(?:owns?|has|bought|has bought|got|acquired|keeps?) (?:an? |the )(?<value>.+)`,
    valued('possession', thingOf),
  ),
];

const NEW = '(?:(?:new|current|present) )?';

/** After the name and its "'s": "email is ada@example.org". */
const PROPERTIES: readonly Rule[] = [
  rule(`(?:${NEW}(?:home|address|place of residence) is (?:now )?(?:in )?)(?<value>.+)`, dwelling),
  rule(`${NEW}employer is (?:now )?(?<value>.+)`, valued('employer', employer)),
  rule(
    `${NEW}(?:job|occupation|profession) is (?:now )?(?:an? |that of an? )?(?<value>.+)`,
    valued('occupation', occupation),
  ),
  rule(
    `${NEW}(?:full |last |sur|family |first )?name is (?:now )?(?<value>.+)`,
    valued('name', nameOf),
  ),
  rule(
    String.raw`${NEW}(?:preferred )?pronouns are (?:now )?(?<value>[\p{L}/]+)${END}`,
    valued('pronouns', pronounsOf),
  ),
  rule(String.raw`${NEW}time ?zone is (?:now )?(?<value>\S+)`, valued('time_zone', timeZoneOf)),
  rule(
    `(?:native |first |mother |second )?(?:language|tongue) is (?:now )?(?<value>.+)`,
    valued('language', isLanguage),
  ),
  rule(`${NEW}age is (?:now )?(?<value>\\d{1,3})${END}`, valued('age', years)),
  rule(
    String.raw`${NEW}e-?mail(?: address)? (?:is|has changed to|changed to) (?:now )?(?<value>[^\s@,;]+@[^\s@,;]+\.[\p{L}\p{N}-]+)`,
    valued('email', foldText),
  ),
  rule(
    String.raw`${NEW}(?:(?:tele)?phone|mobile|cell|cell phone|mobile phone)?(?: ?number)? (?:is|has changed to|changed to) (?:now )?(?<value>\+?\d[\d\s()/-]{4,}\d)`,
    valued('phone', digits),
  ),
];

/** A time before the sentence's subject: "In March, Ada moved to Oslo". */
const LEAD =
  /^(?:(?:(?:in|on|since|as of) [\p{L}\p{N} ]{1,20}|(?:last|this) \p{L}+|\p{L}+ (?:days?|weeks?|months?|years?) ago|yesterday|today|now|recently|currently|finally),? )/iu;
const ADVERBS =
  /^(?:(?:now|just|currently|recently|finally|still|already|officially|actually|permanently|really) )+/iu;
const AUXILIARY =
  /^(?<verb>has|have|is|are) (?:now|just|currently|recently|finally|already|officially|still) /iu;
/** Words of questions, plans, wishes and additions. A sentence with one of them claims no attribute. */
const NO_CLAIM =
  /\?|\b(?:if|unless|might|may be|maybe|perhaps|probably|would|wants? to|plans? to|hopes? to|dreams?|wishes|pretends?|temporarily|part[- ]time|part of the year|sometimes|on weekends|second (?:job|home)|as a child|as a kid|for (?:the|a|one|two|three|a few|a couple of|\d+) (?:days?|nights?|weeks?|weekends?|months?|summer|winter|season|semester|holidays?|vacation))\b/iu;
const CORRECTION = /,? (?:and )?not (?:in |at |for |an? )?[\p{L}\p{N}][^,;]{0,60}$/iu;
const SAID_WRONG = /^(?:actually|correction|in fact|to be precise|i meant)[,:]? /iu;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);

/** The subject's names as statements use them: whole, and the first of several words. */
function formsOf(names: readonly string[]): string[] {
  const forms = names.flatMap((name) => {
    const whole = name.trim().replace(/\s+/gu, ' ');
    return [whole, whole.split(' ')[0] ?? ''];
  });
  return [...new Set(forms)].filter((form) => form !== '').toSorted((a, b) => b.length - a.length);
}

function plain(text: string): string {
  const unified = text.normalize('NFKC').replace(/[\u2018\u2019\u02BC]/gu, "'");
  return unified.replace(/\s+/gu, ' ').trim();
}

function firstReading(rules: readonly Rule[], rest: string): Reading | null {
  for (const [pattern, read] of rules) {
    const words = pattern.exec(rest);
    const reading = words === null ? null : read(words);
    if (reading !== null) return reading;
  }
  return null;
}

/** The text after the subject's name, or null when the statement does not open with it. */
function afterName(
  statement: string,
  forms: readonly string[],
): { readonly rest: string; readonly owned: boolean } | null {
  const who = forms.map(escaped).join('|');
  const opening = new RegExp(`^(?:${who})(?<owned>'s)?(?: and others)? `, 'iu').exec(statement);
  if (opening === null) return null;
  const possessive = new RegExp(`(?<![\\p{L}\\p{N}])(?:${who})(?: and others)?'s `, 'giu');
  const rest = statement.slice(opening[0].length).replace(possessive, 'their ');
  return { rest, owned: opening.groups?.['owned'] !== undefined };
}

/**
 * The attribute that an English statement about the person of these names claims, or null. `names` are every
 * way the person is called (display name, key); the statement must open with one of them.
 */
export function attributeOf(text: string, names: readonly string[]): AttributeReading | null {
  const forms = formsOf(names);
  const said = plain(text);
  if (forms.length === 0 || NO_CLAIM.test(said)) return null;
  const ended = withoutEnding(said, /[.!]/u);
  const corrected = CORRECTION.test(ended);
  const bare = ended.replace(CORRECTION, '');
  const body = bare.replace(SAID_WRONG, '').replace(LEAD, '');
  const found = afterName(body, forms);
  if (found === null) return null;
  const rest = found.rest.replace(ADVERBS, '').replace(AUXILIARY, '$<verb> ').replace(ADVERBS, '');
  const reading = firstReading(found.owned ? PROPERTIES : PREDICATES, rest);
  if (reading === null) return null;
  const { attribute, isWide = false, value, mode = 'holds' } = reading;
  const corrects = mode === 'holds' && (corrected || SAID_WRONG.test(bare));
  const claimed = { attribute, value, mode: corrects ? ('corrects' as const) : mode };
  return isWide && !corrects ? { ...claimed, isWide } : claimed;
}
