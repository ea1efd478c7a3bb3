/**
 * Texts that resemble what people say as far as an index is concerned: words as rare as in real text (Zipf), between ten
 * and twenty of them, common English ones among them. The same seed always gives the same texts.
 */
const CONSONANTS = 'bcdfghjklmnprstvwz';
const VOWELS = 'aeiou';
const VOCABULARY = 30_000;
const FILLERS = ['the', 'and', 'of', 'with', 'in', 'a', 'to', 'was', 'for', 'that'] as const;
const CONTENT_WORDS = { least: 6, most: 12 };
const QUESTION_WORDS = { least: 2, most: 5 };

/** Numbers from 0 to 1, by mulberry32; nothing here needs more than speed and repeatability. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The word with this number: syllables of a consonant and a vowel, shorter for the frequent ones. */
function wordOf(rank: number): string {
  const syllables = CONSONANTS.length * VOWELS.length;
  let text = '';
  for (let rest = rank + syllables; rest > 0; rest = Math.floor(rest / syllables)) {
    const syllable = rest % syllables;
    text +=
      (CONSONANTS[syllable % CONSONANTS.length] ?? '') +
      (VOWELS[Math.floor(syllable / CONSONANTS.length)] ?? '');
  }
  return `${text}n`;
}

export interface Corpus {
  /** Texts of a scope, the same for the same number of the scope. */
  texts(scope: number, amount: number): string[];
  /** Questions that texts of the scope answer, in words of the text. */
  questions(scope: number, texts: number, amount: number): string[];
}

const rankOf = (random: () => number): number => Math.floor(VOCABULARY ** random()) - 1;

const between = (random: () => number, { least, most }: typeof CONTENT_WORDS): number =>
  least + Math.floor(random() * (most - least + 1));

/** Builds the texts of one seed. */
export function createCorpus(seed: number): Corpus {
  const text = (scope: number, at: number): string[] => {
    const random = randomFrom(seed + scope * 1_000_003 + at * 17);
    return Array.from({ length: between(random, CONTENT_WORDS) }, () => wordOf(rankOf(random)));
  };
  return {
    texts: (scope, amount) =>
      Array.from({ length: amount }, (_, at) => {
        const words = text(scope, at);
        const said = words.map((word, i) => `${word} ${FILLERS[(at + i * 3) % FILLERS.length]}`);
        return `I keep ${said.join(' ')} ${words[0]}.`;
      }),
    questions(scope, texts, amount) {
      const random = randomFrom(seed - scope - 1);
      return Array.from({ length: amount }, () => {
        const words = text(scope, Math.floor(random() * texts));
        const asked = words
          .toSorted(() => random() - 0.5)
          .slice(0, between(random, QUESTION_WORDS));
        return `What was the ${asked.join(' and the ')}?`;
      });
    },
  };
}
