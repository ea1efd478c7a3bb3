/**
 * How each function that takes text is called with a pump. The functions are found in the sources (`sources.ts`).
 * A function that takes only text, numbers and flags needs no entry here. Any other function needs one, and the test
 * fails without it.
 */
import { MASK } from '../../../engine/secrets/mask-word.ts';
import { generateKeyPairSync } from 'node:crypto';
import { maskSecrets } from '../../../engine/secrets/mask.ts';
import { parseQuery } from '../../../domain/query/parse-query.ts';
import type { Candidate } from '../../../domain/statements/candidate.ts';
import type { Work } from './growth.ts';
import { linesOf, placed, around, unit, analysed, plan } from './carriers.ts';
import { ANSWER_CALLS, type Call } from './answer-calls.ts';
import { ROOT } from './sources.ts';
import { BOUNDED } from './bounded.ts';
import { ENGLISH_CALLS } from './english-calls.ts';
import { FORGETTING_CALLS } from './forgetting-calls.ts';
import { AT, PEOPLE, NAME_CHARS, message, request } from './requests.ts';
import type { Parameter, TextFunction } from './sources.ts';

/** Files that handle text of callers and models. Others handle settings, rows and paths; their patterns count too. */
const HANDLES_TEXT = /^(?:api|domain|engine|operations)\/|^console\/pages\/skills\/json-fault\.ts$/;
/** Names of parameters that the service fills itself: ids, paths, instants. */
const OWN =
  /(?:Id|Ids|Url)$|^(?:id|ids|path|prefix|queue|instant|now|chain|peers|version|promptVersion|field)$/;

const isText = ({ kind, name }: Parameter): boolean =>
  (kind === 'text' || kind === 'texts' || kind === 'carrier') && !OWN.test(name);

/** Whether pumps are sent through the function. */
export function isMeasured({ file, parameters }: TextFunction): boolean {
  return HANDLES_TEXT.test(file) && parameters.some(isText);
}

const KEY = generateKeyPairSync('ed25519').publicKey;

/** A statement that a stable profile may hold. */
const aboutAda = (text: string) => ({
  id: 'id',
  text,
  kind: 'fact',
  confidence: 1,
  sensitivity: 'internal',
  evidenceLevel: 'direct',
  sourceCount: 1,
  relevantFrom: null,
  relevantUntil: null,
  recordedAt: AT,
  claim: { about: 'residence', value: 'digest', mode: 'holds' },
  sourceMessageIds: ['id'],
});
const TIME = { occurredAt: AT, offsetMinutes: 60 };
const REFERENCE = { now: Date.parse(AT), today: Date.parse(AT) };
const turn = (role: string, text: string) => ({ role, text, bySubject: role === 'user' });

const candidate = (statement: string, supportingSpan: string): Candidate => ({
  supportingSpan,
  statement,
  confidence_level: 'stated_explicitly',
  kind: 'fact',
  subjectType: 'peer',
  subjectRef: 'ada',
  sensitivity: 'internal',
  targetLevel: 'peer',
  sourceMessageIds: ['m1'],
  relevantFrom: null,
  relevantUntil: null,
});

const item = (statement: string, supporting_span: string) => ({
  supporting_span,
  statement,
  confidence_level: 'stated_explicitly',
  kind: 'fact',
  subject_type: 'peer',
  subject_ref: 'ada',
  sensitivity: 'internal',
  target_level: 'peer',
  source_message_ids: ['m1'],
  relevant_from: null,
  relevant_until: null,
});

