/** Words of what law and decency hold personal: health, money, belief and politics, intimacy and origin. */

const HEALTH =
  /\b(?:diagnos\w+|diseases?|illness\w*|cancer|tumou?rs?|chemo\w*|diabet\w+|insulin|asthma\w*|inhaler|allerg\w+|coeliac|celiac|depress\w+|anxi\w+|therap(?:y|ist)\w*|counsell?ing|psychiatr\w+|psycholog(?:ist|ists)|medicat\w+|medicines?|prescri\w+|antidepressants?|antibiotics?|dosage|(?:\d+ ?mg|milligrams?)|surger\w+|surgeon|biopsy|x-?ray|mri|ultrasound|blood (?:pressure|test|tests|sugar|type|work)|hospital\w*|doctor'?s?|doc|clinic|pregnan\w+|miscarr\w+|abortion|ivf|contracepti\w+|hiv|std|sti|disab\w+|wheelchair|autis\w+|adhd|dyslexi\w+|bipolar|schizophreni\w+|ptsd|ocd|eating disorder|anorexi\w+|bulimi\w+|mental health|overweight|obes\w+|heart (?:attack|condition|palpitations?|rhythm|surgery)|(?:had|suffered|after|from|survived) (?:a |his |her |my |the )?(?:mild |severe |small )?stroke|injur\w+|symptoms?|addict\w+|alcoholi(?:c|sm)|sober|rehab|detox|relaps\w+|gastritis|epilep\w+|seizures?|migraines?|panic attacks?|suicid\w+|self-harm|overdose|dementia|alzheimer\w*|parkinson\w*|arthritis|hepatitis|menopause|sick leave|care plan)\b/iu;
const MONEY =
  /\b(?:salar\w+|earns?|earned|income|mortgages?|debts?|loans?|bankrupt\w*|savings|net worth|pension|wages?|owes?|owed|overdraft|credit score|inherit(?:ed|ance|s)|alimony|child support|severance|unemployment benefits?|food stamps|welfare payments?|tax(?:es)? (?:return|debt|bill|refund)|payslips?|paychecks?)\b/iu;
const BELIEF =
  /\b(?:church|mosque|synagogue|temple|christian\w*|catholic\w*|protestant\w*|muslim\w*|islam\w*|jewish|judaism|hindu\w*|buddhis\w+|sikh\w*|atheis\w+|agnostic|religio\w+|pray\w*|bible|quran|torah|baptis\w+|republican\w*|democrats?|conservatives?|labour party|socialis\w+|communis\w+|votes?|voted|voting|political\w*|politics|election|trade union|union member\w*|activis\w+)\b/iu;
const INTIMATE =
  /\b(?:gay|lesbian|bisexual\w*|queer|lgbt\w*\+?|trans(?:gender\w*|sexual\w*|ition\w*)?|non-?binary|asexual|homosexual\w*|heterosexual|sexual\w*|sex|coming out|came out|gender identity|ethnic\w*|racial\w*)\b/iu;

const AMOUNT = String.raw`(?:[$€£¥]\s?\d[\d.,]{0,14}\s?(?:k|m|thousand|million)?|(?<![\d.,])\d[\d.,]{0,14}\s?(?:k|m|thousand|million)?\s?(?:usd|eur|gbp|chf|dollars?|euros?|pounds?|bucks|quid|francs?|kroner|kronor|zloty|rupees?|yen|pesos?))\b`;
/** What a person gets or has to pay, when an amount stands by it. */
const OF_PERSONS = String.raw`stipend|scholarship|bursary|allowance|bonus(?:es)?|rent|tuition|deductible|co-?pay|settlement|deposit|grant|fellowship|award|support|aid|assistance|benefit|reimbursement|advance|commission|tips|fine|bail`;
const GETS = String.raw`(?:I|he|she|they|we|\p{Lu}\p{Ll}+)\s+(?:makes?|made|gets? paid|got paid|(?:is|was|am) paid|takes? home|took home|brings? home|borrow(?:s|ed)|lent|lends?|gambled|won|lost|inherits?)`;
const NEAR = String.raw`[^.!?;\n]{0,60}?`;
/** "I lost 10 pounds" tells of no money. */
const CASH = AMOUNT.replace('pounds?|', '');
const AMOUNT_OF_PERSONS = [
  new RegExp(String.raw`\b(?:${OF_PERSONS})\b${NEAR}${AMOUNT}`, 'iu'),
  new RegExp(String.raw`${AMOUNT}${NEAR}\b(?:${OF_PERSONS})\b`, 'iu'),
  new RegExp(String.raw`\b${GETS}\b${NEAR}${CASH}`, 'u'),
  new RegExp(
    String.raw`\b${GETS}\s+(?:about |around |almost |over )?\d[\d.,]{0,14}\s?k?\s+(?:a|per|an) (?:year|month|week|hour)\b`,
    'u',
  ),
];

/** Whether the sentence tells of somebody's health, money, belief, politics, love or origin. */
export function isPersonal(sentence: string): boolean {
  const isOfKind = [HEALTH, MONEY, BELIEF, INTIMATE].some((lexicon) => lexicon.test(sentence));
  return isOfKind || AMOUNT_OF_PERSONS.some((pattern) => pattern.test(sentence));
}
