/** The values of attributes, and where a value ends in a sentence. */
import { withoutEnding } from '../text/ending.ts';
import { foldText } from '../text/fold.ts';

/** Words and signs that end a value: what follows tells the time, the reason or the company. */
const AFTER =
  /[,;.!(](?=\s|$)|[,;!(]|\s[–—-]+\s|\s(?:in|on|at|since|for|with|without|because|when|while|where|after|before|until|till|from|as|to|near|by|through|now|again|recently|today|yesterday|tomorrow|already|permanently|together|alone|during|around|about|who|which|that|and|but|or|so|then|too|last|next|this|these|those|years?|\p{L}+ (?:days?|weeks?|months?|years?) ago|\d{1,4})(?=\s|$|[,;.!])/iu;

/** The value at the beginning of `raw`, without what follows it and without an article. */
export function cutAfterValue(raw: string): string {
  const at = AFTER.exec(raw)?.index ?? raw.length;
  return withoutEnding(raw.slice(0, at).replace(/^(?:the|an?) /iu, ''), /[.!\s]/u).trim();
}

const DWELLING =
  /^(?:an?|the|their|her|his) (?:[\p{L}-]+ ){0,3}(?:house|flat|apartment|room|cottage|studio|loft|place|home|farm|village|town|suburb|dorm|condo) (?:in|near|outside) /iu;
/** Beginnings that name no residence. */
const NO_PLACE =
  /^(?:fear|hope|peace|harmony|poverty|luxury|sin|exile|denial|comfort|hiding|(?:the|a|an|another|their|her|his|its|my) )/iu;
const MAX_WORDS = 5;

/**
 * A named place, folded; null for anything else. In scripts with case it must begin with a capital, so that
 * "moved to tears" is no address.
 */
export function isPlace(raw: string): string | null {
  const named = raw.replace(DWELLING, '');
  const withArticle = /^the (?=\p{Lu})/u.test(named) ? foldText(cutAfterValue(named)) : null;
  // "The Netherlands" and "the UK" are places, "the North" is none.
  if (withArticle !== null && regionNames().has(withArticle)) return withArticle;
  if (NO_PLACE.test(named)) return null;
  const value = cutAfterValue(named);
  if (value === '' || value.split(' ').length > MAX_WORDS) return null;
  const capital = /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(value);
  return capital ? foldText(value) : null;
}

/** Beside the countries: their common names, continents, and large regions of which people say that they live there. */
const OTHER_REGIONS =
  `england|scotland|wales|northern ireland|uk|usa|us|united states of america|america|great britain|britain|holland
czech republic|turkey|europe|asia|africa|north america|south america|latin america|oceania|scandinavia|alabama|alaska
arizona|arkansas|california|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky
louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire
new jersey|new mexico|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina
south dakota|tennessee|texas|utah|vermont|virginia|west virginia|wisconsin|wyoming|ontario|quebec|british columbia
alberta|nova scotia|bavaria|saxony|catalonia|andalusia|tuscany|sicily|brittany|normandy|queensland|new south wales
tasmania|provence|lapland|bohemia|moravia|flanders|wallonia|burgundy|alsace|galicia|basque country|lombardy|piedmont
calabria|apulia|sardinia|corsica|crete|cornwall|yorkshire|new england|midwest|balkans|baltics|highlands|alps`.split(
    /[|\n]/u,
  );

let regions: ReadonlySet<string> | null = null;

/** Names of countries, as the runtime knows them, and of large regions; folded. */
function regionNames(): ReadonlySet<string> {
  if (regions !== null) return regions;
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCodePoint(65 + i));
  const countries = letters.flatMap((a) => letters.flatMap((b) => names.of(`${a}${b}`) ?? []));
  regions = new Set([...countries, ...OTHER_REGIONS].map((name) => foldText(name)));
  return regions;
}

/** Countries that are one town. */
const TOWNS = new Set([
  'gibraltar',
  'luxembourg',
  'monaco',
  'san marino',
  'singapore',
  'vatican city',
]);

/** Whether a folded place is a country or a large region, within which a person may live in a narrower place. */
export function isWidePlace(value: string): boolean {
  if (TOWNS.has(value)) return false;
  const names = regionNames();
  return names.has(value) || names.has(value.replace(/^the /u, ''));
}

/** "Works for free", "works at night" name no employer. */
export const EMPLOYERS_NOT =
  /^(?:free|fun|hours|money|pay|tips|ages|years|decades|months|weeks|days|night|nights|weekends|home|dawn|dusk|noon|times|once|length|present|least|most|all|it|them|him|her|us|me|myself|themself|themselves|change|peace|living|job|work|day|long time|while|early|late|behind|alone|party|room|house|town|country|school|building|meeting|conversation|group chat|smoking|drinking|sugar|coffee|(?:their|her|his|its)\b.*)$/iu;

const OCCUPATIONS = new Set(
  `accountant actor actress advisor analyst anesthetist apprentice architect archivist artist astronomer athlete attorney
author baker banker barber barista bartender beekeeper biologist blacksmith bookbinder bookkeeper botanist bricklayer broker
builder butcher captain caretaker carpenter carer cashier ceo chef chemist cleaner clerk coach coder composer conductor
consultant contractor cook coordinator counsellor counselor courier curator dancer dentist designer detective developer
dietitian diplomat director diver doctor driver economist editor electrician engineer entrepreneur farmer firefighter
fisherman florist gardener geologist goldsmith hairdresser historian illustrator instructor interpreter janitor jeweller
jeweler joiner journalist judge lawyer lecturer librarian lifeguard locksmith machinist manager marketer masseur mathematician
mechanic meteorologist midwife miner musician nanny nurse optician painter paramedic pastor pharmacist photographer physician
physicist physiotherapist pilot plumber poet policeman politician porter potter priest principal printer producer professor
programmer prosecutor psychiatrist psychologist publisher receptionist researcher roofer sailor salesman saleswoman scientist
secretary shepherd singer soldier solicitor specialist statistician steward stylist surgeon surveyor tailor teacher technician
therapist toolmaker trainer translator tutor veterinarian vet waiter waitress watchmaker weaver welder winemaker writer zoologist`.split(
    /\s+/u,
  ),
);

/** Whether the last word of a folded phrase is the name of a job. */
export function isOccupation(value: string): boolean {
  const head = value.split(/[\s-]+/u).at(-1) ?? '';
  return (
    OCCUPATIONS.has(head) &&
    !/^(?:former|retired|ex|amateur|hobby|would-be|good|great|bad|big)\b/u.test(value)
  );
}

/** A proper name, folded: up to four capitalised words, or any word of a script without case. */
export function nameOf(raw: string): string | null {
  const value = /^(?:[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}'.-]*(?: |$)){1,4}/u.exec(cutAfterValue(raw));
  return value === null ? null : foldText(value[0].trim());
}

/** Things that cannot be sold, and nouns after "has a" that are no possession. */
const NO_THING =
  /^(?:lot|bit|few|couple|good|great|bad|nice|hard|long|chance|look|talk|walk|nap|cold|headache|fever|feeling|idea|plan|job|meeting|appointment|question|problem|degree|sister|brother|son|daughter|child|baby|friend|husband|wife|partner|girlfriend|boyfriend|crush|interest|passion|habit|fear|allergy|temper|way|mind|match|game|bet|fight|race|weight|balance|patience|temper|keys?|voice|hope|interest|time|new (?:job|role|baby|friend))(?:\s|$)/iu;

/** A possession by name, folded, without article and "old" or "new". */
export function thingOf(raw: string): string | null {
  const value = cutAfterValue(raw).replace(/^(?:(?:own|old|new|beloved|used|second-hand) )+/iu, '');
  if (value === '' || NO_THING.test(value) || value.split(' ').length > MAX_WORDS) return null;
  return /^[\p{L}\p{N}]/u.test(value) ? foldText(value) : null;
}

/** Pronouns as people write them: "they/them". */
export function pronounsOf(raw: string): string | null {
  const value = foldText(raw);
  return /^(?:he|she|they|it|ze|xe|ey|fae)\/\p{L}{1,5}(?:\/\p{L}{1,6})?$/u.test(value)
    ? value
    : null;
}

const OFFSET = /^(?:utc|gmt)(?:[+-]\d{1,2}(?::?\d{2})?)?$/u;
const ABBREVIATION =
  /^(?:[ecmpa][sd]?t|cet|cest|eet|eest|wet|west|bst|ist|jst|aest|aedt|nzst|nzdt|msk)$/u;
const AREAS = new Set(Intl.supportedValuesOf('timeZone').map((zone) => zone.toLowerCase()));

/** A time zone, folded: an area of the IANA database, an offset, or a common abbreviation. */
export function timeZoneOf(raw: string): string | null {
  const value = withoutEnding(foldText(raw), /[.!,;]/u);
  return OFFSET.test(value) || ABBREVIATION.test(value) || AREAS.has(value) ? value : null;
}

/** English names of languages, by their two-letter codes of ISO 639. */
const LANGUAGES: ReadonlySet<string> = languages();

function languages(): Set<string> {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const named = codes.flatMap((code) => names.of(code) ?? []);
  return new Set([...named.map(foldText), 'mandarin', 'cantonese', 'farsi', 'sign language']);
}

/** The name of a language, folded; null for anything else that one can speak. */
export function isLanguage(raw: string): string | null {
  const value = foldText(cutAfterValue(raw));
  return LANGUAGES.has(value) || value.endsWith(' sign language') ? value : null;
}
