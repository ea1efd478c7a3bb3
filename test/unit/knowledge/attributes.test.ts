import { describe, expect, test } from '@jest/globals';
import {
  ATTRIBUTES,
  attributeOf,
  type AttributeReading,
} from '../../../domain/statements/attributes.ts';
import { claimOf } from '../../../engine/knowledge/claims.ts';

const NAMES = ['Ada Berg', 'ada'];
const read = (text: string): string | null => shown(attributeOf(text, NAMES));

function shown(claim: AttributeReading | null): string | null {
  return claim && `${claim.mode} ${claim.attribute} ${claim.value ?? '*'}`;
}

const CLAIMS: Readonly<Record<(typeof ATTRIBUTES)[number], Readonly<Record<string, string>>>> = {
  residence: {
    'Ada lives in Bergen.': 'holds residence bergen',
    'Ada Berg lives in Bergen now': 'holds residence bergen',
    'Ada now lives in Bergen, Norway.': 'holds residence bergen',
    'Ada has lived in Stoke-on-Trent since 2020.': 'holds residence stoke-on-trent',
    'Ada is living in New York with Kari.': 'holds residence new york',
    'Ada lives in a small flat in Oslo.': 'holds residence oslo',
    'Ada moved to Oslo in March.': 'holds residence oslo',
    'Ada and others moved to Rome last year.': 'holds residence rome',
    'Ada has just moved back to Oslo.': 'holds residence oslo',
    'Ada moved from Bergen to Oslo two years ago.': 'holds residence oslo',
    'In March, Ada moved to Oslo.': 'holds residence oslo',
    'Last year Ada relocated to São Paulo for work.': 'holds residence são paulo',
    'Ada’s home is in Oslo.': 'holds residence oslo',
    'Actually, Ada lives in Oslo.': 'corrects residence oslo',
    'Ada lives in Oslo, not in Bergen.': 'corrects residence oslo',
    'Ada no longer lives in Bergen.': 'ended residence bergen',
    "Ada doesn't live in Bergen anymore.": 'ended residence bergen',
    'Ada moved away from Bergen in June.': 'ended residence bergen',
    'ada lives in 京都': 'holds residence 京都',
  },
  employer: {
    'Ada works at Acme.': 'holds employer acme',
    'Ada is working for the Nordic Bank in Oslo.': 'holds employer nordic bank',
    'Ada works as a nurse at Acme.': 'holds employer acme',
    'Ada started working at Globex in May.': 'holds employer globex',
    'Ada got a new job at Globex.': 'holds employer globex',
    "Ada's new employer is Globex.": 'holds employer globex',
    'Ada is employed by Acme.': 'holds employer acme',
    'Ada no longer works at Acme.': 'ended employer acme',
    "Ada quit Ada's job at Acme.": 'ended employer acme',
    'Ada left Acme in June.': 'ended employer acme',
    'Ada was laid off from Acme.': 'ended employer acme',
    "Ada lost Ada's job.": 'ended employer *',
  },
  occupation: {
    'Ada is a nurse.': 'holds occupation nurse',
    'Ada is a software engineer at heart': 'holds occupation software engineer',
    'Ada works as a glass blower.': 'holds occupation glass blower',
    'Ada became a teacher in 2021.': 'holds occupation teacher',
    "Ada's job is that of a pilot.": 'holds occupation pilot',
    'Ada no longer works as a nurse.': 'ended occupation nurse',
    'Ada retired in June.': 'ended occupation *',
  },
  name: {
    "Ada's name is Ada Vik.": 'holds name ada vik',
    "Ada changed Ada's name to Ada Vik in June.": 'holds name ada vik',
    "Ada's last name is now Vik.": 'holds name vik',
    'Ada is called Adele.': 'holds name adele',
  },
  marital_status: {
    'Ada is single.': 'holds marital_status single',
    'Ada got engaged to Bo.': 'holds marital_status engaged',
    'Ada got married in May 2024.': 'holds marital_status married',
    'Ada is married to Bo.': 'holds marital_status married',
    'Ada got divorced last month.': 'holds marital_status divorced',
    'Ada is widowed.': 'holds marital_status widowed',
    'Ada is no longer married.': 'ended marital_status married',
  },
  age: {
    'Ada is 34 years old.': 'holds age 34',
    'Ada turned 35 yesterday.': 'holds age 35',
    "Ada's age is 36.": 'holds age 36',
  },
  email: {
    "Ada's email is ada@example.org.": 'holds email ada@example.org',
    "Ada's new e-mail address is Ada.Berg@Example.com now.": 'holds email ada.berg@example.com',
  },
  phone: {
    "Ada's phone number is +47 900 00 000.": 'holds phone +4790000000',
    "Ada's number has changed to 555-0100.": 'holds phone 5550100',
  },
  pronouns: {
    'Ada uses they/them pronouns.': 'holds pronouns they/them',
    "Ada's pronouns are she/her.": 'holds pronouns she/her',
    'Ada goes by he/him.': 'holds pronouns he/him',
  },
  time_zone: {
    "Ada's time zone is Europe/Oslo.": 'holds time_zone europe/oslo',
    'Ada is in the UTC+2 time zone.': 'holds time_zone utc+2',
    "Ada's timezone is CET.": 'holds time_zone cet',
  },
  language: {
    'Ada speaks French.': 'holds language french',
    'Ada is fluent in Norwegian Bokmål.': 'holds language norwegian bokmål',
    "Ada's native language is Portuguese.": 'holds language portuguese',
    'Ada no longer speaks German.': 'ended language german',
  },
  possession: {
    'Ada owns a red kayak.': 'holds possession red kayak',
    'Ada bought a Tesla in 2020.': 'holds possession tesla',
    "Ada sold Ada's Tesla in April.": 'ended possession tesla',
    "Ada gave away Ada's old red kayak.": 'ended possession red kayak',
    'Ada no longer has the Tesla.': 'ended possession tesla',
  },
};

