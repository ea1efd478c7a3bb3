/** Reads the selector of a requirement. A word alone stands for a list of it; lists are kept sorted, each word once. */
import {
  LONGEST_TOPIC_CHARS,
  MOST_MINIMUM_CORROBORATION,
  MOST_TOPICS,
  SELECTOR_SUBJECTS,
  SELECTOR_WORDS,
  type Selector,
} from './card.ts';
import { isWritten, oneOf, readText, type CardReading } from './reading.ts';

/** The selector that every statement about the peer or a scope meets. */
export const ANY_STATEMENT: Selector = {
  kind: [],
  subject: 'either',
  sensitivity: [],
  target_level: [],
  source_types: [],
  verification: [],
  attribute: [],
  topic: [],
  minimum_confidence: null,
  minimum_corroboration: null,
};

const MEMBERS = Object.keys(ANY_STATEMENT);

const isAbsent = (value: unknown): value is null | undefined =>
  value === null || value === undefined;

/** The value as a list: one that is no list is a list of it. */
const asList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [value];

function readWords<T extends string>(
  value: unknown,
  words: readonly T[],
  reading: CardReading,
): readonly T[] {
  if (isAbsent(value)) return [];
  const given = asList(value);
  const [first] = words;
  if (first === undefined) return [];
  // As a card is shown: an empty list asks nothing.
  if (given.length > words.length) {
    reading.fault(`must be words of ${words.join(', ')}, each once`);
    return [];
  }
  const read = given.map((word, index) =>
    oneOf(word, words, Array.isArray(value) ? reading.at(index) : reading, first),
  );
  return words.filter((word) => read.includes(word));
}

function readTopics(value: unknown, reading: CardReading): readonly string[] {
  if (isAbsent(value)) return [];
  const given = asList(value);
  if (given.length > MOST_TOPICS) {
    reading.fault(`must be at most ${MOST_TOPICS} topics`);
    return [];
  }
  const topics = given.map((topic, index) => {
    const place = Array.isArray(value) ? reading.at(index) : reading;
    const before = reading.faults.length;
    const text = readText(topic, LONGEST_TOPIC_CHARS, place);
    if (reading.faults.length > before) return '';
    if (text === null || !reading.saysSomething(text)) {
      place.fault('must have a word that says what it is about');
    }
    return text ?? '';
  });
  return [...new Set(topics)].toSorted();
}

interface Range {
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
}

function readNumber(
  value: unknown,
  { isWhole, least, most }: Range,
  reading: CardReading,
): number | null {
  if (isAbsent(value)) return null;
  const isMeant =
    typeof value === 'number' &&
    value >= least &&
    value <= most &&
    (!isWhole || Number.isInteger(value));
  if (isMeant) return value;
  reading.fault(`must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`);
  return null;
}

/** The selector; where `reading` has collected faults, it is not to be used. */
export function readSelector(value: unknown, reading: CardReading): Selector {
  if (!isWritten(value)) {
    reading.fault('must be an object');
    return ANY_STATEMENT;
  }
  reading.only(value, MEMBERS);
  const listed = <Name extends keyof typeof SELECTOR_WORDS>(name: Name) =>
    readWords<(typeof SELECTOR_WORDS)[Name][number]>(
      value[name],
      SELECTOR_WORDS[name],
      reading.at(name),
    );
  const subject = isAbsent(value['subject'])
    ? 'either'
    : oneOf(value['subject'], SELECTOR_SUBJECTS, reading.at('subject'), 'either');
  const attribute = listed('attribute');
  if (attribute.length > 0 && subject === 'scope') {
    reading
      .at('attribute')
      .fault('must not be given for statements about a scope: people have attributes');
  }
  return {
    kind: listed('kind'),
    subject,
    sensitivity: listed('sensitivity'),
    target_level: listed('target_level'),
    source_types: listed('source_types'),
    verification: listed('verification'),
    attribute,
    topic: readTopics(value['topic'], reading.at('topic')),
    minimum_confidence: readNumber(
      value['minimum_confidence'],
      { least: 0, most: 1, isWhole: false },
      reading.at('minimum_confidence'),
    ),
    minimum_corroboration: readNumber(
      value['minimum_corroboration'],
      { least: 1, most: MOST_MINIMUM_CORROBORATION, isWhole: true },
      reading.at('minimum_corroboration'),
    ),
  };
}
