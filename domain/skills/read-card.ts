/**
 * Reads the requirements of a card as a curator wrote them. All faults are named at once, by the path of the member; no
 * message repeats what was written.
 */
import {
  isSlug,
  LONGEST_CARD_TEXT_CHARS,
  LONGEST_FRESHNESS_SECONDS,
  LONGEST_SLUG_CHARS,
  MOST_REQUIREMENTS,
  REQUIREMENT_LEVELS,
  SOURCE_POLICIES,
  type Freshness,
  type Requirement,
} from './card.ts';
import { isWritten, oneOf, readText, type CardReading, type WrittenObject } from './reading.ts';
import { ANY_STATEMENT, readSelector } from './read-selector.ts';

const MEMBERS = [
  'key',
  'description',
  'level',
  'source_policy',
  'selector',
  'freshness',
  'prompt',
  'enabled',
];

export const SLUG_FAULT = `must be lower-case letters and digits, joined by - or _, at most ${LONGEST_SLUG_CHARS} characters`;

function readKey(value: unknown, reading: CardReading): string {
  if (typeof value === 'string' && isSlug(value)) return value;
  reading.fault(SLUG_FAULT);
  return '';
}

function readFreshness(value: unknown, reading: CardReading): Freshness | null {
  if (value === null || value === undefined) return null;
  if (!isWritten(value)) {
    reading.fault('must be an object');
    return null;
  }
  reading.only(value, ['revalidated_within_seconds']);
  const seconds = value['revalidated_within_seconds'];
  const isMeant =
    typeof seconds === 'number' &&
    Number.isInteger(seconds) &&
    seconds >= 1 &&
    seconds <= LONGEST_FRESHNESS_SECONDS;
  if (isMeant) return { revalidated_within_seconds: seconds };
  reading
    .at('revalidated_within_seconds')
    .fault(`must be a whole number from 1 to ${LONGEST_FRESHNESS_SECONDS}`);
  return null;
}

function readEnabled(value: unknown, reading: CardReading): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value !== 'boolean') reading.fault('must be true or false');
  return value !== false;
}

/** A tombstone needs its key alone; what else it has is read like that of any requirement. */
function readRequirement(value: unknown, reading: CardReading): Requirement | null {
  if (!isWritten(value)) {
    reading.fault('must be an object');
    return null;
  }
  reading.only(value, MEMBERS);
  const enabled = readEnabled(value['enabled'], reading.at('enabled'));
  const word = <T extends string>(name: string, words: readonly T[], unless: T): T =>
    enabled || isGiven(value, name) ? oneOf(value[name], words, reading.at(name), unless) : unless;
  const text = (name: string) => readText(value[name], LONGEST_CARD_TEXT_CHARS, reading.at(name));
  return {
    key: readKey(value['key'], reading.at('key')),
    description: text('description'),
    level: word('level', REQUIREMENT_LEVELS, 'required'),
    source_policy: word('source_policy', SOURCE_POLICIES, 'either'),
    selector:
      enabled || isGiven(value, 'selector')
        ? readSelector(value['selector'], reading.at('selector'))
        : ANY_STATEMENT,
    freshness: readFreshness(value['freshness'], reading.at('freshness')),
    prompt: text('prompt'),
    enabled,
  };
}

function isGiven(value: WrittenObject, name: string): boolean {
  return value[name] !== null && value[name] !== undefined;
}

/** The requirements; where `reading` has collected faults, they are not to be used. */
export function readRequirements(value: unknown, reading: CardReading): readonly Requirement[] {
  if (!Array.isArray(value)) {
    reading.fault('must be a list');
    return [];
  }
  if (value.length > MOST_REQUIREMENTS) {
    reading.fault(`must have at most ${MOST_REQUIREMENTS} requirements`);
  }
  const keys = new Set<unknown>();
  return value.slice(0, MOST_REQUIREMENTS).flatMap((one: unknown, index) => {
    const place = reading.at(index);
    const requirement = readRequirement(one, place);
    if (requirement === null) return [];
    if (requirement.key !== '' && keys.has(requirement.key)) {
      place.at('key').fault('must be a key that no requirement before it has');
    }
    keys.add(requirement.key);
    return [requirement];
  });
}
