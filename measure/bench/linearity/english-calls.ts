/** How the functions of the built-in extractor are called with a pump. */
import { tagged, type Word } from '../../../engine/english/tagger.ts';
import { readClause } from '../../../engine/english-extractor/clause/reading.ts';
import type { Company } from '../../../engine/english-extractor/company.ts';
import type { Context, Earlier } from '../../../engine/english-extractor/context.ts';
import { voiceOf, type Voice } from '../../../engine/english-extractor/voice.ts';
import type { Call } from './answer-calls.ts';
import type { Work } from './growth.ts';
import {
  ADA,
  BOB,
  message,
  NAME_CHARS,
  PEOPLE,
  remarks,
  request,
  SENTENCE_CHARS,
  sentences,
} from './requests.ts';

const VOICE = voiceOf(request('I moved.', { participants: [ADA, BOB] }));

/** Clauses are shorter than this when they are read word by word. */
function ofSentence(
  text: string,
  read: (words: readonly Word[], sentence: string) => unknown,
): unknown {
  const sentence = text.slice(0, SENTENCE_CHARS);
  return read(tagged(sentence), sentence);
}

const companyIn = (company: unknown, text: string): string => (company as Company).of(text, text);

function explained(context: unknown): unknown {
  const { asked, own } = context as Context;
  return [asked(), own()];
}

const PLACED = {
  span: 'I sailed',
  statement: 'Ada sailed',
  subjectRef: 'ada',
  dated: 'I sailed',
  alsoFrom: null,
  rule: 'event',
  isCleared: false,
  start: 0,
  end: 8,
};

/** Calls by function, beside those of `calls.ts`. */
export const ENGLISH_CALLS: Readonly<Record<string, readonly Call[]>> = {
  'engine/english-extractor/classify.ts#precisionOf': [
    (fn, text) => fn(text, null),
    (fn, text) => fn(text, 'event'),
  ],
  'engine/english-extractor/continuation.ts#continuationOf': [
    (fn, text) => fn(text, (sentence: string) => sentence),
  ],
  'engine/english-extractor/continuation.ts#tailOf': [
    (fn, text) => fn(text, false, (sentence: string) => sentence),
    (fn, text) => fn(`it ${text}`, false, (sentence: string) => sentence),
  ],
  'engine/english-extractor/captions.ts#withoutCaptions': [
    (fn, text) => fn(text),
    (fn, text) => fn(`[shares a photo of ${text}`),
  ],
  'engine/english-extractor/assertions.ts#assertionsOf': [
    (fn, text) => [...(fn(request(text)) as Iterable<unknown>)],
    (fn, text) => [...(fn(request(sentences(text))) as Iterable<unknown>)],
  ],
  'engine/english-extractor/company.ts#companyOf': [
    (fn, text) => companyIn(fn(request('We sail.'), 'Ada', [BOB]), text),
    (fn, text) =>
      companyIn(fn(request('We sail.', { window: [message(text)] }), 'Ada', []), 'We sail.'),
  ],
  'engine/english-extractor/context.ts#earlierAt': [
    (fn, text) => (fn(0, text, VOICE) as Earlier).mentions(),
  ],
  'engine/english-extractor/context.ts#contextOf': [
    (fn, text) => explained(fn(request(text, { window: [message(text)] }), VOICE)),
  ],
  'engine/english-extractor/asked.ts#askedBehind': [
    (fn, text) => fn(text, { id: 'm1', question: 'Where?', mentions: [] }),
    (fn, text) => fn('Ada sails.', { id: 'm1', question: text, mentions: [] }),
  ],
  'engine/english-extractor/joined.ts#joined': [
    (fn, text) =>
      fn(
        PLACED,
        { text: 'it leaks', start: 8 + text.length, end: 16 + text.length },
        'It leaks',
        `I sailed${text}it leaks`,
      ),
  ],
  'engine/english-extractor/judged.ts#told': [(fn, text) => fn(text, VOICE, text)],
  'engine/english-extractor/judged.ts#judged': [
    (fn, text) => fn(text, text, VOICE),
    (fn, text) => fn(`I moved to ${text.slice(0, SENTENCE_CHARS)}`, text, VOICE),
  ],
  'engine/english-extractor/referents/mentions.ts#mentionsOf': [
    (fn, text) => ofSentence(text, (words, sentence) => fn(words, sentence)),
  ],
  'engine/english-extractor/referents/pronouns.ts#unclearPronouns': [
    (fn, text) => ofSentence(text, (words, sentence) => fn(words, sentence)),
  ],
  'engine/english-extractor/voice.ts#windowOf': [(fn, text) => fn(text, message('I moved.'))],
  'engine/english-extractor/voice.ts#voiceOf': [
    (fn, text) => (fn(request('I moved.')) as Voice).plain(text),
    (fn, text) => (fn(request('I moved.')) as Voice).strip(text),
  ],
  'engine/english-extractor/worth/rule-of.ts#ruleOf': [
    (fn, text) =>
      ofSentence(text, (words, sentence) => {
        const reading = readClause(words);
        return typeof reading === 'string' ? reading : fn(reading, sentence);
      }),
  ],
  'engine/english-extractor/document.ts#extractWithoutModel': [
    (fn, text) => fn(request(text, { document: { title: null, headings: [] } })),
    (fn, text) => fn(request(sentences(text), { document: { title: null, headings: [] } })),
  ],
  'engine/english-extractor/extract.ts#extractDeterministic': [
    (fn, text) => fn(request(text)),
    (fn, text) => fn(request(sentences(text))),
    (fn, text) => fn(request(remarks(text))),
  ],
  'engine/english-extractor/addressed.ts#addressing': [
    (fn, text) => (fn(['Bob Stone', 'Melanie', 'Össur'], () => /bob/iu) as Work)(text),
    (fn, text) => (fn([text.slice(0, NAME_CHARS)], () => /bob/iu) as Work)('Mel, I moved.'),
  ],
  'engine/english-extractor/meant.ts#meantSentences': [
    (fn, text) => [...(fn(text) as Iterable<unknown>)],
    (fn, text) => [...(fn(`"${text}" “${text}`) as Iterable<unknown>)],
  ],
  'engine/english-extractor/openers.ts#openerStripper': [
    (fn, text) => (fn(['Bob Stone', 'Melanie']) as Work)(text),
    (fn, text) => (fn([text.slice(0, NAME_CHARS)]) as Work)('Mel, I moved.'),
  ],
  'engine/english-extractor/subject.ts#namedSubject': [(fn, text) => fn(text, PEOPLE)],
  'engine/english-extractor/subject.ts#namesAgent': [(fn, text) => fn(text, PEOPLE)],
  'engine/english-extractor/subject.ts#othersThan': [(fn, text) => fn(message(text), PEOPLE)],
  'engine/english-extractor/wording.ts#plainWording': [
    (fn, text) => (fn(['Bob Stone']) as Work)(text),
    (fn, text) => (fn([text.slice(0, NAME_CHARS)]) as Work)('I moved, Bob.'),
  ],
};
