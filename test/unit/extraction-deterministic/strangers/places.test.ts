/** Who names a country has not moved out of a town: a wide place is compared with wide places alone. */
import { describe, expect, test } from '@jest/globals';
import { attributeOf } from '../../../../domain/statements/attributes.ts';
import { claimOf } from '../../../../engine/knowledge/claims.ts';
import { statements } from '../conversation.ts';

const NAMES = ['Ada', 'ada'];
const COUNTRIES =
  'Norway,Sweden,Canada,Japan,Brazil,Kenya,India,Germany,Spain,Portugal,Poland,Ireland,Scotland,Wales,England,the Netherlands,the United States,South Korea,New Zealand,South Africa'.split(
    ',',
  );
const REGIONS =
  'Bavaria,Scandinavia,Texas,California,Andalusia,Catalonia,Provence,Tuscany,Lapland,Bohemia'.split(
    ',',
  );
const TOWNS =
  'Bergen,Uppsala,Toronto,Kyoto,Recife,Nairobi,Pune,Bremen,Seville,Porto,Gdansk,Cork,Dundee,Swansea,Leeds,Utrecht,Boston,Busan,Dunedin,Durban,Munich,Malmö,Austin,Fresno,Granada,Girona,Nice,Siena,Rovaniemi,Brno'.split(
    ',',
  );
const SAYINGS = [
  (place: string) => `I live in ${place}.`,
  (place: string) => `I now live in ${place}.`,
  (place: string) => `I have lived in ${place} since 2020.`,
  (place: string) => `I'm based in ${place}.`,
];

const sayingsOf = (places: readonly string[]): readonly (readonly [string, string])[] =>
  places.map((place, n) => [place, (SAYINGS[n % SAYINGS.length] ?? String)(place)]);

const claimIn = (said: string) => {
  const [statement = ''] = statements(said);
  return { reading: attributeOf(statement, NAMES), claim: claimOf(statement, NAMES) };
};

describe('a country or a region', () => {
  const wide = sayingsOf([...COUNTRIES, ...REGIONS]);

  test('is tried in thirty forms', () => {
    expect(new Set(wide.map(([, said]) => said)).size).toBeGreaterThanOrEqual(30);
  });

  test.each(wide)('%s ends no town: %s', (_, said) => {
    const { reading, claim } = claimIn(said);
    expect(reading).toMatchObject({ attribute: 'residence', isWide: true });
    expect(claim?.about).not.toBe(claimIn('I live in Bergen.').claim?.about);
    expect(claim?.about).toBe(claimIn('I live in Norway.').claim?.about);
  });
});

test.each(sayingsOf(TOWNS))('%s is a town, and ends another: %s', (_, said) => {
  const { reading, claim } = claimIn(said);
  expect(reading).toMatchObject({ attribute: 'residence' });
  expect(reading?.isWide).not.toBe(true);
  expect(claim?.about).toBe(claimIn('I live in Lima.').claim?.about);
});