describe.each(ATTRIBUTES)('%s', (attribute) => {
  test.each(Object.entries(CLAIMS[attribute]))('is read in "%s"', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

test.each([
  // visits, stays and figures of speech
  'Ada visited Oslo.',
  'Ada went to Oslo in March.',
  'Ada stayed in Oslo for a week.',
  'Ada lives in Oslo for the summer.',
  'Ada lives in fear of spiders.',
  'Ada moved to tears.',
  'Ada moved to the front row.',
  'Ada works at night.',
  'Ada works for free on Sundays.',
  'Ada turned 5 pages.',
  'Ada has a good idea.',
  'Ada has a sister in Oslo.',
  "Ada lost Ada's temper.",
  'Ada is engaged in politics.',
  'Ada is a vegetarian.',
  'Ada is a former teacher.',
  'Ada is 34 minutes late.',
  'Ada speaks slowly.',
  'Ada speaks at conferences.',
  'Ada uses apples/pears.',
  "Ada's time zone is confusing.",
  // plans, wishes, doubts
  'Ada is moving to Oslo next month.',
  'Ada will move to Oslo.',
  'Ada wants to live in Oslo.',
  'Ada plans to work at Globex.',
  'Ada might have moved to Oslo.',
  'Ada would live in Oslo if it were cheaper.',
  'Perhaps Ada lives in Oslo.',
  'Ada thinks Ada lives in Oslo.',
  // questions
  'Ada lives in Oslo?',
  'Does Ada live in Oslo?',
  // negations and what was
  "Ada doesn't live in Oslo.",
  'Ada never lived in Oslo.',
  "Ada didn't move to Oslo.",
  'Ada used to live in Bergen.',
  'Ada lived in Bergen until 2015.',
  "Ada isn't married.",
  // other people, and second things
  "Ada's sister lives in Oslo.",
  "Ada's husband works at Globex.",
  'Kari lives in Oslo.',
  'Adam lives in Oslo.',
  "Ada's sister's email is kari@example.org.",
  'Ada also works at a bakery on weekends.',
  'Ada works part-time at a bakery.',
  // preferences
  'Ada likes coffee.',
  'Ada prefers Oslo.',
])('nothing is read in "%s"', (text) => {
  expect(read(text)).toBeNull();
});

describe('a country or a large region', () => {
  const wide = (text: string) => attributeOf(text, NAMES)?.isWide === true;

  test.each([
    'Ada lives in Norway.',
    'Ada now lives in Sweden.',
    'Ada has lived in Canada since 2020.',
    'Ada is based in Bavaria.',
    "Ada's home is in Great Britain.",
  ])('is a wide place: %s', (text) => {
    expect(attributeOf(text, NAMES)?.attribute).toBe('residence');
    expect(wide(text)).toBe(true);
  });

  test.each([
    'Ada lives in Bergen.',
    'Ada lives in New York.',
    'Ada lives in Singapore.',
    'Ada moved to Norway.',
    'Ada lives in Mexico City.',
    'Actually, Ada lives in Norway.',
  ])('is none, or is a move or a correction: %s', (text) => {
    expect(wide(text)).toBe(false);
  });

  test('is compared with other wide places alone, so that it ends no town', () => {
    const about = (text: string) => claimOf(text, NAMES)?.about;
    expect(about('Ada lives in Norway.')).toBe(about('Ada lives in Sweden.'));
    expect(about('Ada lives in Norway.')).not.toBe(about('Ada lives in Bergen.'));
    expect(about('Ada moved to Norway.')).toBe(about('Ada lives in Bergen.'));
  });
});

test('without a name of the subject no claim is read', () => {
  expect(attributeOf('Ada lives in Oslo.', [])).toBeNull();
  expect(attributeOf('Ada lives in Oslo.', ['', ' '])).toBeNull();
});

test('a name matches literally, also when it contains pattern characters', () => {
  expect(shown(attributeOf('A.d+a (x) lives in Oslo.', ['A.d+a (x)']))).toBe(
    'holds residence oslo',
  );
  expect(attributeOf('Axdda x lives in Oslo.', ['A.d+a (x)'])).toBeNull();
});

test('nothing is read in a long text, whose patterns are followed to its end', () => {
  expect(read(`Ada lives in ${'a very '.repeat(20_000)}place`)).toBeNull();
});