/** Calls by function. A function with several texts has several calls, each with the pump as another text. */
const CALLS: Readonly<Record<string, readonly Call[]>> = {
  'domain/workflow-history/safe-text.ts#isSearchAttribute': [(fn, text) => fn('AccountRef', text)],
  ...ANSWER_CALLS,
  'domain/sensitivity/raise.ts#sensitivityRaiser': [
    (fn, text) =>
      (fn(request(text)) as (given: unknown) => unknown)(candidate('Ada sails.', 'I sail.')),
    (fn, text) => (fn(request('I sail.')) as (given: unknown) => unknown)(candidate(text, text)),
  ],
  'domain/statements/confidence.ts#confidenceOf': [
    (fn, text) => fn(candidate('a', text.slice(1)), 'direct'),
  ],
  'domain/statements/confidence.ts#evidenceLevelOf': [
    (fn, text) => fn(candidate('a', text.slice(1)), request(text)),
  ],
  'domain/statements/confidence.ts#gradeCandidate': [
    (fn, text) => fn(candidate('a', text.slice(1)), request(text)),
  ],
  'domain/extraction/named-people.ts#peopleNamedIn': [
    (fn, text) => fn(text, [{ key: 'ada', name: 'Ada' }]),
  ],
  'domain/extraction/validate-dates.ts#datesAreSupported': [
    (fn, text) => fn('In 2019', 'a', [message(text)], () => []),
    (fn, text) => fn(text, 'a', [message(text)], () => []),
  ],
  'domain/extraction/validate-span.ts#onlyAsks': [
    (fn, text) => fn('What?', text, ['Ada'], [message(`What? ${text}`)]),
    (fn, text) => fn(`${text}?`, 'likes green teapots', [text], [message(text)]),
  ],
  'domain/extraction/validate-subject.ts#knownPeople': [(fn, text) => fn(request(text))],
  'domain/extraction/validate-subject.ts#resolvePeerReference': [(fn, text) => fn(text, PEOPLE)],
  'domain/extraction/validate-subject.ts#subjectFaults': [
    (fn, text) => fn(candidate(text, text), request(text), [message(text)]),
  ],
  'domain/extraction/validate.ts#validateCandidate': [
    (fn, text) => fn(candidate('Ada likes tea', `${text.slice(0, 99)}?`), request(text), () => []),
    (fn, text) => fn(candidate(text, text), request(text), () => []),
  ],
  'domain/stable-profile/eligible.ts#exclusionOf': [(fn, text) => fn(aboutAda(text), AT)],
  'domain/stable-profile/profile.ts#buildProfile': [(fn, text) => fn([aboutAda(text)], AT)],
  'domain/statements/attributes.ts#attributeOf': [
    (fn, text) => fn(text, ['Ada']),
    (fn, text) => fn(`Ada ${text}`, ['Ada']),
    (fn, text) => fn('Ada moved to Oslo', [text.slice(0, NAME_CHARS)]),
  ],
  'domain/statements/paraphrase.ts#paraphrased': [
    (fn, text) => fn({ threshold: 0.5, likeness: () => 1 }, text, `${text} not`),
  ],
  'domain/knowledge/merge.ts#knownAs': [
    (fn, text) => fn({ paraphraseHashes: [], statementHash: 'a' }, text),
  ],
  'domain/query/match-operators.ts#queryOperatorCheck': [
    (fn, text) => (fn(parseQuery('"moved to" -rome or oslo')) as Work)(text),
  ],
  'domain/query/parsed-query.ts#freeWords': [(fn, text) => fn(parseQuery(text.slice(0, 4096)))],
  'domain/query/parsed-query.ts#rankingText': [(fn, text) => fn(parseQuery(text.slice(0, 4096)))],
  // A word that is repaired has 24 letters at most.
  'domain/text/spelling.ts#oneSlipAway': [(fn, text) => fn(text.slice(0, 24))],
  'domain/questions/shared-words.ts#fitsTo': [
    (fn, text) => fn(new Set(['canoe']), text),
    (fn, text) => fn(null, text),
  ],
  'domain/questions/transcript.ts#plainAnswer': [
    (fn, text) => fn(text),
    (fn, text) => fn(`yes ${text.slice(0, 100)}`),
  ],
  'domain/questions/transcript.ts#isAnswered': [
    (fn, text) => fn([turn('assistant', text), turn('user', text)], text.slice(0, 999), 'confirm'),
    (fn, text) => fn([turn('assistant', text)], `${text.slice(0, 999)} b`, 'confirm'),
  ],
  'domain/text/ending.ts#withoutEnding': [(fn, text) => fn(text, /[.!\s-]/u)],
  'engine/documents/block.ts#sectionsOf': [(fn, text) => fn(linesOf(text))],
  'engine/documents/chunks.ts#chunksOf': [
    (fn, text) => fn([{ text, headings: [] }], 20_000),
    (fn, text) => fn(linesOf(text), 20_000),
  ],
  'engine/documents/mask.ts#maskBlocks': [(fn, text) => fn(linesOf(text))],
  'engine/documents/pdf-layout.ts#linesOf': [(fn, text) => fn(placed(text))],
  'engine/documents/text.ts#decodeText': [
    (fn, text) => fn(Buffer.from(text), 'text/plain'),
    (fn, text) => fn(Buffer.from('a'), `text/plain; charset=utf-8;${text}`),
  ],
  'engine/erasure/receipts.ts#verifyReceipt': [
    (fn, text) => fn(text, KEY),
    (fn, text) => fn(JSON.stringify({ body: { note: text } }), KEY),
  ],
  ...ENGLISH_CALLS,
  ...FORGETTING_CALLS,
  'engine/extraction/model/fit-context.ts#fitToContext': [
    (fn, text) => fn([request(text)], 100_000_000),
  ],
  'engine/extraction/model/fit-context.ts#messageTokens': [(fn, text) => fn(message(text))],
  'engine/extraction/model/map-candidate.ts#mapItem': [
    (fn, text) => fn(item(text, `${text.slice(0, 99)}“`), request(text)),
    (fn, text) => fn(item('Ada likes tea', text), request(`“${text}`)),
  ],
  'engine/extraction/model/prompt.ts#instructionsFor': [(fn, text) => fn([request(text)])],
  'engine/extraction/model/prompt.ts#renderMaterial': [(fn, text) => fn([request(text)])],
  'engine/extraction/model/prompt.ts#renderMessage': [(fn, text) => fn(message(text))],
  'engine/extraction/model/read-answer.ts#readAnswer': [
    (fn, text) => fn(text, [request('I moved to Oslo.')], () => []),
    (fn, text) =>
      fn(JSON.stringify([item('Ada moved', text)]), [request('I moved to Oslo.')], () => []),
    (fn, text) =>
      fn(JSON.stringify([item('Ada moved to Oslo', 'not there')]), [request(text)], () => []),
  ],
  'engine/extraction/model/resolve-dates.ts#resolveDates': [(fn, text) => fn(text, message(text))],
  'engine/models/masking.ts#maskCandidates': [
    (fn, text) => fn([candidate(text, text)], maskSecrets),
  ],
  'engine/models/masking.ts#maskMessages': [
    (fn, text) => fn([{ role: 'user', content: text }], maskSecrets),
    (fn, text) =>
      fn([{ role: 'user', content: JSON.stringify(text.split(/(?<=[ :"])/u)) }], maskSecrets),
  ],
  'engine/models/masking.ts#maskRequests': [(fn, text) => fn([request(text)], maskSecrets)],
  'engine/analysis/message.ts#analyseMessage': [
    (fn, text) => fn({ accountId: 'account', content: text, surroundings: around(text) }, text),
  ],
  'engine/indexes/lenders.ts#surroundingsOf': [
    (fn, text) => fn(unit(text), { neighbours: new Map(), sources: new Map() }),
  ],
  'engine/offload/tasks.ts#textsOf': [
    (fn, text) => fn({ accountId: 'account', content: text, surroundings: around(text) }),
  ],
  'engine/analysis/places.ts#placesOf': [
    (fn, text) => fn(text, text, [{ text, start: text.length }]),
    (fn, text) => fn(`key ${text}`, `${MASK}${text}`, [{ text, start: text.length }]),
  ],
  'engine/indexes/units.ts#analyseStatement': [(fn, text) => fn('account', unit(text))],
  'engine/indexes/units.ts#countedStatement': [(fn, text) => fn(analysed(text))],
  'engine/models/embedding.ts#batchesOf': [
    (fn, text) => fn([text, text], { batchTexts: 2, batchTokens: 8_000 }),
  ],
  'engine/indexes/units.ts#passagePoint': [
    (fn, text) => fn('account', unit(text), analysed(text), analysed(text), 0, null),
  ],
  'engine/indexes/units.ts#statementRecord': [(fn, text) => fn('account', analysed(text))],
  'engine/indexes/units.ts#statementPoint': [(fn, text) => fn('account', analysed(text), null)],
  'engine/retrieval/lexical.ts#scoreText': [
    (fn, text) => fn('account', { asked: { indices: [1], values: [1] }, total: 1 }, text),
  ],
  'engine/retrieval/phrases.ts#asksByPhraseAlone': [(fn, text) => fn(plan(text))],
  'engine/text/query-plan.ts#freeTermIdsOf': [(fn, text) => fn(plan(text), 'account')],
  'engine/text/query-plan.ts#termIdsOf': [(fn, text) => fn(plan(text), 'account')],
  'engine/retrieval/known-words.ts#weighKnownWords': [
    (fn, text) => fn(plan(text), 'account', { frequencies: null, repairs: [] }),
  ],
  'engine/text/query-plan.ts#weighWords': [
    (fn, text) => fn(plan(text), 'account', { units: 1, byTerm: new Map() }),
  ],
  'engine/english/time/absolute-dates.ts#absoluteDates': [(fn, text) => fn(text, REFERENCE, 60)],
  'engine/english/time/resolve-window.ts#resolveWindow': [(fn, text) => fn(text, TIME)],
  'engine/english/time/rule.ts#applyRules': [],
  'engine/english/time/rule.ts#rule': [],
  'domain/context/facts.ts#factText': [(fn, text) => fn(text, { from: null, until: null })],
  'domain/statements/statement-row.ts#windowEnd': [(fn, text) => fn(text, 'day')],
  'domain/text/excerpt.ts#excerptAround': [
    (fn, text) =>
      fn({ text, span: { offset: text.length >> 1, length: 9 }, isCutBefore: true }, 480),
  ],
  'domain/text/span.ts#spanFinder': [
    (fn, text) => (fn(text) as Work)(text.slice(-99)),
    (fn, text) => (fn(`${text}😀`) as Work)('😀'),
  ],
  'domain/promises/line.ts#readLine': [
    (fn, text) => fn(text, () => '0'.repeat(64)),
    (fn, text) => fn(`{"promise":${text},"check":"0000000000000000"}`, () => '0'.repeat(64)),
  ],
  'operations/sources/places.ts#isAtOrBelow': [(fn, text) => fn(text, '/home')],
  'engine/text/ranked-question.ts#readQuestion': [
    (fn, text) => fn(text, [{ id: 'ada', name: 'Ada' }]),
    (fn, text) => fn('Where is Ada?', [{ id: 'ada', name: text.slice(0, NAME_CHARS) }]),
  ],
};

const SAMPLES: Readonly<Record<Parameter['kind'], unknown>> = {
  text: 'Ada',
  texts: ['Ada'],
  boolean: true,
  number: 0,
  optional: undefined,
  carrier: undefined,
  other: undefined,
};

/** Calls of a function without an entry above: the pump as each of its texts in turn, samples for the rest. */
function plainCalls(parameters: readonly Parameter[]): readonly Call[] | null {
  if (parameters.some(({ kind }) => kind === 'other' || kind === 'carrier')) return null;
  return parameters.filter(isText).flatMap((pumped): Call[] => {
    const call =
      (shape: (text: string) => unknown): Call =>
      (fn, text) =>
        fn(...parameters.map((each) => (each === pumped ? shape(text) : SAMPLES[each.kind])));
    return pumped.kind === 'text'
      ? [call((text) => text)]
      : [call((text) => [text]), call((text) => text.split(/(?<=[ .])/u))];
  });
}

/** The calls that send a pump through the function; null when it needs an entry above and has none. */
export function callsOf({ id, parameters }: TextFunction): readonly Call[] | null {
  return CALLS[id] ?? plainCalls(parameters);
}

/** The ids of all entries above. The test checks them, so that no entry outlives its function. */
export const NAMED = [...Object.keys(CALLS), ...Object.keys(BOUNDED)];

/** Loads the function and answers its calls. */
export async function worksOf(found: TextFunction): Promise<readonly Work[]> {
  const calls = callsOf(found) ?? [];
  const module = (await import(`${ROOT}/${found.file}`)) as Record<string, unknown>;
  const fn = module[found.name] as (...args: unknown[]) => unknown;
  return calls.map((call) => (text) => call(fn, text));
}
