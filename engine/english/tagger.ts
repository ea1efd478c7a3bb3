/**
 * Words of an English text with their parts of speech (wink-nlp, universal tags).
 *
 * The library keeps each word that it does not know for ever. So it sees a mask of the text: a word outside of its
 * vocabulary is replaced by one that has the same length, case and ending and says nothing. All masks are of a few hundred
 * forms, so a process holds no word of a caller and its memory stays as it is.
 *
 * Its model takes a fifth of a second to load. It is loaded when it is first needed; a process that extracts calls
 * `loadTagger` before it takes work.
 */
import englishModel from 'wink-eng-lite-web-model';
import createWink, {
  type ItsFunction,
  type Model,
  type PartOfSpeech,
  type WinkMethods,
} from 'wink-nlp';

export interface Word {
  /** Verbatim. */
  readonly text: string;
  /** In small letters, with straight apostrophes. */
  readonly lower: string;
  readonly pos: PartOfSpeech;
  /** Base form, in small letters. */
  readonly lemma: string;
  /** Whether the vocabulary has it. */
  readonly known: boolean;
  /** Offsets into the text, end exclusive. */
  readonly start: number;
  readonly end: number;
}

interface Core {
  readonly features: {
    readonly lexeme: {
      readonly hash: Readonly<Record<string, number>>;
      readonly intrinsicSize: number;
    };
  };
}

/** What can be asked of a token; functions without a `this`. */
interface Its {
  readonly pos: ItsFunction<PartOfSpeech>;
  readonly lemma: ItsFunction<string>;
}

interface Tagger {
  readonly nlp: WinkMethods;
  readonly knows: (word: string) => boolean;
}

let loaded: Tagger | null = null;

/** Loads the model; a later call costs nothing. */
export function loadTagger(): Tagger {
  if (loaded !== null) return loaded;
  const model = englishModel as Model & { readonly core: () => Core };
  const core = model.core();
  const { hash, intrinsicSize } = core.features.lexeme;
  const nlp = createWink({ ...model, core: () => core }, ['pos']);
  const knows = (word: string): boolean =>
    Object.hasOwn(hash, word) && (hash[word] ?? intrinsicSize) < intrinsicSize;
  loaded = { nlp, knows };
  return loaded;
}

/** Longer words have the mask of one of this length. */
const LONGEST_MASK = 24;
const ENDING = /(?:ing|ed|ly|s|er|est|tion|ness|ful|ous|al)$/u;
const PIECE = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|[^\p{L}\p{M}\p{N}]/gu;
/** Signs that the tags depend on; every other one is a blank. */
const SIGNS = new Set('.,;:!?"\'()-–—$%&/ ');

/** A word that says no more than the length, the case and the ending of the other. */
function maskOf(word: string): string {
  const length = Math.min(word.length, LONGEST_MASK);
  if (/^\p{N}/u.test(word)) return '1'.repeat(Math.min(length, 4)).padEnd(word.length);
  const lower = word.toLowerCase();
  const ending = ENDING.exec(lower)?.[0] ?? '';
  const kept = ending.length < length ? ending : '';
  const body = 'x'.repeat(length - kept.length);
  const isCapital = lower.charAt(0) !== word.charAt(0);
  return `${isCapital ? `X${body.slice(1)}` : body}${kept}`.padEnd(word.length);
}

/** A word of capitals is tagged like the same in small letters, unless it may be an abbreviation. */
function spoken(word: string, knows: Tagger['knows']): string {
  const isShouted = word.length > 3 && word === word.toUpperCase();
  return isShouted && knows(word.toLowerCase()) ? word.toLowerCase() : word;
}

function masked(text: string, knows: Tagger['knows']): string {
  return text.replace(PIECE, (piece) => {
    if (piece.length === 1 && !/[\p{L}\p{N}]/u.test(piece)) {
      const sign =
        piece === '’' || piece === '‘' ? "'" : piece === '“' || piece === '”' ? '"' : piece;
      return SIGNS.has(sign) ? sign : ' ';
    }
    const plain = spoken(piece.replaceAll('’', "'"), knows);
    const isKnown = knows(plain) || knows(plain.toLowerCase()) || isContraction(plain, knows);
    return isKnown ? plain : maskOf(piece);
  });
}

/** A word and a short verb or "not", each of which the vocabulary has. */
function isContraction(word: string, knows: Tagger['knows']): boolean {
  const found = /^(?<stem>\p{L}+?)(?:n't|'(?:m|re|ve|ll|d|s))$/iu.exec(word)?.groups;
  const stem = found?.['stem'];
  return stem !== undefined && knows(stem.toLowerCase());
}

/** A contraction that the tokenizer leaves whole. */
const CONTRACTION = /^(?<stem>.+)(?<short>'(?:m|re|ve|ll|d|s))$/iu;
const PRONOUN = /^(?:i|you|we|they|he|she|it|that|there)$/iu;

/** The words in order: contractions in two, signs alone. Linear in the length of the text. */
export function tagged(text: string): Word[] {
  const { knows, nlp } = loadTagger();
  const mask = masked(text, knows);
  const tokens = nlp.readDoc(mask).tokens();
  const texts = tokens.out();
  const its = nlp.its as Its;
  const tags = tokens.out(its.pos) as readonly PartOfSpeech[];
  const lemmas = tokens.out(its.lemma) as readonly string[];
  const words: Word[] = [];
  let at = 0;
  for (const [i, value] of texts.entries()) {
    const start = mask.indexOf(value, at);
    if (start === -1) continue;
    const end = start + value.length;
    at = end;
    const stem = CONTRACTION.exec(value)?.groups?.['stem'];
    const cut = start + (stem ?? value).length;
    const isPronoun = stem !== undefined && PRONOUN.test(stem);
    const tag = isPronoun ? 'PRON' : (tags[i] ?? 'X');
    words.push(wordAt(text, start, cut, tag, stem ?? lemmas[i] ?? value, knows));
    const short = text.slice(cut, end);
    // The "s" of a noun may be of an owner or a short "is": the reader of the clause tells.
    const shortTag = isPronoun || !short.endsWith('s') ? 'AUX' : 'PART';
    if (cut < end) words.push(wordAt(text, cut, end, shortTag, short, knows));
  }
  return withVerbAtStart(words, knows);
}

/** "Twisted my knee": the capital makes a past form look like a name. */
function withVerbAtStart(words: readonly Word[], knows: Tagger['knows']): Word[] {
  const [first, next, ...others] = words;
  if (first === undefined || next === undefined) return [...words];
  const isPast = first.pos === 'PROPN' && first.lower.endsWith('ed') && knows(first.lower);
  if (!isPast || !/^(?:my|our)$/u.test(next.lower)) return [...words];
  const stem = first.lower.slice(0, -2);
  const verb: Word = { ...first, pos: 'VERB', lemma: knows(stem) ? stem : `${stem}e` };
  return [verb, next, ...others];
}

function wordAt(
  source: string,
  start: number,
  end: number,
  pos: PartOfSpeech,
  lemma: string,
  knows: Tagger['knows'],
): Word {
  const text = source.slice(start, end);
  const lower = text.toLowerCase().replaceAll('’', "'");
  const known = knows(text) || knows(lower);
  const tag = /^(?:gonna|wanna|gotta)$/u.test(lower) ? 'AUX' : pos;
  return {
    text,
    lower,
    pos: tag,
    lemma: known || pos === 'AUX' ? lemma.toLowerCase() : lower,
    known,
    start,
    end,
  };
}
